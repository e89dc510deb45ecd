/* What every force must be, whatever the method: gradients and Hessians against differences, symmetry,
 * projection, momentum (V03b), rigid motion, degenerate shapes. Walks over all methods. */
#include "force/dense.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const WeftForceOps *const methods[] = {
    &weft_force_stretch_baraff_witkin, &weft_force_stretch_springs, &weft_force_stretch_measured,
    &weft_force_bend_dihedral,         &weft_force_bend_springs,    &weft_force_bend_measured,
    &weft_force_link_spring,           &weft_force_air_wind,
};
enum { METHODS = sizeof methods / sizeof *methods };

static bool is_air(const WeftForceOps *ops) { return ops == &weft_force_air_wind; }

/* Methods whose projection takes away negative parts only. The others, as they say, leave out mixed ones. */
static bool is_clamped(const WeftForceOps *ops) {
  return ops != &weft_force_stretch_baraff_witkin && ops != &weft_force_bend_dihedral &&
         ops != &weft_force_bend_measured;
}

/* A skew triangle, two of them, or a jittered grid, of the given size. */
static void make_mesh(ForceCase *c, int which, double size) {
  static const int32_t pair[] = {0, 1, 2, 1, 0, 3};
  double uv[32];
  if (which < 2) {
    const double corners[] = {0.1, 0, 1, 0.2, 0.5, 0.9, 0.7, -0.8};
    for (int i = 0; i < 8; i++) uv[i] = size * corners[i];
    case_make(c, 3 + which, uv, 1 + which, pair);
    return;
  }
  uint64_t seed = 99;
  int32_t triangles[54];
  for (int i = 0; i < 16; i++) {
    uv[2 * i] = size * (i % 4 + 0.2 * random_number(&seed)) / 3;
    uv[2 * i + 1] = size * (i / 4 + 0.2 * random_number(&seed)) / 3;
  }
  for (int i = 0, at = 0; i < 9; i++) {
    int32_t a = i / 3 * 4 + i % 3, b = a + 1, d = a + 4, e = a + 5;
    int32_t both[2][6] = {{a, b, e, a, e, d}, {a, b, d, b, e, d}};
    for (int k = 0; k < 6; k++) triangles[at++] = both[(i + i / 3) % 2][k];
  }
  case_make(c, 16, uv, 18, triangles);
}

/* The rest shape turned into space and shaken by so much of its size. Rest angles are shaken too. */
static void shake(ForceCase *c, double size, double amount, uint64_t *seed, double *x, double *v) {
  for (int i = 0; i < c->model.vertex_count; i++) {
    const double *r = c->rest + 3 * i;
    x[3 * i] = 0.6 * r[0] - 0.8 * r[1] + amount * size * random_number(seed) + 2 * size;
    x[3 * i + 1] = 0.48 * r[0] + 0.36 * r[1] + amount * size * random_number(seed);
    x[3 * i + 2] = 0.64 * r[0] + 0.48 * r[1] + amount * size * random_number(seed);
    for (int k = 0; k < 3; k++) v[3 * i + k] = size * random_number(seed);
  }
  for (int h = 0; h < c->model.hinge_count; h++) c->model.hinge_rest_angle[h] = random_number(seed);
}

typedef void CheckFn(ForceCase *c, const double *x, const double *v, double size);

/* Every method, mesh, size and a few shapes. */
static void for_all(CheckFn *check) {
  const double sizes[] = {1, 1e-6, 1e3}, amounts[] = {0.03, 0.15, 0.5};
  uint64_t seed = 1234567;
  for (int method = 0; method < METHODS; method++) {
    for (int which = 0; which < 3; which++) {
      for (int trial = 0; trial < 9; trial++) {
        ForceCase c;
        double x[48], v[48], size = sizes[trial / 3];
        make_mesh(&c, which, size);
        shake(&c, size, amounts[trial % 3], &seed, x, v);
        if (case_use(&c, methods[method])) check(&c, x, v, size);
        case_free(&c);
      }
    }
  }
}

static const double no_velocity[48];

