/* What the springs stand for: the membrane's and the bending stiffness they are derived from. */
#include "force/dense.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double no_velocity[48];

/* Equilateral triangles of any size: Young's modulus K, Poisson's ratio 1/3, for a pull in any direction. */
static void edges_make_a_membrane(void **state) {
  (void)state;
  for (int trial = 0; trial < 12; trial++) {
    double size = trial % 2 ? 0.01 : 0.3, turn = trial * 0.26, strain = 1e-6;
    const double flat[] = {0, 0, 1, 0, 0.5, sqrt(0.75), 1.5, sqrt(0.75), 2, 0};
    const int32_t triangles[] = {0, 1, 2, 1, 3, 2, 1, 4, 3};
    double uv[10], x[15];
    for (int i = 0; i < 5; i++) {
      uv[2 * i] = size * (cos(turn) * flat[2 * i] - sin(turn) * flat[2 * i + 1]);
      uv[2 * i + 1] = size * (sin(turn) * flat[2 * i] + cos(turn) * flat[2 * i + 1]);
      x[3 * i] = (1 + strain) * uv[2 * i];
      x[3 * i + 1] = (1 - strain / 3) * uv[2 * i + 1];
      x[3 * i + 2] = 0;
    }
    ForceCase c;
    case_make(&c, 5, uv, 3, triangles);
    c.model.cloths[0].material.stretch_warp = c.model.cloths[0].material.stretch_weft = 500;
    assert_true(case_use(&c, &weft_force_stretch_springs));
    double area = 3 * sqrt(0.75) / 2 * size * size, plain = 0.5 * 500 * strain * strain * area;
    assert_true(fabs(case_energy(&c, x) / plain - 1) < 1e-5);
    case_free(&c);
  }
}

static void warp_and_weft_edges(void **state) {
  (void)state;
  const double uv[] = {0, 0, 2, 0, 0, 1};
  const int32_t triangle[] = {0, 1, 2};
  ForceCase c;
  case_make(&c, 3, uv, 1, triangle);
  const WeftMaterial *material = &c.model.cloths[0].material;
  assert_true(case_use(&c, &weft_force_stretch_springs));
  double energy[3], x[9] = {0, 0, 0, 2.2, 0, 0, 0, 1.1, 0};
  c.ops->energies(c.force, x, energy); /* edges 0-1, 0-2, 1-2; area 1 */
  assert_true(fabs(energy[0] - 0.5 * material->stretch_warp * 0.01) < 1e-12);
  assert_true(fabs(energy[1] - 0.5 * material->stretch_weft * 0.01) < 1e-12);
  double mixed = 0.8 * material->stretch_warp + 0.2 * material->stretch_weft;
  assert_true(fabs(energy[2] - 0.5 * mixed * 0.01) < 1e-12);
  case_free(&c);
}

/* A hinge of edge and heights of the given size, folded by an angle. */
static double folded_energy(const WeftForceOps *ops, double size, double rest, double angle) {
  double uv[] = {0, 0, size, 0, 0.3 * size, 0.8 * size, 0.6 * size, -0.7 * size};
  double x[] = {0, 0, 0, size, 0, 0, uv[4], uv[5], 0, uv[6], uv[7] * cos(angle), -uv[7] * sin(angle)};
  const int32_t triangles[] = {0, 1, 2, 1, 0, 3};
  ForceCase c;
  case_make(&c, 4, uv, 2, triangles);
  c.model.hinge_rest_angle[0] = rest;
  assert_true(case_use(&c, ops));
  double energy = case_energy(&c, x);
  case_free(&c);
  return energy;
}

static void hinges_match_at_one_curvature(void **state) {
  (void)state;
  for (int i = 0; i < 9; i++) {
    double size = i % 3 == 0 ? 0.002 : i % 3 == 1 ? 0.01 : 0.2, rest = i / 3 * 0.7;
    double angle = fmin(100 * 0.5 * 1.5 * size, 1.57079632679489661923); /* 100 (A_1 + A_2)/l */
    double spring = folded_energy(&weft_force_bend_springs, size, rest, rest + angle);
    double hinge = folded_energy(&weft_force_bend_dihedral, size, rest, rest + angle);
    assert_true(fabs(spring / hinge - 1) < 1e-6);
  }
  /* a sharp rest angle is matched on the way to flat */
  double sharp = folded_energy(&weft_force_bend_springs, 0.2, 2.8, 2.8 - 1.57079632679489661923);
  double hinge_sharp = folded_energy(&weft_force_bend_dihedral, 0.2, 2.8, 2.8 - 1.57079632679489661923);
  assert_true(fabs(sharp / hinge_sharp - 1) < 1e-6);
  /* flat at rest: the energy goes with the fourth power, at any resolution alike */
  for (int i = 0; i < 3; i++) {
    double size = 0.001 * (1 << i), angle = 50 * 0.75 * size;
    double spring = folded_energy(&weft_force_bend_springs, size, 0, angle);
    double hinge = folded_energy(&weft_force_bend_dihedral, size, 0, angle);
    assert_true(fabs(spring / hinge - 0.25) < 0.01);
  }
}

