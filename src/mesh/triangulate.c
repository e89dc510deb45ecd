/* Quads are cut along the shorter diagonal, unless that gives a flat or turned triangle; larger polygons by
 * ear clipping.
 *
 * Quads whose diagonals are the same length (every grid of rectangles) are cut so that a regular grid comes
 * out with alternating diagonals: all diagonals one way would bend four times stiffer along one diagonal than
 * along the other. The vertices of a quad grid can be coloured like a chess board, neighbours different; a
 * diagonal joins two of one colour, and it is always the one with the colour of the smallest vertex that is
 * cut.
 */
#include "mesh/triangulate.h"

#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/ear_clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Diagonals that differ by less than this part count as equal: coordinates in files are rounded. */
static const double SAME_LENGTH = 1e-3;

/* Disjoint sets of vertices; is_odd tells whether the colour differs from the parent's. A root has colour 0.
 */
typedef struct Chessboard {
  int32_t *parent;
  uint8_t *is_odd;
} Chessboard;

/* The root of a vertex; afterwards it is its parent and is_odd its colour. */
static int32_t find_root(Chessboard *board, int32_t vertex) {
  int32_t root = vertex;
  uint8_t color = 0;
  while (board->parent[root] != root) {
    color ^= board->is_odd[root];
    root = board->parent[root];
  }
  while (vertex != root) { /* straighten the path */
    int32_t up = board->parent[vertex];
    uint8_t step = board->is_odd[vertex];
    board->parent[vertex] = root;
    board->is_odd[vertex] = color;
    color ^= step;
    vertex = up;
  }
  return root;
}

/* Neighbours get different colours; where that is impossible the later wish is dropped. */
static void separate(Chessboard *board, int32_t a, int32_t b) {
  int32_t root_a = find_root(board, a), root_b = find_root(board, b);
  if (root_a == root_b) return;
  uint8_t differs = board->is_odd[a] ^ board->is_odd[b] ^ 1;
  int32_t low = root_a < root_b ? root_a : root_b, high = root_a < root_b ? root_b : root_a;
  board->parent[high] = low;
  board->is_odd[high] = differs;
}

static bool create_chessboard(Chessboard *board, int vertex_count, int polygon_count, const int32_t *start,
                              const int32_t *corner_vertex) {
  board->parent = WEFT_NEW(int32_t, vertex_count);
  board->is_odd = WEFT_NEW(uint8_t, vertex_count);
  if (!board->parent || !board->is_odd) return false;
  for (int v = 0; v < vertex_count; v++) board->parent[v] = v;
  for (int p = 0; p < polygon_count; p++) {
    if (start[p + 1] - start[p] != 4) continue;
    const int32_t *quad = corner_vertex + start[p];
    for (int k = 0; k < 4; k++) separate(board, quad[k], quad[(k + 1) % 4]);
  }
  return true;
}

static double distance2(const double *positions, int32_t a, int32_t b) {
  const double *p = positions + 3 * (size_t)a, *q = positions + 3 * (size_t)b;
  return (q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]) + (q[2] - p[2]) * (q[2] - p[2]);
}

static void normal(const double *positions, int32_t a, int32_t b, int32_t c, double n[3]) {
  const double *p = positions + 3 * (size_t)a, *q = positions + 3 * (size_t)b, *r = positions + 3 * (size_t)c;
  for (int axis = 0; axis < 3; axis++) {
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    n[axis] = (q[y] - p[y]) * (r[z] - p[z]) - (q[z] - p[z]) * (r[y] - p[y]);
  }
}

/* Does the cut from corner k to k + 2 give two triangles with area that face the same way? */
static bool is_good_cut(const double *positions, const int32_t *quad, int k) {
  int32_t a = quad[k], b = quad[k + 1], c = quad[k + 2], d = quad[(k + 3) % 4];
  int32_t first[3] = {a, b, c}, second[3] = {a, c, d};
  if (weft_triangle_is_degenerate(positions, first) || weft_triangle_is_degenerate(positions, second))
    return false;
  double n[3], m[3];
  normal(positions, a, b, c, n);
  normal(positions, a, c, d, m);
  return n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > 0;
}

/* The corner at which the cut starts: 0 or 1. */
static int choose_cut(Chessboard *board, const double *positions, const int32_t *quad) {
  int32_t wrapped[5] = {quad[0], quad[1], quad[2], quad[3], quad[0]};
  bool is_good[2] = {is_good_cut(positions, wrapped, 0), is_good_cut(positions, wrapped, 1)};
  if (is_good[0] != is_good[1]) return is_good[1];
  double length[2] = {sqrt(distance2(positions, quad[0], quad[2])),
                      sqrt(distance2(positions, quad[1], quad[3]))};
  if (fabs(length[0] - length[1]) > SAME_LENGTH * fmax(length[0], length[1])) return length[1] < length[0];
  find_root(board, quad[0]);
  return board->is_odd[quad[0]];
}

static void cut_quad(int corner, int cut, int32_t *triangles) {
  const int corners[2][6] = {{0, 1, 2, 0, 2, 3}, {1, 2, 3, 1, 3, 0}};
  for (int k = 0; k < 6; k++) triangles[k] = corner + corners[cut][k];
}

WeftResult weft_triangulate(int vertex_count, const double *positions, int polygon_count,
                            const int32_t *start, const int32_t *corner_vertex, int32_t *triangle_corners,
                            WeftError *error) {
  int largest = 3;
  for (int p = 0; p < polygon_count; p++) {
    if (start[p + 1] - start[p] > largest) largest = start[p + 1] - start[p];
  }
  WeftEarClipper clipper;
  WeftResult result = weft_ear_clipper_create(&clipper, largest, error);
  if (result != WEFT_RESULT_OK) return result;
  Chessboard board = {NULL, NULL};
  if (largest > 3 && !create_chessboard(&board, vertex_count, polygon_count, start, corner_vertex)) {
    result = weft_fail_memory(error, "triangulation of quads");
    polygon_count = 0;
  }
  for (int p = 0; p < polygon_count; p++) {
    int count = start[p + 1] - start[p];
    const int32_t *polygon = corner_vertex + start[p];
    if (count == 4) {
      cut_quad(start[p], choose_cut(&board, positions, polygon), triangle_corners);
    } else {
      if (count == 3) {
        for (int k = 0; k < 3; k++) triangle_corners[k] = k;
      } else {
        weft_ear_clip(&clipper, positions, polygon, count, triangle_corners);
      }
      for (int k = 0; k < 3 * (count - 2); k++) triangle_corners[k] += start[p];
    }
    triangle_corners += 3 * (count - 2);
  }
  free(board.parent);
  free(board.is_odd);
  weft_ear_clipper_destroy(&clipper);
  return result;
}
