/* Mesh files: the whole file into memory, then one of the two parsers. Meshes of a million triangles are some
 * 40 MB. */
#include "io/mesh_read.h"

#include "base/read_file.h"

#include <stdlib.h>
#include <string.h>

WeftResult weft_mesh_parse(const void *bytes, size_t size, const char *name, WeftMesh *mesh,
                           WeftError *error) {
  uint64_t faces;
  return weft_mesh_parse_faces(bytes, size, name, mesh, &faces, error);
}

WeftResult weft_mesh_parse_faces(const void *bytes, size_t size, const char *name, WeftMesh *mesh,
                                 uint64_t *faces, WeftError *error) {
  const char *text = bytes;
  memset(mesh, 0, sizeof *mesh);
  bool is_ply =
      (size >= 4 && memcmp(text, "ply\n", 4) == 0) || (size >= 5 && memcmp(text, "ply\r\n", 5) == 0);
  return is_ply ? weft_ply_parse(text, size, name, mesh, faces, error)
                : weft_obj_parse(text, size, name, mesh, faces, error);
}

WeftResult weft_mesh_read(const char *path, WeftMesh *mesh, WeftError *error) {
  if (!path || !mesh) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "path or mesh is a null pointer");
  memset(mesh, 0, sizeof *mesh);
  char *bytes;
  size_t size;
  WeftResult result = weft_read_file(path, &bytes, &size, error);
  if (result == WEFT_RESULT_OK) result = weft_mesh_parse(bytes, size, path, mesh, error);
  free(bytes);
  return result;
}
