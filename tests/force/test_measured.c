/* The measured methods against the definition of their tables (V09), written a second time here. */
#include "force/dense.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double no_velocity[48];
static const double pi = 3.14159265358979323846;

/* Invented numbers of the size of fabrics'; one entry is negative, as in published tables. */
static void fill_tables(WeftMaterial *material) {
  for (int row = 0; row < 6; row++) {
    for (int i = 0; i < 4; i++) material->measured_stretch[row][i] = 40 + 30 * row - 17 * i + 9 * row * i;
  }
  material->measured_stretch[3][1] = -120;
  for (int i = 0; i < 15; i++)
    material->measured_bend[i / 5][i % 5] = 1e-5 * (7 + 3 * (i / 5) - i % 5 + (i * i) % 4);
}

/* One sample of the grid. */
static void sample(const WeftMaterial *material, int i, int j, int l, double *k) {
  double c11 = 2 * (-0.25 + i / 30.0) + 1, c22 = 2 * (-0.25 + j / 30.0) + 1, c12 = 2 * (l / 30.0);
  double stretch = sqrt((c11 + c22) / 2 + hypot((c11 - c22) / 2, c12));
  double angle = fabs(0.5 * atan2(2 * c12, c11 - c22)) / (pi / 8);
  double strain = fmin(fmax((stretch - 1) * 6, 0), 1);
  int row = (int)fmin(floor(angle), 3);
  for (int m = 0; m < 4; m++) {
    double unstrained = material->measured_stretch[0][m];
    double low = material->measured_stretch[row + 1][m], high = material->measured_stretch[row + 2][m];
    double strained = low + (angle - row) * (high - low);
    k[m] = 2 * fmax(unstrained + strain * (strained - unstrained), 0);
  }
}

static void moduli(const WeftMaterial *material, const double *g, double *k) {
  double at[3] = {(g[0] + 0.25) * 30, (g[1] + 0.25) * 30, fabs(g[2]) * 30};
  int cell[3];
  memset(k, 0, 4 * sizeof *k);
  for (int i = 0; i < 3; i++) {
    at[i] = fmin(fmax(at[i], 0), 29);
    cell[i] = (int)fmin(floor(at[i]), 28);
    at[i] -= cell[i];
  }
  for (int corner = 0; corner < 8; corner++) {
    double weight = 1, value[4];
    for (int i = 0; i < 3; i++) weight *= corner >> i & 1 ? at[i] : 1 - at[i];
    sample(material, cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2 & 1), value);
    for (int m = 0; m < 4; m++) k[m] += weight * value[m];
  }
}

/* A right-angled triangle with legs of 1 m along u and v: positions are w_u and w_v, forces are -A (P_u,
 * P_v). */
static void stress_is_that_of_the_table(void **state) {
  (void)state;
  const double uv[] = {0, 0, 1, 0, 0, 1};
  const int32_t triangle[] = {0, 1, 2};
  ForceCase c;
  case_make(&c, 3, uv, 1, triangle);
  fill_tables(&c.model.cloths[0].material);
  assert_true(case_use(&c, &weft_force_stretch_measured));
  uint64_t seed = 31;
  int outside = 0;
  for (int trial = 0; trial < 3000; trial++) {
    double x[9] = {0};
    double reach = trial % 3 == 0 ? 0.02 : trial % 3 == 1 ? 0.3 : 1.2;
    for (int i = 3; i < 9; i++) x[i] = reach * random_number(&seed) + (i == 3 || i == 7);
    Vec3 wu = load3(x, 1), wv = load3(x, 2);
    double g[3] = {0.5 * (v3_dot(wu, wu) - 1), 0.5 * (v3_dot(wv, wv) - 1), 0.5 * v3_dot(wu, wv)}, k[4];
    outside += g[0] > 0.72 || g[1] > 0.72 || g[0] < -0.25;
    moduli(&c.model.cloths[0].material, g, k);
    double s11 = k[0] * g[0] + k[1] * g[1], s22 = k[2] * g[1] + k[1] * g[0], s12 = k[3] * g[2];
    Vec3 f1 = v3_scale(-0.5, v3_add(v3_scale(s11, wu), v3_scale(s12, wv)));
    Vec3 f2 = v3_scale(-0.5, v3_add(v3_scale(s22, wv), v3_scale(s12, wu)));
    case_add(&c, x, no_velocity, 0, 0, 0);
    double scale = 1e-12 * (1 + v3_length(f1) + v3_length(f2));
    assert_true(v3_length(v3_sub(load3(c.f, 1), f1)) < scale);
    assert_true(v3_length(v3_sub(load3(c.f, 2), f2)) < scale);
    double energy = 0.25 * (s11 * g[0] + s22 * g[1] + 2 * s12 * g[2]);
    assert_true(fabs(case_energy(&c, x) - energy) <= 1e-12 * (1 + fabs(energy)));
  }
  assert_true(outside > 100);
  case_free(&c);
}

/* With moduli that do vary the projected matrix stays positive and symmetric; the exact one is that of frozen
 * moduli. */
static void varying_moduli_keep_the_matrix_positive(void **state) {
  (void)state;
  const double uv[] = {0, 0, 1, 0.1, 0.2, 0.9};
  const int32_t triangle[] = {0, 1, 2};
  ForceCase c;
  case_make(&c, 3, uv, 1, triangle);
  fill_tables(&c.model.cloths[0].material);
  assert_true(case_use(&c, &weft_force_stretch_measured));
  uint64_t seed = 8;
  for (int trial = 0; trial < 300; trial++) {
    double x[9];
    for (int i = 0; i < 9; i++) x[i] = c.rest[i] + 0.6 * random_number(&seed);
    for (int part = 0; part < 2; part++) {
      case_add(&c, x, no_velocity, WANT_MATRIX, part ? 0 : -1, part ? -1 : 0);
      double *m = dense_of_case(&c);
      assert_true(lowest_eigenvalue(m, 9) >= -1e-12 * largest(m, 81));
      free(m);
    }
  }
  case_free(&c);
}

