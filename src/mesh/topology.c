/* Edges, hinges and neighbourhoods of one triangle mesh, in O(vertices + triangles).
 *
 * Half-edge 3 t + k joins corners k and k+1 of triangle t. All half-edges are sorted by their (smaller,
 * larger) vertex with two stable counting passes; a run of equal pairs is an edge, and stability keeps its
 * triangles ascending. So the outcome depends on the input alone. Triangles that repeat a vertex do no harm:
 * a half-edge from a vertex to itself is no edge (-1 in triangle_edges), and a triangle that uses an edge
 * twice counts once there.
 */
#include "mesh/topology.h"

#include "base/memory.h"
#include "mesh/bucket.h"
#include "mesh/limits.h"
#include "mesh/union_find.h"

#include <stdlib.h>
#include <string.h>

static bool find_vertex_triangles(WeftTopology *m, const int32_t *triangles) {
  int corner_count = 3 * m->triangle_count;
  m->vertex_start = WEFT_NEW(int32_t, m->vertex_count + 1);
  m->vertex_triangles = WEFT_NEW(int32_t, corner_count);
  if (!m->vertex_start || !m->vertex_triangles) return false;
  weft_bucket_pass(corner_count, NULL, triangles, m->vertex_count, m->vertex_start, m->vertex_triangles);
  /* the pass left each vertex's end: shift to starts */
  memmove(m->vertex_start + 1, m->vertex_start, (size_t)m->vertex_count * sizeof(int32_t));
  m->vertex_start[0] = 0;
  for (int i = 0; i < corner_count; i++) m->vertex_triangles[i] /= 3;
  return true;
}

/* Half-edges sorted by (low, high) vertex. */
typedef struct HalfEdges {
  int32_t *low, *high, *order;
} HalfEdges;

static bool sort_half_edges(const WeftTopology *m, const int32_t *triangles, HalfEdges *half) {
  int count = 3 * m->triangle_count;
  half->low = WEFT_NEW(int32_t, count);
  half->high = WEFT_NEW(int32_t, count);
  half->order = WEFT_NEW(int32_t, count);
  int32_t *by_high = WEFT_NEW(int32_t, count), *start = WEFT_NEW(int32_t, m->vertex_count + 1);
  bool done = half->low && half->high && half->order && by_high && start;
  if (done) {
    for (int h = 0; h < count; h++) {
      int32_t a = triangles[h], b = triangles[h % 3 == 2 ? h - 2 : h + 1];
      half->low[h] = a < b ? a : b;
      half->high[h] = a < b ? b : a;
    }
    weft_bucket_pass(count, NULL, half->high, m->vertex_count, start, by_high);
    weft_bucket_pass(count, by_high, half->low, m->vertex_count, start, half->order);
  }
  free(by_high);
  free(start);
  return done;
}

static bool starts_edge(const HalfEdges *half, int at) {
  int32_t h = half->order[at];
  if (half->low[h] == half->high[h]) return false;
  if (at == 0) return true;
  int32_t before = half->order[at - 1];
  return half->low[before] != half->low[h] || half->high[before] != half->high[h];
}

static bool fill_edges(WeftTopology *m, const HalfEdges *half) {
  int count = 3 * m->triangle_count;
  for (int at = 0; at < count; at++) m->edge_count += starts_edge(half, at);
  m->edges = WEFT_NEW(int32_t, 2 * (size_t)m->edge_count);
  m->edge_triangles = WEFT_NEW(int32_t, 2 * (size_t)m->edge_count);
  m->edge_uses = WEFT_NEW(int32_t, m->edge_count);
  m->triangle_edges = WEFT_NEW(int32_t, count);
  if (!m->edges || !m->edge_triangles || !m->edge_uses || !m->triangle_edges) return false;
  int edge = -1;
  int32_t last_triangle = -1;
  for (int at = 0; at < count; at++) {
    int32_t h = half->order[at], triangle = h / 3;
    if (half->low[h] == half->high[h]) {
      m->triangle_edges[h] = -1;
      continue;
    }
    if (starts_edge(half, at)) {
      edge++;
      m->edges[2 * edge] = half->low[h];
      m->edges[2 * edge + 1] = half->high[h];
      m->edge_triangles[2 * edge] = m->edge_triangles[2 * edge + 1] = -1;
      last_triangle = -1;
    }
    m->triangle_edges[h] = edge;
    if (triangle == last_triangle) continue;
    last_triangle = triangle;
    if (m->edge_uses[edge] < 2) m->edge_triangles[2 * edge + m->edge_uses[edge]] = triangle;
    m->edge_uses[edge]++;
  }
  return true;
}

