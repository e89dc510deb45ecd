/* A sheet dropped on every solid: coarse, for 0.4 s, and under the judge after every step. */
#include "check.h"

#include <weft/check.h>
#include <weft/scene.h>

enum { STEPS = 24, COLUMNS = 12 };
static const double RATE = 60; /* steps a second */

static const char *const solids[] = {"plane", "box",    "sphere",  "cylinder",
                                     "cone",  "funnel", "capsule", "torus"};

static WeftWorld *load(const char *solid) {
  static const char *const overrides[] = {"cloths.0.mesh.rectangle.columns=12", "frame_rate=60",
                                          "steps_per_frame=1"};
  char path[1024];
  WeftScene *scene;
  WeftWorld *world;
  WeftError error;
  const char *root = getenv("WEFT_SOURCE_DIR");
  snprintf(path, sizeof path, "%s/scenes/drop_%s.json", root ? root : ".", solid);
  check_ok(
      weft_scene_load(path, overrides, sizeof overrides / sizeof *overrides, (WeftLog){0}, &scene, &error),
      error);
  check_ok(weft_scene_create_world(scene, 1, (WeftLog){0}, &world, &error), error);
  weft_scene_destroy(scene);
  return world;
}

static void check_clean(WeftWorld *world, const char *solid, int step) {
  WeftCheck check;
  WeftError error;
  check_ok(weft_check_world(world, NULL, &check, &error), error);
  if (check.total.hits) fail_msg("%s: %lld hits after step %d", solid, (long long)check.total.hits, step);
  weft_check_free(&check);
}

static double mean_height(WeftWorld *world) {
  double x[3 * (COLUMNS + 1) * (COLUMNS + 1)], sum = 0;
  WeftError error;
  int count = (COLUMNS + 1) * (COLUMNS + 1);
  assert_int_equal(weft_world_vertex_count(world, 0), count);
  check_ok(weft_world_positions(world, 0, x, &error), error);
  for (int i = 0; i < count; i++) sum += x[3 * i + 2];
  return sum / count;
}

/* It falls, is held up, and passes nothing. */
static void every_solid_holds_the_sheet(void **state) {
  (void)state;
  const double time = STEPS / RATE, free_fall = 0.5 * 9.81 * time * time;
  for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
    WeftWorld *world = load(solids[i]);
    WeftError error;
    double start = mean_height(world);
    check_clean(world, solids[i], 0);
    for (int step = 1; step <= STEPS; step++) {
      check_ok(weft_world_step(world, 1, &error), error);
      check_clean(world, solids[i], step);
    }
    double fallen = start - mean_height(world);
    if (!(fallen > 0.02 && fallen < 0.6 * free_fall))
      fail_msg("%s: the sheet has fallen by %g m, freely it would by %g", solids[i], fallen, free_fall);
    weft_world_destroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_solid_holds_the_sheet)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
