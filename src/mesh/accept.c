/* The policy for a mesh that shall become cloth (docs/meshes.md). Everything is worked out on a copy first,
 * so that a failure leaves the mesh as it was. Rejected: dropping degenerate triangles. It tears a hole or
 * leaves a T-joint, and the cloth would part there.
 */
#include "mesh/accept.h"

#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/orient.h"
#include "mesh/topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static WeftResult refuse_nonfinite(const WeftMesh *mesh, const WeftMeshFacts *facts, const char *name,
                                   WeftError *error) {
  if (facts->nonfinite_vertices) {
    int32_t v = facts->first_nonfinite_vertex;
    const double *p = mesh->positions + 3 * (size_t)v;
    return weft_fail(
        error, WEFT_RESULT_INVALID_DATA,
        "%s: coordinates that are not finite at %d of %d vertices, first at vertex %d (%g, %g, %g), counted "
        "from 0; correct the file",
        name, facts->nonfinite_vertices, mesh->vertex_count, v, p[0], p[1], p[2]);
  }
  for (size_t i = 0; mesh->uvs && i < 6 * (size_t)mesh->triangle_count; i++) {
    if (isfinite(mesh->uvs[i])) continue;
    return weft_fail(
        error, WEFT_RESULT_INVALID_DATA,
        "%s: a uv that is not finite at corner %d of triangle %d, counted from 0; correct the file", name,
        (int)(i % 6 / 2), (int)(i / 6));
  }
  return WEFT_RESULT_OK;
}

static WeftResult refuse_triangles(const WeftMesh *mesh, const WeftMeshFacts *facts, const char *name,
                                   WeftError *error) {
  if (facts->index_errors) {
    const int32_t *v = mesh->triangles + 3 * (size_t)facts->first_index_error;
    return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                     "%s: vertices out of range in %d of %d triangles, first in triangle %d (vertices %d, "
                     "%d, %d), counted "
                     "from 0; there are %d vertices; correct the indices",
                     name, facts->index_errors, mesh->triangle_count, facts->first_index_error, v[0], v[1],
                     v[2], mesh->vertex_count);
  }
  if (facts->degenerate_triangles) {
    const int32_t *v = mesh->triangles + 3 * (size_t)facts->first_degenerate_triangle;
    return weft_fail(
        error, WEFT_RESULT_INVALID_DATA,
        "%s: %d of %d triangles are degenerate, first triangle %d (vertices %d, %d, %d), counted from 0: %s; "
        "merge or remove them in the tool the mesh comes from",
        name, facts->degenerate_triangles, mesh->triangle_count, facts->first_degenerate_triangle, v[0], v[1],
        v[2],
        weft_triangle_repeats_vertex(v) ? "a vertex is repeated"
                                        : "its area is below 1e-12 times its longest edge squared");
  }
  return WEFT_RESULT_OK;
}

/* Copies triangles and uvs without the duplicates; returns how many are left. */
static int copy_without_duplicates(const WeftMesh *mesh, const uint8_t *is_duplicate, int32_t *triangles,
                                   double *uvs) {
  int kept = 0;
  for (int32_t t = 0; t < mesh->triangle_count; t++) {
    if (is_duplicate[t]) continue;
    memcpy(triangles + 3 * (size_t)kept, mesh->triangles + 3 * (size_t)t, 3 * sizeof *triangles);
    if (uvs) memcpy(uvs + 6 * (size_t)kept, mesh->uvs + 6 * (size_t)t, 6 * sizeof *uvs);
    kept++;
  }
  return kept;
}

/* (a, b, c) becomes (a, c, b). */
static void turn_round(int32_t *triangle, double *uvs) {
  int32_t corner = triangle[1];
  triangle[1] = triangle[2];
  triangle[2] = corner;
  for (int k = 0; uvs && k < 2; k++) {
    double value = uvs[2 + k];
    uvs[2 + k] = uvs[4 + k];
    uvs[4 + k] = value;
  }
}

