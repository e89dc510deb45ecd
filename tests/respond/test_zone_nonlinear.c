/* Non-linear impact zones: derivatives, a case with a known answer, what a minimiser has to satisfy
 * (validation V06), a dense twin, and rounds with continuous collision until a mesh is clean. */
#include "device/threads.h"
#include "random_zone.h"
#include "respond/side.h"
#include "rounds.h"

static const WeftLinkOps *const link_ops = &weft_link_zone_nonlinear;
static const int32_t four[4] = {0, 1, 2, 3};

/* Gradient against differences of the value, curvature against differences of the gradient. The volume is a
 * cubic: central differences over 1e-4 are good to 1e-8. */
static void check_derivatives(const WeftSide *side, const double *x0, const double *x, uint64_t *seed) {
  double d[12], low[12], high[12], along = 0, step = 1e-4;
  Vec3 gradient[4], before[4], after[4], change[4];
  for (int i = 0; i < 12; i++) {
    d[i] = random_in(seed, -1, 1);
    low[i] = x[i] - step * d[i];
    high[i] = x[i] + step * d[i];
  }
  weft_side_value(side, x0, x, gradient);
  for (int k = 0; k < 4; k++) along += v3_dot(gradient[k], load3(d, side->vertex[k]));
  double difference = weft_side_value(side, x0, high, after) - weft_side_value(side, x0, low, before);
  check_near(difference / (2 * step), along, 1e-6);
  weft_side_curvature(side, x0, x, d, change);
  for (int k = 0; k < 4; k++)
    check_near(v3_length(v3_axpy(change[k], -1 / (2 * step), v3_sub(after[k], before[k]))), 0, 1e-6);
}

static void sides(void **state) {
  (void)state;
  uint64_t seed = 3;
  int directions = 0, volumes = 0;
  for (int i = 0; i < 400; i++) {
    ImpactCase c = case_new(4, 2);
    for (int v = 0; v < 4; v++) case_vertex(&c, v, random_vector(&seed, 1), random_vector(&seed, 0.5), 1);
    if (i % 5 == 0) c.x0[5] = c.x0[8] = c.x0[11] = c.x0[2]; /* flat: no volume */
    case_add(&c, i % 2, four, 0.5);
    WeftSide side[WEFT_SIDES_MOST];
    for (int again = 0; again < 2; again++) {
      int count = weft_sides_of(&c.impacts, 0, again, side);
      for (int k = 0; k < count; k++) {
        Vec3 gradient[4];
        assert_true(weft_side_value(&side[k], c.x0, c.x0, gradient) > 0); /* x0 is free */
        check_derivatives(&side[k], c.x0, c.x1, &seed);
        directions += side[k].kind == WEFT_SIDE_DIRECTION;
        volumes += side[k].kind != WEFT_SIDE_DIRECTION;
      }
      /* edges that cross in their plane have no gap and no sides */
      assert_true(count > 0 || i % 5 == 0);
    }
    case_free(&c);
  }
  assert_true(directions > 50 && volumes > 600);
}

/* The volume on the way from x0 to x1 is the cubic that the four values are the Bernstein coefficients of. */
static void coefficients(void **state) {
  (void)state;
  uint64_t seed = 8;
  for (int i = 0; i < 100; i++) {
    ImpactCase c = case_new(4, 1);
    for (int v = 0; v < 4; v++) case_vertex(&c, v, random_vector(&seed, 1), random_vector(&seed, 1), 1);
    case_add(&c, i % 2, four, 0.5);
    WeftSide side[2 * WEFT_SIDES_MOST];
    if (weft_sides_of(&c.impacts, 0, false, side) == 1 && weft_sides_of(&c.impacts, 0, true, side + 1) == 2) {
      Vec3 gradient[4];
      double b[4] = {
          weft_side_value(&side[0], c.x0, c.x0, gradient), weft_side_value(&side[1], c.x0, c.x1, gradient),
          weft_side_value(&side[2], c.x0, c.x1, gradient), weft_side_value(&side[0], c.x0, c.x1, gradient)};
      double t = random_unit(&seed), s = 1 - t, at[12];
      for (int k = 0; k < 12; k++) at[k] = s * c.x0[k] + t * c.x1[k];
      check_near(weft_side_value(&side[0], c.x0, at, gradient),
                 s * s * s * b[0] + 3 * s * s * t * b[1] + 3 * s * t * t * b[2] + t * t * t * b[3], 1e-11);
    }
    case_free(&c);
  }
}

/* A vertex on the centroid of an equal face: by symmetry all stays flat, and all meet at the gap that is
 * kept. */
