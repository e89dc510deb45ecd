/* Files that are there complete or not at all. stdio is not used: what it has buffered fails late, and its
 * files have to be reached below it for fsync anyway. */
#include "base/write_file.h"

#include "base/memory.h"
#include "base/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool weft_write_at(int file, const void *bytes, size_t size, uint64_t offset) {
  const char *from = bytes;
  while (size > 0) {
    ssize_t written = pwrite(file, from, size, (off_t)offset);
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC; /* no progress and no reason given: never again and again */
    if (written <= 0) return false;
    from += written;
    size -= (size_t)written;
    offset += (uint64_t)written;
  }
  return true;
}

/* The names in a folder last only after the folder was written too. */
static bool sync_folder(const char *folder) {
  int file = open(folder, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  /* some file systems cannot do this for folders, and have nothing to do */
  bool is_synced = fsync(file) == 0 || errno == EINVAL;
  int reason = errno;
  close(file);
  errno = reason;
  return is_synced;
}

WeftResult weft_put_in_place(const char *beside, const char *path, WeftError *error) {
  char *folder = weft_folder_of(path); /* before the rename: what fails must leave things as they were */
  if (!folder) return weft_fail_memory(error, path);
  bool is_there = rename(beside, path) == 0 && sync_folder(folder);
  free(folder);
  return is_there ? WEFT_RESULT_OK
                  : weft_fail(error, WEFT_RESULT_IO, "cannot write '%s': %s", path, strerror(errno));
}

char *weft_beside(const char *path) {
  size_t length = strlen(path) + sizeof ".tmp";
  char *beside = WEFT_NEW(char, length);
  if (beside) snprintf(beside, length, "%s.tmp", path);
  return beside;
}

/* Closes in any case; errno tells about the first thing that went wrong. */
static bool write_and_close(int file, const void *bytes, size_t size) {
  bool is_written = weft_write_at(file, bytes, size, 0) && fsync(file) == 0;
  int reason = errno;
  bool is_closed = close(file) == 0;
  if (!is_written) errno = reason;
  return is_written && is_closed;
}

WeftResult weft_write_file(const char *path, const void *bytes, size_t size, WeftError *error) {
  char *beside = weft_beside(path);
  if (!beside) return weft_fail_memory(error, "file name");
  WeftResult result;
  int file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file >= 0 && write_and_close(file, bytes, size)) {
    result = weft_put_in_place(beside, path, error);
  } else {
    result = weft_fail(error, WEFT_RESULT_IO, "cannot write '%s': %s", path, strerror(errno));
  }
  if (result && file >= 0) remove(beside);
  free(beside);
  return result;
}