static void warn(const WeftMesh *mesh, const WeftMeshFacts *facts, const int32_t *triangles,
                 const WeftOrientation *orientation, const char *name, WeftLog log) {
  if (facts->duplicate_triangles) {
    const int32_t *v = mesh->triangles + 3 * (size_t)facts->first_duplicate_triangle;
    weft_log(log, WEFT_LOG_WARNING,
             "%s: %d duplicate triangles dropped, first triangle %d (vertices %d, %d, %d), counted from 0",
             name, facts->duplicate_triangles, facts->first_duplicate_triangle, v[0], v[1], v[2]);
  }
  if (facts->nonmanifold_edges) {
    weft_log(log, WEFT_LOG_WARNING,
             "%s: %d edges have more than two triangles, first the edge of vertices %d and %d; kept, but "
             "nothing bends "
             "across them",
             name, facts->nonmanifold_edges, facts->first_nonmanifold_edge[0],
             facts->first_nonmanifold_edge[1]);
  }
  if (orientation->turned_count) {
    const int32_t *v = triangles + 3 * (size_t)orientation->first_turned;
    weft_log(log, WEFT_LOG_WARNING,
             "%s: %d triangles ran round against their neighbours and were turned, first the one of vertices "
             "%d, %d, %d",
             name, orientation->turned_count, v[0], v[1], v[2]);
  }
  if (orientation->not_orientable_count) {
    const int32_t *v = triangles + 3 * (size_t)orientation->first_unorientable;
    weft_log(log, WEFT_LOG_WARNING,
             "%s: %d pieces have only one side, like a Moebius strip, first the one with the triangle of "
             "vertices %d, %d, "
             "%d; kept as they are",
             name, orientation->not_orientable_count, v[0], v[1], v[2]);
  }
  if (facts->unused_vertices) {
    weft_log(log, WEFT_LOG_WARNING,
             "%s: %d vertices belong to no triangle, first vertex %d, counted from 0; kept, and held still",
             name, facts->unused_vertices, facts->first_unused_vertex);
  }
}

typedef struct Repair {
  uint8_t *is_duplicate;
  int32_t *triangles;
  double *uvs; /* NULL when the mesh has none */
} Repair;

static WeftResult repair(WeftMesh *mesh, const WeftMeshFacts *facts, Repair *copy, const char *name,
                         WeftLog log, WeftError *error) {
  WeftResult result = weft_find_duplicates(mesh->vertex_count, mesh->triangle_count, mesh->triangles,
                                           copy->is_duplicate, error);
  if (result != WEFT_RESULT_OK) return result;
  int count = copy_without_duplicates(mesh, copy->is_duplicate, copy->triangles, copy->uvs);
  WeftTopology topology;
  result = weft_topology_create(&topology, mesh->vertex_count, count, copy->triangles, error);
  if (result != WEFT_RESULT_OK) return result;
  WeftOrientation orientation;
  result = weft_orient(&topology, copy->triangles, &orientation, error);
  weft_topology_destroy(&topology);
  if (result != WEFT_RESULT_OK) return result;
  warn(mesh, facts, copy->triangles, &orientation, name, log);
  for (int t = 0; t < count; t++) {
    if (!orientation.is_turned[t]) continue;
    turn_round(copy->triangles + 3 * (size_t)t, copy->uvs ? copy->uvs + 6 * (size_t)t : NULL);
  }
  free(orientation.is_turned);
  mesh->triangle_count = count;
  if (count) memcpy(mesh->triangles, copy->triangles, 3 * (size_t)count * sizeof *mesh->triangles);
  if (copy->uvs) memcpy(mesh->uvs, copy->uvs, 6 * (size_t)count * sizeof *mesh->uvs);
  return WEFT_RESULT_OK;
}

WeftResult weft_mesh_accept(WeftMesh *mesh, const char *name, WeftLog log, WeftError *error) {
  WeftMeshFacts facts;
  WeftResult result = weft_mesh_inspect(mesh, &facts, error);
  if (result == WEFT_RESULT_OK) result = refuse_nonfinite(mesh, &facts, name, error);
  if (result == WEFT_RESULT_OK) result = refuse_triangles(mesh, &facts, name, error);
  if (result != WEFT_RESULT_OK) return result;
  Repair copy = {WEFT_NEW(uint8_t, mesh->triangle_count), WEFT_NEW(int32_t, 3 * (size_t)mesh->triangle_count),
                 mesh->uvs ? WEFT_NEW(double, 6 * (size_t)mesh->triangle_count) : NULL};
  result = copy.is_duplicate && copy.triangles && (copy.uvs || !mesh->uvs)
               ? repair(mesh, &facts, &copy, name, log, error)
               : weft_fail_memory(error, "repair of a mesh");
  free(copy.is_duplicate);
  free(copy.triangles);
  free(copy.uvs);
  return result;
}