static void links_are_springs(void **state) {
  (void)state;
  const double uv[] = {0, 0, 1, 0, 0, 1};
  const int32_t triangle[] = {0, 1, 2};
  double x[9] = {0, 0, 0, 3, 0, 0, 0, 1, 0}, v[9] = {0, 0, 0, 0.5, 9, 0, 0, 0, 0};
  ForceCase c;
  case_make(&c, 3, uv, 1, triangle);
  c.model.link_count = 1;
  c.model.links[0] = (WeftLink){0, 1, 2, 10, 4};
  assert_true(case_use(&c, &weft_force_link_spring));
  assert_true(case_energy(&c, x) == 5);
  case_add(&c, x, v, 0, 0, 0);
  const double expected[9] = {12, 0, 0, -12, 0, 0};
  assert_memory_equal(c.f, expected, sizeof expected);
  c.model.links[0].stiffness = 0;
  c.model.link_count = 0;
  assert_false(case_use(&c, &weft_force_link_spring));
  case_free(&c);
}

/* Baraff-Witkin's projection: along the normal the exact clamp, and everything exact for pulled, unsheared
 * threads. */
static void stretch_projection(void **state) {
  (void)state;
  const double uv[] = {0, 0,   1,
                       0, 0.5, 0.8660254037844386}; /* equilateral: corners and (w_u, w_v) turn alike */
  const int32_t triangle[] = {0, 1, 2};
  ForceCase c;
  case_make(&c, 3, uv, 1, triangle);
  assert_true(case_use(&c, &weft_force_stretch_baraff_witkin));
  uint64_t seed = 17;
  for (int trial = 0; trial < 400; trial++) {
    double x[9], along[2][9];
    for (int i = 0; i < 9; i++) x[i] = c.rest[i] + 0.4 * random_number(&seed);
    Vec3 n = v3_cross(v3_sub(load3(x, 1), load3(x, 0)), v3_sub(load3(x, 2), load3(x, 0)));
    n = v3_scale(1 / v3_length(n), n);
    for (int exact = 0; exact < 2; exact++) {
      case_add(&c, x, no_velocity, WANT_MATRIX | (exact ? WANT_EXACT : 0), -1, 0);
      double *m = dense_of_case(&c);
      for (int i = 0; i < 9; i++) {
        Vec3 sum = vec3(0, 0, 0);
        for (int k = 0; k < 3; k++)
          sum = v3_axpy(sum, k == 0 ? n.x : k == 1 ? n.y : n.z, load3(m + (3 * (i / 3) + k) * 9, i % 3));
        along[exact][i] = v3_dot(sum, n);
      }
      free(m);
    }
    double scale = largest(along[1], 9);
    clamp_positive(along[1], 3);
    assert_true(difference(along[0], along[1], 9, scale) < 1e-11);
  }
  double x[9];
  for (int i = 0; i < 3; i++) store3(x, i, vec3(0, 1.3 * uv[2 * i], 1.1 * uv[2 * i + 1]));
  case_add(&c, x, no_velocity, WANT_MATRIX, -1, 0);
  double *projected = dense_of_case(&c);
  case_add(&c, x, no_velocity, WANT_MATRIX | WANT_EXACT, -1, 0);
  double *exact = dense_of_case(&c);
  assert_true(difference(projected, exact, 81, largest(exact, 81)) < 1e-14);
  free(projected);
  free(exact);
  case_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edges_make_a_membrane),
      cmocka_unit_test(warp_and_weft_edges),
      cmocka_unit_test(hinges_match_at_one_curvature),
      cmocka_unit_test(links_are_springs),
      cmocka_unit_test(stretch_projection),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
