/* What is in a mesh, good and bad. Works on anything: indices out of range and coordinates that are not
 * finite are counted and then left out of everything else.
 *
 * Edges, pieces, loops, area and edge lengths are those of the clean triangles: in range, three different
 * vertices, and no repetition of an earlier triangle. Lengths, area and box leave out vertices that are not
 * finite. docs/meshes.md.
 */
#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/orient.h"
#include "mesh/union_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void count_one(int32_t *count, int32_t *first, int32_t element) {
  if ((*count)++ == 0) *first = element;
}

static void inspect_vertices(const WeftMesh *mesh, WeftMeshFacts *facts) {
  bool is_first = true;
  for (int32_t v = 0; v < mesh->vertex_count; v++) {
    if (!weft_vertex_is_finite(mesh->positions, v)) {
      count_one(&facts->nonfinite_vertices, &facts->first_nonfinite_vertex, v);
      continue;
    }
    for (int axis = 0; axis < 3; axis++) {
      double x = mesh->positions[3 * (size_t)v + axis];
      facts->box_min[axis] = is_first ? x : fmin(facts->box_min[axis], x);
      facts->box_max[axis] = is_first ? x : fmax(facts->box_max[axis], x);
    }
    is_first = false;
  }
}

static bool is_finite_triangle(const WeftMesh *mesh, const int32_t t[3]) {
  for (int k = 0; k < 3; k++) {
    if (!weft_vertex_is_finite(mesh->positions, t[k])) return false;
  }
  return true;
}

/* Fills clean (triangles with three different vertices in range) and source (their numbers), marks used
 * vertices. */
static int sift_triangles(const WeftMesh *mesh, int32_t *clean, int32_t *source, uint8_t *is_used,
                          WeftMeshFacts *facts) {
  int count = 0;
  for (int32_t t = 0; t < mesh->triangle_count; t++) {
    const int32_t *triangle = mesh->triangles + 3 * (size_t)t;
    if (!weft_triangle_is_in_range(triangle, mesh->vertex_count)) {
      count_one(&facts->index_errors, &facts->first_index_error, t);
      continue;
    }
    for (int k = 0; k < 3; k++) is_used[triangle[k]] = 1;
    bool repeats = weft_triangle_repeats_vertex(triangle);
    if (repeats ||
        (is_finite_triangle(mesh, triangle) && weft_triangle_is_degenerate(mesh->positions, triangle))) {
      count_one(&facts->degenerate_triangles, &facts->first_degenerate_triangle, t);
    }
    if (repeats) continue;
    memcpy(clean + 3 * (size_t)count, triangle, 3 * sizeof *clean);
    source[count++] = t;
  }
  for (int32_t v = 0; v < mesh->vertex_count; v++) {
    if (!is_used[v]) count_one(&facts->unused_vertices, &facts->first_unused_vertex, v);
  }
  return count;
}

static int drop_duplicates(int count, int32_t *clean, const int32_t *source, const uint8_t *is_duplicate,
                           WeftMeshFacts *facts) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (is_duplicate[i]) {
      count_one(&facts->duplicate_triangles, &facts->first_duplicate_triangle, source[i]);
    } else {
      memmove(clean + 3 * (size_t)kept++, clean + 3 * (size_t)i, 3 * sizeof *clean);
    }
  }
  return kept;
}

static void inspect_edges(const WeftMesh *mesh, const WeftTopology *m, const int32_t *clean,
                          WeftMeshFacts *facts) {
  int measured = 0;
  double sum = 0;
  for (int e = 0; e < m->edge_count; e++) {
    int32_t a = m->edges[2 * e], b = m->edges[2 * e + 1];
    facts->border_edge_count += m->edge_uses[e] == 1;
    if (m->edge_uses[e] > 2 && facts->nonmanifold_edges++ == 0) {
      facts->first_nonmanifold_edge[0] = a;
      facts->first_nonmanifold_edge[1] = b;
    }
    if (m->edge_uses[e] == 2) {
      facts->flipped_edges += weft_runs_upward(m, clean, m->edge_triangles[2 * e], e) ==
                              weft_runs_upward(m, clean, m->edge_triangles[2 * e + 1], e);
    }
    if (!weft_vertex_is_finite(mesh->positions, a) || !weft_vertex_is_finite(mesh->positions, b)) continue;
    const double *p = mesh->positions + 3 * (size_t)a, *q = mesh->positions + 3 * (size_t)b;
    double length = hypot(hypot(q[0] - p[0], q[1] - p[1]), q[2] - p[2]);
    facts->edge_min = measured ? fmin(facts->edge_min, length) : length;
    facts->edge_max = measured ? fmax(facts->edge_max, length) : length;
    sum += length;
    measured++;
  }
  facts->edge_mean = measured ? sum / measured : 0;
}

