/* The affine motion that fits displacements: exact for what moves so, least squares for what does not, and
 * finite for points that do not tell. */
#include "check.h"
#include "respond/affine.h"

enum { MOST = 40 };

typedef struct Points {
  int count;
  Vec3 x[MOST], moved[MOST];
} Points;

static Vec3 random_vector(uint64_t *seed, double size) {
  double x = random_in(seed, -size, size), y = random_in(seed, -size, size);
  return vec3(x, y, random_in(seed, -size, size));
}

static WeftAffine fit(const Points *p) {
  WeftAffine motion = {0};
  for (int i = 0; i < p->count; i++) weft_affine_add_mean(&motion, 1, p->x[i], p->moved[i]);
  weft_affine_mean(&motion);
  for (int i = 0; i < p->count; i++) weft_affine_add_spread(&motion, p->x[i], p->moved[i]);
  weft_affine_fit(&motion);
  return motion;
}

static Vec3 times(const Vec3 *rows, Vec3 a) {
  return vec3(v3_dot(rows[0], a), v3_dot(rows[1], a), v3_dot(rows[2], a));
}

static void check_vector(Vec3 a, Vec3 b, double tolerance) {
  check_near(a.x, b.x, tolerance);
  check_near(a.y, b.y, tolerance);
  check_near(a.z, b.z, tolerance);
}

static double sum_of_squares(const Points *p, const WeftAffine *motion) {
  double sum = 0;
  for (int i = 0; i < p->count; i++) {
    Vec3 off = v3_sub(p->moved[i], weft_affine_at(motion, p->x[i]));
    sum += v3_dot(off, off);
  }
  return sum;
}

/* What moves by an affine map is found, also far from the origin: everywhere, not at the points alone. */
static void what_is_affine_is_found(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int n = 0; n < 300; n++) {
    Points p = {.count = 4 + n % 30};
    Vec3 far = random_vector(&seed, n % 3 ? 0 : 100), shift = random_vector(&seed, 1), rows[3];
    for (int k = 0; k < 3; k++) rows[k] = random_vector(&seed, 1);
    for (int i = 0; i < p.count; i++) {
      Vec3 from = random_vector(&seed, 1);
      p.x[i] = v3_add(far, from);
      p.moved[i] = v3_add(shift, times(rows, from));
    }
    WeftAffine motion = fit(&p);
    for (int k = 0; k < 5; k++) {
      Vec3 from = random_vector(&seed, 2);
      check_vector(weft_affine_at(&motion, v3_add(far, from)), v3_add(shift, times(rows, from)), 1e-9);
    }
  }
}

/* No other map fits better what is not affine. */
static void least_squares(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (int n = 0; n < 100; n++) {
    Points p = {.count = 5 + n % 30};
    for (int i = 0; i < p.count; i++) {
      p.x[i] = random_vector(&seed, 1);
      p.moved[i] = random_vector(&seed, 1);
    }
    WeftAffine motion = fit(&p);
    double least = sum_of_squares(&p, &motion);
    assert_true(least > 0);
    for (int k = 0; k < 24; k++) { /* each of the twelve numbers, up and down */
      WeftAffine other = motion;
      double *number = k < 6 ? (double *)&other.shift + k % 3 : (double *)other.gradient + (k - 6) % 9;
      *number += k % 2 ? 1e-3 : -1e-3;
      assert_true(sum_of_squares(&p, &other) > least);
    }
  }
}

/* Points in a plane, on a line, in one place: the map is right where they are, and moves all along a normal
 * of theirs alike. */
static void flat_points(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int n = 0; n < 300; n++) {
    int dimension = n % 3;
    Points p = {.count = 1 + dimension + n % 10};
    Vec3 along[2], shift = random_vector(&seed, 1), rows[3], normal;
    for (int k = 0; k < 3; k++) rows[k] = random_vector(&seed, 1);
    for (int k = 0; k < 2; k++) along[k] = random_vector(&seed, 1);
    normal = v3_cross(along[0], along[1]);
    for (int i = 0; i < p.count; i++) {
      p.x[i] = vec3(0.3, 0.2, 0.1);
      for (int k = 0; k < dimension; k++) p.x[i] = v3_axpy(p.x[i], random_in(&seed, -1, 1), along[k]);
      p.moved[i] = v3_add(shift, times(rows, p.x[i]));
    }
    WeftAffine motion = fit(&p);
    for (int i = 0; i < p.count; i++) {
      check_vector(weft_affine_at(&motion, p.x[i]), p.moved[i], 1e-7);
      check_vector(weft_affine_at(&motion, v3_axpy(p.x[i], 10, normal)), p.moved[i], 1e-4);
    }
  }
}

/* A weight counts as that many points. */
static void means_by_weight(void **state) {
  (void)state;
  WeftAffine weighted = {0}, counted = {0};
  const Vec3 x[2] = {vec3(1, 2, 3), vec3(-1, 0, 5)}, moved[2] = {vec3(0.5, 0, 0), vec3(0, 0.25, 1)};
  weft_affine_add_mean(&weighted, 3, x[0], moved[0]);
  weft_affine_add_mean(&weighted, 1, x[1], moved[1]);
  for (int i = 0; i < 4; i++) weft_affine_add_mean(&counted, 1, x[i / 3], moved[i / 3]);
  weft_affine_mean(&weighted);
  weft_affine_mean(&counted);
  check_vector(weighted.centre, vec3(0.5, 1.5, 3.5), 1e-15);
  check_vector(weighted.shift, vec3(0.375, 0.0625, 0.25), 1e-15);
  check_vector(weighted.shift, counted.shift, 1e-15);
  /* without a fit it is a translation, everywhere */
  check_vector(weft_affine_at(&weighted, vec3(7, 8, 9)), weighted.shift, 0);
}

/* Nothing at all, and numbers near the ends of what there is. */
static void extremes(void **state) {
  (void)state;
  WeftAffine none = {0};
  weft_affine_mean(&none);
  weft_affine_fit(&none);
  check_vector(weft_affine_at(&none, vec3(1, 2, 3)), vec3(0, 0, 0), 0);
  const double sizes[] = {1e-60, 1e-9, 1e9, 1e60};
  uint64_t seed = 4;
  for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
    Points p = {.count = 6};
    for (int i = 0; i < p.count; i++) {
      p.x[i] = random_vector(&seed, sizes[n]);
      p.moved[i] = v3_scale(0.5, p.x[i]);
    }
    WeftAffine motion = fit(&p);
    for (int i = 0; i < p.count; i++)
      check_vector(weft_affine_at(&motion, p.x[i]), p.moved[i], 1e-9 * sizes[n]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_affine_is_found),
                                     cmocka_unit_test(least_squares), cmocka_unit_test(flat_points),
                                     cmocka_unit_test(means_by_weight), cmocka_unit_test(extremes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
