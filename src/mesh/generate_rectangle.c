/* Rectangles. Vertices row by row from the bottom, left to right in a row.
 *
 * Alternating: the diagonal of cell (i, j) leans one way for even i + j and the other way for odd, so the
 * bending stiffness along both diagonals is the same.
 *
 * Equilateral: odd rows are moved by half a cell; half triangles close them at the sides.
 *
 *     O0 O1    O2    O3 O4
 *      |\ /\  /\  /\ /|         n = 3 columns: even rows have n + 1 vertices, odd rows n + 2
 *     E0    E1    E2    E3
 */
#include "mesh/generate_common.h"

#include <string.h>

typedef struct Rectangle {
  double width, height;
  int columns, rows;
  bool is_equilateral;
} Rectangle;

static bool is_shifted(const Rectangle *r, int row) { return r->is_equilateral && row % 2 == 1; }
static int row_size(const Rectangle *r, int row) { return r->columns + 1 + is_shifted(r, row); }
static int32_t row_start(const Rectangle *r, int row) {
  return row * (r->columns + 1) + (r->is_equilateral ? row / 2 : 0);
}

/* Twice the distance from the left side, in columns: exact, so that opposite vertices mirror each other
 * exactly. */
static int doubled_column(const Rectangle *r, int i, int row) {
  if (!is_shifted(r, row)) return 2 * i;
  return i == 0 ? 0 : i == r->columns + 1 ? 2 * r->columns : 2 * i - 1;
}

static WeftCorner corner(const Rectangle *r, int i, int row) {
  return (WeftCorner){row_start(r, row) + i, r->width * doubled_column(r, i, row) / (2.0 * r->columns),
                      r->height * row / r->rows};
}

static void set_vertices(WeftShape *shape, const Rectangle *r) {
  for (int row = 0; row <= r->rows; row++) {
    double y = r->height * (2.0 * row - r->rows) / (2.0 * r->rows);
    for (int i = 0; i < row_size(r, row); i++) {
      double x = r->width * (2.0 * doubled_column(r, i, row) - 2.0 * r->columns) / (4.0 * r->columns);
      int sides = 0;
      if (i == 0) sides |= WEFT_SIDE_BIT(WEFT_SIDE_LEFT);
      if (i == row_size(r, row) - 1) sides |= WEFT_SIDE_BIT(WEFT_SIDE_RIGHT);
      if (row == 0) sides |= WEFT_SIDE_BIT(WEFT_SIDE_BOTTOM);
      if (row == r->rows) sides |= WEFT_SIDE_BIT(WEFT_SIDE_TOP);
      weft_shape_set_vertex(shape, row_start(r, row) + i, x, y, 0, sides);
    }
  }
}

static void add_alternating_row(WeftShape *shape, const Rectangle *r, int row) {
  for (int i = 0; i < r->columns; i++) {
    WeftCorner a = corner(r, i, row), b = corner(r, i + 1, row);
    WeftCorner c = corner(r, i + 1, row + 1), d = corner(r, i, row + 1);
    if ((i + row) % 2 == 0) {
      weft_shape_add_triangle(shape, a, b, c);
      weft_shape_add_triangle(shape, a, c, d);
    } else {
      weft_shape_add_triangle(shape, a, b, d);
      weft_shape_add_triangle(shape, b, c, d);
    }
  }
}

/* The row of triangles above vertex row `row`; even and odd vertex rows swap their places. */
static void add_equilateral_row(WeftShape *shape, const Rectangle *r, int row) {
  int n = r->columns, even = row % 2 == 0 ? row : row + 1, odd = row % 2 == 0 ? row + 1 : row;
  bool is_even_below = even == row;
  for (int i = 0; i <= n; i++) { /* based on the odd row, tip in the even one */
    WeftCorner tip = corner(r, i, even), left = corner(r, i, odd), right = corner(r, i + 1, odd);
    if (is_even_below) {
      weft_shape_add_triangle(shape, tip, right, left);
    } else {
      weft_shape_add_triangle(shape, tip, left, right);
    }
    if (i == n) break;
    WeftCorner next = corner(r, i + 1, even); /* based on the even row, tip in the odd one */
    if (is_even_below) {
      weft_shape_add_triangle(shape, tip, next, right);
    } else {
      weft_shape_add_triangle(shape, tip, right, next);
    }
  }
}

WeftResult weft_generate_rectangle(WeftShape *shape, double width, double height, int columns, int rows,
                                   WeftPattern pattern, WeftError *error) {
  memset(shape, 0, sizeof *shape);
  bool is_equilateral = pattern == WEFT_PATTERN_EQUILATERAL;
  WeftResult result = weft_check_size(width, "width of a rectangle", error);
  if (result == WEFT_RESULT_OK) result = weft_check_size(height, "height of a rectangle", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(columns, 1, "columns of a rectangle", error);
  if (result == WEFT_RESULT_OK && !(is_equilateral && rows == 0)) {
    result = weft_check_count(rows, 1, "rows of a rectangle", error);
  }
  if (result != WEFT_RESULT_OK) return result;
  int64_t row_count = rows ? rows : weft_equilateral_rows(height, width / columns);
  int64_t extra = is_equilateral ? (row_count + 1) / 2 : 0; /* odd rows have one vertex more */
  result = weft_shape_create(shape, ((int64_t)columns + 1) * (row_count + 1) + extra,
                             row_count * (2 * (int64_t)columns + is_equilateral), error);
  if (result != WEFT_RESULT_OK) return result;
  Rectangle r = {width, height, columns, (int)row_count, is_equilateral};
  set_vertices(shape, &r);
  for (int row = 0; row < r.rows; row++) {
    if (is_equilateral) {
      add_equilateral_row(shape, &r, row);
    } else {
      add_alternating_row(shape, &r, row);
    }
  }
  return WEFT_RESULT_OK;
}
