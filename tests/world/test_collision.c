/* Worlds in which cloth meets cloth and obstacles: nothing is through anything after any step, with every
 * chain and every broad phase; the same bits for any threads, on OpenCL, and after a restart; and what need
 * not stop does not. */
#include "collision_worlds.h"
#include "device/opencl_case.h"

static const Chain chains[] = {{1, {"truncate"}},
                               {2, {"impulse", "truncate"}},
                               {2, {"zone_linear", "truncate"}},
                               {2, {"zone_nonlinear", "truncate"}},
                               {2, {"zone_rigid", "truncate"}}};
enum { CHAINS = sizeof chains / sizeof *chains };

/* ---- clean ---- */

static void every_chain(void **state) {
  (void)state;
  for (int s = 0; s < SCENES; s++) {
    for (int i = 0; i < CHAINS; i += TEST_IS_SANITIZED ? 2 : 1) {
      WeftWorldDef def = colliding_def(1);
      def.time_step = 1.0 / 100;
      use_chain(&def, &chains[i]);
      WeftWorld *world = collision_scenes[s].make(&def);
      WeftReport report = run_clean(world, 8, collision_scenes[s].name);
      assert_true(report.contacts > 0);
      assert_int_equal(report.link_in_chain_count, chains[i].count);
      const WeftLinkReport *links = report.links;
      for (int k = 0; k < chains[i].count; k++)
        assert_string_equal(report.link_in_chain[k], chains[i].links[k]);
      print_message("%-6s %-14s: %d contacts, retries %d; impacts %d rounds %d limited %d; %d %d %d\n",
                    collision_scenes[s].name, chains[i].links[0], (int)report.contacts, (int)report.retries,
                    (int)links[0].impacts, (int)links[0].rounds, (int)links[0].limited, (int)links[1].impacts,
                    (int)links[1].rounds, (int)links[1].limited);
      weft_world_destroy(world);
    }
  }
}

/* All broad phases find the same, so the runs are the same. */
static void every_broad_phase(void **state) {
  (void)state;
  int count = 0;
  for (int s = 0; s < SCENES; s++) {
    uint64_t hash = 0;
    for (int32_t i = 0; i < weft_method_count(); i++) {
      WeftMethodInfo info = weft_method_info(i);
      if (strcmp(info.family, "broad_phase") != 0) continue;
      WeftWorldDef def = colliding_def(1);
      def.time_step = 1.0 / 60;
      use_chain(&def, &chains[0]);
      def.broad_phase = info.name;
      WeftWorld *world = collision_scenes[s].make(&def);
      WeftReport report = run_clean(world, TEST_IS_SANITIZED ? 2 : 4, info.name);
      if (hash && report.state_hash != hash)
        fail_msg("%s: %s gives another hash", collision_scenes[s].name, info.name);
      hash = report.state_hash;
      count++;
      weft_world_destroy(world);
    }
  }
  assert_true(count >= 2 * SCENES);
  print_message("%d broad phases\n", count / SCENES);
}

/* ---- the same bits ---- */

static uint64_t run(MakeWorld *make, WeftWorldDef def, const Chain *chain, int steps) {
  WeftError error;
  use_chain(&def, chain);
  def.time_step = 1.0 / 100;
  WeftWorld *world = make(&def);
  check_ok(weft_world_step(world, steps, &error), error);
  uint64_t hash = hash_of(world);
  weft_world_destroy(world);
  return hash;
}

static void any_number_of_threads(void **state) {
  (void)state;
  for (int s = 0; s < SCENES; s++) {
    for (int i = 0; i < CHAINS; i += 3) {
      uint64_t one = run(collision_scenes[s].make, colliding_def(1), &chains[i], 5);
      for (int threads = 2; threads <= (TEST_IS_SANITIZED ? 2 : 3); threads++)
        assert_true(run(collision_scenes[s].make, colliding_def(threads), &chains[i], 5) == one);
    }
  }
}

