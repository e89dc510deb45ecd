#ifndef WEFT_BASE_WRITE_FILE_H
#define WEFT_BASE_WRITE_FILE_H

#include "base/error.h"

/* Writes beside the path and renames: the file is there complete, or as it was before. */
WeftResult weft_write_file(const char *path, const void *bytes, size_t size, WeftError *error);

#endif