/* Loops of the border. Every edge has an end at each of its two vertices; the ends that a triangle's corner
 * joins belong to one fan around their vertex. A border edge joins the fans at its ends: what hangs together
 * is a loop. Needs no orientation, and pieces that touch in one vertex keep their own loops. */
static bool count_border_loops(const WeftTopology *m, const int32_t *clean, WeftMeshFacts *facts) {
  int end_count = 2 * m->edge_count;
  int32_t *parent = WEFT_NEW(int32_t, end_count);
  if (!parent) return false;
  for (int i = 0; i < end_count; i++) parent[i] = i;
  for (int i = 0; i < 3 * m->triangle_count; i++) {
    int32_t vertex = clean[i], leaving = m->triangle_edges[i];
    int32_t arriving = m->triangle_edges[i % 3 == 0 ? i + 2 : i - 1];
    weft_set_join(parent, 2 * leaving + (m->edges[2 * leaving] != vertex),
                  2 * arriving + (m->edges[2 * arriving] != vertex));
  }
  for (int e = 0; e < m->edge_count; e++) {
    if (m->edge_uses[e] == 1) weft_set_join(parent, 2 * e, 2 * e + 1);
  }
  uint8_t *is_counted = WEFT_NEW(uint8_t, end_count);
  if (is_counted) {
    for (int e = 0; e < m->edge_count; e++) {
      if (m->edge_uses[e] != 1) continue;
      int32_t root = weft_set_root(parent, 2 * e);
      facts->border_loop_count += !is_counted[root];
      is_counted[root] = 1;
    }
  }
  bool done = is_counted != NULL;
  free(is_counted);
  free(parent);
  return done;
}

static WeftResult inspect_triangles(const WeftMesh *mesh, int32_t *clean, int32_t *source, uint8_t *flags,
                                    WeftMeshFacts *facts, WeftError *error) {
  int count = sift_triangles(mesh, clean, source, flags, facts);
  WeftResult result = weft_find_duplicates(mesh->vertex_count, count, clean, flags, error);
  if (result != WEFT_RESULT_OK) return result;
  count = drop_duplicates(count, clean, source, flags, facts);
  for (int i = 0; i < count; i++) {
    const int32_t *triangle = clean + 3 * (size_t)i;
    if (is_finite_triangle(mesh, triangle)) facts->area += weft_triangle_area(mesh->positions, triangle);
  }
  WeftTopology topology;
  result = weft_topology_create(&topology, mesh->vertex_count, count, clean, error);
  if (result != WEFT_RESULT_OK) return result;
  facts->edge_count = topology.edge_count;
  facts->piece_count = topology.piece_count;
  inspect_edges(mesh, &topology, clean, facts);
  if (!count_border_loops(&topology, clean, facts)) result = weft_fail_memory(error, "border of a mesh");
  weft_topology_destroy(&topology);
  return result;
}

WeftResult weft_mesh_inspect(const WeftMesh *mesh, WeftMeshFacts *facts, WeftError *error) {
  if (!facts) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "facts is a null pointer");
  memset(facts, 0, sizeof *facts);
  facts->first_nonfinite_vertex = facts->first_index_error = facts->first_degenerate_triangle = -1;
  facts->first_duplicate_triangle = facts->first_unused_vertex = -1;
  facts->first_nonmanifold_edge[0] = facts->first_nonmanifold_edge[1] = -1;
  WeftResult result = weft_mesh_check_arrays(mesh, error);
  if (result != WEFT_RESULT_OK) return result;
  inspect_vertices(mesh, facts);
  int32_t larger = mesh->vertex_count > mesh->triangle_count ? mesh->vertex_count : mesh->triangle_count;
  int32_t *clean = WEFT_NEW(int32_t, 3 * (size_t)mesh->triangle_count);
  int32_t *source = WEFT_NEW(int32_t, mesh->triangle_count);
  uint8_t *flags = WEFT_NEW(uint8_t, larger); /* used vertices first, then duplicate triangles */
  result = clean && source && flags ? inspect_triangles(mesh, clean, source, flags, facts, error)
                                    : weft_fail_memory(error, "inspection of a mesh");
  free(clean);
  free(source);
  free(flags);
  return result;
}
