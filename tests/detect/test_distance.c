/* Closest points against exact fractions: error of the distance relative to the pair's size, weights that are
 * what they promise, in every family of configurations that has degenerate ones in it. */
#include "ccd_families.h"
#include "detect/distance.kernel.h"
#include "exact_contact.h"

/* The bound that docs/detection-narrow.md states: 16 roundings of the pair's size. */
static const double MOST_ERROR = 0x1p-49;

static double size_of(const Vec3 *x) {
  double most = 0;
  for (int i = 1; i < 4; i++) {
    Vec3 d = v3_sub(x[i], x[0]);
    most = fmax(most, fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))));
  }
  for (int i = 2; i < 4; i++) {
    Vec3 d = v3_sub(x[i], x[1]);
    most = fmax(most, fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))));
  }
  return most;
}

/* The error of the distance, and of the gap's vector against the weights, in parts of the pair's size. */
static void check_closest(bool is_edges, const Vec3 *x, double *worst_distance, double *worst_gap) {
  Closest c = is_edges ? closest_edge_edge(x) : closest_vertex_face(x);
  double size = size_of(x), off, *w = c.weight;
  exact_distance(is_edges, x, x, 0, sqrt(c.squared), &off);
  if (size > 0) *worst_distance = fmax(*worst_distance, fabs(off) / size);
  for (int i = 0; i < 4; i++) {
    bool is_first = is_edges ? i < 2 : i < 1;
    assert_true(is_first ? w[i] >= 0 && w[i] <= 1 : w[i] <= 0 && w[i] >= -1);
  }
  check_near(w[0] + (is_edges ? w[1] : 0), 1, 2e-16);
  check_near(w[3] + w[2] + (is_edges ? 0 : w[1]), -1, 4e-16);
  /* relative to vertex 1: the weights sum to zero */
  Vec3 gap = vec3(0, 0, 0);
  for (int i = 0; i < 4; i++) gap = v3_axpy(gap, w[i], v3_sub(x[i], x[1]));
  if (size > 0) *worst_gap = fmax(*worst_gap, v3_length(v3_sub(gap, c.gap)) / size);
  assert_true(c.squared == v3_dot(c.gap, c.gap));
}

static void families(void **state) {
  (void)state;
  int each = getenv("WEFT_LONG") ? 100000 : TEST_IS_SANITIZED ? 600 : 3000;
  for (int f = 0; f < CCD_FAMILY_COUNT; f++) {
    uint64_t seed = 99 + (uint64_t)f;
    double distance = 0, gap = 0;
    for (int i = 0; i < each; i++) {
      CcdQuery q;
      ccd_families[f].make(&q, &seed);
      check_closest(q.is_edges, q.x0, &distance, &gap);
      check_closest(!q.is_edges, q.x1, &distance, &gap);
    }
    print_message("%-20s error of the distance %.2e, of the gap against the weights %.2e of the size\n",
                  ccd_families[f].name, distance, gap);
    assert_true(distance <= MOST_ERROR);
    assert_true(gap <= 2 * MOST_ERROR);
  }
}

/* Slivers and almost parallel edges of every angle down to rounding, the other feature close by. */
static void small_angles(void **state) {
  (void)state;
  uint64_t seed = 1;
  double distance = 0, gap = 0;
  for (int i = 0; i < 20000; i++) {
    double angle = pow(10, random_in(&seed, -17, 0)), height = pow(10, random_in(&seed, -17, 0));
    CcdQuery q;
    ccd_families[0].make(&q, &seed);
    Vec3 *x = q.x0, along = q.x1[0], across = q.x1[1], up = q.x1[2];
    if (q.is_edges) { /* crossing */
      double s = random_in(&seed, -0.2, 1.2), t = random_in(&seed, -0.2, 1.2);
      Vec3 other = v3_axpy(along, angle, across);
      x[1] = v3_add(x[0], along);
      x[2] = v3_axpy(v3_axpy(v3_axpy(x[0], s, along), -t, other), height, up);
      x[3] = v3_add(x[2], other);
    } else {
      double b = random_in(&seed, -0.1, 1), c = random_in(&seed, -0.1, 1);
      x[2] = v3_add(x[1], along);
      x[3] = v3_axpy(v3_axpy(x[1], random_in(&seed, -1, 2), along), angle, across);
      x[0] = v3_axpy(v3_axpy(v3_axpy(x[1], b, v3_sub(x[2], x[1])), c, v3_sub(x[3], x[1])), height, up);
    }
    check_closest(q.is_edges, x, &distance, &gap);
  }
  print_message("small angles: error of the distance %.2e, of the gap against the weights %.2e of the size\n",
                distance, gap);
  assert_true(distance <= MOST_ERROR);
}

/* Points, collinear faces, zero-length and overlapping edges: the answers by hand. */
static void by_hand(void **state) {
  (void)state;
  Vec3 o = vec3(0, 0, 0), ex = vec3(1, 0, 0), ex2 = vec3(2, 0, 0), ey = vec3(0, 1, 0), up = vec3(0, 0, 2);
  const struct {
    bool is_edges;
    Vec3 x[4];
    double distance;
  } cases[] = {
      {false, {up, o, o, o}, 2},                          /* a point */
      {false, {vec3(1.5, 0, 2), o, ex, ex2}, 2},          /* collinear */
      {false, {vec3(3, 0, 0), o, ex, ex2}, 1},            /* beyond its end */
      {false, {vec3(0.25, 0.25, 0), o, ex, ey}, 0},       /* on it */
      {false, {vec3(0.25, 0.25, -3), o, ex, ey}, 3},      /* below */
      {false, {vec3(1, 1, 0), o, ex, ey}, sqrt(0.5)},     /* beside the far edge */
      {false, {vec3(-3, -4, 0), o, ex, ey}, 5},           /* beyond a corner */
      {true, {o, o, up, up}, 2},                          /* two points */
      {true, {o, ex2, vec3(1, 0, 2), vec3(1, 0, 2)}, 2},  /* edge and point */
      {true, {vec3(5, 0, 0), vec3(5, 0, 0), o, ex2}, 3},  /* point and edge */
      {true, {o, ex2, vec3(1, 0, 0), vec3(3, 0, 0)}, 0},  /* collinear, overlapping */
      {true, {o, ex, vec3(3, 0, 0), ex2}, 1},             /* collinear, apart */
      {true, {o, ex2, vec3(1, 0, 2), vec3(5, 0, 2)}, 2},  /* parallel, overlapping */
      {true, {o, ex, vec3(4, 4, 0), vec3(6, 4, 0)}, 5},   /* parallel, apart */
      {true, {o, ex2, vec3(1, -1, 2), vec3(1, 1, 2)}, 2}, /* crossing */
      {true, {o, ex2, vec3(1, 1, 0), vec3(1, 5, 0)}, 1},  /* an end over the inside */
      {true, {o, ex, vec3(4, 4, 0), vec3(9, 8, 0)}, 5},   /* end to end */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Closest c = cases[i].is_edges ? closest_edge_edge(cases[i].x) : closest_vertex_face(cases[i].x);
    check_near(sqrt(c.squared), cases[i].distance, 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(small_angles),
                                     cmocka_unit_test(families)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