/* Two cloths of the same fabric share a table, a third has its own; a cloth of another method has none. */
static void tables_go_with_cloths(void **state) {
  (void)state;
  const double uv[] = {0, 0, 1, 0, 0, 1};
  const int32_t triangles[] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
  ForceCase c;
  case_make(&c, 3, uv, 1, triangles);
  WeftModelCloth cloths[4];
  double x[9] = {0, 0, 0, 1.1, 0, 0, 0.1, 1.05, 0.2}, by_cloth[4][9];
  for (int i = 0; i < 4; i++) {
    cloths[i] = c.model.cloths[0];
    strcpy(cloths[i].stretch, i == 0 ? "springs" : "measured");
    if (i != 2) fill_tables(&cloths[i].material);
    if (i == 2) cloths[i].material.measured_stretch[0][0] += 1;
    if (i == 0) continue;
    c.model.cloths[0] = cloths[i];
    assert_true(case_use(&c, &weft_force_stretch_measured));
    case_add(&c, x, no_velocity, 0, 0, 0);
    memcpy(by_cloth[i], c.f, sizeof by_cloth[i]);
  }
  int32_t owner[4] = {0, 1, 2, 3};
  double area[4] = {0.5, 0.5, 0.5, 0.5}, rest[24];
  for (int i = 0; i < 24; i++) rest[i] = uv[i % 6];
  WeftModel all = {.cloth_count = 4, .cloths = cloths, .vertex_count = 3, .triangle_count = 4};
  all.triangles = (int32_t *)triangles;
  all.triangle_cloth = owner;
  all.rest_uv = rest;
  all.rest_area = area;
  WeftForce *force;
  assert_int_equal(weft_force_stretch_measured.create(&all, &force, NULL), WEFT_RESULT_OK);
  assert_int_equal(force->elements.count, 3);
  double f[9] = {0};
  WeftForceRequest request = {.x = x, .v = no_velocity, .f = f};
  weft_force_stretch_measured.add(force, &request);
  for (int i = 0; i < 9; i++) {
    assert_true(fabs(f[i] - by_cloth[1][i] - by_cloth[2][i] - by_cloth[3][i]) < 1e-13 * (1 + fabs(f[i])));
  }
  assert_memory_equal(by_cloth[1], by_cloth[3], sizeof by_cloth[1]);
  weft_force_stretch_measured.destroy(force);
  case_free(&c);
}

/* k_e of a fold by direction and curvature, and the force of a hinge with B = k_e/4. */
static void bending_is_that_of_the_table(void **state) {
  (void)state;
  const int32_t triangles[] = {0, 1, 2, 1, 0, 3};
  for (int direction = 0; direction < 16; direction++) {
    double turn = direction * pi / 16 + 0.01, cosine = cos(turn), sine = sin(turn);
    const double flat[] = {0, 0, 0.05, 0, 0.02, 0.03, 0.03, -0.04};
    double uv[8], apart = fabs(turn) / (pi / 4); /* in units of 45 degrees, mirrored beyond 90 */
    if (apart > 2) apart = 4 - apart;
    for (int i = 0; i < 4; i++) {
      uv[2 * i] = cosine * flat[2 * i] - sine * flat[2 * i + 1];
      uv[2 * i + 1] = sine * flat[2 * i] + cosine * flat[2 * i + 1];
    }
    for (int bend = -6; bend <= 6; bend++) {
      ForceCase c;
      case_make(&c, 4, uv, 2, triangles);
      WeftMaterial *material = &c.model.cloths[0].material;
      fill_tables(material);
      assert_true(case_use(&c, &weft_force_bend_measured));
      double angle = 0.29 * bend, values[2], measured[12];
      double x[12] = {0, 0, 0, 0.05, 0, 0, 0.02, 0.03, 0, 0.03, -0.04 * cos(angle), 0.04 * sin(angle)};
      double curvature = angle * 0.05 / (0.5 * 0.05 * 0.07), at = fmin(fabs(curvature) / 10, 4);
      int row = apart >= 1, column = (int)fmin(at, 3);
      double low = material->measured_bend[row][column] * (1 + column - at) +
                   material->measured_bend[row][column + 1] * (at - column);
      double high = material->measured_bend[row + 1][column] * (1 + column - at) +
                    material->measured_bend[row + 1][column + 1] * (at - column);
      double k_e = low + (apart - row) * (high - low);
      c.ops->moments(c.force, x, values);
      assert_true(fabs(values[0] - curvature) < 1e-12 * (1 + fabs(curvature)));
      assert_true(fabs(values[1] - k_e * curvature / 4) < 1e-11 * fabs(values[1]) + 1e-20);
      case_add(&c, x, no_velocity, 0, 0, 0);
      memcpy(measured, c.f, sizeof measured);
      material->bend_warp = material->bend_weft = k_e / 4;
      assert_true(case_use(&c, &weft_force_bend_dihedral));
      case_add(&c, x, no_velocity, 0, 0, 0);
      assert_true(difference(measured, c.f, 12, largest(c.f, 12) + 1e-12) < 1e-11);
      case_free(&c);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stress_is_that_of_the_table),
      cmocka_unit_test(varying_moduli_keep_the_matrix_positive),
      cmocka_unit_test(tables_go_with_cloths),
      cmocka_unit_test(bending_is_that_of_the_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
