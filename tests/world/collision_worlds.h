/* Small worlds in which cloth meets cloth and obstacles. */
#ifndef WEFT_TESTS_COLLISION_WORLDS_H
#define WEFT_TESTS_COLLISION_WORLDS_H

#include "worlds.h"

#include <weft/check.h>

static inline WeftWorldDef colliding_def(int threads) {
  WeftWorldDef def = weft_default_world_def();
  def.threads = threads;
  def.collides = true;
  return def;
}

static inline WeftWorld *world_of(const WeftWorldDef *def) {
  WeftError error;
  WeftWorld *world;
  check_ok(weft_world_create(def, &world, &error), error);
  return world;
}

/* A generated cloth, which is taken over, without air. velocities: of its vertices x 3. */
static inline void add_shape(WeftWorld *world, WeftShape *shape, const double *velocities,
                             const WeftMaterial *material) {
  WeftError error;
  WeftClothDef cloth = weft_default_cloth_def();
  cloth.vertex_count = shape->mesh.vertex_count;
  cloth.positions = shape->mesh.positions;
  cloth.velocities = velocities;
  cloth.triangle_count = shape->mesh.triangle_count;
  cloth.triangles = shape->mesh.triangles;
  cloth.rest_uv = shape->mesh.uvs;
  cloth.material = *material;
  cloth.material.drag_normal = cloth.material.drag_tangential = 0;
  check_ok(weft_world_add_cloth(world, &cloth, NULL, &error), error);
  weft_shape_free(shape);
}

/* A square of size [m] around (x, y, z), turned about z, thrown with velocity. */
typedef struct Sheet {
  double size;
  int columns;
  double at[3], turn, velocity[3];
  double thickness; /* 0: the material's; negative: none, then there are no contact forces */
  double friction;  /* negative: the material's */
} Sheet;

static inline void add_sheet(WeftWorld *world, const Sheet *sheet) {
  WeftError error;
  WeftShape shape;
  check_ok(weft_generate_rectangle(&shape, sheet->size, sheet->size, sheet->columns, sheet->columns,
                                   WEFT_PATTERN_ALTERNATING, &error),
           error);
  int n = shape.mesh.vertex_count;
  double *velocities = calloc(3 * (size_t)n, sizeof *velocities), low[2] = {INFINITY, INFINITY};
  for (int i = 0; i < 2 * n; i++) low[i % 2] = fmin(low[i % 2], shape.mesh.positions[3 * (i / 2) + i % 2]);
  for (int i = 0; i < n; i++) {
    double *p = shape.mesh.positions + 3 * i, c = cos(sheet->turn), s = sin(sheet->turn);
    double u = p[0] - low[0] - sheet->size / 2, w = p[1] - low[1] - sheet->size / 2;
    p[0] = sheet->at[0] + c * u - s * w;
    p[1] = sheet->at[1] + s * u + c * w;
    p[2] = sheet->at[2];
    memcpy(velocities + 3 * i, sheet->velocity, sizeof sheet->velocity);
  }
  WeftMaterial material = weft_default_cloth_def().material;
  if (sheet->thickness != 0) material.thickness = fmax(0, sheet->thickness);
  if (sheet->friction >= 0)
    material.friction_static = material.friction_kinetic = material.friction_self = sheet->friction;
  add_shape(world, &shape, velocities, &material);
  free(velocities);
}

/* keys may be NULL. */
static inline void add_ball_of(WeftWorld *world, int columns, int rows, double radius, double thickness,
                               int key_count, const WeftObstacleKey *keys) {
  WeftError error;
  WeftShape shape;
  check_ok(weft_generate_sphere(&shape, radius, columns, rows, &error), error);
  WeftObstacleDef def = weft_default_obstacle_def();
  def.vertex_count = shape.mesh.vertex_count;
  def.positions = shape.mesh.positions;
  def.triangle_count = shape.mesh.triangle_count;
  def.triangles = shape.mesh.triangles;
  def.thickness = thickness;
  def.key_count = key_count;
  def.keys = keys;
  check_ok(weft_world_add_obstacle(world, &def, NULL, &error), error);
  weft_shape_free(&shape);
}

