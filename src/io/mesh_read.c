/* Mesh files: the whole file into memory, then one of the two parsers. Meshes of a million triangles are some
 * 40 MB. */
#include "io/mesh_read.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

WeftResult weft_mesh_parse(const void *bytes, size_t size, const char *name, WeftMesh *mesh,
                           WeftError *error) {
  const char *text = bytes;
  memset(mesh, 0, sizeof *mesh);
  bool is_ply =
      (size >= 4 && memcmp(text, "ply\n", 4) == 0) || (size >= 5 && memcmp(text, "ply\r\n", 5) == 0);
  return is_ply ? weft_ply_parse(text, size, name, mesh, error)
                : weft_obj_parse(text, size, name, mesh, error);
}

/* To the end, whatever kind of file it is: pipes do not tell their size. */
static WeftResult read_all(FILE *file, const char *path, char **bytes, size_t *size, WeftError *error) {
  void *buffer = NULL;
  size_t capacity = 0, length = 0, got;
  do {
    if (!weft_grow(&buffer, &capacity, length + (1 << 16), 1)) {
      free(buffer);
      return weft_fail_memory(error, path);
    }
    got = fread((char *)buffer + length, 1, capacity - length, file);
    length += got;
  } while (got > 0);
  if (ferror(file)) {
    free(buffer);
    return weft_fail(error, WEFT_RESULT_IO, "%s: cannot be read: %s", path, strerror(errno));
  }
  *bytes = buffer;
  *size = length;
  return WEFT_RESULT_OK;
}

WeftResult weft_mesh_read(const char *path, WeftMesh *mesh, WeftError *error) {
  if (!path || !mesh) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "path or mesh is a null pointer");
  memset(mesh, 0, sizeof *mesh);
  FILE *file = fopen(path, "rb");
  if (!file) return weft_fail(error, WEFT_RESULT_IO, "%s: cannot be opened: %s", path, strerror(errno));
  char *bytes = NULL;
  size_t size = 0;
  WeftResult result = read_all(file, path, &bytes, &size, error);
  fclose(file);
  if (result == WEFT_RESULT_OK) result = weft_mesh_parse(bytes, size, path, mesh, error);
  free(bytes);
  return result;
}
