/* Whole files into memory, and names of files relative to a folder. */
#ifndef WEFT_BASE_READ_FILE_H
#define WEFT_BASE_READ_FILE_H

#include "base/error.h"

/* Reads the whole file; *bytes is zero-terminated (not counted in *size) and freed with free(). */
WeftResult weft_read_file(const char *path, char **bytes, size_t *size, WeftError *error);
/* name if it is absolute or folder is empty, otherwise folder/name; NULL when out of memory. */
char *weft_join_path(const char *folder, const char *name);
/* Everything before the last slash, "." without one; NULL when out of memory. */
char *weft_folder_of(const char *path);

#endif
