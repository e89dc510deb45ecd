#ifndef WEFT_BASE_WRITE_FILE_H
#define WEFT_BASE_WRITE_FILE_H

#include "base/error.h"

/* Writes beside the path and renames: the file is there complete, or as it was before. It is on the disk, and
 * so is its name, before this returns: also a machine that loses power keeps the one or the other. */
WeftResult weft_write_file(const char *path, const void *bytes, size_t size, WeftError *error);

/* All bytes at the offset of an open file. False with errno set. */
bool weft_write_at(int file, const void *bytes, size_t size, uint64_t offset);
/* Renames a file that is complete and on the disk to its name, and waits until the name is on the disk too.
 */
WeftResult weft_put_in_place(const char *beside, const char *path, WeftError *error);
/* path with ".tmp" behind it; NULL when out of memory. */
char *weft_beside(const char *path);

#endif
