#include "base/write_file.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static WeftResult fail(const char *path, WeftError *error) {
  return weft_fail(error, WEFT_RESULT_IO, "cannot write '%s': %s", path, strerror(errno));
}

WeftResult weft_write_file(const char *path, const void *bytes, size_t size, WeftError *error) {
  size_t length = strlen(path) + sizeof ".tmp";
  char *beside = WEFT_NEW(char, length);
  if (!beside) return weft_fail_memory(error, "file name");
  snprintf(beside, length, "%s.tmp", path);
  FILE *file = fopen(beside, "wb");
  if (!file) {
    free(beside);
    return fail(path, error);
  }
  bool is_written = fwrite(bytes, 1, size, file) == size;
  is_written = fclose(file) == 0 && is_written;
  WeftResult result = WEFT_RESULT_OK;
  if (!is_written || rename(beside, path) != 0) {
    result = fail(path, error);
    remove(beside);
  }
  free(beside);
  return result;
}
