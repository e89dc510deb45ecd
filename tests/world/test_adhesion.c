/* Adhesion: a sheet hangs under a plate as long as its load is below what adhesion holds, and falls above it;
 * thrown off, it needs the energy of the bond; under another sheet it hangs in the same way. */
#include "collision_worlds.h"
#include "device/opencl_case.h"

static const double THICKNESS = 1e-3, DENSITY = 0.2, GRAVITY = 9.81;
enum { COLUMNS = 5, VERTICES = (COLUMNS + 1) * (COLUMNS + 1) };

static void add_sticky(WeftWorld *world, double size, double z, double speed, double adhesion) {
  WeftError error;
  WeftShape shape;
  double v[3 * VERTICES];
  check_ok(weft_generate_rectangle(&shape, size, size, COLUMNS, COLUMNS, WEFT_PATTERN_ALTERNATING, &error),
           error);
  for (int i = 0; i < VERTICES; i++) {
    shape.mesh.positions[3 * i] += 0.013; /* a few vertices are below a border of two faces */
    shape.mesh.positions[3 * i + 2] = z;
    v[3 * i] = v[3 * i + 1] = 0;
    v[3 * i + 2] = speed;
  }
  WeftMaterial material = weft_default_cloth_def().material;
  material.density = DENSITY;
  material.thickness = THICKNESS;
  material.adhesion = adhesion;
  add_shape(world, &shape, v, &material);
}

static void steps(WeftWorld *world, int count) {
  WeftError error;
  check_ok(weft_world_step(world, count, &error), error);
}

static double height(WeftWorld *world, int cloth) {
  WeftError error;
  double x[3 * VERTICES], sum = 0;
  check_ok(weft_world_positions(world, cloth, x, &error), error);
  for (int i = 0; i < VERTICES; i++) sum += x[3 * i + 2] / VERTICES;
  return sum;
}

/* Where a sheet under a plate is after so many steps. */
static double hang(double adhesion, double gravity, double speed, double h, int count) {
  WeftWorldDef def = colliding_def(1);
  def.time_step = h;
  def.gravity[2] = -gravity;
  WeftWorld *world = world_of(&def);
  add_sticky(world, 0.1, -THICKNESS, speed, adhesion);
  add_floor(world, 1, 0, THICKNESS);
  steps(world, count);
  double z = height(world, 0);
  print_message("adhesion %g N/m^2, load %.3f N/m^2, thrown at %g m/s: %.6f m below the plate\n", adhesion,
                DENSITY * gravity, -speed, -z);
  weft_world_destroy(world);
  return z;
}

static void holds_up_to_its_load(void **state) {
  (void)state;
  double adhesion = 3, limit = adhesion / DENSITY; /* the gravity it holds against [m/s^2] */
  assert_true(hang(adhesion, 0.98 * limit, 0, 1.0 / 200, 200) > -1.1 * THICKNESS);
  assert_true(hang(adhesion, 1.02 * limit, 0, 1.0 / 200, 200) < -10 * THICKNESS);
  assert_true(hang(0, GRAVITY, 0, 1.0 / 200, 40) < -10 * THICKNESS);
}

/* The bond reaches over a tenth of the contact distance: (adhesion - load) times that, per area. */
static void takes_its_energy_to_break(void **state) {
  (void)state;
  double adhesion = 10, energy = (adhesion - DENSITY * GRAVITY) * 0.1 * THICKNESS;
  double speed = sqrt(2 * energy / DENSITY);
  assert_true(hang(adhesion, GRAVITY, -0.9 * speed, 1e-4, 600) > -1.1 * THICKNESS);
  assert_true(hang(adhesion, GRAVITY, -1.1 * speed, 1e-4, 600) < -1.2 * THICKNESS);
}

/* A sheet that is held, and a smaller one below it. Those vertices of the upper one that are above the lower
 * one stand for more than its area: together they hold 1.15 times what adhesion says. */
static WeftWorld *pair_world(double adhesion, const char *device) {
  WeftError error;
  WeftWorldDef def = colliding_def(1);
  def.device = device;
  WeftWorld *world = world_of(&def);
  add_sticky(world, 0.1, 0, 0, adhesion);
  add_sticky(world, 0.07, -THICKNESS, 0, adhesion);
  for (int i = 0; i < VERTICES; i++) check_ok(weft_world_pin(world, 0, i, WEFT_AXIS_ALL, &error), error);
  return world;
}

static void cloth_sticks_to_cloth(void **state) {
  (void)state;
  for (int is_strong = 0; is_strong < 2; is_strong++) {
    WeftWorld *world = pair_world(DENSITY * GRAVITY * (is_strong ? 1.2 : 0.7), "cpu");
    steps(world, 100);
    print_message("below another sheet: %.6f m\n", -height(world, 1));
    assert_true(is_strong ? height(world, 1) > -1.1 * THICKNESS : height(world, 1) < -10 * THICKNESS);
    weft_world_destroy(world);
  }
}

static void same_bits_on_opencl(void **state) {
  (void)state;
  if (skip_without_opencl()) skip();
  uint64_t hash[2];
  for (int i = 0; i < 2; i++) {
    WeftWorld *world = pair_world(3, i ? "opencl" : "cpu");
    steps(world, 10);
    hash[i] = hash_of(world);
    weft_world_destroy(world);
  }
  assert_true(hash[0] == hash[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(holds_up_to_its_load), cmocka_unit_test(takes_its_energy_to_break),
      cmocka_unit_test(cloth_sticks_to_cloth), cmocka_unit_test(same_bits_on_opencl)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
