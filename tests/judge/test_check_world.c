/* A world under the judge: all its cloths together, and what the report says of it. */
#include "check.h"

#include <weft/check.h>

static double low[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, high[] = {0.2, 0.2, 1, 0.3, 0.2, 2, 0.2, 0.3, 2};
static const int32_t corners[3] = {0, 1, 2};

static WeftWorld *two_cloths(void) {
  WeftWorldDef def = weft_default_world_def();
  WeftWorld *world;
  WeftError error;
  check_ok(weft_world_create(&def, &world, &error), error);
  double *const places[2] = {low, high};
  for (int i = 0; i < 2; i++) {
    WeftClothDef cloth = weft_default_cloth_def();
    cloth.name = i ? "high" : "low";
    cloth.vertex_count = 3;
    cloth.positions = places[i];
    cloth.triangle_count = 1;
    cloth.triangles = corners;
    check_ok(weft_world_add_cloth(world, &cloth, NULL, &error), error);
  }
  return world;
}

static WeftReport report_of(WeftWorld *world) {
  WeftReport report;
  WeftError error;
  check_ok(weft_world_report(world, &report, &error), error);
  return report;
}

static void a_world_is_judged(void **state) {
  (void)state;
  WeftWorld *world = two_cloths();
  WeftCheck check;
  WeftError error;
  assert_int_equal(report_of(world).check.first_step, -1);
  check_ok(weft_check_world(world, NULL, &check, &error), error);
  assert_true(check.total.hits == 0 && check.triangle_count == 2);
  weft_check_free(&check);
  check_ok(weft_world_step(world, 1, &error), error);
  double through[9];
  memcpy(through, high, sizeof through);
  through[2] = -1; /* one corner pulled through the other cloth */
  check_ok(weft_world_set_state(world, 0, low, NULL, &error), error);
  check_ok(weft_world_set_state(world, 1, through, NULL, &error), error);
  check_ok(weft_check_world(world, &(WeftCheckOptions){.list = 9}, &check, &error), error);
  assert_true(check.total.hits == 2 && check.total.crossing == 2 && check.total.pairs == 1 &&
              check.total.contours == 1);
  assert_true(check.part_count == 1 && check.parts[0].a == 0 && check.parts[0].b == 1);
  assert_true(check.listed_count == 2 && check.listed[0].edge_mesh == 1 &&
              check.listed[0].triangle_mesh == 0);
  weft_check_free(&check);
  WeftCheckSums sums = report_of(world).check;
  assert_true(sums.checks == 2 && sums.checks_with_hits == 1 && sums.first_step == 1 && sums.hits == 2 &&
              sums.hits_max == 2 && sums.seconds > 0);
  check_ok(weft_world_set_state(world, 1, high, NULL, &error), error);
  check_ok(weft_check_world(world, NULL, &check, &error), error);
  weft_check_free(&check);
  sums = report_of(world).check;
  assert_true(sums.checks == 3 && sums.checks_with_hits == 1 && sums.hits == 0 && sums.hits_max == 2);
  weft_world_destroy(world);
}

/* What solving leaves beside a plane of symmetry counts as 0. */
static void traces_are_no_reason_to_stop(void **state) {
  (void)state;
  WeftWorld *world = two_cloths();
  WeftCheck check;
  WeftError error;
  double traced[9];
  memcpy(traced, low, sizeof traced);
  traced[2] = -8e-87;
  traced[5] = 5e-324;
  check_ok(weft_world_set_state(world, 0, traced, NULL, &error), error);
  check_ok(weft_check_world(world, NULL, &check, &error), error);
  assert_int_equal(check.total.hits, 0);
  weft_check_free(&check);
  weft_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_world_is_judged),
                                     cmocka_unit_test(traces_are_no_reason_to_stop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