static void force_is_minus_the_gradient(ForceCase *c, const double *x, const double *v, double size) {
  (void)v;
  if (is_air(c->ops)) return;
  int n = 3 * c->model.vertex_count;
  double step = 1e-6 * size, moved[48], by_difference[48];
  for (int i = 0; i < n; i++) {
    memcpy(moved, x, sizeof moved);
    moved[i] = x[i] + step;
    double high = case_energy(c, moved);
    moved[i] = x[i] - step;
    by_difference[i] = (case_energy(c, moved) - high) / (2 * step);
  }
  case_add(c, x, no_velocity, 0, 0, 0);
  assert_true(largest(c->f, n) > 0);
  assert_true(difference(c->f, by_difference, n, largest(c->f, n)) < 1e-6);
}

/* Column j of the derivative of the force by x or by v. */
static void differentiate(ForceCase *c, const double *x, const double *v, bool by_velocity, int j,
                          double step, double *column) {
  int n = 3 * c->model.vertex_count;
  double moved[48];
  memcpy(moved, by_velocity ? v : x, sizeof moved);
  moved[j] += step;
  case_add(c, by_velocity ? x : moved, by_velocity ? moved : v, 0, 0, 0);
  memcpy(column, c->f, (size_t)n * sizeof *column);
  moved[j] -= 2 * step;
  case_add(c, by_velocity ? x : moved, by_velocity ? moved : v, 0, 0, 0);
  for (int i = 0; i < n; i++) column[i] = (column[i] - c->f[i]) / (2 * step);
}

static void compare_with_differences(ForceCase *c, const double *x, const double *v, bool by_velocity,
                                     double step, double tolerance) {
  int n = 3 * c->model.vertex_count;
  case_add(c, x, v, WANT_MATRIX | WANT_EXACT, by_velocity ? 0 : 1, by_velocity ? 1 : 0);
  double *k = dense_of_case(c), column[48], scale = largest(k, n * n);
  assert_true(scale > 0);
  for (int j = 0; j < n; j++) {
    differentiate(c, x, v, by_velocity, j, step, column);
    for (int i = 0; i < n; i++) assert_true(fabs(column[i] - k[i * n + j]) < tolerance * scale);
  }
  free(k);
}

/* without velocity: the part of K_x that comes from damping is left out on purpose */
static void stiffness_is_the_derivative(ForceCase *c, const double *x, const double *v, double size) {
  (void)v;
  if (!is_air(c->ops)) compare_with_differences(c, x, no_velocity, false, 1e-6 * size, 1e-5);
}

static void viscosity_is_the_derivative(ForceCase *c, const double *x, const double *v, double size) {
  /* the wind does not shrink with the cloth */
  compare_with_differences(c, x, v, true, 1e-5 * fmax(size, 1), 1e-6);
}

static void matrices_are_consistent(ForceCase *c, const double *x, const double *v, double size) {
  (void)size;
  int n = 3 * c->model.vertex_count;
  for (int exact = 0; exact <= WANT_EXACT; exact += WANT_EXACT) {
    int wants = WANT_MATRIX | exact;
    case_add(c, x, v, wants, 1, 0);
    double *kx = dense_of_case(c), kxv[48];
    memcpy(kxv, c->kxv, sizeof(double) * (size_t)n);
    case_add(c, x, v, wants, 0, 1);
    double *kv = dense_of_case(c);
    case_add(c, x, v, wants, 0.3, 0.7);
    double *both = dense_of_case(c), size_x = largest(kx, n * n), size_v = largest(kv, n * n);
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < n; j++) {
        assert_true(fabs(kx[i * n + j] - kx[j * n + i]) <= 1e-14 * size_x);
        assert_true(fabs(kv[i * n + j] - kv[j * n + i]) <= 1e-14 * size_v);
        double mixed = 0.3 * kx[i * n + j] + 0.7 * kv[i * n + j];
        assert_true(fabs(both[i * n + j] - mixed) <= 1e-13 * (size_x + size_v));
        sum += kx[i * n + j] * v[j];
      }
      assert_true(fabs(sum - kxv[i]) <= 1e-12 * size_x * largest(v, n));
    }
    /* the forces do not depend on whether a matrix is wanted */
    double f[48];
    memcpy(f, c->f, sizeof(double) * (size_t)n);
    case_add(c, x, v, 0, 0, 0);
    assert_memory_equal(f, c->f, sizeof(double) * (size_t)n);
    free(kx);
    free(kv);
    free(both);
  }
}

