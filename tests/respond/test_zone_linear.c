/* Linear impact zones: the numbers of validation V06, momentum, energy, a dense twin, and rounds with
 * continuous collision until a mesh is clean. */
#include "device/threads.h"
#include "random_zone.h"
#include "rounds.h"

static const WeftLinkOps *const link_ops = &weft_link_zone_linear;

/* The vertices at (x, y), flat at z = 0 at the time 1/2, moving along z with these velocities for 0.1 s. */
static ImpactCase flat_case(int count, double (*xy)[2], const double *mass, const double *velocity) {
  ImpactCase c = case_new(count, 4);
  c.impacts.h = 0.1;
  for (int v = 0; v < count; v++) {
    double by = velocity[v] * c.impacts.h;
    case_vertex(&c, v, vec3(xy[v][0], xy[v][1], -by / 2), vec3(0, 0, by), mass[v]);
  }
  return c;
}

static void check_velocities(ImpactCase *c, const double *expected, double tolerance) {
  WeftLinkCounts counts;
  case_solve(link_ops, c, &counts);
  for (int v = 0; v < c->impacts.vertex_count; v++) {
    check_near(c->x1[3 * v] - c->x0[3 * v], 0, 1e-16);
    check_near((c->x1[3 * v + 2] - c->x0[3 * v + 2]) / c->impacts.h, expected[v], tolerance);
  }
  case_free(c);
}

static const int32_t four[4] = {0, 1, 2, 3};

static void single_impacts(void **state) {
  (void)state;
  double centroid[4][2] = {{1, 1}, {0, 0}, {3, 0}, {0, 3}};
  ImpactCase c = flat_case(4, centroid, (double[]){1, 1, 1, 1}, (double[]){-1, 0, 0, 0}); /* IMP1 */
  case_add(&c, false, four, 0.5);
  check_velocities(&c, (double[]){-0.25, -0.25, -0.25, -0.25}, 1e-14);

  double inside[4][2] = {{0.3, 0.2}, {0, 0}, {1, 0}, {0, 1}}; /* weights 0.5, 0.3, 0.2 */
  c = flat_case(4, inside, (double[]){2e-3, 1e-3, 3e-3, 4e-3}, (double[]){-1, 0.2, -0.1, 0}); /* IMP2 */
  case_add(&c, false, four, 0.5);
  check_velocities(&c, (double[]){-0.322784810, -0.477215190, -0.235443038, -0.067721519}, 1e-9);

  double cross[4][2] = {{-1, 0}, {3, 0}, {0, -1}, {0, 1}};
  c = flat_case(4, cross, (double[]){1, 2, 1, 3}, (double[]){-1, -1, 0, 0.5}); /* IMP3 */
  case_add(&c, true, four, 0.5);
  check_velocities(&c, (double[]){0.011235955, -0.831460674, -0.674157303, 0.275280899}, 1e-9);
}

static void zones_of_two(void **state) {
  (void)state;
  /* IZ1: a row of three, the middle one as the corner of a face whose other corners take no part */
  double corner[5][2] = {{0, 0}, {0, 0}, {0, 0}, {1, 0}, {0, 1}};
  ImpactCase c = flat_case(5, corner, (double[]){1, 2, 3, 1, 1}, (double[]){2, 0, -1, 0, 0});
  case_add(&c, false, (const int32_t[]){0, 1, 3, 4}, 0.5);
  case_add(&c, false, (const int32_t[]){2, 1, 3, 4}, 0.5);
  check_velocities(&c, (double[]){-1.0 / 6, -1.0 / 6, -1.0 / 6, 0, 0}, 1e-14);

  double both[5][2] = {{1, 1}, {1, 1}, {0, 0}, {3, 0}, {0, 3}}; /* IZ2 */
  c = flat_case(5, both, (double[]){1, 1, 1, 1, 1}, (double[]){-1, 0.5, 0, 0, 0});
  case_add(&c, false, (const int32_t[]){0, 2, 3, 4}, 0.5);
  case_add(&c, false, (const int32_t[]){1, 2, 3, 4}, 0.5);
  check_velocities(&c, (double[]){-0.1, -0.1, -0.1, -0.1, -0.1}, 1e-14);
}

