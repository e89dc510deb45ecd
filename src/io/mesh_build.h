/* A mesh while its file is read: polygons of any size, uvs by their own index. */
#ifndef WEFT_IO_MESH_BUILD_H
#define WEFT_IO_MESH_BUILD_H

#include "base/error.h"

#include <weft/scene.h>

/* Zeroed is empty. The arrays grow with what was read, never with what a file announces. */
typedef struct WeftMeshBuild {
  double *positions; /* vertex_count x 3 */
  size_t vertex_count, vertex_capacity;
  double *uvs; /* uv_count x 2 */
  size_t uv_count, uv_capacity;
  int32_t *corner_vertex; /* corner_count */
  int32_t *corner_uv;     /* corner_count, -1 for a corner without uv */
  size_t corner_count, corner_vertex_capacity, corner_uv_capacity;
  int32_t *polygon_start; /* polygon_count: its first corner */
  size_t polygon_count, polygon_capacity;
} WeftMeshBuild;

/* False when out of memory. */
bool weft_mesh_build_vertex(WeftMeshBuild *build, const double position[3]);
bool weft_mesh_build_uv(WeftMeshBuild *build, const double uv[2]);
/* Corners belong to the polygon begun last. */
bool weft_mesh_build_polygon(WeftMeshBuild *build);
bool weft_mesh_build_corner(WeftMeshBuild *build, int32_t vertex, int32_t uv);

/* Triangulates. All indices are in range and all polygons of 3 to WEFT_MAX_POLYGON_CORNERS corners; name is
 * for messages. uvs only when every corner has one. */
WeftResult weft_mesh_build_finish(const WeftMeshBuild *build, const char *name, WeftMesh *mesh,
                                  WeftError *error);
/* A hash of the polygons: sizes and vertices. */
uint64_t weft_mesh_build_faces(const WeftMeshBuild *build);
void weft_mesh_build_free(WeftMeshBuild *build);

#endif