static void projection_is_positive(ForceCase *c, const double *x, const double *v, double size) {
  (void)size;
  int n = 3 * c->model.vertex_count;
  case_add(c, x, v, WANT_MATRIX, -1, 0);
  double *projected = dense_of_case(c);
  assert_true(lowest_eigenvalue(projected, n) >= -1e-12 * largest(projected, n * n));
  case_add(c, x, v, WANT_MATRIX, 0, -1);
  double *viscous = dense_of_case(c);
  assert_true(lowest_eigenvalue(viscous, n) >= -1e-12 * largest(viscous, n * n));
  if (!is_clamped(c->ops)) {
    free(projected);
    free(viscous);
    return;
  }
  /* projecting takes nothing positive away: what was added is itself positive */
  case_add(c, x, v, WANT_MATRIX | WANT_EXACT, -1, 0);
  double *exact = dense_of_case(c);
  double scale = fmax(largest(projected, n * n), largest(exact, n * n));
  for (int i = 0; i < n * n; i++) viscous[i] = projected[i] - exact[i];
  assert_true(lowest_eigenvalue(viscous, n) >= -1e-12 * scale);
  free(projected);
  free(viscous);
  free(exact);
}

static void momentum_is_kept(ForceCase *c, const double *x, const double *v, double size) {
  (void)size;
  if (is_air(c->ops)) return;
  double sum[3] = {0}, torque[3] = {0}, size_f = 0, size_t_ = 0;
  case_add(c, x, v, 0, 0, 0);
  for (int i = 0; i < c->model.vertex_count; i++) {
    Vec3 p = load3(x, i), f = load3(c->f, i);
    add3(sum, 0, f);
    add3(torque, 0, v3_cross(p, f));
    size_f += v3_length(f);
    size_t_ += v3_length(p) * v3_length(f);
  }
  assert_true(size_f > 0);
  assert_true(v3_length(load3(sum, 0)) <= 1e-12 * size_f);
  assert_true(v3_length(load3(torque, 0)) <= 1e-12 * size_t_);
}

static void rigid_motion_is_not_damped(ForceCase *c, const double *x, const double *v, double size) {
  if (is_air(c->ops)) return;
  int n = 3 * c->model.vertex_count;
  double rigid[48], still[48];
  for (int i = 0; i < c->model.vertex_count; i++) {
    Vec3 turn = v3_cross(vec3(0.3, -1.1, 0.7), load3(x, i));
    store3(rigid, i, v3_add(turn, vec3(size, 2 * size, -size)));
  }
  case_add(c, x, no_velocity, 0, 0, 0);
  memcpy(still, c->f, sizeof(double) * (size_t)n);
  case_add(c, x, v, WANT_MATRIX, 0, 1);
  double scale = 0;
  for (int i = 0; i < 9 * c->block_count; i++) scale = fmax(scale, fabs(c->a[i]));
  assert_true(scale > 0);
  assert_true(difference(c->f, still, n, scale * size) > 1e-3); /* v itself is damped */
  case_add(c, x, rigid, 0, 0, 0);
  assert_true(difference(c->f, still, n, fmax(scale * largest(rigid, n), largest(still, n))) < 1e-12);
}

static void gradients(void **state) {
  (void)state;
  for_all(force_is_minus_the_gradient);
}
static void hessians(void **state) {
  (void)state;
  for_all(stiffness_is_the_derivative);
}
static void velocity_derivatives(void **state) {
  (void)state;
  for_all(viscosity_is_the_derivative);
}
static void consistency(void **state) {
  (void)state;
  for_all(matrices_are_consistent);
}
static void projection(void **state) {
  (void)state;
  for_all(projection_is_positive);
}
static void momentum(void **state) {
  (void)state;
  for_all(momentum_is_kept);
}
static void rigid_motion(void **state) {
  (void)state;
  for_all(rigid_motion_is_not_damped);
}

static void rest_is_at_rest(void **state) {
  (void)state;
  for (int method = 0; method < METHODS; method++) {
    if (is_air(methods[method]) || methods[method] == &weft_force_link_spring) continue;
    ForceCase c;
    make_mesh(&c, 2, 1);
    assert_true(case_use(&c, methods[method]));
    case_add(&c, c.rest, no_velocity, WANT_MATRIX, 1, 0);
    double stiff = largest(c.a, 9 * c.block_count);
    assert_true(stiff > 0);
    assert_true(largest(c.f, 48) <= 1e-14 * stiff);
    assert_true(case_energy(&c, c.rest) <= 1e-28 * stiff);
    case_free(&c);
  }
}

