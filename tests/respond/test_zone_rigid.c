/* Rigid impact zones: momenta, energy, distances, prescribed vertices, and sheets thrown together. */
#include "device/threads.h"
#include "impact_mesh.h"

/* The zones by another way: joined until nothing changes. */
static void find_zones(const ImpactCase *c, int *zone) {
  for (int v = 0; v < c->impacts.vertex_count; v++) zone[v] = v;
  for (bool is_changing = true; is_changing;) {
    is_changing = false;
    for (int i = 0; i < 4 * c->impacts.impact_count; i++) {
      for (int k = i / 4 * 4; k < i / 4 * 4 + 4; k++) {
        int a = c->vertices[i], b = c->vertices[k];
        if (c->inverse_mass[a] == 0 || c->inverse_mass[b] == 0 || zone[a] >= zone[b]) continue;
        zone[b] = zone[a];
        is_changing = true;
      }
    }
  }
}

static bool is_in_impact(const ImpactCase *c, int v) {
  for (int i = 0; i < 4 * c->impacts.impact_count; i++) {
    if (c->vertices[i] == v) return true;
  }
  return false;
}

static void solve(ImpactCase *c) {
  WeftLinkCounts counts;
  WeftError error;
  memcpy(c->x1, c->wanted, sizeof c->x1);
  check_ok(weft_link_zone_rigid.solve(&c->impacts, c->x1, &counts, &error), error);
  check_finite(c);
  check_fixed_unmoved(c);
}

/* Momentum, angular momentum about the centre at x0, size of what is summed for each, and energy, of one
 * zone. */
typedef struct ZoneMoving {
  Vec3 momentum, angular;
  double mass, size, angular_size, energy;
} ZoneMoving;

static ZoneMoving zone_moving(const ImpactCase *c, const int *zone, int which, const double *x1) {
  ZoneMoving z = {vec3(0, 0, 0), vec3(0, 0, 0), 0, 0, 0, 0};
  Vec3 center = vec3(0, 0, 0);
  for (int v = 0; v < c->impacts.vertex_count; v++) {
    if (zone[v] != which) continue;
    center = v3_axpy(center, 1 / c->inverse_mass[v], load3(c->x0, v));
    z.mass += 1 / c->inverse_mass[v];
  }
  center = v3_scale(1 / z.mass, center);
  for (int v = 0; v < c->impacts.vertex_count; v++) {
    if (zone[v] != which) continue;
    double mass = 1 / c->inverse_mass[v];
    Vec3 r = v3_sub(load3(c->x0, v), center), moved = v3_sub(load3(x1, v), load3(c->x0, v));
    z.momentum = v3_axpy(z.momentum, mass, moved);
    z.angular = v3_axpy(z.angular, mass, v3_cross(r, moved));
    z.size += mass * v3_length(moved);
    z.angular_size += mass * v3_length(r) * v3_length(moved);
    z.energy += mass * v3_dot(moved, moved) / 2;
  }
  return z;
}

static void check_distances(const ImpactCase *c, const int *zone, int which) {
  for (int a = 0; a < c->impacts.vertex_count; a++) {
    for (int b = 0; b < a; b++) {
      if (zone[a] != which || zone[b] != which) continue;
      check_near(v3_length(v3_sub(load3(c->x1, a), load3(c->x1, b))),
                 v3_length(v3_sub(load3(c->x0, a), load3(c->x0, b))), 1e-14);
    }
  }
}

/* Also what the last bit of a coordinate of 2 m is worth. Returns whether the angular momentum is what it
 * was. */
static bool check_zone(const ImpactCase *c, const int *zone, int which) {
  ZoneMoving before = zone_moving(c, zone, which, c->wanted), after = zone_moving(c, zone, which, c->x1);
  check_distances(c, zone, which);
  check_near(v3_length(v3_sub(after.momentum, before.momentum)), 0,
             1e-12 * before.size + 4e-16 * before.mass);
  assert_true(after.energy <= before.energy * (1 + 1e-9));
  return v3_length(v3_sub(after.angular, before.angular)) <=
         1e-12 * before.angular_size + 8e-16 * before.mass;
}

