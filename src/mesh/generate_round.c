/* Round solids: outlines for the lathe. Vertices lie on the surface that is meant, so of a convex solid the
 * mesh is a little inside it: of a circle of n columns by r (1 - cos(pi / n)) between two vertices. */
#include "mesh/generate_lathe.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Outlines grow point by point; their size is known before. */
typedef struct Path {
  WeftOutline *points;
  int count;
} Path;

static void add_point(Path *path, double r, double z) { path->points[path->count++] = (WeftOutline){r, z}; }

/* Points 1 to rows between the path's last point and (r, z), which is the last of them to the last bit. */
static void add_line(Path *path, double r, double z, int rows) {
  WeftOutline from = path->points[path->count - 1];
  for (int i = 1; i < rows; i++)
    add_point(path, from.r + (r - from.r) * i / rows, from.z + (z - from.z) * i / rows);
  add_point(path, r, z);
}

/* Points first to last of an arc about (r, z) that has `rows` steps to a half turn, from straight below. The
 * ends of a half turn are exact: poles where r = 0. */
static void add_arc(Path *path, double r, double z, double radius, int rows, int first, int last) {
  for (int i = first; i <= last; i++) {
    double across = i == 0 || i == rows ? 0 : sin(PI * i / rows);
    double up = 2 * i == rows ? 0 : -cos(PI * i / rows);
    add_point(path, r + radius * across, z + radius * up);
  }
}

static WeftResult open_path(Path *path, int64_t most, WeftError *error) {
  WeftResult result = weft_check_counts(most, 0, error);
  if (result != WEFT_RESULT_OK) return result;
  *path = (Path){WEFT_NEW(WeftOutline, most), 0};
  return path->points ? WEFT_RESULT_OK : weft_fail_memory(error, "a generated mesh");
}

static WeftResult close_path(Path *path, WeftShape *shape, bool is_ring, int columns, WeftError *error) {
  WeftResult result = weft_generate_lathe(shape, path->points, path->count, is_ring, columns, error);
  free(path->points);
  return result;
}

WeftResult weft_generate_sphere(WeftShape *shape, double radius, int columns, int rows, WeftError *error) {
  memset(shape, 0, sizeof *shape);
  Path path;
  WeftResult result = weft_check_size(radius, "radius of a sphere", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(columns, 3, "columns of a sphere", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(rows, 2, "rows of a sphere", error);
  if (result == WEFT_RESULT_OK) result = open_path(&path, (int64_t)rows + 1, error);
  if (result != WEFT_RESULT_OK) return result;
  add_arc(&path, 0, 0, radius, rows, 0, rows);
  return close_path(&path, shape, false, columns, error);
}

WeftResult weft_generate_cone(WeftShape *shape, double radius, double top_radius, double height, int columns,
                              int rows, WeftError *error) {
  memset(shape, 0, sizeof *shape);
  Path path;
  WeftResult result = weft_check_size(radius, "radius of a cone or cylinder", error);
  if (result == WEFT_RESULT_OK && top_radius != 0)
    result = weft_check_size(top_radius, "top radius of a cone", error);
  if (result == WEFT_RESULT_OK) result = weft_check_size(height, "height of a cone or cylinder", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(columns, 3, "columns of a cone or cylinder", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(rows, 1, "rows of a cone or cylinder", error);
  if (result == WEFT_RESULT_OK) result = open_path(&path, (int64_t)rows + 3, error);
  if (result != WEFT_RESULT_OK) return result;
  add_point(&path, 0, 0);
  add_point(&path, radius, 0);
  add_line(&path, top_radius, height, rows);
  if (top_radius > 0) add_point(&path, 0, height);
  return close_path(&path, shape, false, columns, error);
}

WeftResult weft_generate_cylinder(WeftShape *shape, double radius, double height, int columns, int rows,
                                  WeftError *error) {
  return weft_generate_cone(shape, radius, radius, height, columns, rows, error);
}

WeftResult weft_generate_funnel(WeftShape *shape, double radius, double neck_radius, double height,
                                double neck_height, int columns, int rows, int neck_rows, WeftError *error) {
  memset(shape, 0, sizeof *shape);
  Path path;
  const double sizes[] = {radius, neck_radius, height, neck_height};
  static const char *const names[] = {"radius of a funnel", "neck radius of a funnel", "height of a funnel",
                                      "neck height of a funnel"};
  WeftResult result = WEFT_RESULT_OK;
  for (int i = 0; i < 4 && result == WEFT_RESULT_OK; i++) result = weft_check_size(sizes[i], names[i], error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(columns, 3, "columns of a funnel", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(rows, 1, "rows of a funnel", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(neck_rows, 1, "neck rows of a funnel", error);
  if (result == WEFT_RESULT_OK) result = open_path(&path, (int64_t)rows + neck_rows + 1, error);
  if (result != WEFT_RESULT_OK) return result;
  add_point(&path, neck_radius, -height - neck_height);
  add_line(&path, neck_radius, -height, neck_rows);
  add_line(&path, radius, 0, rows);
  return close_path(&path, shape, false, columns, error);
}

WeftResult weft_generate_capsule(WeftShape *shape, double radius, double height, int columns, int rows,
                                 int cap_rows, WeftError *error) {
  memset(shape, 0, sizeof *shape);
  Path path;
  WeftResult result = weft_check_size(radius, "radius of a capsule", error);
  if (result == WEFT_RESULT_OK) result = weft_check_size(height, "height of a capsule", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(columns, 3, "columns of a capsule", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(rows, 1, "rows of a capsule", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(cap_rows, 1, "cap rows of a capsule", error);
  if (result == WEFT_RESULT_OK) result = open_path(&path, (int64_t)rows + 2 * (int64_t)cap_rows + 1, error);
  if (result != WEFT_RESULT_OK) return result;
  add_arc(&path, 0, 0, radius, 2 * cap_rows, 0, cap_rows);
  add_line(&path, radius, height, rows);
  add_arc(&path, 0, height, radius, 2 * cap_rows, cap_rows + 1, 2 * cap_rows);
  return close_path(&path, shape, false, columns, error);
}

WeftResult weft_generate_torus(WeftShape *shape, double radius, double tube_radius, int columns, int rows,
                               WeftError *error) {
  memset(shape, 0, sizeof *shape);
  Path path;
  WeftResult result = weft_check_size(radius, "radius of a torus", error);
  if (result == WEFT_RESULT_OK) result = weft_check_size(tube_radius, "tube radius of a torus", error);
  if (result == WEFT_RESULT_OK && !(tube_radius < radius)) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "the tube radius of a torus is %g m; expected less than its radius of %g m", tube_radius,
                     radius);
  }
  if (result == WEFT_RESULT_OK) result = weft_check_count(columns, 3, "columns of a torus", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(rows, 3, "rows of a torus", error);
  if (result == WEFT_RESULT_OK) result = open_path(&path, rows, error);
  if (result != WEFT_RESULT_OK) return result;
  for (int i = 0; i < rows; i++) /* from the outermost point upwards */
    add_point(&path, radius + tube_radius * cos(2 * PI * i / rows), tube_radius * sin(2 * PI * i / rows));
  return close_path(&path, shape, true, columns, error);
}