static void known_answer(void **state) {
  (void)state;
  ImpactCase c = case_new(4, 2);
  const double xy[4][2] = {{1, 1}, {0, 0}, {3, 0}, {0, 3}}, m = 0.7;
  for (int v = 0; v < 4; v++)
    case_vertex(&c, v, vec3(xy[v][0], xy[v][1], v == 0 ? 0.5 : 0), vec3(0, 0, v == 0 ? -1 : 0), m);
  case_add(&c, false, four, 0.5);
  WeftLinkCounts counts;
  case_solve(link_ops, &c, &counts);
  double gap = 1e-3 * 3; /* a thousandth of the longest edge */
  double push = (0.5 + gap) / (1 + 1.0 / 3);
  check_near(c.x1[2], -0.5 + push, 2e-6);
  for (int v = 1; v < 4; v++) check_near(c.x1[3 * v + 2], -push / 3, 2e-6);
  for (int v = 0; v < 4; v++) {
    check_near(c.x1[3 * v], xy[v][0], 1e-3);
    check_near(c.x1[3 * v + 1], xy[v][1], 1e-3);
  }
  assert_int_equal(counts.limited, 4);
  case_free(&c);
}

/* All constraints of a list of impacts without repeats. */
static int all_sides(const ImpactCase *c, WeftSide *side, int32_t *vertices) {
  int count = 0;
  for (int i = 0; i < c->impacts.impact_count; i++)
    count += weft_sides_of(&c->impacts, i, false, side + count);
  for (int i = 0; i < count; i++) memcpy(vertices + 4 * i, side[i].vertex, 4 * sizeof *vertices);
  return count;
}

/* Of x1 as the minimiser near wanted: momenta, sides, and that m (x - xhat) is a sum of gradients of
 * constraints that touch, with factors >= 0. That is complementarity and the sign of the multipliers. */
static void check_minimiser(const ImpactCase *c, const double *wanted) {
  Motion moved = case_motion(c, wanted, c->x1, c->x1);
  assert_true(v3_length(moved.momentum) <= 1e-8 * moved.magnitude);
  int most = WEFT_SIDES_MOST * c->impacts.impact_count, n = 0;
  WeftSide *side = malloc((size_t)most * sizeof *side);
  int32_t *vertices = malloc(4 * (size_t)most * sizeof *vertices);
  double *row = malloc(12 * (size_t)most * sizeof *row), *b = malloc((size_t)most * sizeof *b);
  double *push = malloc(3 * (size_t)c->impacts.vertex_count * sizeof *push), size = sqrt(moved.energy);
  int count = all_sides(c, side, vertices), directions = 0;
  for (int i = 0; i < count; i++) {
    Vec3 gradient[4];
    double value = weft_side_value(&side[i], c->x0, c->x1, gradient);
    assert_true(value >= -1e-7 * size);
    directions += side[i].kind == WEFT_SIDE_DIRECTION;
    if (value > 1e-7 * size) continue;
    b[n] = 0;
    for (int k = 0; k < 4; k++) {
      store3(row, 4 * n + k, gradient[k]);
      b[n] += v3_dot(gradient[k], v3_sub(load3(c->x1, side[i].vertex[k]), load3(wanted, side[i].vertex[k])));
    }
    memmove(vertices + 4 * n++, side[i].vertex, 4 * sizeof *vertices);
  }
  assert_true(n > 0);
  if (directions == 0) assert_true(v3_length(moved.angular) <= 1e-8 * moved.angular_magnitude);
  dense_multipliers(c, n, vertices, row, b, 20000, push);
  double wrong = 0;
  for (int i = 0; i < 3 * c->impacts.vertex_count; i++) {
    if (c->inverse_mass[i / 3] == 0) continue;
    double m = 1 / c->inverse_mass[i / 3], off = m * (c->x1[i] - wanted[i]) - push[i];
    wrong += off * off / m;
  }
  assert_true(sqrt(wrong) <= 1e-5 * size);
  free(side);
  free(vertices);
  free(row);
  free(b);
  free(push);
}

static void minimisers(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    Pairs pairs;
    ImpactCase c = sheets_new(2, 3, 0.1, seed % 2 ? 0.2 : 0.4, 0.1, seed, &pairs);
    double *wanted = copy_ends(&c);
    assert_true(search(&pairs, &c) > 10);
    WeftLinkCounts counts;
    case_solve(link_ops, &c, &counts);
    check_minimiser(&c, wanted);
    free(wanted);
    case_free(&c);
    pairs_free(&pairs);
  }
}

/* Again and again the nearest point that satisfies the constraints as straightened at the last one: a way to
 * the same point that shares nothing but the constraints. It converges when the way is short against the
 * features. */
