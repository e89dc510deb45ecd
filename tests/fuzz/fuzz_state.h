/* The little world whose states are fuzzed: two triangles and a link. */
#ifndef WEFT_TESTS_FUZZ_STATE_H
#define WEFT_TESTS_FUZZ_STATE_H

#include <weft/weft.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline WeftWorld *fuzz_world(void) {
  static const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  static const int32_t triangles[] = {0, 1, 2, 1, 3, 2};
  WeftWorldDef def = weft_default_world_def();
  def.threads = 1;
  def.step_halvings = 1;
  def.solver_max_iterations = 100;
  WeftClothDef cloth = weft_default_cloth_def();
  cloth.vertex_count = 4;
  cloth.positions = positions;
  cloth.triangle_count = 2;
  cloth.triangles = triangles;
  WeftWorld *world = NULL;
  if (weft_world_create(&def, &world, NULL) != WEFT_RESULT_OK) return NULL;
  if (weft_world_add_cloth(world, &cloth, NULL, NULL) != WEFT_RESULT_OK) {
    weft_world_destroy(world);
    return NULL;
  }
  return world;
}

#endif
