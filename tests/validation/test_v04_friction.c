/* V04, models C (one coefficient of Coulomb's) and CS (another one at rest): a card on an inclined plane, and
 * a strip that is towed by a spring.
 *
 * The plane is a floor and gravity leans. The card settles with gravity along the normal first. From rest it
 * has after n steps of h = 1/n moved g (sin a - mu cos a) (1 + h) / 2: V04's closed form with the (1 + h) of
 * a first order step. */
#include "world/collision_worlds.h"

#include <weft/scene.h>

static const double GRAVITY = 9.81, CARD = 0.1, THICKNESS = 1e-3;

/* 2 g, stiff: B = 1e-2 N m. */
static WeftWorld *card_world(double friction_static, double friction_kinetic, double h) {
  WeftError error;
  WeftShape shape;
  WeftWorldDef def = colliding_def(1);
  def.time_step = h;
  WeftWorld *world = world_of(&def);
  check_ok(weft_generate_rectangle(&shape, CARD, CARD, 4, 4, WEFT_PATTERN_ALTERNATING, &error), error);
  for (int i = 0; i < shape.mesh.vertex_count; i++) {
    shape.mesh.positions[3 * i + 1] -= 5; /* all the way over one triangle of the floor */
    shape.mesh.positions[3 * i + 2] = THICKNESS;
  }
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
  enum { VERTICES = 25, LAST = VERTICES - 1 };
  WeftError error;
  double before[3 * VERTICES], after[3 * VERTICES];
  WeftWorld *world = card_world(friction_static, friction_kinetic, h);
  lean(world, degrees, false);
  steps(world, 100);
  check_ok(weft_world_positions(world, 0, before, &error), error);
  double from = momenta_of(world).center[0];
  lean(world, degrees, true);
  steps(world, count);
  double way = momenta_of(world).center[0] - from, lifted = 0, turned = 0;
  check_ok(weft_world_positions(world, 0, after, &error), error);
  for (int i = 0; i < VERTICES; i++) lifted = fmax(lifted, fabs(after[3 * i + 2] - before[3 * i + 2]));
  turned = atan2(after[3 * LAST + 1] - after[1], after[3 * LAST] - after[0]) -
           atan2(before[3 * LAST + 1] - before[1], before[3 * LAST] - before[0]);
  turned *= 180 / acos(-1);
  print_message("static %.2f kinetic %.2f %8.4f deg: %.7f m; turned %.0e deg, lifted %.0e m\n",
                friction_static, friction_kinetic, degrees, way, turned, lifted);
  assert_true(fabs(turned) < 0.5);
  assert_true(lifted < 1e-4);
  weft_world_destroy(world);
  return way;
}

static const double H = 1.0 / 200, STUCK = 1e-5;

static double closed_form(double friction, double degrees) {
  double angle = degrees * acos(-1) / 180;
  return fmax(0, 0.5 * GRAVITY * (sin(angle) - friction * cos(angle)) * (1 + H));
}

static void thresholds(void **state) {
  (void)state;
  assert_true(fabs(slide(0.1, 0.1, 5.70, H, 200)) < STUCK);
  assert_true(slide(0.1, 0.1, 5.72, H, 200) > 10 * STUCK);
  assert_true(fabs(slide(0.5, 0.5, 26, H, 200)) < STUCK);
  assert_true(slide(0.5, 0.5, 27.5, H, 200) > 10 * STUCK);
}

/* [Wong14 ch. 7]: at tan a = 0.3 with twice the coefficient at rest. */
static void sweep(void **state) {
  (void)state;
  static const double kinetic[] = {0.14, 0.16, 0.29, 0.31};
  for (int i = 0; i < 4; i++) {
    double c = slide(kinetic[i], kinetic[i], 16.6992, H, 200);
    double cs = slide(2 * kinetic[i], kinetic[i], 16.6992, H, 200);
    assert_true(i < 3 ? c > 10 * STUCK : fabs(c) < STUCK);
    assert_true(i < 1 ? cs > 10 * STUCK : fabs(cs) < STUCK);
    assert_true(cs <= c);
  }
}

