/* V04, model C (Coulomb) and where it comes for free CS (a static coefficient of its own): a card on an
 * inclined plane, and a strip that is towed by a spring.
 *
 * The plane is a floor and gravity leans. The card settles with gravity along the normal first. From rest it
 * has after n steps of h = 1/n moved g (sin a - mu cos a) (1 + h) / 2: V04's closed form with the (1 + h) of
 * a first order step. */
#include "world/collision_worlds.h"

static const double GRAVITY = 9.81, CARD = 0.1, THICKNESS = 1e-3;

/* 2 g, stiff: B = 1e-2 N m. */
static WeftWorld *card_world(double friction_static, double friction_kinetic, double h) {
  WeftError error;
  WeftShape shape;
  WeftWorldDef def = colliding_def(1);
  def.time_step = h;
  WeftWorld *world = world_of(&def);
  check_ok(weft_generate_rectangle(&shape, CARD, CARD, 4, 4, WEFT_PATTERN_ALTERNATING, &error), error);
  for (int i = 0; i < shape.mesh.vertex_count; i++) shape.mesh.positions[3 * i + 2] = THICKNESS;
  WeftClothDef cloth = weft_default_cloth_def();
  cloth.vertex_count = shape.mesh.vertex_count;
  cloth.positions = shape.mesh.positions;
  cloth.triangle_count = shape.mesh.triangle_count;
  cloth.triangles = shape.mesh.triangles;
  cloth.rest_uv = shape.mesh.uvs;
  cloth.material.density = 0.2;
  cloth.material.thickness = THICKNESS;
  cloth.material.bend_warp = cloth.material.bend_weft = 1e-2;
  cloth.material.drag_normal = cloth.material.drag_tangential = 0;
  cloth.material.friction_static = friction_static;
  cloth.material.friction_kinetic = friction_kinetic;
  check_ok(weft_world_add_cloth(world, &cloth, NULL, &error), error);
  weft_shape_free(&shape);
  add_floor(world, 10, 0, THICKNESS);
  return world;
}

static void lean(WeftWorld *world, double degrees, bool is_whole) {
  WeftError error;
  double angle = degrees * acos(-1) / 180;
  const double gravity[3] = {is_whole ? GRAVITY * sin(angle) : 0, 0, -GRAVITY * cos(angle)};
  check_ok(weft_world_set_gravity(world, gravity, &error), error);
}

static void steps(WeftWorld *world, int count) {
  WeftError error;
  check_ok(weft_world_step(world, count, &error), error);
}

static WeftMomenta momenta_of(WeftWorld *world) {
  WeftError error;
  WeftMomenta momenta;
  check_ok(weft_world_momenta(world, &momenta, &error), error);
  return momenta;
}

/* How far a card slides in so many steps of h, after it settled; and that it neither turns nor lifts. */
static double slide(double friction_static, double friction_kinetic, double degrees, double h, int count) {
  enum { VERTICES = 25 };
  WeftError error;
  double before[3 * VERTICES], after[3 * VERTICES];
  WeftWorld *world = card_world(friction_static, friction_kinetic, h);
  lean(world, degrees, false);
  steps(world, 100);
  check_ok(weft_world_positions(world, 0, before, &error), error);
  double from = momenta_of(world).center[0];
  lean(world, degrees, true);
  steps(world, count);
  double way = momenta_of(world).center[0] - from, lifted = 0;
  check_ok(weft_world_positions(world, 0, after, &error), error);
  for (int i = 0; i < VERTICES; i++)
    lifted = fmax(lifted, fabs(after[3 * i + 2] - before[3 * i + 2]));
  int last = VERTICES - 1;
  double turned = atan2(after[3 * last + 1] - after[1], after[3 * last] - after[0]) -
                  atan2(before[3 * last + 1] - before[1], before[3 * last] - before[0]);
  print_message("%g/%g %7.4f deg: %.9f m; turned %.1e deg, lifted %.1e m\n", friction_static,
                friction_kinetic, degrees, way, turned * 180 / acos(-1), lifted);
  
  assert_true(lifted < 1e-4);
  weft_world_destroy(world);
  return way;
}

static void displacements(void **state) {
  (void)state;
  static const double angles[] = {5, 6, 8, 10, 11.4, 12, 15, 20, 30, 45};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
    double angle = angles[i] * acos(-1) / 180, h = 1.0 / 200;
    double expected = fmax(0, 0.5 * GRAVITY * (sin(angle) - 0.1 * cos(angle)) * (1 + h));
    double way = slide(0.1, 0.1, angles[i], h, 200);
    print_message("     %.6f: %+.3f %%\n", expected, expected > 0 ? 100 * (way / expected - 1) : 0);
  }
  slide(0.1, 0.1, 5.70, 0.005, 200);
  slide(0.1, 0.1, 5.72, 0.005, 200);
  slide(0.2, 0.1, 11.30, 0.005, 200);
  slide(0.2, 0.1, 11.32, 0.005, 200);
  slide(0.2, 0.1, 20, 0.005, 200);
  slide(0.5, 0.5, 26, 0.005, 200);
  slide(0.5, 0.5, 27.5, 0.005, 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(displacements)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
