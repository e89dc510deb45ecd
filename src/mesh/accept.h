/* The policy for a mesh that shall become cloth; docs/meshes.md has it as a table. */
#ifndef WEFT_MESH_ACCEPT_H
#define WEFT_MESH_ACCEPT_H

#include "base/error.h"

#include <weft/scene.h>

/* Refuses what cannot be simulated, repairs what has one obvious repair (with a warning), warns about the
 * rest. name is how messages call the mesh. On failure the mesh is as it was. */
WeftResult weft_mesh_accept(WeftMesh *mesh, const char *name, WeftLog log, WeftError *error);

#endif
