/* Obstacles on an OpenCL device: the same bits as on the CPU at every time, behind the vertices of a cloth,
 * and nothing but arguments crosses for a step. */
#include "obstacle.h"
#include "opencl_case.h"
#include "world.h"
#include "world/obstacles.h"

static void positions_have_the_same_bits(void **state) {
  (void)state;
  enum { BEFORE = 7 }; /* vertices of something else */
  WeftError error;
  WeftWorld *world = obstacle_world(0);
  check_ok(weft_world_use_device(world, "opencl", &error), error);
  check_ok(weft_world_step(world, 1, &error), error); /* makes the model, which goes to the device */
  size_t count = BEFORE + (size_t)world->model.obstacle_vertex_count, bytes = 3 * count * sizeof(double);
  double *here = calloc(3 * count, sizeof *here), *there = calloc(3 * count, sizeof *there);
  check_ok(weft_device_share(world->device, there, bytes, WEFT_MEMORY_POSITION, &error), error);
  WeftDeviceCounts before = world->device->counts;
  for (int i = -1; i < 40; i++) {
    double time = 0.0017 * i;
    /* at first all of them, then what moves */
    if (i < 0) {
      weft_obstacles_place(NULL, &world->model, time, here, BEFORE);
      weft_obstacles_place(world->device, &world->model, time, there, BEFORE);
    } else {
      weft_obstacles_move(NULL, &world->model, time, here, BEFORE);
      weft_obstacles_move(world->device, &world->model, time, there, BEFORE);
    }
    assert_true(weft_device_download(world->device, there, bytes));
    if (memcmp(here, there, bytes) != 0) fail_msg("other bits at %g s", time);
  }
  assert_true(here[3 * BEFORE + 3] == 1); /* the rock's second vertex */
  WeftDeviceCounts after = world->device->counts;
  assert_int_equal(after.launches - before.launches, 3 + 40 * 2);
  for (int kind = 0; kind < WEFT_MEMORY_KIND_COUNT; kind++)
    assert_int_equal(after.uploads[kind].count - before.uploads[kind].count, 0);
  weft_device_forget(world->device, there);
  free(here);
  free(there);
  weft_world_destroy(world);
}

static void runs_have_the_same_bits(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *worlds[2];
  double x[2][12];
  for (int k = 0; k < 2; k++) {
    worlds[k] = obstacle_world(0);
    if (k == 1) check_ok(weft_world_use_device(worlds[k], "opencl", &error), error);
    check_ok(weft_world_step(worlds[k], 5, &error), error);
    check_ok(weft_world_get_obstacle_positions(worlds[k], 1, x[k], &error), error);
  }
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  assert_true(hash_of(worlds[0]) == hash_of(worlds[1]));
  for (int k = 0; k < 2; k++) weft_world_destroy(worlds[k]);
}

int main(void) {
  if (skip_without_opencl()) return SKIPPED;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_have_the_same_bits),
      cmocka_unit_test(runs_have_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