static void dense_twin(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    Pairs pairs;
    ImpactCase c = sheets_new(2, 3, 0.05, 0.1, 0.04, seed, &pairs);
    int wide = 3 * c.impacts.vertex_count;
    double *wanted = copy_ends(&c), *x = copy_ends(&c), *push = malloc((size_t)wide * sizeof *push);
    assert_true(search(&pairs, &c) > 10);
    int most = WEFT_SIDES_MOST * c.impacts.impact_count;
    WeftSide *side = malloc((size_t)most * sizeof *side);
    int32_t *vertices = malloc(4 * (size_t)most * sizeof *vertices);
    double *row = malloc(12 * (size_t)most * sizeof *row), *b = malloc((size_t)most * sizeof *b);
    int count = all_sides(&c, side, vertices);
    for (int turn = 0; turn < 25; turn++) {
      for (int i = 0; i < count; i++) {
        Vec3 gradient[4];
        b[i] = -weft_side_value(&side[i], c.x0, x, gradient);
        for (int k = 0; k < 4; k++) {
          store3(row, 4 * i + k, gradient[k]);
          b[i] -=
              v3_dot(gradient[k], v3_sub(load3(wanted, vertices[4 * i + k]), load3(x, vertices[4 * i + k])));
        }
      }
      dense_multipliers(&c, count, vertices, row, b, 3000, push);
      for (int i = 0; i < wide; i++) x[i] = wanted[i] + c.inverse_mass[i / 3] * push[i];
    }
    WeftLinkCounts counts;
    case_solve(link_ops, &c, &counts);
    for (int i = 0; i < wide; i++) check_near(c.x1[i], x[i], 1e-6);
    free(wanted);
    free(x);
    free(push);
    free(side);
    free(vertices);
    free(row);
    free(b);
    case_free(&c);
    pairs_free(&pairs);
  }
}

/* The same in other units of mass and length, turned and far away. */
static void units_do_not_matter(void **state) {
  (void)state;
  Pairs pairs, same;
  ImpactCase a = sheets_new(2, 4, 0.05, 0.2, 0.05, 2, &pairs),
             b = sheets_new(2, 4, 0.05, 0.2, 0.05, 2, &same);
  pairs_free(&same);
  search(&pairs, &a);
  search(&pairs, &b);
  int n = a.impacts.vertex_count;
  for (int v = 0; v < n; v++) {
    Vec3 x0 = load3(b.x0, v), x1 = load3(b.x1, v);
    store3(b.x0, v, vec3(1e3 * x0.z + 5e3, 1e3 * x0.x, 1e3 * x0.y));
    store3(b.x1, v, vec3(1e3 * x1.z + 5e3, 1e3 * x1.x, 1e3 * x1.y));
    b.inverse_mass[v] *= 1e3;
  }
  WeftLinkCounts counts;
  case_solve(link_ops, &a, &counts);
  case_solve(link_ops, &b, &counts);
  for (int v = 0; v < n; v++) {
    Vec3 x = load3(a.x1, v), y = load3(b.x1, v);
    check_near(v3_length(v3_sub(vec3(1e3 * x.z + 5e3, 1e3 * x.x, 1e3 * x.y), y)), 0, 1e-5);
  }
  case_free(&a);
  case_free(&b);
  pairs_free(&pairs);
}

static void ignores_repeats(void **state) {
  (void)state;
  ImpactCase once = case_new(5, 6), thrice = case_new(5, 6);
  const Vec3 at[5] = {{0.9, 1.2, 0.4}, {0, 0, 0}, {3, 0, 0.1}, {0, 3, -0.1}, {1.2, 0.8, -0.3}};
  for (int v = 0; v < 5; v++) {
    Vec3 by = vec3(0.1, -0.05 * v, v == 0 ? -1 : v == 4 ? 0.7 : 0);
    case_vertex(&once, v, at[v], by, 1 + v);
    case_vertex(&thrice, v, at[v], by, 1 + v);
  }
  const int32_t both[2][4] = {{0, 1, 2, 3}, {4, 1, 2, 3}};
  for (int i = 0; i < 6; i++) {
    double time = case_time(&thrice, false, both[i % 2], thrice.x1);
    assert_true(time <= 1);
    case_add(&thrice, false, both[i % 2], time);
    if (i < 2) case_add(&once, false, both[i % 2], time);
  }
  double *wanted = copy_ends(&once);
  WeftLinkCounts counts;
  case_solve(link_ops, &once, &counts);
  case_solve(link_ops, &thrice, &counts);
  check_minimiser(&once, wanted);
  for (int i = 0; i < 15; i++) check_near(thrice.x1[i], once.x1[i], 1e-8);
  free(wanted);
  case_free(&once);
  case_free(&thrice);
}

/* An obstacle's face that rises through a vertex: the vertex ends over it, the face is not moved. And between
 * two faces that close there is no solution, but an end. */
