#include <weft/scene.h>

#include <stdlib.h>
#include <string.h>

void weft_mesh_free(WeftMesh *mesh) {
  if (!mesh) return;
  free(mesh->positions);
  free(mesh->triangles);
  free(mesh->uvs);
  memset(mesh, 0, sizeof *mesh);
}
