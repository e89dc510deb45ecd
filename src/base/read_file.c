#include "base/read_file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static WeftResult fail_io(const char *path, int code, WeftError *error) {
  char reason[128];
  if (strerror_r(code, reason, sizeof reason)) snprintf(reason, sizeof reason, "error %d", code);
  return weft_fail(error, WEFT_RESULT_IO, "%s: cannot be read: %s", path, reason);
}

/* Reads to the end instead of asking for a size first: also pipes are files. */
static WeftResult read_all(FILE *file, const char *path, char **bytes, size_t *size, WeftError *error) {
  enum { BLOCK = 1 << 16 };
  size_t capacity = 0, used = 0, got = 0;
  char *buffer = NULL;
  do {
    if (!weft_grow((void **)&buffer, &capacity, used + BLOCK + 1, 1)) {
      free(buffer);
      return weft_fail_memory(error, path);
    }
    got = fread(buffer + used, 1, BLOCK, file);
    used += got;
  } while (got > 0);
  if (ferror(file)) {
    int code = errno;
    free(buffer);
    return fail_io(path, code, error);
  }
  buffer[used] = 0;
  *bytes = buffer;
  *size = used;
  return WEFT_RESULT_OK;
}

WeftResult weft_read_file(const char *path, char **bytes, size_t *size, WeftError *error) {
  *bytes = NULL;
  *size = 0;
  FILE *file = fopen(path, "rb");
  if (!file) return fail_io(path, errno, error);
  WeftResult result = read_all(file, path, bytes, size, error);
  fclose(file);
  return result;
}

char *weft_join_path(const char *folder, const char *name) {
  if (name[0] == '/' || !folder[0]) return weft_copy_text(name);
  size_t size = strlen(folder) + strlen(name) + 2;
  char *path = WEFT_NEW(char, size);
  if (path) snprintf(path, size, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
  return path;
}

char *weft_folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return weft_copy_text(".");
  size_t length = slash == path ? 1 : (size_t)(slash - path);
  char *folder = WEFT_NEW(char, length + 1);
  if (folder) memcpy(folder, path, length);
  return folder;
}
