/* The little worlds whose states are fuzzed: two triangles, alone or lying on a floor that they touch. */
#ifndef WEFT_TESTS_FUZZ_STATE_H
#define WEFT_TESTS_FUZZ_STATE_H

#include <weft/weft.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef enum FuzzWorld { FUZZ_ALONE, FUZZ_ON_FLOOR, FUZZ_WORLD_COUNT } FuzzWorld;

static inline WeftResult fuzz_add_floor(WeftWorld *world) {
  /* nearer than both are thick: contacts from the first step on */
  static const double positions[] = {-1, -1, -5e-4, 3, -1, -5e-4, -1, 3, -5e-4};
  static const int32_t triangle[] = {0, 1, 2};
  WeftObstacleDef floor = weft_default_obstacle_def();
  floor.vertex_count = 3;
  floor.positions = positions;
  floor.triangle_count = 1;
  floor.triangles = triangle;
  floor.thickness = 1e-3;
  return weft_world_add_obstacle(world, &floor, NULL, NULL);
}

/* NULL when it could not be made. */
static inline WeftWorld *fuzz_world(FuzzWorld which) {
  static const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  static const int32_t triangles[] = {0, 1, 2, 1, 3, 2};
  /* The link that always ends: zones may take seconds, with a fuzzer's counters in them, on what they are
   * given here. */
  static const char *const chain[] = {"truncate"};
  WeftWorldDef def = weft_default_world_def();
  def.threads = 1;
  def.step_halvings = 1;
  def.solver_max_iterations = 100;
  def.collides = which == FUZZ_ON_FLOOR;
  def.response = chain;
  def.response_count = 1;
  WeftClothDef cloth = weft_default_cloth_def();
  cloth.vertex_count = 4;
  cloth.positions = positions;
  cloth.triangle_count = 2;
  cloth.triangles = triangles;
  cloth.material.thickness = 1e-3;
  WeftWorld *world = NULL;
  if (weft_world_create(&def, &world, NULL) != WEFT_RESULT_OK) return NULL;
  if (weft_world_add_cloth(world, &cloth, NULL, NULL) != WEFT_RESULT_OK ||
      (which == FUZZ_ON_FLOOR && fuzz_add_floor(world) != WEFT_RESULT_OK)) {
    weft_world_destroy(world);
    return NULL;
  }
  return world;
}

#endif
