/* Friction belongs to pairs of surfaces: what follows from both, and what is said of a pair. A card on a
 * plane, and a card on a card, slide or stay by it. */
#include "check.h"
#include "world.h"
#include "worlds.h"

#include <math.h>

static const double SLOPE = 0.3; /* of gravity: tan of the angle at which things would begin to slide */

static void add_card(WeftWorld *world, const char *fabric, double side, double z) {
  WeftShape shape;
  WeftError error;
  check_ok(weft_generate_rectangle(&shape, side, side, 4, 4, WEFT_PATTERN_ALTERNATING, &error), error);
  for (int i = 0; i < shape.mesh.vertex_count; i++) shape.mesh.positions[3 * i + 2] += z;
  WeftClothDef cloth = weft_default_cloth_def();
  cloth.vertex_count = shape.mesh.vertex_count;
  cloth.positions = shape.mesh.positions;
  cloth.triangle_count = shape.mesh.triangle_count;
  cloth.triangles = shape.mesh.triangles;
  cloth.material.thickness = 0.001;
  cloth.material.friction_static = cloth.material.friction_kinetic = cloth.material.friction_self = 0.5;
  snprintf(cloth.material.name, sizeof cloth.material.name, "%s", fabric);
  check_ok(weft_world_add_cloth(world, &cloth, NULL, &error), error);
  weft_shape_free(&shape);
}

/* A card on a table and, above a larger one that is held, a second: gravity leans by SLOPE. */
static WeftWorld *make(void) {
  static const double FLOOR[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
  static const int32_t HALVES[] = {0, 1, 2, 0, 2, 3};
  WeftWorld *world;
  WeftError error;
  WeftWorldDef def = weft_default_world_def();
  def.collides = true;
  def.gravity[0] = 9.81 * SLOPE;
  def.gravity[2] = -9.81;
  check_ok(weft_world_create(&def, &world, &error), error);
  add_card(world, "silk", 0.1, 0.0009);
  add_card(world, "felt", 0.4, 0.1);
  add_card(world, "silk", 0.1, 0.1009);
  WeftObstacleDef table = weft_default_obstacle_def();
  table.name = "table";
  table.vertex_count = 4;
  table.positions = FLOOR;
  table.triangle_count = 2;
  table.triangles = HALVES;
  table.thickness = 0.001;
  check_ok(weft_world_add_obstacle(world, &table, NULL, &error), error);
  return world;
}

/* How far the cards on the table and on the felt go in 0.2 s. */
static void run(WeftWorld *world, double moved[2]) {
  WeftError error;
  double x[3 * 25];
  for (int i = 0; i < 25; i++) check_ok(weft_world_pin(world, 1, i, WEFT_AXIS_ALL, &error), error);
  check_ok(weft_world_step(world, 40, &error), error);
  for (int card = 0; card < 2; card++) {
    check_ok(weft_world_positions(world, 2 * card, x, &error), error);
    moved[card] = x[3 * 12]; /* the middle one */
    print_message("%g m ", moved[card]);
  }
  weft_world_destroy(world);
}

static void pairs_have_friction_of_their_own(void **state) {
  (void)state;
  WeftError error;
  double moved[2], free_way = 0.5 * 9.81 * (SLOPE - 0.1) * 0.04;
  run(make(), moved); /* 0.5 holds both */
  assert_true(fabs(moved[0]) < 1e-4 && fabs(moved[1]) < 1e-4);

  WeftWorld *world = make();
  check_ok(weft_world_set_friction(world, "table", "silk", 0.1, 0.1, &error), error);
  run(world, moved);
  assert_true(moved[0] > 0.8 * free_way && moved[0] < 1.2 * free_way && fabs(moved[1]) < 1e-4);

  world = make();
  check_ok(weft_world_set_friction(world, "silk", "felt", 0, 0, &error), error);
  check_ok(weft_world_set_friction(world, "felt", "silk", 0.1, 0.1, &error),
           error); /* what is said last counts */
  run(world, moved);
  assert_true(fabs(moved[0]) < 1e-4 && moved[1] > 0.7 * free_way && moved[1] < 1.2 * free_way);

  world = make();
  check_ok(weft_world_set_friction(world, "silk", "silk", 0, 0, &error), error); /* those do not meet */
  check_ok(weft_world_set_friction(world, "felt", "table", 0, 0, &error), error);
  run(world, moved);
  assert_true(fabs(moved[0]) < 1e-4 && fabs(moved[1]) < 1e-4);
}

static void what_is_no_pair_is_refused(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = make(), *other = make();
  uint64_t one, two;
  check_refused(weft_world_set_friction(world, "silk", "glass", 0.1, 0.1, &error),
                WEFT_RESULT_INVALID_ARGUMENT, "no obstacle has the name \"glass\"", error);
  check_refused(weft_world_set_friction(world, "table", "table", 0.1, 0.1, &error),
                WEFT_RESULT_INVALID_ARGUMENT, "both are obstacles", error);
  check_refused(weft_world_set_friction(world, "silk", "felt", -1, 0.1, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "from 0 on", error);
  check_refused(weft_world_set_friction(world, "silk", "felt", 0.1, NAN, &error),
                WEFT_RESULT_INVALID_ARGUMENT, "from 0 on", error);
  check_refused(weft_world_set_friction(world, "silk", "", 0.1, 0.1, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "no world or name", error);
  check_refused(weft_world_set_friction(NULL, "silk", "felt", 0.1, 0.1, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "no world", error);
  /* a state does not fit a world with other pairs */
  check_ok(weft_world_set_friction(world, "silk", "felt", 0.1, 0.1, &error), error);
  check_ok(weft_world_fingerprint(world, &one, &error), error);
  check_ok(weft_world_fingerprint(other, &two, &error), error);
  assert_true(one != two);
  check_refused(weft_world_set_friction(world, "silk", "felt", 0.1, 0.1, &error), WEFT_RESULT_WRONG_TIME,
                "before the first step", error);
  weft_world_destroy(world);
  weft_world_destroy(other);
}

/* Thousands of stones take no table of millions of pairs: only what differs counts. */
static void bodies_that_are_alike_share_a_surface(void **state) {
  (void)state;
  static const double CORNERS[] = {0, 0, -1, 1, 0, -1, 0, 1, -1};
  static const int32_t TRIANGLE[] = {0, 1, 2};
  for (int named = 0; named < 2; named++) {
    WeftWorld *world = make();
    WeftError error;
    uint64_t fingerprint;
    for (int i = 0; i < 500; i++) {
      char name[16];
      WeftObstacleDef stone = weft_default_obstacle_def();
      snprintf(name, sizeof name, "stone%d", i);
      stone.name = name;
      stone.vertex_count = 3;
      stone.positions = CORNERS;
      stone.triangle_count = 1;
      stone.triangles = TRIANGLE;
      check_ok(weft_world_add_obstacle(world, &stone, NULL, &error), error);
    }
    if (named) check_ok(weft_world_set_friction(world, "silk", "stone7", 0.1, 0.1, &error), error);
    check_ok(weft_world_fingerprint(world, &fingerprint, &error), error); /* builds the model */
    /* cloth, table, stones; with a name that counts silk and felt are two, and so are the stones */
    assert_int_equal(world->model.surface_count, named ? 5 : 3);
    weft_world_destroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_have_friction_of_their_own),
                                     cmocka_unit_test(what_is_no_pair_is_refused),
                                     cmocka_unit_test(bodies_that_are_alike_share_a_surface)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
