/* Impulses: the figures of V06, momentum, energy, degenerate pairs, and sheets thrown together. */
#include "respond/impulse.h"

#include "device/threads.h"
#include "impact_mesh.h"
#include "respond/touch.h"

/* ---- one impulse: V06 ---- */

typedef struct Known {
  double weight[4], mass[4], before[4], impulse, after[4], energy_before, energy_after;
} Known;

static void known_impulses(void **state) {
  (void)state;
  const double third = 1.0 / 3;
  const Known known[] = {{{1, -third, -third, -third},
                          {1, 1, 1, 1},
                          {-1, 0, 0, 0},
                          0.75,
                          {-0.25, -0.25, -0.25, -0.25},
                          0.5,
                          0.125},
                         {{1, -0.5, -0.3, -0.2},
                          {0.002, 0.001, 0.003, 0.004},
                          {-1, 0.2, -0.1, 0},
                          1.354430e-3,
                          {-0.322784810, -0.477215190, -0.235443038, -0.067721519},
                          1.035e-3,
                          3.10380e-4},
                         {{0.75, 0.25, -0.5, -0.5},
                          {1, 2, 1, 3},
                          {-1, -1, 0, 0.5},
                          1.348314607,
                          {0.011235955, -0.831460674, -0.674157303, 0.275280899},
                          1.875,
                          1.032303371}};
  for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
    const Known *e = &known[n];
    double inverse[4], change[4], relative = 0, left = 0, momentum = 0, size = 0, before = 0, after = 0;
    for (int k = 0; k < 4; k++) {
      inverse[k] = 1 / e->mass[k];
      relative += e->weight[k] * e->before[k];
    }
    check_near(weft_impulse(e->weight, inverse, relative, 0, change), e->impulse, 1e-9);
    for (int k = 0; k < 4; k++) {
      double v = e->before[k] + change[k];
      check_near(v, e->after[k], 1e-9);
      left += e->weight[k] * v;
      momentum += e->mass[k] * change[k];
      size += e->mass[k] * fabs(e->before[k]);
      before += e->mass[k] * e->before[k] * e->before[k] / 2;
      after += e->mass[k] * v * v / 2;
    }
    check_near(left, 0, 1e-15);
    check_near(momentum, 0, 1e-12 * size);
    check_near(before, e->energy_before, 1e-9);
    check_near(after, e->energy_after, 1e-9);
  }
}

/* The same through the whole link: a vertex ten metres above the middle of a triangle, which it would not
 * reach, so that there is nothing elastic in it. */
static void known_impulse_through_the_link(void **state) {
  (void)state;
  ImpactCase *c = calloc(1, sizeof *c);
  const double x[12] = {0, 0, 10, -1, -1, 0, 1, -1, 0, 0, 2, 0};
  memcpy(c->x0, x, sizeof x);
  memcpy(c->x1, x, sizeof x);
  c->x1[2] -= 1;
  case_point_to_itself(c, 4);
  for (int k = 0; k < 4; k++) c->inverse_mass[k] = 1;
  for (int k = 0; k < 4; k++) c->vertices[k] = k;
  c->time[0] = 1;
  c->impacts.impact_count = 1;
  WeftLinkCounts counts;
  WeftError error;
  check_ok(weft_link_impulse.solve(&c->impacts, c->x1, &counts, &error), error);
  for (int k = 0; k < 4; k++) check_near(c->x1[3 * k + 2] - x[3 * k + 2], -0.25, 1e-14);
  assert_int_equal(counts.limited, 4);
  free(c);
}

/* Where it would have gone through, it leaves by a tenth of the depth. */
static void elastic_part(void **state) {
  (void)state;
  ImpactCase *c = calloc(1, sizeof *c);
  const double x[12] = {0, 0, 0.5, -1, -1, 0, 1, -1, 0, 0, 2, 0};
  memcpy(c->x0, x, sizeof x);
  memcpy(c->x1, x, sizeof x);
  c->x1[2] -= 2;
  case_point_to_itself(c, 4);
  c->inverse_mass[0] = 3; /* the face is an obstacle */
  for (int k = 0; k < 4; k++) c->vertices[k] = k;
  c->impacts.impact_count = 1;
  c->time[0] = 0.25;
  WeftLinkCounts counts;
  WeftError error;
  check_ok(weft_link_impulse.solve(&c->impacts, c->x1, &counts, &error), error);
  check_near(c->x1[2], 0.5 + 0.1 * 1.5, 1e-14);
  assert_int_equal(counts.limited, 1);
  free(c);
}

/* ---- sets ---- */

static void random_sets(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    bool is_fixed = seed % 2;
    ImpactCase *c = case_random(20 + (int)seed % 60, 5 + (int)seed % 90, is_fixed ? 8 : 0, 0, seed);
    Moving before = case_moving(c, c->wanted);
    WeftLinkCounts counts;
    WeftError error;
    check_ok(weft_link_impulse.solve(&c->impacts, c->x1, &counts, &error), error);
    Moving after = case_moving(c, c->x1);
    check_finite(c);
    check_fixed_unmoved(c);
    assert_true(counts.limited > 0 && counts.iterations > 0);
    assert_true(after.energy < before.energy);
    if (!is_fixed) check_near(v3_length(v3_sub(after.momentum, before.momentum)), 0, 1e-12 * before.size);
    free(c);
  }
}

