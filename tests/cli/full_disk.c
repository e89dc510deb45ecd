/* A disk that fills up: preloaded into a program, it lets so many bytes of WEFT_TEST_ROOM be written at
 * offsets of files, the last write ending where the room does, and says ENOSPC from then on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

typedef ssize_t PwriteFn(int file, const void *bytes, size_t size, off_t offset);

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  static long room = -1;
  static PwriteFn *next;
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "pwrite");
  if (room < 0) room = getenv("WEFT_TEST_ROOM") ? atol(getenv("WEFT_TEST_ROOM")) : 0;
  if (room == 0 && size > 0) {
    errno = ENOSPC;
    return -1;
  }
  ssize_t written = next(file, bytes, size < (size_t)room ? size : (size_t)room, offset);
  if (written > 0) room -= written;
  return written;
}