static inline void add_ball(WeftWorld *world, double radius, double thickness, int key_count,
                            const WeftObstacleKey *keys) {
  add_ball_of(world, 12, 8, radius, thickness, key_count, keys);
}

/* Two triangles. */
static inline void add_floor(WeftWorld *world, double size, double z, double thickness) {
  WeftError error;
  const double x[12] = {-size, -size, z, size, -size, z, size, size, z, -size, size, z};
  static const int32_t triangles[6] = {0, 1, 2, 0, 2, 3};
  WeftObstacleDef def = weft_default_obstacle_def();
  def.vertex_count = 4;
  def.positions = x;
  def.triangle_count = 2;
  def.triangles = triangles;
  def.thickness = thickness;
  check_ok(weft_world_add_obstacle(world, &def, NULL, &error), error);
}

typedef struct Chain {
  int count;
  const char *links[4];
} Chain;

static inline void use_chain(WeftWorldDef *def, const Chain *chain) {
  def->response_count = chain->count;
  def->response = chain->links;
}

/* ---- scenes ---- */

static inline WeftWorld *drop_on_ball(const WeftWorldDef *def) {
  WeftWorld *world = world_of(def);
  add_sheet(world, &(Sheet){0.4, 12, {0.01, 0.02, 0.105}, 0.2, {0, 0, -3}, 0, -1});
  add_ball(world, 0.1, 3e-4, 0, NULL);
  return world;
}

static inline WeftWorld *two_sheets(const WeftWorldDef *def) {
  WeftWorld *world = world_of(def);
  add_sheet(world, &(Sheet){0.3, 9, {0, 0, 0}, 0, {0, 0, 3}, 0, -1});
  add_sheet(world, &(Sheet){0.2, 8, {0.02, 0, 0.03}, 0.5, {0, 0.5, -3}, 0, -1});
  return world;
}

/* The ball turns while it goes, ten times as fast as cloth thickness a step. */
static inline WeftWorld *hit_by_ball(const WeftWorldDef *def) {
  static const WeftObstacleKey keys[] = {{0, {0, 0, -0.11}, {0, 0, 0}, {1, 1, 1}},
                                         {0.25, {0.02, 0, 0.64}, {0, 2, 1}, {1, 1, 1}}};
  WeftWorld *world = world_of(def);
  add_sheet(world, &(Sheet){0.4, 12, {0, 0, 0}, 0.3, {0, 0, 0}, 0, -1});
  add_ball(world, 0.1, 3e-4, 2, keys);
  return world;
}

typedef WeftWorld *MakeWorld(const WeftWorldDef *def);

static const struct {
  const char *name;
  MakeWorld *make;
} collision_scenes[] = {{"drop", drop_on_ball}, {"sheets", two_sheets}, {"hit", hit_by_ball}};
enum { SCENES = sizeof collision_scenes / sizeof *collision_scenes };

/* ---- clean ---- */

static inline int64_t hits_of(WeftWorld *world) {
  WeftError error;
  WeftCheck check;
  check_ok(weft_check_world(world, &(WeftCheckOptions){.threads = 1}, &check, &error), error);
  int64_t hits = check.total.hits;
  weft_check_free(&check);
  return hits;
}

static inline WeftReport report_of(WeftWorld *world) {
  WeftError error;
  WeftReport report;
  check_ok(weft_world_report(world, &report, &error), error);
  return report;
}

static inline WeftReport run_clean(WeftWorld *world, int steps, const char *name) {
  WeftError error;
  for (int step = 0; step < steps; step++) {
    check_ok(weft_world_step(world, 1, &error), error);
    int64_t hits = hits_of(world);
    if (hits) fail_msg("%s: %d hits after step %d", name, (int)hits, step + 1);
  }
  WeftReport report = report_of(world);
  assert_int_equal(report.impacts_left, 0);
  assert_int_equal(report.steps, steps);
  return report;
}

#endif