/* A pair that was found to meet approaches along the normal that it gets, from the side where it starts. */
static void normals_face_the_start(void **state) {
  (void)state;
  ImpactCase *c = case_random(60, 3000, 0, 0, 7);
  for (int i = 0; i < c->impacts.impact_count; i++) {
    WeftTouch touch = weft_touch(&c->impacts, i, c->x1);
    Vec3 relative = vec3(0, 0, 0), apart = vec3(0, 0, 0);
    for (int k = 0; k < 4; k++) {
      int v = c->vertices[4 * i + k];
      apart = v3_axpy(apart, touch.weight[k], load3(c->x0, v));
      relative = v3_axpy(relative, touch.weight[k], v3_sub(load3(c->x1, v), load3(c->x0, v)));
    }
    check_near(v3_length(touch.normal), 1, 1e-14);
    check_near(v3_dot(touch.normal, apart), touch.gap, 1e-12);
    assert_true(touch.gap > 0);
    /* they touch at the time: the approach is the gap over it */
    check_near(v3_dot(touch.normal, relative) * c->time[i], -touch.gap, 1e-9);
  }
  free(c);
}

static void degenerate_pairs(void **state) {
  (void)state;
  const double x0[][12] = {
      {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0},          /* a face, or an edge, that is a point */
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},          /* all in one place */
      {0.5, 0, 1, 0, 0, 0, 1, 0, 0, 2, 0, 0},        /* a line */
      {2, 0.25, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0},       /* in the plane */
      {0.25, 0.25, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0},    /* touching from the start */
      {0, 0, 1e-300, 0, 0, 0, 1e-300, 0, 0, 1, 0, 0} /* tiny */
  };
  for (size_t n = 0; n < sizeof x0 / sizeof *x0; n++) {
    for (int variant = 0; variant < 16; variant++) {
      ImpactCase *c = calloc(1, sizeof *c);
      memcpy(c->x0, x0[n], sizeof x0[n]);
      memcpy(c->wanted, x0[n], sizeof x0[n]);
      case_point_to_itself(c, 4);
      for (int k = 0; k < 4; k++) {
        c->vertices[k] = k;
        c->inverse_mass[k] = variant & 4 ? 0 : 1;
      }
      if (variant & 2) c->wanted[0] -= 2, c->wanted[2] -= 3;
      c->is_edges[0] = variant & 1;
      c->time[0] = variant & 8 ? 0.5 : 0;
      c->impacts.impact_count = 1;
      memcpy(c->x1, c->wanted, sizeof c->x1);
      WeftLinkCounts counts;
      WeftError error;
      check_ok(weft_link_impulse.solve(&c->impacts, c->x1, &counts, &error), error);
      check_finite(c);
      check_fixed_unmoved(c);
      assert_true(case_moving(c, c->x1).energy <= case_moving(c, c->wanted).energy);
      free(c);
    }
  }
}

static void no_impacts(void **state) {
  (void)state;
  ImpactCase *c = case_random(12, 0, 0, 0, 3);
  WeftLinkCounts counts;
  WeftError error;
  check_ok(weft_link_impulse.solve(&c->impacts, c->x1, &counts, &error), error);
  assert_memory_equal(c->x1, c->wanted, sizeof c->x1);
  assert_int_equal(counts.limited, 0);
  free(c);
}

static void any_number_of_threads(void **state) {
  (void)state;
  ImpactCase *one = case_random(80, 400, 8, 0.1, 5), *many = case_random(80, 400, 8, 0.1, 5);
  WeftLinkCounts counts;
  WeftError error;
  int before = weft_threads_use(1);
  check_ok(weft_link_impulse.solve(&one->impacts, one->x1, &counts, &error), error);
  weft_threads_use(3);
  check_ok(weft_link_impulse.solve(&many->impacts, many->x1, &counts, &error), error);
  weft_threads_use(before);
  assert_memory_equal(one->x1, many->x1, sizeof one->x1);
  free(one);
  free(many);
}

/* ---- rounds ---- */

static void sheets_come_apart(void **state) {
  (void)state;
  check_sheets_come_apart(&weft_link_impulse);
}

static void many_steps(void **state) {
  (void)state;
  check_many_steps(&weft_link_impulse);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_impulses),
                                     cmocka_unit_test(known_impulse_through_the_link),
                                     cmocka_unit_test(elastic_part),
                                     cmocka_unit_test(random_sets),
                                     cmocka_unit_test(normals_face_the_start),
                                     cmocka_unit_test(degenerate_pairs),
                                     cmocka_unit_test(no_impacts),
                                     cmocka_unit_test(any_number_of_threads),
                                     cmocka_unit_test(sheets_come_apart),
                                     cmocka_unit_test(many_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
