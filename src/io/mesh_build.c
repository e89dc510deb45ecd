/* Collects what a reader finds and makes a mesh of it at the end: polygons are cut only when all vertices are
 * known, since files may name faces before vertices and quads are cut with a look at their neighbours.
 */
#include "io/mesh_build.h"

#include "base/hash.h"
#include "base/memory.h"
#include "mesh/limits.h"
#include "mesh/triangulate.h"

#include <stdlib.h>
#include <string.h>

static bool grow(void *items, size_t *capacity, size_t needed, size_t size) {
  void *array;
  memcpy(&array, items, sizeof array);
  bool done = weft_grow(&array, capacity, needed, size);
  memcpy(items, &array, sizeof array);
  return done;
}

bool weft_mesh_build_vertex(WeftMeshBuild *build, const double position[3]) {
  if (!grow(&build->positions, &build->vertex_capacity, build->vertex_count + 1, 3 * sizeof(double)))
    return false;
  memcpy(build->positions + 3 * build->vertex_count++, position, 3 * sizeof(double));
  return true;
}

bool weft_mesh_build_uv(WeftMeshBuild *build, const double uv[2]) {
  if (!grow(&build->uvs, &build->uv_capacity, build->uv_count + 1, 2 * sizeof(double))) return false;
  memcpy(build->uvs + 2 * build->uv_count++, uv, 2 * sizeof(double));
  return true;
}

bool weft_mesh_build_polygon(WeftMeshBuild *build) {
  if (!grow(&build->polygon_start, &build->polygon_capacity, build->polygon_count + 1, sizeof(int32_t)))
    return false;
  build->polygon_start[build->polygon_count++] = (int32_t)build->corner_count;
  return true;
}

bool weft_mesh_build_corner(WeftMeshBuild *build, int32_t vertex, int32_t uv) {
  size_t needed = build->corner_count + 1;
  if (!grow(&build->corner_vertex, &build->corner_vertex_capacity, needed, sizeof(int32_t))) return false;
  if (!grow(&build->corner_uv, &build->corner_uv_capacity, needed, sizeof(int32_t))) return false;
  build->corner_vertex[build->corner_count] = vertex;
  build->corner_uv[build->corner_count++] = uv;
  return true;
}

static WeftResult check_sizes(const WeftMeshBuild *build, const char *name, WeftError *error) {
  if (build->vertex_count > WEFT_MAX_VERTICES) {
    return weft_fail(error, WEFT_RESULT_INVALID_DATA, "%s: %zu vertices; at most %d are possible", name,
                     build->vertex_count, WEFT_MAX_VERTICES);
  }
  if (build->corner_count - 2 * build->polygon_count > WEFT_MAX_TRIANGLES) {
    return weft_fail(error, WEFT_RESULT_INVALID_DATA, "%s: %zu triangles; at most %d are possible", name,
                     build->corner_count - 2 * build->polygon_count, WEFT_MAX_TRIANGLES);
  }
  return WEFT_RESULT_OK;
}

/* triangle_corners lead to corners: three each become vertices and, where all corners have them, uvs. */
static void look_up_corners(const WeftMeshBuild *build, const int32_t *triangle_corners, WeftMesh *mesh) {
  for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
    int32_t corner = triangle_corners[i];
    mesh->triangles[i] = build->corner_vertex[corner];
    if (mesh->uvs)
      memcpy(mesh->uvs + 2 * i, build->uvs + 2 * (size_t)build->corner_uv[corner], 2 * sizeof(double));
  }
}

static bool has_all_uvs(const WeftMeshBuild *build) {
  for (size_t i = 0; i < build->corner_count; i++) {
    if (build->corner_uv[i] < 0) return false;
  }
  return build->corner_count > 0;
}

WeftResult weft_mesh_build_finish(const WeftMeshBuild *build, const char *name, WeftMesh *mesh,
                                  WeftError *error) {
  memset(mesh, 0, sizeof *mesh);
  WeftResult result = check_sizes(build, name, error);
  if (result != WEFT_RESULT_OK) return result;
  size_t triangle_count = build->corner_count - 2 * build->polygon_count;
  int32_t *start = WEFT_NEW(int32_t, build->polygon_count + 1);
  int32_t *triangle_corners = WEFT_NEW(int32_t, 3 * triangle_count);
  mesh->positions = weft_copy(build->positions, build->vertex_count, 3 * sizeof(double));
  mesh->triangles = WEFT_NEW(int32_t, 3 * triangle_count);
  bool has_uvs = has_all_uvs(build);
  if (has_uvs) mesh->uvs = WEFT_NEW(double, 6 * triangle_count);
  if (!start || !triangle_corners || !mesh->positions || !mesh->triangles || (has_uvs && !mesh->uvs)) {
    result = weft_fail_memory(error, name);
  } else {
    mesh->vertex_count = (int32_t)build->vertex_count;
    mesh->triangle_count = (int32_t)triangle_count;
    if (build->polygon_count) memcpy(start, build->polygon_start, build->polygon_count * sizeof *start);
    start[build->polygon_count] = (int32_t)build->corner_count;
    result = weft_triangulate(mesh->vertex_count, mesh->positions, (int)build->polygon_count, start,
                              build->corner_vertex, triangle_corners, error);
  }
  if (result == WEFT_RESULT_OK) look_up_corners(build, triangle_corners, mesh);
  if (result != WEFT_RESULT_OK) weft_mesh_free(mesh);
  free(start);
  free(triangle_corners);
  return result;
}

uint64_t weft_mesh_build_faces(const WeftMeshBuild *build) {
  uint64_t hash = weft_hash(WEFT_HASH_START, build->polygon_start, build->polygon_count * sizeof(int32_t));
  return weft_hash(hash, build->corner_vertex, build->corner_count * sizeof(int32_t));
}

void weft_mesh_build_free(WeftMeshBuild *build) {
  free(build->positions);
  free(build->uvs);
  free(build->corner_vertex);
  free(build->corner_uv);
  free(build->polygon_start);
  memset(build, 0, sizeof *build);
}
