/* Small worlds for the experiments with known answers. */
#ifndef WEFT_TESTS_CASES_H
#define WEFT_TESTS_CASES_H

#include "check.h"
#include "mesh/generate.h"

#include <weft/scene.h>
#include <weft/weft.h>

/* A material without damping, drag or friction. */
static inline WeftMaterial bare_material(double density, double stretch, double shear, double bend) {
  WeftMaterial m = weft_default_material();
  m.density = density;
  m.stretch_warp = m.stretch_weft = stretch;
  m.shear = shear;
  m.bend_warp = m.bend_weft = bend;
  m.stretch_damping = m.bend_damping = m.drag_normal = m.drag_tangential = 0;
  return m;
}

/* A rectangle of columns x rows cells with its lower left corner at the origin, in the xy plane. */
typedef struct Sheet {
  WeftWorld *world;
  int columns, rows, vertex_count, triangle_count;
  double *x, *v; /* vertex_count x 3, for reading back */
} Sheet;

/* Changes the start positions of a sheet; user: whatever it needs. */
typedef void SheetPose(double *position, const void *user);

static inline Sheet sheet_create(const WeftWorldDef *world_def, double width, double height, int columns,
                                 int rows, const WeftMaterial *material, const char *stretch,
                                 const char *bend, SheetPose *pose, const void *user) {
  WeftError error;
  WeftShape shape;
  Sheet sheet = {.columns = columns, .rows = rows};
  check_ok(weft_generate_rectangle(&shape, width, height, columns, rows, WEFT_PATTERN_ALTERNATING, &error),
           error);
  sheet.vertex_count = shape.mesh.vertex_count;
  sheet.triangle_count = shape.mesh.triangle_count;
  for (int i = 0; i < sheet.vertex_count; i++) {
    double *p = shape.mesh.positions + 3 * i;
    p[0] += width / 2;
    p[1] += height / 2;
    if (pose) pose(p, user);
  }
  WeftClothDef cloth = weft_default_cloth_def();
  cloth.vertex_count = sheet.vertex_count;
  cloth.positions = shape.mesh.positions;
  cloth.triangle_count = sheet.triangle_count;
  cloth.triangles = shape.mesh.triangles;
  cloth.rest_uv = shape.mesh.uvs;
  cloth.rest_bend = WEFT_REST_BEND_FLAT;
  cloth.material = *material;
  cloth.stretch = stretch;
  cloth.bend = bend;
  check_ok(weft_world_create(world_def, &sheet.world, &error), error);
  check_ok(weft_world_add_cloth(sheet.world, &cloth, NULL, &error), error);
  weft_shape_free(&shape);
  sheet.x = calloc((size_t)sheet.vertex_count, 3 * sizeof(double));
  sheet.v = calloc((size_t)sheet.vertex_count, 3 * sizeof(double));
  return sheet;
}

static inline void sheet_destroy(Sheet *sheet) {
  weft_world_destroy(sheet->world);
  free(sheet->x);
  free(sheet->v);
}

/* Vertex in column i (along x) and row j (along y), wherever the generator put it: found by its start
 * position. */
static inline int sheet_vertex(const Sheet *sheet, int i, int j) { return j * (sheet->columns + 1) + i; }

static inline void sheet_pin_column(Sheet *sheet, int column, int axes) {
  WeftError error;
  for (int j = 0; j <= sheet->rows; j++) {
    check_ok(weft_world_pin(sheet->world, 0, sheet_vertex(sheet, column, j), axes, &error), error);
  }
}

static inline void sheet_read(Sheet *sheet) {
  WeftError error;
  check_ok(weft_world_positions(sheet->world, 0, sheet->x, &error), error);
  check_ok(weft_world_velocities(sheet->world, 0, sheet->v, &error), error);
}

static inline void sheet_step(Sheet *sheet, int steps) {
  WeftError error;
  check_ok(weft_world_step(sheet->world, steps, &error), error);
}

/* A run to rest: the velocity is forgotten after every step, so a step is a damped Newton step on the static
 * problem. */
static inline WeftWorldDef rest_world_def(double time_step) {
  WeftWorldDef def = weft_default_world_def();
  def.time_step = time_step;
  def.wind.air_density = 0;
  def.quasi_static = true;
  def.solver_tolerance = 1e-6;
  def.threads = 1;
  return def;
}

static inline void sheet_settle(Sheet *sheet, double max_speed, int max_steps) {
  WeftError error;
  bool settled;
  check_ok(weft_world_settle(sheet->world, max_speed, max_steps, &settled, &error), error);
  assert_true(settled);
}

#endif