/* The lower vertex leaves faster than the face follows: it keeps its velocity. */
static void separating_is_not_pulled(void **state) {
  (void)state;
  double both[5][2] = {{1, 1}, {1, 1}, {0, 0}, {3, 0}, {0, 3}};
  ImpactCase c = flat_case(5, both, (double[]){1, 1, 1, 1, 1}, (double[]){-1, -2, 0, 0, 0});
  case_add(&c, false, (const int32_t[]){0, 2, 3, 4}, 0.5);
  case_add(&c, false, (const int32_t[]){1, 2, 3, 4}, 0.5);
  c.x0[5] = -0.01; /* was below all the time, and leaves */
  c.x1[5] = -0.21;
  check_velocities(&c, (double[]){-0.25, -2, -0.25, -0.25, -0.25}, 1e-13);
}

/* Angular momentum about the positions at the time of the only impact. */
static void angular_momentum_at_contact(void **state) {
  (void)state;
  uint64_t seed = 11;
  int done = 0;
  while (done < 300) {
    ImpactCase c = case_new(4, 1);
    for (int v = 0; v < 4; v++)
      case_vertex(&c, v, random_vector(&seed, 1), random_vector(&seed, 1), random_in(&seed, 0.1, 3));
    bool is_edges = done % 2;
    double time = case_time(&c, is_edges, four, c.x1);
    if (time <= 1) {
      double at[12], *before = copy_ends(&c);
      for (int i = 0; i < 12; i++) at[i] = c.x0[i] + time * (c.x1[i] - c.x0[i]);
      case_add(&c, is_edges, four, time);
      WeftLinkCounts counts;
      case_solve(link_ops, &c, &counts);
      check_kept(&c, before);
      Motion moved = case_motion(&c, before, c.x1, at);
      assert_true(moved.energy > 0);
      assert_true(v3_length(moved.angular) <= 1e-12 * (moved.angular_magnitude + moved.magnitude));
      WeftContactRow row;
      assert_true(weft_contact_row(&c.impacts, 0, before, &row));
      double left = 0;
      for (int k = 0; k < 4; k++)
        left += row.weight[k] * v3_dot(row.normal, v3_sub(load3(c.x1, k), load3(c.x0, k)));
      assert_true(fabs(left) <= 1e-10);
      free(before);
      done++;
    }
    case_free(&c);
  }
}

static void dense_twin(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    int n = 10 + 4 * (int)seed;
    ImpactCase c = random_zone(2 * n, n, seed);
    double row[60 * 12], b[60], *push = calloc(6 * (size_t)n, sizeof *push), *before = copy_ends(&c);
    c.inverse_mass[3] = 0;
    for (int i = 0; i < n; i++) {
      WeftContactRow contact;
      assert_true(weft_contact_row(&c.impacts, i, c.x1, &contact));
      b[i] = 0;
      for (int k = 0; k < 4; k++) {
        int v = c.vertices[4 * i + k];
        store3(row, 4 * i + k, v3_scale(contact.weight[k], contact.normal));
        b[i] -= contact.weight[k] * v3_dot(contact.normal, v3_sub(load3(c.x1, v), load3(c.x0, v)));
      }
    }
    dense_multipliers(&c, n, c.vertices, row, b, 20000, push);
    WeftLinkCounts counts;
    case_solve(link_ops, &c, &counts);
    int changed = 0;
    for (int i = 0; i < 6 * n; i++) {
      check_near(c.x1[i], before[i] + c.inverse_mass[i / 3] * push[i], 1e-8);
      changed += fabs(c.x1[i] - before[i]) > 1e-3;
    }
    assert_true(changed > n);
    free(push);
    free(before);
    case_free(&c);
  }
}