/* Displacements of small and of large turns. */
static void shrink_motion(ImpactCase *c, double scale) {
  for (int i = 0; i < 3 * c->impacts.vertex_count; i++)
    c->wanted[i] = c->x0[i] + scale * (c->wanted[i] - c->x0[i]);
}

static void free_zones(void **state) {
  (void)state;
  /* and how many of the zones keep their angular momentum to 1e-12, besides what the last bits of coordinates
   * are worth: turns by more than MOST_TURN are cut */
  const struct {
    double scale;
    int kept;
  } motions[] = {{1e-6, 100}, {0.01, 100}, {0.1, 100}, {1, 25}};
  for (size_t n = 0; n < sizeof motions / sizeof *motions; n++) {
    int zones = 0, kept = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
      ImpactCase *c = case_random(20 + (int)seed % 60, 1 + (int)seed % 12, 0, 0, seed);
      int zone[CASE_VERTICES];
      shrink_motion(c, motions[n].scale);
      find_zones(c, zone);
      solve(c);
      for (int v = 0; v < c->impacts.vertex_count; v++) {
        if (!is_in_impact(c, v)) {
          assert_memory_equal(c->x1 + 3 * v, c->wanted + 3 * v, 3 * sizeof(double));
        } else if (zone[v] == v) {
          zones++;
          kept += check_zone(c, zone, v);
        }
      }
      free(c);
    }
    print_message("motion up to %g m: %d of %d zones keep their angular momentum\n", motions[n].scale, kept,
                  zones);
    assert_true(100 * kept >= motions[n].kept * zones);
  }
}

/* A body of four that turns as a whole makes that turn; also when it is far away from the origin. */
static void turning_zone(void **state) {
  (void)state;
  ImpactCase *c = calloc(1, sizeof *c);
  case_point_to_itself(c, 4);
  for (int v = 0; v < 4; v++) {
    double angle = 2 * acos(-1) * v / 4, turned = angle + 0.02;
    const double x0[3] = {100 + cos(angle), sin(angle), 0.1 * v},
                 x1[3] = {101 + cos(turned), sin(turned), 0.1 * v};
    memcpy(c->x0 + 3 * v, x0, sizeof x0);
    memcpy(c->wanted + 3 * v, x1, sizeof x1);
    c->vertices[v] = v;
    c->inverse_mass[v] = 2;
  }
  c->impacts.impact_count = 1;
  solve(c);
  for (int i = 0; i < 12; i++)
    check_near(c->x1[i], c->wanted[i], 2e-6); /* cut to Cayley's turn: 0.02^3 / 12 */
  free(c);
}

/* ---- with prescribed vertices ---- */

static void zones_follow_what_is_prescribed(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 100; seed++) {
    ImpactCase *c = case_random(30, 8, 10, 0.07, seed);
    int zone[CASE_VERTICES];
    find_zones(c, zone);
    solve(c);
    for (int i = 0; i < c->impacts.impact_count; i++) {
      for (int k = 0; k < 16; k++) {
        int fixed = c->vertices[4 * i + k / 4], v = c->vertices[4 * i + k % 4];
        if (c->inverse_mass[fixed] > 0 || c->inverse_mass[v] == 0) continue;
        for (int axis = 0; axis < 3; axis++)
          check_near(c->x1[3 * v + axis] - c->x0[3 * v + axis], 0.07 * (axis + 1), 1e-14);
      }
    }
    free(c);
  }
}

static void turn_about_z(double *x, double angle) {
  double a = x[0], b = x[1];
  x[0] = cos(angle) * a - sin(angle) * b;
  x[1] = sin(angle) * a + cos(angle) * b;
}

/* Three vertices of an obstacle that turns; a vertex that wants to stay. Two held ones beside them that want
 * something else do not count. */
