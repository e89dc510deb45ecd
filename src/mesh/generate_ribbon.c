/* Ribbons: a strip along a uniform cubic B-spline, flat across and level: its width lies in the horizontal
 * plane, at right angles to the line. Vertices lie at equal lengths of the line, row by row across, from its
 * start to its end. The uvs are the straight strip, u along the line: other than those of flat sheets they
 * are not isometric where the line bends or climbs. */
#include "base/memory.h"
#include "mesh/generate_common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Straight pieces that stand for the curve between two knots: of its length they miss less than a hundred
 * thousandth where it turns by a right angle. */
#define PIECES 200
#define MOST_POINTS 10000

typedef struct Line {
  int count;        /* of samples */
  double *x;        /* count x 3 */
  double *at;       /* count: length from the start [m] */
  double (*row)[3]; /* columns + 1: where the rows are */
} Line;

/* The basis of a uniform cubic B-spline at s in [0, 1] between two knots. */
static void spline_at(const double *points, double s, double x[3]) {
  double r = 1 - s;
  const double basis[4] = {r * r * r / 6, (3 * s * s * s - 6 * s * s + 4) / 6,
                           (-3 * s * s * s + 3 * s * s + 3 * s + 1) / 6, s * s * s / 6};
  for (int k = 0; k < 3; k++) {
    x[k] = 0;
    for (int i = 0; i < 4; i++) x[k] += basis[i] * points[3 * i + k];
  }
}

static void sample_line(Line *line, const double *points, int point_count) {
  line->count = (point_count - 3) * PIECES + 1;
  for (int i = 0; i < line->count; i++) {
    bool is_last = i == line->count - 1;
    int span = is_last ? point_count - 4 : i / PIECES;
    double *x = line->x + 3 * (size_t)i;
    spline_at(points + 3 * (size_t)span, is_last ? 1 : (double)(i % PIECES) / PIECES, x);
    if (i == 0) continue;
    double d[3] = {x[0] - x[-3], x[1] - x[-2], x[2] - x[-1]};
    line->at[i] = line->at[i - 1] + sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
}

/* Where the line is after equal lengths. */
static void place_rows(Line *line, int columns) {
  double length = line->at[line->count - 1];
  for (int column = 0, i = 0; column <= columns; column++) {
    double at = length * column / columns;
    while (i < line->count - 2 && line->at[i + 1] < at) i++;
    double piece = line->at[i + 1] - line->at[i], part = piece > 0 ? (at - line->at[i]) / piece : 0;
    const double *a = line->x + 3 * (size_t)i;
    for (int k = 0; k < 3; k++) line->row[column][k] = a[k] + (a[3 + k] - a[k]) * part;
  }
}

static WeftResult set_vertices(WeftShape *shape, const Line *line, double width, int columns, int rows,
                               WeftError *error) {
  for (int column = 0; column <= columns; column++) {
    const double *x = line->row[column], *before = line->row[column > 0 ? column - 1 : 0],
                 *after = line->row[column < columns ? column + 1 : columns];
    double tx = after[0] - before[0], ty = after[1] - before[1], level = sqrt(tx * tx + ty * ty);
    if (!(level > 1e-6 * fabs(after[2] - before[2])))
      return weft_fail(
          error, WEFT_RESULT_INVALID_ARGUMENT,
          "the line of a ribbon stands still or runs along z at (%g, %g, %g), where its width has no "
          "direction; move its points",
          x[0], x[1], x[2]);
    int ends = column == 0         ? WEFT_SIDE_BIT(WEFT_SIDE_LEFT)
               : column == columns ? WEFT_SIDE_BIT(WEFT_SIDE_RIGHT)
                                   : 0;
    for (int row = 0; row <= rows; row++) {
      int borders = row == 0      ? WEFT_SIDE_BIT(WEFT_SIDE_BOTTOM)
                    : row == rows ? WEFT_SIDE_BIT(WEFT_SIDE_TOP)
                                  : 0;
      double across = width * ((double)row / rows - 0.5);
      weft_shape_set_vertex(shape, column * (rows + 1) + row, x[0] - across * ty / level,
                            x[1] + across * tx / level, x[2], ends | borders);
    }
  }
  return WEFT_RESULT_OK;
}

static void add_triangles(WeftShape *shape, double length, double width, int columns, int rows) {
  for (int column = 0; column < columns; column++) {
    double u0 = length * column / columns, u1 = length * (column + 1) / columns;
    for (int row = 0; row < rows; row++) {
      int32_t first = column * (rows + 1) + row, next = first + rows + 1;
      double v0 = width * row / rows, v1 = width * (row + 1) / rows;
      WeftCorner a = {first, u0, v0}, b = {next, u1, v0}, c = {next + 1, u1, v1}, d = {first + 1, u0, v1};
      if ((column + row) % 2 == 0) {
        weft_shape_add_triangle(shape, a, b, c);
        weft_shape_add_triangle(shape, a, c, d);
      } else {
        weft_shape_add_triangle(shape, a, b, d);
        weft_shape_add_triangle(shape, b, c, d);
      }
    }
  }
}

static WeftResult check_points(const double *points, int point_count, WeftError *error) {
  if (point_count < 4 || point_count > MOST_POINTS)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "a ribbon has %d points; expected 4 to %d",
                     point_count, MOST_POINTS);
  for (int i = 0; i < 3 * point_count; i++) {
    if (!(fabs(points[i]) < 1e100))
      return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                       "point %d of a ribbon, counted from 0, is at %c = %g m; expected less than 1e100",
                       i / 3, "xyz"[i % 3], points[i]);
  }
  return WEFT_RESULT_OK;
}

static WeftResult make(WeftShape *shape, Line *line, const double *points, int point_count, double width,
                       int columns, int rows, WeftError *error) {
  sample_line(line, points, point_count);
  double length = line->at[line->count - 1];
  WeftResult result = weft_check_size(length, "length of a ribbon", error);
  if (result != WEFT_RESULT_OK) return result;
  if (!rows) {
    double fitting = nearbyint(width * columns / length);
    rows = fitting < 1 ? 1 : fitting > 100000 ? 100000 : (int)fitting;
  }
  result = weft_shape_create(shape, (columns + (int64_t)1) * (rows + 1), 2 * (int64_t)columns * rows, error);
  if (result != WEFT_RESULT_OK) return result;
  place_rows(line, columns);
  result = set_vertices(shape, line, width, columns, rows, error);
  if (result != WEFT_RESULT_OK) {
    weft_shape_free(shape);
    return result;
  }
  add_triangles(shape, length, width, columns, rows);
  return WEFT_RESULT_OK;
}

WeftResult weft_generate_ribbon(WeftShape *shape, const double *points, int point_count, double width,
                                int columns, int rows, WeftError *error) {
  memset(shape, 0, sizeof *shape);
  WeftResult result = check_points(points, point_count, error);
  if (result == WEFT_RESULT_OK) result = weft_check_size(width, "width of a ribbon", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(columns, 1, "columns of a ribbon", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(rows, 0, "rows of a ribbon", error);
  if (result != WEFT_RESULT_OK) return result;
  size_t samples = (size_t)point_count * PIECES;
  Line line = {.x = WEFT_NEW(double, 3 * samples),
               .at = WEFT_NEW(double, samples),
               .row = weft_alloc((size_t)columns + 1, sizeof *line.row)};
  result = line.x && line.at && line.row
               ? make(shape, &line, points, point_count, width, columns, rows, error)
               : weft_fail_memory(error, "a generated mesh");
  free(line.x);
  free(line.at);
  free(line.row);
  return result;
}