static void on_opencl(void **state) {
  (void)state;
  if (skip_without_opencl()) skip();
  for (int s = 0; s < SCENES; s++) {
    WeftWorldDef def = colliding_def(1);
    uint64_t here = run(collision_scenes[s].make, def, &chains[3], 6);
    def.device = "opencl";
    uint64_t there = run(collision_scenes[s].make, def, &chains[3], 6);
    if (here != there) fail_msg("%s: another hash on OpenCL", collision_scenes[s].name);
  }
}

/* To OpenCL and back in the middle of contact. */
static void change_of_device(void **state) {
  (void)state;
  if (skip_without_opencl()) skip();
  WeftError error;
  WeftWorldDef def = colliding_def(1);
  uint64_t expected = run(drop_on_ball, def, &chains[0], 12);
  use_chain(&def, &chains[0]);
  def.time_step = 1.0 / 100;
  WeftWorld *world = drop_on_ball(&def);
  for (int k = 0; k < 4; k++) {
    check_ok(weft_world_step(world, 3, &error), error);
    check_ok(weft_world_use_device(world, k % 2 ? "cpu" : "opencl", &error), error);
  }
  assert_true(hash_of(world) == expected);
  weft_world_destroy(world);
}

static void restart(void **state) {
  (void)state;
  WeftError error;
  for (int s = 0; s < SCENES; s++) {
    uint64_t expected = run(collision_scenes[s].make, colliding_def(1), &chains[3], 10);
    WeftWorldDef def = colliding_def(1);
    def.time_step = 1.0 / 100;
    use_chain(&def, &chains[3]);
    WeftWorld *first = collision_scenes[s].make(&def), *second = collision_scenes[s].make(&def);
    void *bytes;
    size_t size;
    check_ok(weft_world_step(first, 4, &error), error);
    check_ok(weft_world_save(first, &bytes, &size, &error), error);
    check_ok(weft_world_restore(second, bytes, size, &error), error);
    check_ok(weft_world_step(second, 6, &error), error);
    assert_true(hash_of(second) == expected);
    check_ok(weft_world_step(first, 2, &error), error); /* and back in a world that went on */
    check_ok(weft_world_restore(first, bytes, size, &error), error);
    check_ok(weft_world_step(first, 6, &error), error);
    assert_true(hash_of(first) == expected);
    weft_free(bytes);
    weft_world_destroy(first);
    weft_world_destroy(second);
  }
}

/* ---- what need not stop ---- */

static void sheets_fly_on(void **state) {
  (void)state;
  WeftWorldDef def = colliding_def(1);
  def.time_step = 1.0 / 60;
  use_chain(&def, &chains[0]);
  WeftWorld *world = world_of(&def);
  for (int i = 0; i < 8; i++) add_sheet(world, &(Sheet){0.3, 5, {0, 0, 1e-3 * i}, 0, {5, 0, 0}, 0, -1});
  WeftReport start = report_of(world), end = run_clean(world, 60, "eight sheets");
  /* backward Euler: velocity first, so the fall is g h^2 n (n + 1) / 2 */
  double h = def.time_step, fall = -9.81 * h * h * 60 * 61 / 2, way = 5 * 60 * h;
  double ahead = end.momenta.center[0] - start.momenta.center[0];
  double down = end.momenta.center[2] - start.momenta.center[2];
  print_message("eight sheets: %.6f of the way, %.6f of the fall; %d impacts\n", ahead / way, down / fall,
                (int)end.links[0].impacts);
  check_relative(ahead, way, 0.01);
  check_relative(down, fall, 0.01);
  weft_world_destroy(world);
}