static void displacements(void **state) {
  (void)state;
  static const double angles[] = {5, 6, 8, 10, 11.4, 12, 15, 20, 30, 45};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
    double expected = closed_form(0.1, angles[i]), way = slide(0.1, 0.1, angles[i], H, 200);
    print_message("  expected %.6f, %+.2f %%\n", expected, expected > 0 ? 100 * (way / expected - 1) : 0);
    if (expected > 0)
      check_relative(way, expected, angles[i] < 7 ? 0.003 : 1e-4);
    else
      assert_true(fabs(way) < STUCK);
  }
  for (int i = 6; i < 10; i++)
    check_relative(slide(0.2, 0.1, angles[i], H, 200), closed_form(0.1, angles[i]), 1e-4);
}

/* A load that comes at once is felt in the step it comes in: what a card would be held with beyond the limit
 * is not there. One step of h moves it by (g sin a - mu g cos a) h^2. */
static void a_sudden_load_is_felt_at_once(void **state) {
  (void)state;
  static const double angles[] = {20, 30, 45}, lengths[] = {1.0 / 60, 1.0 / 200};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 3; i++) {
      double angle = angles[i] * acos(-1) / 180, h = lengths[k];
      double expected = GRAVITY * (sin(angle) - 0.3 * cos(angle)) * h * h,
             way = slide(0.3, 0.3, angles[i], h, 1);
      print_message("  expected %.7f after one step of %g s\n", expected, h);
      check_relative(way, expected, 0.01);
    }
  }
}

/* What holds at the limit holds for ever: it creeps while the load comes, and not after. */
static void creep_is_bounded(void **state) {
  (void)state;
  double second = slide(0.5, 0.5, 26, H, 200), ten = slide(0.5, 0.5, 26, H, 2000);
  assert_true(fabs(ten) < STUCK);
  assert_true(fabs(ten - second) < 1e-9);
}

/* A card that was pushed comes to rest after v^2 / 2 mu g, gets no faster on the way, and stays. */
static void a_pushed_card_stops(void **state) {
  (void)state;
  WeftError error;
  enum { VERTICES = 25 };
  double v[3 * VERTICES], speed = 1, friction = 0.3, last = INFINITY;
  WeftWorld *world = card_world(friction, friction, H);
  steps(world, 100);
  for (int i = 0; i < 3 * VERTICES; i++) v[i] = i % 3 == 0 ? speed : 0;
  check_ok(weft_world_set_state(world, 0, NULL, v, &error), error);
  double from = momenta_of(world).center[0], expected = speed * speed / (2 * friction * GRAVITY);
  for (int i = 0; i < 100; i++) {
    WeftMomenta momenta = momenta_of(world);
    WeftEnergies energies;
    check_ok(weft_world_energies(world, &energies, &error), error);
    if (energies.kinetic > last * (1 + 1e-9) + 1e-18)
      fail_msg("step %d: %.9g J, before %.9g J", i, energies.kinetic, last);
    assert_true(momenta.linear[0] > -1e-6 * momenta.mass);
    last = energies.kinetic;
    steps(world, 1);
  }
  double way = momenta_of(world).center[0] - from, left = momenta_of(world).linear[0];
  print_message("pushed with %g m/s: %.6f m, expected %.6f; %.1e kg m/s left\n", speed, way, expected, left);
  /* a first order step brakes before it moves: h v / 2 less */
  check_relative(way, expected - 0.5 * H * speed, 0.01);
  assert_true(fabs(left) < 1e-9);
  weft_world_destroy(world);
}

/* ---- a strip towed through a spring: scenes/stick_slip.json ---- */

/* What its motion shows after the first second. */
typedef struct Tow {
  double slowest, fastest, last; /* [m/s] */
  double period, jump;           /* mean time from slip to slip [s], mean way of a slip [m] */
  int slips;                     /* how often it began to slip from rest */
} Tow;

