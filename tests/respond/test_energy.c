/* What every link must keep, over many problems: momentum where nothing is prescribed, and never more kinetic
 * energy than before, measured against what is prescribed where that moves. */
#include "rounds.h"

typedef enum Prescribed { NOTHING, STANDING_FLOOR, MOVING_FLOOR, HELD_BORDER, FLOOR_AND_HELD } Prescribed;
static const char *const prescribed_name[] = {"nothing", "standing floor", "moving floor", "held border",
                                              "floor, held border"};
enum { PRESCRIBED = sizeof prescribed_name / sizeof *prescribed_name, SIDE = 4 };

/* Three sheets; the lowest may be a floor, a border of the highest held. Prescribed vertices all go by one
 * displacement, which is returned. */
static Vec3 pose(Prescribed what, uint64_t seed, ImpactCase *c, Pairs *pairs) {
  double gap = random_in(&seed, 0.003, 0.02), speed = random_in(&seed, 0.02, 0.15);
  int n = SIDE * SIDE;
  *c = sheets_new(3, SIDE, gap, speed, random_in(&seed, 0.005, 0.05), seed, pairs);
  Vec3 by = what == MOVING_FLOOR ? vec3(0.03, -0.02, random_in(&seed, 0, 0.05)) : vec3(0, 0, 0);
  bool has_floor = what == STANDING_FLOOR || what == MOVING_FLOOR || what == FLOOR_AND_HELD;
  bool has_held = what == HELD_BORDER || what == FLOOR_AND_HELD;
  for (int v = 0; v < 3 * n; v++) {
    bool is_floor = has_floor && v < n, is_held = has_held && v >= 2 * n && v < 2 * n + SIDE;
    if (!is_floor && !is_held) continue;
    c->inverse_mass[v] = 0;
    c->is_obstacle[v] = is_floor;
    store3(c->x1, v, v3_add(load3(c->x0, v), by));
  }
  return by;
}

static void check_link(const WeftLinkOps *link, int problems) {
  for (int what = 0; what < PRESCRIBED; what++) {
    double most = 0, least = 1, momentum = 0;
    int impacts = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)problems; seed++) {
      ImpactCase c;
      Pairs pairs;
      Vec3 by = pose((Prescribed)what, seed, &c, &pairs);
      double *wanted = copy_ends(&c), *from = malloc(3 * (size_t)c.impacts.vertex_count * sizeof *from);
      for (int v = 0; v < c.impacts.vertex_count; v++) store3(from, v, v3_add(load3(c.x0, v), by));
      Rounds r = run_rounds(link, &pairs, &c, link->budget);
      Motion a = case_motion(&c, from, wanted, c.x0), b = case_motion(&c, from, c.x1, c.x0);
      assert_int_equal(r.left, 0);
      impacts += r.impacts;
      momentum = fmax(momentum, v3_length(v3_sub(a.momentum, b.momentum)) / a.magnitude);
      most = fmax(most, b.energy / a.energy);
      least = fmin(least, b.energy / a.energy);
      free(wanted);
      free(from);
      case_free(&c);
      pairs_free(&pairs);
    }
    print_message("%-14s %-18s: %6d impacts; energy %.4f to %.4f of before; momentum changes by %.1e\n",
                  link->name, prescribed_name[what], impacts, least, most, momentum);
    assert_true(impacts > 100 && least < 0.9);
    assert_true(most <= 1 + 1e-9);
    if (what == NOTHING) assert_true(momentum <= (link == &weft_link_zone_nonlinear ? 1e-8 : 1e-12));
  }
}

static int problems_of(int ordinary) { return getenv("WEFT_LONG") ? 20 * ordinary : ordinary; }

static void impulse(void **state) {
  (void)state;
  check_link(&weft_link_impulse, problems_of(40));
}

static void zone_linear(void **state) {
  (void)state;
  check_link(&weft_link_zone_linear, problems_of(20));
}

static void zone_nonlinear(void **state) {
  (void)state;
  check_link(&weft_link_zone_nonlinear, problems_of(20));
}

static void zone_rigid(void **state) {
  (void)state;
  check_link(&weft_link_zone_rigid, problems_of(40));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(impulse), cmocka_unit_test(zone_linear),
                                     cmocka_unit_test(zone_nonlinear), cmocka_unit_test(zone_rigid)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
