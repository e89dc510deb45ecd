/* weft info on what a run leaves behind. */
#ifndef WEFT_CLI_INFO_RUN_H
#define WEFT_CLI_INFO_RUN_H

#include <stddef.h>

/* What tells about a file that begins with these bytes, a cache or a checkpoint; NULL: it is neither. */
int (*run_file_info(const char *bytes, size_t size))(const char *path);

#endif
