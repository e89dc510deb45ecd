/* Each link of the response alone, the last one disabled: a chain of that link resolves the impacts of whole
 * steps; and what a step's response must keep: momentum, and never more kinetic energy than the candidate
 * had. */
#include "collision_worlds.h"

static const Chain alone[] = {
    {1, {"impulse"}}, {1, {"zone_linear"}}, {1, {"zone_nonlinear"}}, {1, {"zone_rigid"}}, {1, {"truncate"}}};
enum { LINKS = sizeof alone / sizeof *alone, FIRST_LINKS = LINKS - 1 };

/* ---- scenes ---- */

enum { BARE = -1 }; /* thickness: without contact forces, so that only response differs */

static WeftWorld *bare_sheets(const WeftWorldDef *def) {
  WeftWorld *world = world_of(def);
  add_sheet(world, &(Sheet){0.3, 9, {0, 0, 0}, 0, {0, 0, 2}, BARE, 0});
  add_sheet(world, &(Sheet){0.2, 8, {0.02, 0, 0.02}, 0.5, {0, 0.5, -2}, BARE, 0});
  return world;
}

/* Two vertices of each sheet are held. */
static WeftWorld *bare_held_sheets(const WeftWorldDef *def) {
  WeftError error;
  WeftWorld *world = bare_sheets(def);
  for (int i = 0; i < 2; i++) {
    check_ok(weft_world_pin(world, i, 0, WEFT_AXIS_ALL, &error), error);
    check_ok(weft_world_pin(world, i, 3 * (i + 4), WEFT_AXIS_ALL, &error), error);
  }
  return world;
}

static WeftWorld *bare_drop(const WeftWorldDef *def) {
  WeftWorld *world = world_of(def);
  add_sheet(world, &(Sheet){0.4, 12, {0.01, 0.02, 0.105}, 0.2, {0.5, 0, -2}, BARE, 0});
  add_sheet(world, &(Sheet){0.3, 9, {0.01, 0, 0.12}, 0.9, {0, 0, -3}, BARE, 0});
  add_ball(world, 0.1, 0, 0, NULL);
  return world;
}

static const struct {
  const char *name;
  MakeWorld *make;
  bool is_free; /* nothing takes momentum */
} bare_scenes[] = {
    {"sheets", bare_sheets, true}, {"held sheets", bare_held_sheets, false}, {"drop", bare_drop, false}};

/* Nothing but the link: no contact forces, and no step is divided. What was found, it has resolved in the
 * step's own length. */
static void each_link_alone(void **state) {
  (void)state;
  for (size_t s = 0; s < sizeof bare_scenes / sizeof *bare_scenes; s++) {
    for (int i = 0; i < FIRST_LINKS; i++) {
      WeftWorldDef def = colliding_def(1);
      def.time_step = 1.0 / 100;
      use_chain(&def, &alone[i]);
      WeftWorld *world = bare_scenes[s].make(&def);
      WeftReport report = run_clean(world, 5, bare_scenes[s].name);
      const WeftLinkReport *link = report.links;
      assert_int_equal(report.link_in_chain_count, 1);
      assert_string_equal(report.link_in_chain[0], alone[i].links[0]);
      print_message(
          "%-6s %-14s alone: %d impacts in %d steps, %d rounds, %d iterations, %d left, %d retries\n",
          bare_scenes[s].name, alone[i].links[0], (int)link->impacts, (int)link->steps, (int)link->rounds,
          (int)link->iterations, (int)report.impacts_left, (int)report.retries);
      assert_true(link->impacts > 0 && link->rounds > 0 && link->limited > 0);
      assert_int_equal(report.retries, 0);
      weft_world_destroy(world);
    }
  }
}

/* ---- against the candidate: the same step without collisions ---- */

static void copy_state(WeftWorld *from, WeftWorld *to) {
  WeftError error;
  WeftReport report = report_of(from);
  double *x = calloc(6 * (size_t)report.vertex_count, sizeof *x), *v = x + 3 * (size_t)report.vertex_count;
  for (int i = 0; i < report.cloth_count; i++) {
    check_ok(weft_world_positions(from, i, x, &error), error);
    check_ok(weft_world_velocities(from, i, v, &error), error);
    check_ok(weft_world_set_state(to, i, x, v, &error), error);
  }
  free(x);
}

/* What response changes in a step is what the step is without collisions, less what it is with them. */
static void momentum_and_energy(void **state) {
  (void)state;
  enum { STEPS = 3 };
  for (size_t s = 0; s < sizeof bare_scenes / sizeof *bare_scenes; s++) {
    for (int i = 0; i < LINKS; i++) {
      WeftError error;
      WeftWorldDef def = colliding_def(1);
      def.time_step = 1.0 / 100;
      def.solver_tolerance = 1e-12;
      use_chain(&def, &alone[i]);
      WeftWorld *world = bare_scenes[s].make(&def);
      def.collides = false;
      WeftWorld *candidate = bare_scenes[s].make(&def);
      double worst_momentum = 0, least_energy = 1, most_energy = 0;
      for (int step = 0; step < STEPS; step++) {
        copy_state(world, candidate);
        check_ok(weft_world_step(world, 1, &error), error);
        check_ok(weft_world_step(candidate, 1, &error), error);
        WeftReport with = report_of(world), without = report_of(candidate);
        double size = without.momenta.mass * without.max_speed, change = 0;
        for (int k = 0; k < 3; k++)
          change += pow(with.momenta.linear[k] - without.momenta.linear[k], 2) / (size * size);
        worst_momentum = fmax(worst_momentum, sqrt(change));
        double energy = with.energies.kinetic / without.energies.kinetic;
        least_energy = fmin(least_energy, energy);
        most_energy = fmax(most_energy, energy);
      }
      WeftReport report = report_of(world);
      print_message(
          "%-11s %-14s: %5d impacts; momentum changes by %.1e at most; energy %.4f to %.6f of before\n",
          bare_scenes[s].name, alone[i].links[0], (int)report.links[0].impacts, worst_momentum, least_energy,
          most_energy);
      assert_int_equal(report.contacts, 0);
      assert_int_equal(report.impacts_left, 0);
      assert_int_equal(report.retries, 0);
      assert_int_equal(hits_of(world), 0);
      assert_true(report.links[0].impacts > 0 && least_energy < 0.9);
      assert_true(most_energy <= 1 + 1e-9);
      if (bare_scenes[s].is_free) assert_true(worst_momentum <= 1e-8);
      weft_world_destroy(world);
      weft_world_destroy(candidate);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_link_alone),
                                     cmocka_unit_test(momentum_and_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
