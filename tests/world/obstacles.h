/* A world with a small cloth and obstacles of every kind of motion. */
#ifndef WEFT_TESTS_OBSTACLES_H
#define WEFT_TESTS_OBSTACLES_H

#include "worlds.h"

/* A tetrahedron, outward. */
static const double tetrahedron[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int32_t tetrahedron_faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static inline WeftObstacleDef tetrahedron_def(void) {
  WeftObstacleDef def = weft_default_obstacle_def();
  def.vertex_count = 4;
  def.positions = tetrahedron;
  def.triangle_count = 4;
  def.triangles = tetrahedron_faces;
  return def;
}

static inline WeftWorld *cloth_world(int threads, double time_step) {
  WeftError error;
  WeftWorld *world;
  WeftWorldDef def = weft_default_world_def();
  def.threads = threads;
  def.time_step = time_step;
  check_ok(weft_world_create(&def, &world, &error), error);
  add_rectangle(world, 0, 5, "baraff_witkin", "dihedral");
  return world;
}

/* A sheet of so many vertices, waving: enough of them that threads share the work. */
static inline void add_waving_sheet(WeftWorld *world, int columns, int frames) {
  WeftError error;
  WeftShape shape;
  check_ok(weft_generate_rectangle(&shape, 2, 2, columns, columns, WEFT_PATTERN_ALTERNATING, &error), error);
  size_t n = (size_t)shape.mesh.vertex_count;
  double *positions = calloc(3 * n * (size_t)frames, sizeof *positions), *times = calloc((size_t)frames, 8);
  for (size_t f = 0; f < (size_t)frames; f++) {
    times[f] = 0.013 * (double)f;
    for (size_t i = 0; i < n; i++) {
      double *p = positions + 3 * (f * n + i);
      memcpy(p, shape.mesh.positions + 3 * i, 3 * sizeof *p);
      p[2] = 0.1 * sin(3 * p[0] + (double)f);
    }
  }
  WeftObstacleKey keys[] = {{0, {0, 0, -1}, {0, 0, 0}, {1, 1, 1}},
                            {0.02, {0.1, 0, -1}, {0.3, 0.2, 0.9}, {1, 1.5, 1}},
                            {0.05, {0, 0.7, -1}, {0, 0, 7}, {0.5, 0.6, 0.7}}};
  WeftObstacleDef def = weft_default_obstacle_def();
  def.name = "sheet";
  def.vertex_count = (int32_t)n;
  def.triangle_count = shape.mesh.triangle_count;
  def.triangles = shape.mesh.triangles;
  def.frame_count = frames;
  def.frame_times = times;
  def.frame_positions = positions;
  def.key_count = 3;
  def.keys = keys;
  def.pivot[0] = 0.4;
  def.interpolation = WEFT_INTERPOLATION_SMOOTH;
  check_ok(weft_world_add_obstacle(world, &def, NULL, &error), error);
  free(times);
  free(positions);
  weft_shape_free(&shape);
}

/* Static, keyframed, and with frames and keys: a waving sheet. */
static inline WeftWorld *obstacle_world_with(int threads, int sheet_columns, int sheet_frames) {
  WeftError error;
  WeftWorld *world = cloth_world(threads, 0.005);
  WeftObstacleDef def = tetrahedron_def();
  def.name = "rock";
  check_ok(weft_world_add_obstacle(world, &def, NULL, &error), error);
  WeftObstacleKey keys[] = {{0, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}}, {0.1, {1, 2, 3}, {0, 0, 1}, {2, 2, 2}}};
  def.name = "wheel";
  def.keys = keys;
  def.key_count = 2;
  check_ok(weft_world_add_obstacle(world, &def, NULL, &error), error);
  add_waving_sheet(world, sheet_columns, sheet_frames);
  return world;
}

static inline WeftWorld *obstacle_world(int threads) { return obstacle_world_with(threads, 60, 4); }

#endif