static const double STRIP_MASS = 0.05;

static Tow tow(double friction_static, double h, double seconds) {
  char path[1024], coefficient[64], count[32];
  const char *root = getenv("WEFT_SOURCE_DIR");
  snprintf(path, sizeof path, "%s/scenes/stick_slip.json", root ? root : ".");
  snprintf(coefficient, sizeof coefficient, "cloths.0.material.friction_static=%g", friction_static);
  snprintf(count, sizeof count, "steps_per_frame=%d", (int)lrint(0.02 / h));
  const char *overrides[] = {coefficient, count};
  WeftScene *scene;
  WeftWorld *world;
  WeftError error;
  check_ok(weft_scene_load(path, overrides, 2, (WeftLog){0}, &scene, &error), error);
  check_ok(weft_scene_create_world(scene, 1, (WeftLog){0}, &world, &error), error);
  enum { STRIP = 33 };
  double v[3 * (STRIP + 3)], x[3 * (STRIP + 3)], mass[STRIP + 3];
  check_ok(weft_world_masses(world, 0, mass, &error), error);
  Tow result = {.slowest = INFINITY};
  bool rests = false;
  double slip_at = 0, slip_from = 0, first = 0;
  for (int i = 1; i <= (int)lrint(seconds / h); i++) {
    steps(world, 1);
    check_ok(weft_world_velocities(world, 0, v, &error), error);
    check_ok(weft_world_positions(world, 0, x, &error), error);
    double speed = 0, place = 0, time = i * h;
    for (int k = 0; k < STRIP; k++) {
      speed += mass[k] * v[3 * k] / STRIP_MASS;
      place += mass[k] * x[3 * k] / STRIP_MASS;
    }
    if (time < 1) continue;
    result.slowest = fmin(result.slowest, speed);
    result.fastest = fmax(result.fastest, speed);
    result.last = speed;
    if (rests && speed > 2e-3) {
      if (result.slips == 0) first = time;
      result.slips++;
      slip_at = time;
      slip_from = place;
      rests = false;
    } else if (!rests && speed < 1e-3) {
      rests = true;
      if (result.slips) result.jump += place - slip_from;
    }
  }
  if (result.slips > 1) {
    result.period = (slip_at - first) / (result.slips - 1);
    result.jump /= rests ? result.slips : result.slips - 1;
  }
  print_message(
      "static %g, h = %g s: %d slips, period %.5f s, jump %.3f mm; %.6f to %.6f m/s, at last %.6f\n",
      friction_static, h, result.slips, result.period, 1e3 * result.jump, result.slowest, result.fastest,
      result.last);
  weft_world_destroy(world);
  weft_scene_destroy(scene);
  return result;
}

static void one_coefficient_slides_steadily(void **state) {
  (void)state;
  Tow c = tow(0.1, H, 6);
  assert_int_equal(c.slips, 0);
  assert_true(c.slowest > 0.01); /* never at rest after the first second */
  check_relative(c.last, 0.05, 0.02);
}

static void another_coefficient_at_rest_sticks_and_slips(void **state) {
  (void)state;
  Tow cs = tow(0.2, 1e-3, 3);
  assert_true(cs.slips >= 4);
  check_relative(cs.period, 0.334679, 0.01);
  check_relative(cs.jump, 0.016734, 0.01);
  check_relative(cs.fastest, 0.120042, 0.03);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(thresholds),
                                     cmocka_unit_test(sweep),
                                     cmocka_unit_test(displacements),
                                     cmocka_unit_test(a_sudden_load_is_felt_at_once),
                                     cmocka_unit_test(creep_is_bounded),
                                     cmocka_unit_test(a_pushed_card_stops),
                                     cmocka_unit_test(one_coefficient_slides_steadily),
                                     cmocka_unit_test(another_coefficient_at_rest_sticks_and_slips)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
