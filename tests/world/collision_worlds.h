/* Small worlds in which cloth meets cloth and obstacles. */
#ifndef WEFT_TESTS_COLLISION_WORLDS_H
#define WEFT_TESTS_COLLISION_WORLDS_H

#include "worlds.h"

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

/* A square of size [m] around (x, y, z), turned about z, thrown with velocity. */
typedef struct Sheet {
  double size;
  int columns;
  double at[3], turn, velocity[3];
  double thickness; /* 0: the material's */
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
  WeftClothDef cloth = weft_default_cloth_def();
  cloth.vertex_count = n;
  cloth.positions = shape.mesh.positions;
  cloth.velocities = velocities;
  cloth.triangle_count = shape.mesh.triangle_count;
  cloth.triangles = shape.mesh.triangles;
  cloth.rest_uv = shape.mesh.uvs;
  cloth.material.drag_normal = cloth.material.drag_tangential = 0;
  if (sheet->thickness > 0) cloth.material.thickness = sheet->thickness;
  if (sheet->friction >= 0) {
    cloth.material.friction_static = cloth.material.friction_kinetic = sheet->friction;
    cloth.material.friction_self = sheet->friction;
  }
  int32_t id;
  check_ok(weft_world_add_cloth(world, &cloth, &id, &error), error);
  free(velocities);
  weft_shape_free(&shape);
}

/* keys may be NULL. */
static inline void add_ball(WeftWorld *world, double radius, double thickness, int key_count,
                            const WeftObstacleKey *keys) {
  WeftError error;
  WeftShape shape;
  check_ok(weft_generate_sphere(&shape, radius, 12, 8, &error), error);
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

#endif