static bool find_edges(WeftTopology *m, const int32_t *triangles) {
  HalfEdges half = {NULL, NULL, NULL};
  bool done = sort_half_edges(m, triangles, &half) && fill_edges(m, &half);
  free(half.low);
  free(half.high);
  free(half.order);
  return done;
}

/* Which of the triangle's edges it is: corner k starts it, corner k + 2 is opposite. */
static int corner_of_edge(const WeftTopology *m, int32_t triangle, int edge) {
  const int32_t *edges = m->triangle_edges + 3 * triangle;
  return edges[0] == edge ? 0 : edges[1] == edge ? 1 : 2;
}

static bool find_hinges(WeftTopology *m, const int32_t *triangles) {
  for (int e = 0; e < m->edge_count; e++) m->hinge_count += m->edge_uses[e] == 2;
  m->hinges = WEFT_NEW(int32_t, 4 * (size_t)m->hinge_count);
  m->hinge_edge = WEFT_NEW(int32_t, m->hinge_count);
  if (!m->hinges || !m->hinge_edge) return false;
  int hinge = 0;
  for (int e = 0; e < m->edge_count; e++) {
    if (m->edge_uses[e] != 2) continue;
    int32_t first = m->edge_triangles[2 * e], second = m->edge_triangles[2 * e + 1];
    int k = corner_of_edge(m, first, e), l = corner_of_edge(m, second, e);
    int32_t *abcd = m->hinges + 4 * hinge;
    abcd[0] = triangles[3 * first + k];
    abcd[1] = triangles[3 * first + (k + 1) % 3];
    abcd[2] = triangles[3 * first + (k + 2) % 3];
    abcd[3] = triangles[3 * second + (l + 2) % 3];
    m->hinge_edge[hinge++] = e;
  }
  return true;
}

static bool find_border(WeftTopology *m) {
  m->is_border = WEFT_NEW(uint8_t, m->vertex_count);
  if (!m->is_border) return false;
  for (int e = 0; e < m->edge_count; e++) {
    if (m->edge_uses[e] == 1) m->is_border[m->edges[2 * e]] = m->is_border[m->edges[2 * e + 1]] = 1;
  }
  return true;
}

/* Pieces hang together by shared vertices and are numbered by their smallest vertex. */
static bool find_pieces(WeftTopology *m, const int32_t *triangles) {
  m->vertex_piece = WEFT_NEW(int32_t, m->vertex_count);
  int32_t *parent = WEFT_NEW(int32_t, m->vertex_count);
  if (!m->vertex_piece || !parent) {
    free(parent);
    return false;
  }
  for (int v = 0; v < m->vertex_count; v++) parent[v] = v;
  for (int t = 0; t < m->triangle_count; t++) {
    weft_set_join(parent, triangles[3 * t], triangles[3 * t + 1]);
    weft_set_join(parent, triangles[3 * t], triangles[3 * t + 2]);
  }
  for (int v = 0; v < m->vertex_count; v++) {
    int32_t root = weft_set_root(parent, v);
    bool is_used = m->vertex_start[v] < m->vertex_start[v + 1];
    m->vertex_piece[v] = !is_used ? -1 : root == v ? m->piece_count++ : m->vertex_piece[root];
  }
  free(parent);
  return true;
}

WeftResult weft_topology_create(WeftTopology *topology, int vertex_count, int triangle_count,
                                const int32_t *triangles, WeftError *error) {
  memset(topology, 0, sizeof *topology);
  if (vertex_count < 0 || vertex_count > WEFT_MAX_VERTICES || triangle_count < 0 ||
      triangle_count > WEFT_MAX_TRIANGLES) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "a mesh of %d vertices and %d triangles; at most %d and %d are possible", vertex_count,
                     triangle_count, WEFT_MAX_VERTICES, WEFT_MAX_TRIANGLES);
  }
  topology->vertex_count = vertex_count;
  topology->triangle_count = triangle_count;
  if (find_vertex_triangles(topology, triangles) && find_edges(topology, triangles) &&
      find_hinges(topology, triangles) && find_border(topology) && find_pieces(topology, triangles)) {
    return WEFT_RESULT_OK;
  }
  weft_topology_destroy(topology);
  return weft_fail_memory(error, "edges of a mesh");
}

void weft_topology_destroy(WeftTopology *topology) {
  free(topology->edges);
  free(topology->edge_triangles);
  free(topology->edge_uses);
  free(topology->triangle_edges);
  free(topology->vertex_start);
  free(topology->vertex_triangles);
  free(topology->hinges);
  free(topology->hinge_edge);
  free(topology->is_border);
  free(topology->vertex_piece);
  memset(topology, 0, sizeof *topology);
}
