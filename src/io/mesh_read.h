/* Mesh files from memory. */
#ifndef WEFT_IO_MESH_READ_H
#define WEFT_IO_MESH_READ_H

#include "base/error.h"

#include <weft/scene.h>

/* OBJ or PLY, told apart by content: PLY begins with a line "ply". name is used in messages. On failure the
 * mesh is empty; else it is freed with weft_mesh_free. */
WeftResult weft_mesh_parse(const void *bytes, size_t size, const char *name, WeftMesh *mesh,
                           WeftError *error);

/* The same; *faces tells one set of faces from another, before they are cut into triangles. Cuts follow the
 * shape, so two frames of a moving mesh with the same faces may differ in their triangles. */
WeftResult weft_mesh_parse_faces(const void *bytes, size_t size, const char *name, WeftMesh *mesh,
                                 uint64_t *faces, WeftError *error);

/* The two formats. */
WeftResult weft_obj_parse(const char *text, size_t size, const char *name, WeftMesh *mesh, uint64_t *faces,
                          WeftError *error);
WeftResult weft_ply_parse(const char *bytes, size_t size, const char *name, WeftMesh *mesh, uint64_t *faces,
                          WeftError *error);

#endif