static void conserves_and_ignores_repeats(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    ImpactCase once = random_zone(60, 30, seed), twice = random_zone(60, 30, seed);
    for (int i = 0; i < 30; i++) case_add(&twice, twice.is_edges[i], twice.vertices + 4 * i, twice.time[i]);
    double *before = copy_ends(&once);
    WeftLinkCounts counts;
    case_solve(link_ops, &once, &counts);
    check_kept(&once, before);
    case_solve(link_ops, &twice, &counts);
    check_kept(&twice, before);
    for (int i = 0; i < 180; i++) check_near(twice.x1[i], once.x1[i], 1e-9);
    free(before);
    case_free(&once);
    case_free(&twice);
  }
}

/* A floor that rises, and a held corner: neither is moved, and the vertex goes with the floor. */
static void prescribed_are_not_moved(void **state) {
  (void)state;
  double inside[5][2] = {{0.3, 0.2}, {0, 0}, {1, 0}, {0, 1}, {0.3, 0.2}};
  ImpactCase c = flat_case(5, inside, (double[]){2, 0, 0, 0, 0}, (double[]){-1, 0.5, 0.5, 0.5, 7});
  c.is_obstacle[1] = c.is_obstacle[2] = c.is_obstacle[3] = 1;
  case_add(&c, false, four, 0.5);
  double before[12];
  memcpy(before, c.x1 + 3, sizeof before);
  WeftLinkCounts counts;
  case_solve(link_ops, &c, &counts);
  assert_memory_equal(c.x1 + 3, before, sizeof before);
  check_near((c.x1[2] - c.x0[2]) / c.impacts.h, 0.5, 1e-14);
  assert_int_equal(counts.limited, 1);
  case_free(&c);
}

/* Nothing here has a good normal, or any solution; all of it has to end with numbers. */
static void degenerate(void **state) {
  (void)state;
  check_lattice(link_ops, true);
}

/* Between two floors that close there is no solution. */
static void pinched(void **state) {
  (void)state;
  double at[7][2] = {{0.3, 0.2}, {0, 0}, {1, 0}, {0, 1}, {0, 0}, {1, 0}, {0, 1}};
  ImpactCase c = flat_case(7, at, (double[]){1, 0, 0, 0, 0, 0, 0}, (double[]){0, 1, 1, 1, -1, -1, -1});
  case_add(&c, false, four, 0.5);
  case_add(&c, false, (const int32_t[]){0, 4, 5, 6}, 0.5);
  WeftLinkCounts counts;
  case_solve(link_ops, &c, &counts);
  assert_true(fabs(c.x1[2] - c.x0[2]) <= 0.1 + 1e-9);
  case_free(&c);
}

static void threads_give_the_same(void **state) {
  (void)state;
  ImpactCase one = random_zone(4000, 3000, 3), many = random_zone(4000, 3000, 3);
  WeftLinkCounts a, b;
  int before = weft_threads_use(1);
  case_solve(link_ops, &one, &a);
  weft_threads_use(3);
  case_solve(link_ops, &many, &b);
  weft_threads_use(before);
  assert_memory_equal(one.x1, many.x1, 12000 * sizeof(double));
  assert_int_equal(a.iterations, b.iterations);
  assert_true(a.iterations < 2000);
  case_free(&one);
  case_free(&many);
}

static void random_pairs_end_clean(void **state) {
  (void)state;
  check_random_pairs(link_ops);
}

static void rounds_end_clean(void **state) {
  (void)state;
  check_rounds(link_ops);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(single_impacts),
      cmocka_unit_test(zones_of_two),
      cmocka_unit_test(separating_is_not_pulled),
      cmocka_unit_test(angular_momentum_at_contact),
      cmocka_unit_test(dense_twin),
      cmocka_unit_test(conserves_and_ignores_repeats),
      cmocka_unit_test(prescribed_are_not_moved),
      cmocka_unit_test(degenerate),
      cmocka_unit_test(pinched),
      cmocka_unit_test(threads_give_the_same),
      cmocka_unit_test(random_pairs_end_clean),
      cmocka_unit_test(rounds_end_clean),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