/* The same, each vertex with a speed of its own, so that sheets touch all the time. */
static void touching_sheets_fly_on(void **state) {
  (void)state;
  WeftError error;
  WeftWorldDef def = colliding_def(1);
  def.time_step = 1.0 / 60;
  def.gravity[2] = 0;
  use_chain(&def, &chains[0]);
  WeftWorld *world = world_of(&def);
  uint64_t seed = 4;
  for (int i = 0; i < 8; i++) add_sheet(world, &(Sheet){0.3, 5, {0, 0, 1e-3 * i}, 0, {5, 0, 0}, 0, -1});
  for (int i = 0; i < 8; i++) {
    double x[3 * 36], v[3 * 36];
    assert_int_equal(weft_world_vertex_count(world, i), 36);
    check_ok(weft_world_positions(world, i, x, &error), error);
    for (int k = 0; k < 3 * 36; k++) v[k] = (k % 3 == 0 ? 5 : 0) + random_in(&seed, -3, 3);
    check_ok(weft_world_set_state(world, i, x, v, &error), error);
  }
  WeftReport start = report_of(world), end = run_clean(world, 30, "eight sheets, shaken");
  double ahead = end.momenta.center[0] - start.momenta.center[0];
  double expected = start.momenta.linear[0] / start.momenta.mass * 0.5;
  print_message("eight sheets, shaken: %.6f of the way; %d impacts, %d limited\n", ahead / expected,
                (int)end.links[0].impacts, (int)end.links[0].limited);
  assert_true(end.links[0].impacts > 0);
  check_relative(ahead, expected, 0.01);
  weft_world_destroy(world);
}

static void a_sheet_slides_on(void **state) {
  (void)state;
  for (int is_fast = 0; is_fast < 2; is_fast++) {
    WeftWorldDef def = colliding_def(1);
    def.time_step = is_fast ? 1.0 / 60 : 1.0 / 200;
    WeftWorld *world = world_of(&def);
    add_sheet(world, &(Sheet){0.3, 8, {-1, 0, 3e-4}, 0.1, {2, 0, 0}, 0, 0});
    add_floor(world, 4, 0, 3e-4);
    WeftReport start = report_of(world), end = run_clean(world, is_fast ? 60 : 200, "sliding sheet");
    double speed = end.momenta.linear[0] / end.momenta.mass;
    print_message("sliding, h = 1/%d: %.6f m/s after a second, %.6f m; height %.3g m; %d impacts\n",
                  is_fast ? 60 : 200, speed, end.momenta.center[0] - start.momenta.center[0],
                  end.momenta.center[2], (int)end.links[0].impacts);
    assert_true(speed > 0.99 * 2 && speed < 1.001 * 2);
    assert_true(end.momenta.center[2] > 2.5e-4); /* it is carried, not caught by the response */
    weft_world_destroy(world);
  }
}

/* ---- tangled starts ---- */

static void a_tangled_start_is_told(void **state) {
  (void)state;
  WeftError error;
  WeftWorldDef def = colliding_def(1);
  def.step_halvings = 2; /* they do not help here */
  WeftWorld *world = world_of(&def);
  add_sheet(world, &(Sheet){0.3, 3, {0, 0, 0}, 0, {0, 0, 0}, 0, -1});
  add_sheet(world, &(Sheet){0.3, 3, {0.01, 0.02, 0}, 0.3, {0, 0, 1}, 0, -1}); /* in one plane */
  add_sheet(world, &(Sheet){0.3, 3, {0, 0, 0.02}, 0, {0, 0, -1}, 0, -1});
  add_ball(world, 0.1, 3e-4, 0, NULL); /* through the middle of all */
  assert_true(hits_of(world) > 0);
  check_ok(weft_world_step(world, 1, &error), error);
  WeftReport report = report_of(world);
  print_message("tangled: %d retries, %d impacts left, %d hits at the start\n", (int)report.retries,
                (int)report.impacts_left, (int)report.check.hits_max);
  assert_true(isfinite(report.max_speed) && report.impacts_left > 0 && report.check.hits_max > 0);
  weft_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_chain),
                                     cmocka_unit_test(every_broad_phase),
                                     cmocka_unit_test(any_number_of_threads),
                                     cmocka_unit_test(restart),
                                     cmocka_unit_test(on_opencl),
                                     cmocka_unit_test(change_of_device),
                                     cmocka_unit_test(sheets_fly_on),
                                     cmocka_unit_test(touching_sheets_fly_on),
                                     cmocka_unit_test(a_sheet_slides_on),
                                     cmocka_unit_test(a_tangled_start_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