/* Rest angles: a pair folded to its rest angle, triangles as in the rest shape, feels nothing. */
static void folded_rest_is_at_rest(void **state) {
  (void)state;
  const WeftForceOps *bends[] = {&weft_force_bend_dihedral, &weft_force_bend_springs,
                                 &weft_force_bend_measured};
  for (int k = 0; k < 12; k++) {
    double angle = -3.1 + 6.2 * k / 11;
    double uv[] = {0, 0, 1, 0, 0.3, 0.8, 0.6, -0.7};
    double x[] = {0, 0, 0, 1, 0, 0, 0.3, 0.8, 0, 0.6, -0.7 * cos(angle), 0.7 * sin(angle)};
    const int32_t triangles[] = {0, 1, 2, 1, 0, 3};
    for (int method = 0; method < 3; method++) {
      ForceCase c;
      case_make(&c, 4, uv, 2, triangles);
      c.model.hinge_rest_angle[0] = angle;
      assert_true(case_use(&c, bends[method]));
      case_add(&c, x, no_velocity, WANT_MATRIX, 1, 0);
      assert_true(largest(c.f, 12) <= 1e-14 * largest(c.a, 9 * c.block_count));
      case_free(&c);
    }
  }
}

static void check_finite(ForceCase *c, const double *x, const double *v) {
  for (int wants = 0; wants < 4; wants++) {
    if (wants == WANT_EXACT) continue;
    case_add(c, x, v, wants, 0.5, 0.5);
    assert_true(all_finite(c->f, 3 * c->model.vertex_count));
    assert_true(all_finite(c->kxv, 3 * c->model.vertex_count));
    assert_true(all_finite(c->a, 9 * c->block_count));
  }
  if (c->ops->energies) assert_true(isfinite(case_energy(c, x)));
  if (c->ops->moments) {
    double values[2 * 64];
    c->ops->moments(c->force, x, values);
    assert_true(all_finite(values, 2 * c->force->elements.count));
  }
}

static void degenerate_shapes_stay_finite(void **state) {
  (void)state;
  const double shapes[][12] = {
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},                 /* all in one point */
      {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0},                 /* on a line */
      {0, 0, 0, 1, 0, 0, 0.5, 0, 0, 0.5, -1, 0},            /* one triangle on a line */
      {0, 0, 0, 0, 0, 0, 0.5, 1, 0, 0.5, -1, 0},            /* an edge without length */
      {0, 0, 0, 1, 0, 0, 0, 0, 0, 0.5, -1, 0},              /* an apex in a corner */
      {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, 1, 0},             /* folded flat, apexes together */
      {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, 1, 1e-17},         /* a hair this side of it */
      {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, 1, -1e-17},        /* and that */
      {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.9, 0.2, 0},           /* folded flat */
      {0, 0, 0, 1, 0, 0, 0.5, 1e-9, 0, 0.5, -1, 0},         /* a sliver */
      {0, 0, 0, 1e-12, 0, 0, 0.5, 1, 0, 0.5, -1, 0},        /* a short edge */
      {1e8, 0, 0, 1e8 + 1, 0, 0, 1e8, 1, 0, 1e8, -1, 0.5},  /* far away */
      {0, 0, 0, 1e-160, 0, 0, 0, 1e-160, 0, 0, -1e-160, 0}, /* lengths whose squares vanish */
  };
  for (int method = 0; method < METHODS; method++) {
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
      for (int scale = 0; scale < 3; scale++) {
        ForceCase c;
        double x[12], v[12], size = scale == 0 ? 1 : scale == 1 ? 1e-6 : 1e3;
        uint64_t seed = 5;
        make_mesh(&c, 1, size);
        for (int i = 0; i < 12; i++) {
          x[i] = size * shapes[s][i];
          v[i] = random_number(&seed);
        }
        assert_true(case_use(&c, methods[method]));
        check_finite(&c, x, v);
        case_free(&c);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradients),
      cmocka_unit_test(hessians),
      cmocka_unit_test(velocity_derivatives),
      cmocka_unit_test(consistency),
      cmocka_unit_test(projection),
      cmocka_unit_test(momentum),
      cmocka_unit_test(rigid_motion),
      cmocka_unit_test(rest_is_at_rest),
      cmocka_unit_test(folded_rest_is_at_rest),
      cmocka_unit_test(degenerate_shapes_stay_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