static void zones_turn_with_obstacles(void **state) {
  (void)state;
  ImpactCase *c = calloc(1, sizeof *c);
  case_point_to_itself(c, 6);
  const double x0[18] = {0.2, 0.3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5, 0.5, 0.5, 0.1, 0.5, 0.5};
  const int32_t vertices[8] = {0, 1, 2, 3, 0, 4, 5, 1};
  memcpy(c->x0, x0, sizeof x0);
  memcpy(c->wanted, x0, sizeof x0);
  memcpy(c->vertices, vertices, sizeof vertices);
  c->is_edges[1] = 1;
  for (int v = 1; v < 4; v++) {
    c->is_obstacle[v] = 1;
    turn_about_z(c->wanted + 3 * v, 0.4);
    c->wanted[3 * v + 2] += 0.3;
  }
  c->wanted[3 * 4] += 5;
  c->inverse_mass[0] = 1;
  c->impacts.impact_count = 2;
  solve(c);
  double end[3] = {0.2, 0.3, 1.3};
  turn_about_z(end, 0.4);
  for (int k = 0; k < 3; k++) check_near(c->x1[k], end[k], 1e-13);
  free(c);
}

/* Obstacles that move apart: their mean. */
static void obstacles_in_conflict(void **state) {
  (void)state;
  ImpactCase *c = calloc(1, sizeof *c);
  case_point_to_itself(c, 4);
  const double x0[12] = {0.2, 0.3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  memcpy(c->x0, x0, sizeof x0);
  memcpy(c->wanted, x0, sizeof x0);
  for (int v = 0; v < 4; v++) {
    c->vertices[v] = v;
    c->is_obstacle[v] = v > 0;
    c->wanted[3 * v] += v == 1 ? 0.3 : v == 2 ? 0.9 : 0;
  }
  c->inverse_mass[0] = 1;
  c->impacts.impact_count = 1;
  solve(c);
  check_near(c->x1[0], 0.2 + 0.4, 1e-15);
  check_near(c->x1[1], 0.3, 1e-15);
  check_near(c->x1[2], 1, 1e-15);
  free(c);
}

static void degenerate_zones(void **state) {
  (void)state;
  const double x0[][12] = {{0},                                      /* all in one place */
                           {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3},     /* a line */
                           {0, 0, 0, 1, 0, 0, 1, 1e-12, 0, 2, 0, 0}, /* almost */
                           {0, 0, 0, 1e-160, 0, 0, 0, 1e-160, 0, 0, 0, 1e-160}};
  for (size_t n = 0; n < sizeof x0 / sizeof *x0; n++) {
    for (int fixed = 0; fixed < 5; fixed++) {
      for (uint64_t seed = 1; seed < 20; seed++) {
        uint64_t s = seed;
        ImpactCase *c = calloc(1, sizeof *c);
        case_point_to_itself(c, 4);
        memcpy(c->x0, x0[n], sizeof x0[n]);
        for (int v = 0; v < 4; v++) {
          c->vertices[v] = v;
          c->inverse_mass[v] = v < fixed ? 0 : 10;
          c->is_obstacle[v] = v < fixed;
          for (int k = 0; k < 3; k++) c->wanted[3 * v + k] = c->x0[3 * v + k] + random_in(&s, -1, 1);
        }
        c->impacts.impact_count = 1;
        solve(c);
        if (fixed == 0)
          assert_true(case_moving(c, c->x1).energy <= case_moving(c, c->wanted).energy * (1 + 1e-12));
        free(c);
      }
    }
  }
}

static void any_number_of_threads(void **state) {
  (void)state;
  ImpactCase *one = case_random(200, 40, 8, 0.1, 5), *many = case_random(200, 40, 8, 0.1, 5);
  int before = weft_threads_use(1);
  solve(one);
  weft_threads_use(3);
  solve(many);
  weft_threads_use(before);
  assert_memory_equal(one->x1, many->x1, sizeof one->x1);
  free(one);
  free(many);
}

/* ---- rounds ---- */

static void sheets_come_apart(void **state) {
  (void)state;
  check_sheets_come_apart(&weft_link_zone_rigid);
}

static void many_steps(void **state) {
  (void)state;
  check_many_steps(&weft_link_zone_rigid);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(free_zones),
                                     cmocka_unit_test(turning_zone),
                                     cmocka_unit_test(zones_follow_what_is_prescribed),
                                     cmocka_unit_test(zones_turn_with_obstacles),
                                     cmocka_unit_test(obstacles_in_conflict),
                                     cmocka_unit_test(degenerate_zones),
                                     cmocka_unit_test(any_number_of_threads),
                                     cmocka_unit_test(sheets_come_apart),
                                     cmocka_unit_test(many_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
