/* Boxes, closed, with cells on each face. Vertices layer by layer from the bottom: the lowest and the highest
 * layer are full grids, those between have only their rim. */
#include "mesh/generate_lathe.h"

#include <string.h>

typedef struct Box {
  int cells[3];
} Box;

static int64_t rim_size(const Box *b) { return 2 * ((int64_t)b->cells[0] + b->cells[1]); }

static int64_t grid_size(const Box *b) { return ((int64_t)b->cells[0] + 1) * ((int64_t)b->cells[1] + 1); }

/* Vertex at lattice point (i, j, k) of the surface; the rim runs counterclockwise from (0, 0). */
static int32_t vertex(const Box *b, const int at[3]) {
  int nx = b->cells[0], ny = b->cells[1], i = at[0], j = at[1], k = at[2];
  int64_t in_grid = (int64_t)j * (nx + 1) + i;
  if (k == 0) return (int32_t)in_grid;
  int64_t layer = grid_size(b) + (k - 1) * rim_size(b);
  if (k == b->cells[2]) return (int32_t)(layer + in_grid);
  int64_t in_rim = j == 0    ? i
                   : i == nx ? (int64_t)nx + j
                   : j == ny ? (int64_t)nx + ny + (nx - i)
                             : 2 * (int64_t)nx + ny + (ny - j);
  return (int32_t)(layer + in_rim);
}

/* The face whose axis `axis` is at its least or largest; u and v follow the axis in turn, so that they run
 * counterclockwise seen from the positive side. */
static void add_face(WeftShape *shape, const Box *b, const double size[3], int axis, bool is_high) {
  int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (int i = 0; i < b->cells[u]; i++) {
    for (int j = 0; j < b->cells[v]; j++) {
      int32_t corner[4];
      for (int c = 0; c < 4; c++) { /* counterclockwise */
        int at[3];
        at[axis] = is_high ? b->cells[axis] : 0;
        at[u] = i + (c == 1 || c == 2);
        at[v] = j + (c >= 2);
        corner[c] = vertex(b, at);
        for (int k = 0; k < 3; k++)
          shape->mesh.positions[3 * (size_t)corner[c] + (size_t)k] =
              size[k] * ((double)at[k] / b->cells[k] - 0.5);
      }
      int first = (i + j) % 2; /* diagonals alternate */
      int32_t a = corner[first], o = corner[first + 2], p = corner[first + 1], q = corner[(first + 3) % 4];
      weft_solid_add_triangle(shape, a, is_high ? p : o, is_high ? o : p);
      weft_solid_add_triangle(shape, a, is_high ? o : q, is_high ? q : o);
    }
  }
}

WeftResult weft_generate_box(WeftShape *shape, const double size[3], const int cells[3], WeftError *error) {
  memset(shape, 0, sizeof *shape);
  static const char *const sizes[] = {"size of a box along x", "size of a box along y",
                                      "size of a box along z"};
  static const char *const counts[] = {"cells of a box along x", "cells of a box along y",
                                       "cells of a box along z"};
  WeftResult result = WEFT_RESULT_OK;
  for (int k = 0; k < 3 && result == WEFT_RESULT_OK; k++) result = weft_check_size(size[k], sizes[k], error);
  for (int k = 0; k < 3 && result == WEFT_RESULT_OK; k++)
    result = weft_check_count(cells[k], 1, counts[k], error);
  if (result != WEFT_RESULT_OK) return result;
  Box b = {{cells[0], cells[1], cells[2]}};
  double nx = cells[0], ny = cells[1], nz = cells[2], quads = 2 * (nx * ny + ny * nz + nz * nx);
  if (quads > 1e9) quads = 1e9; /* too many in any case; stays a whole number of 64 bits */
  result = weft_check_counts(0, 2 * (int64_t)quads, error);
  if (result == WEFT_RESULT_OK)
    result = weft_solid_create(shape, 2 * grid_size(&b) + (cells[2] - 1) * rim_size(&b), 2 * (int64_t)quads,
                               error);
  if (result != WEFT_RESULT_OK) return result;
  for (int axis = 0; axis < 3; axis++) {
    add_face(shape, &b, size, axis, false);
    add_face(shape, &b, size, axis, true);
  }
  return WEFT_RESULT_OK;
}
