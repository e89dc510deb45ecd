/* Tubes: open cylinders and cones around z, vertices row by row from the bottom, counterclockwise seen from
 * +z.
 *
 * The uvs unroll the mesh, not the cylinder it stands for: u goes around in chords of c = 2 r sin(pi / n), so
 * that every triangle is as large in uv as in space. With the equilateral pattern odd rows are turned by half
 * a column; the tip of a triangle then lies r (1 - cos(pi / n)) in front of its base's chord and a row is
 * sqrt(h^2 + (2 r sin^2(pi / 2n))^2) high in uv instead of h. The uv seam is between the last column and the
 * first. Alternating diagonals close around the tube only when the number of columns is even; else two
 * neighbours at the seam lean the same way.
 *
 * The cells of a cone are flat trapezoids. Each is unrolled in its own place, its two level sides in the
 * middle of the bottom row's chord, so that warp runs around everywhere; cells side by side then do not meet
 * in uv, and need not: the rest shape is taken triangle by triangle.
 */
#include "mesh/generate_common.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

typedef struct Tube {
  double radius, top_radius, height;
  int columns, rows;
  bool is_equilateral;
  double u_step, v_step; /* of a column and a row in uv [m] */
} Tube;

static double row_radius(const Tube *t, int row) {
  return t->radius + (t->top_radius - t->radius) * row / t->rows;
}

/* The left or right corner of cell i of a row; i + 1 may be `columns`, vertex 0 on the other side of the
 * seam. */
static WeftCorner corner(const Tube *t, int i, bool is_right, int row) {
  double shift = t->is_equilateral && row % 2 == 1 ? 0.5 : 0;
  double narrower = t->u_step * (1 - row_radius(t, row) / t->radius);
  int at = i + is_right;
  double u = t->u_step * (at + shift) + (is_right ? -0.5 : 0.5) * narrower;
  return (WeftCorner){row * t->columns + at % t->columns, u, t->v_step * row};
}

static void set_vertices(WeftShape *shape, const Tube *t) {
  for (int row = 0; row <= t->rows; row++) {
    int sides = row == 0         ? WEFT_SIDE_BIT(WEFT_SIDE_BOTTOM)
                : row == t->rows ? WEFT_SIDE_BIT(WEFT_SIDE_TOP)
                                 : 0;
    double shift = t->is_equilateral && row % 2 == 1 ? 0.5 : 0, radius = row_radius(t, row);
    for (int i = 0; i < t->columns; i++) {
      double angle = 2 * PI * (i + shift) / t->columns;
      weft_shape_set_vertex(shape, row * t->columns + i, radius * cos(angle), radius * sin(angle),
                            t->height * row / t->rows, sides);
    }
  }
}

static void add_cell(WeftShape *shape, const Tube *t, int i, int row) {
  WeftCorner a = corner(t, i, false, row), b = corner(t, i, true, row), c = corner(t, i, true, row + 1),
             d = corner(t, i, false, row + 1);
  /* a row that leans right needs the diagonal that leans left, and the other way round */
  bool is_rising = t->is_equilateral ? row % 2 == 1 : (i + row) % 2 == 0;
  if (is_rising) {
    weft_shape_add_triangle(shape, a, b, c);
    weft_shape_add_triangle(shape, a, c, d);
  } else {
    weft_shape_add_triangle(shape, a, b, d);
    weft_shape_add_triangle(shape, b, c, d);
  }
}

WeftResult weft_generate_tube(WeftShape *shape, double radius, double top_radius, double height, int columns,
                              int rows, WeftPattern pattern, WeftError *error) {
  memset(shape, 0, sizeof *shape);
  bool is_equilateral = pattern == WEFT_PATTERN_EQUILATERAL;
  WeftResult result = weft_check_size(radius, "radius of a tube", error);
  if (result == WEFT_RESULT_OK) result = weft_check_size(top_radius, "top_radius of a tube", error);
  if (result == WEFT_RESULT_OK) result = weft_check_size(height, "height of a tube", error);
  if (result == WEFT_RESULT_OK && is_equilateral && top_radius != radius)
    result = weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                       "a tube with a top_radius of its own cannot have the pattern equilateral");
  if (result == WEFT_RESULT_OK) result = weft_check_count(columns, 3, "columns of a tube", error);
  if (result == WEFT_RESULT_OK && !(is_equilateral && rows == 0)) {
    result = weft_check_count(rows, 1, "rows of a tube", error);
  }
  if (result != WEFT_RESULT_OK) return result;
  double chord = 2 * radius * sin(PI / columns);
  int64_t row_count = rows ? rows : weft_equilateral_rows(height, chord);
  result = weft_shape_create(shape, columns * (row_count + 1), 2 * columns * row_count, error);
  if (result != WEFT_RESULT_OK) return result;
  double tip = 2 * radius * sin(PI / (2.0 * columns)) * sin(PI / (2.0 * columns));
  /* along the slope; the middle of a chord lies cos(pi / n) times as far from the axis as its ends */
  double rise = hypot(height, (top_radius - radius) * cos(PI / columns)) / (double)row_count;
  Tube t = {radius,         top_radius,     height, columns,
            (int)row_count, is_equilateral, chord,  is_equilateral ? hypot(rise, tip) : rise};
  set_vertices(shape, &t);
  for (int row = 0; row < t.rows; row++) {
    for (int i = 0; i < t.columns; i++) add_cell(shape, &t, i, row);
  }
  return WEFT_RESULT_OK;
}
