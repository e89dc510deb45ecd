/* A world with a bit of everything: two cloths, different methods, wind, a moving handle, pins, links,
 * forces. */
#ifndef WEFT_TESTS_WORLDS_H
#define WEFT_TESTS_WORLDS_H

#include "check.h"
#include "mesh/generate.h"

#include <weft/weft.h>

static inline void add_rectangle(WeftWorld *world, double x, int columns, const char *stretch,
                                 const char *bend) {
  WeftError error;
  WeftShape shape;
  check_ok(
      weft_generate_rectangle(&shape, 0.5, 0.4, columns, columns * 4 / 5, WEFT_PATTERN_ALTERNATING, &error),
      error);
  for (int i = 0; i < shape.mesh.vertex_count; i++) {
    double *p = shape.mesh.positions + 3 * i;
    p[0] += x;
    p[2] = 0.02 * sin(9 * p[0]) * cos(7 * p[1]);
  }
  WeftLink link = {0, shape.mesh.vertex_count - 1, 0.5, 3, 0.01};
  WeftClothDef cloth = weft_default_cloth_def();
  cloth.vertex_count = shape.mesh.vertex_count;
  cloth.positions = shape.mesh.positions;
  cloth.triangle_count = shape.mesh.triangle_count;
  cloth.triangles = shape.mesh.triangles;
  cloth.rest_uv = shape.mesh.uvs;
  cloth.link_count = 1;
  cloth.links = &link;
  cloth.stretch = stretch;
  cloth.bend = bend;
  cloth.material.stretch_warp = cloth.material.stretch_weft = 200;
  int32_t id;
  check_ok(weft_world_add_cloth(world, &cloth, &id, &error), error);
  weft_shape_free(&shape);
}

static inline WeftWorld *busy_world(int threads, const char *integrator, double time_step) {
  WeftError error;
  WeftWorld *world;
  WeftWorldDef def = weft_default_world_def();
  def.time_step = time_step;
  def.integrator = integrator;
  def.threads = threads;
  def.wind.velocity[0] = 3;
  def.wind.gust_amplitude[1] = 1;
  def.wind.gust_frequency = 2;
  check_ok(weft_world_create(&def, &world, &error), error);
  add_rectangle(world, 0, 40, "baraff_witkin", "dihedral");
  add_rectangle(world, 1, 20, "springs", "springs");
  WeftKey keys[] = {
      {0, {0, 0, 0}, {0, 0, 0}}, {0.2, {0.05, 0, 0.1}, {0, 0.5, 0}}, {0.5, {0, 0, 0}, {0, 0, 1}}};
  int32_t vertices[] = {0, 40};
  WeftHandleDef handle = weft_default_handle_def();
  handle.vertex_count = 2;
  handle.vertices = vertices;
  handle.key_count = 3;
  handle.keys = keys;
  handle.interpolation = WEFT_INTERPOLATION_SMOOTH;
  check_ok(weft_world_add_handle(world, &handle, NULL, &error), error);
  check_ok(weft_world_pin(world, 1, 0, WEFT_AXIS_ALL, &error), error);
  check_ok(weft_world_pin(world, 1, 20, WEFT_AXIS_Z, &error), error);
  check_ok(weft_world_set_force(world, 1, 50, (double[]){0.01, 0, 0.02}, &error), error);
  return world;
}

static inline uint64_t hash_of(WeftWorld *world) {
  WeftReport report;
  WeftError error;
  check_ok(weft_world_report(world, &report, &error), error);
  return report.state_hash;
}

#endif