static void prescribed_are_not_moved(void **state) {
  (void)state;
  for (int is_pinched = 0; is_pinched < 2; is_pinched++) {
    ImpactCase c = case_new(7, 2);
    const double xy[7][2] = {{0.3, 0.2}, {0, 0}, {1, 0}, {0, 1}, {0, 0}, {1, 0}, {0, 1}};
    for (int v = 0; v < 7; v++) {
      double z = v == 0 ? 0 : v < 4 ? -0.05 : 0.05;
      case_vertex(&c, v, vec3(xy[v][0], xy[v][1], z), vec3(0, 0, v == 0 ? 0 : -4 * z), v == 0);
      c.is_obstacle[v] = v > 0;
    }
    case_add(&c, false, four, 0.25);
    if (is_pinched) case_add(&c, false, (const int32_t[]){0, 4, 5, 6}, 0.25);
    double *wanted = copy_ends(&c);
    WeftLinkCounts counts;
    case_solve(link_ops, &c, &counts);
    assert_memory_equal(c.x1 + 3, wanted + 3, 18 * sizeof(double));
    if (is_pinched)
      assert_true(fabs(c.x1[2]) < 0.2);
    else
      check_near(c.x1[2], 0.15 + 1e-3, 1e-8);
    free(wanted);
    case_free(&c);
  }
}

static void degenerate(void **state) {
  (void)state;
  check_lattice(link_ops, false);
}

/* Two parallel edges, one through the other: they have no volume. */
static void parallel_edges_part(void **state) {
  (void)state;
  ImpactCase c = case_new(4, 1);
  for (int v = 0; v < 4; v++)
    case_vertex(&c, v, vec3(v % 2, 0, v < 2 ? 0.1 : 0), vec3(0, 0, v < 2 ? -0.5 : 0.1), 1 + v);
  double time = case_time(&c, true, four, c.x1);
  assert_true(time <= 1);
  case_add(&c, true, four, time);
  double *wanted = copy_ends(&c);
  WeftLinkCounts counts;
  case_solve(link_ops, &c, &counts);
  check_minimiser(&c, wanted);
  assert_true(case_time(&c, true, four, c.x1) > 1);
  free(wanted);
  case_free(&c);
}

/* Many zones: solved together, with any number of threads, each is what it is alone. */
static void threads_and_zones(void **state) {
  (void)state;
  enum { ZONES = 40 };
  Pairs pairs;
  ImpactCase one[ZONES], all = {0};
  for (int z = 0; z < ZONES; z++) {
    one[z] = sheets_new(2, 3, 0.05, 0.2, 0.05, (uint64_t)z + 1, &pairs);
    int n = one[z].impacts.vertex_count, found = search(&pairs, &one[z]);
    assert_true(found > 0);
    pairs_free(&pairs);
    if (z == 0) all = case_new(ZONES * n, ROUNDS_ROOM);
    for (int v = 0; v < n; v++) {
      store3(all.x0, z * n + v, load3(one[z].x0, v));
      store3(all.x1, z * n + v, load3(one[z].x1, v));
      all.inverse_mass[z * n + v] = one[z].inverse_mass[v];
    }
    for (int i = 0; i < found; i++) {
      int32_t moved[4];
      for (int k = 0; k < 4; k++) moved[k] = one[z].vertices[4 * i + k] + z * n;
      case_add(&all, one[z].is_edges[i], moved, one[z].time[i]);
    }
  }
  double *wanted = copy_ends(&all), *first = NULL;
  for (int threads = 1; threads <= 3; threads += 2) {
    WeftLinkCounts counts;
    memcpy(all.x1, wanted, 3 * (size_t)all.impacts.vertex_count * sizeof(double));
    int before = weft_threads_use(threads);
    case_solve(link_ops, &all, &counts);
    weft_threads_use(before);
    if (first) assert_memory_equal(all.x1, first, 3 * (size_t)all.impacts.vertex_count * sizeof(double));
    if (!first) first = copy_ends(&all);
  }
  for (int z = 0; z < ZONES; z++) {
    WeftLinkCounts counts;
    int n = one[z].impacts.vertex_count;
    case_solve(link_ops, &one[z], &counts);
    assert_memory_equal(one[z].x1, all.x1 + 3 * n * z, 3 * (size_t)n * sizeof(double));
    case_free(&one[z]);
  }
  free(wanted);
  free(first);
  case_free(&all);
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
      cmocka_unit_test(sides),
      cmocka_unit_test(coefficients),
      cmocka_unit_test(known_answer),
      cmocka_unit_test(minimisers),
      cmocka_unit_test(dense_twin),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(ignores_repeats),
      cmocka_unit_test(prescribed_are_not_moved),
      cmocka_unit_test(degenerate),
      cmocka_unit_test(parallel_edges_part),
      cmocka_unit_test(threads_and_zones),
      cmocka_unit_test(random_pairs_end_clean),
      cmocka_unit_test(rounds_end_clean),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
