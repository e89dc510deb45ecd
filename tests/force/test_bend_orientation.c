/* V01c: a flat sheet rolled on a cylinder, bending energy over B kappa^2 area / 2, for three meshes and
 * several directions of the axis. Also what the hinges report of a cylinder, and which way warp and weft
 * bend. */
#include "force/force_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

typedef enum { ONE_DIAGONAL, ALTERNATING, EQUILATERAL } Mesh;
enum { CELLS = 24, SIDE = CELLS + 1 };

static void make_sheet(ForceCase *c, Mesh mesh) {
  static double uv[2 * SIDE * SIDE];
  static int32_t triangles[6 * CELLS * CELLS];
  double height = mesh == EQUILATERAL ? sqrt(0.75) : 1;
  for (int i = 0; i < SIDE * SIDE; i++) {
    int row = i / SIDE;
    uv[2 * i] = i % SIDE + (mesh == EQUILATERAL && row % 2 ? 0.5 : 0);
    uv[2 * i + 1] = row * height;
  }
  for (int i = 0; i < CELLS * CELLS; i++) {
    int32_t a = i / CELLS * SIDE + i % CELLS, b = a + 1, d = a + SIDE, e = d + 1;
    bool is_rising = mesh == ONE_DIAGONAL || (mesh == ALTERNATING && (i % CELLS + i / CELLS) % 2 == 0) ||
                     (mesh == EQUILATERAL && i / CELLS % 2 == 1);
    int32_t rising[6] = {a, b, e, a, e, d}, falling[6] = {a, b, d, b, e, d};
    memcpy(triangles + 6 * i, is_rising ? rising : falling, sizeof rising);
  }
  case_make(c, SIDE * SIDE, uv, 2 * CELLS * CELLS, triangles);
}

/* Rolled up by kappa about an axis at the angle phi with u. */
static void roll(const ForceCase *c, double phi, double kappa, double *x) {
  for (int i = 0; i < c->model.vertex_count; i++) {
    double p = c->rest[3 * i] * cos(phi) + c->rest[3 * i + 1] * sin(phi);
    double q = -c->rest[3 * i] * sin(phi) + c->rest[3 * i + 1] * cos(phi);
    x[3 * i] = p;
    x[3 * i + 1] = sin(kappa * q) / kappa;
    x[3 * i + 2] = (1 - cos(kappa * q)) / kappa;
  }
}

/* Energy of the hinges of 12 x 12 whole cells in the middle (each owns its lower and left edge and its
 * diagonal) over that of a plate. */
static double relative_stiffness(Mesh mesh, double phi) {
  ForceCase c;
  const double kappa = 0.01, b = 2e-5;
  make_sheet(&c, mesh);
  c.model.cloths[0].material.bend_warp = c.model.cloths[0].material.bend_weft = b;
  assert_true(case_use(&c, &weft_force_bend_dihedral));
  double *x = WEFT_NEW(double, 3 * SIDE * SIDE), *energy = WEFT_NEW(double, c.force->elements.count), sum = 0;
  roll(&c, phi, kappa, x);
  c.ops->energies(c.force, x, energy);
  for (int e = 0; e < c.force->elements.count; e++) {
    int32_t first = c.force->elements.vertices[4 * e], second = c.force->elements.vertices[4 * e + 1];
    int column_1 = first % SIDE, row_1 = first / SIDE, column_2 = second % SIDE, row_2 = second / SIDE;
    /* the cell whose lower left corner is at the smaller column and row; in odd rows of the equilateral mesh,
     * which are shifted, edges upwards to the same column lean left and belong to the cell all the same */
    int column = column_1 < column_2 ? column_1 : column_2, row = row_1 < row_2 ? row_1 : row_2;
    if (column >= 6 && column < 18 && row >= 6 && row < 18) sum += energy[e];
  }
  double area = 144 * (mesh == EQUILATERAL ? sqrt(0.75) : 1);
  free(x);
  free(energy);
  case_free(&c);
  return sum / (0.5 * b * kappa * kappa * area);
}

static void stiffness_by_direction(void **state) {
  (void)state;
  const double degrees[] = {0, 15, 22.5, 30, 45, 90, 135};
  const double one_diagonal[] = {1, 0.75, 0.792893, 0.883975, 1, 1, 3};
  const double alternating[] = {1, 1.125, 1.25, 1.375, 1.5, 1, 1.5};
  for (int i = 0; i < 7; i++) {
    double phi = degrees[i] * pi / 180;
    assert_true(fabs(relative_stiffness(ONE_DIAGONAL, phi) / one_diagonal[i] - 1) < 0.01);
    assert_true(fabs(relative_stiffness(ALTERNATING, phi) / alternating[i] - 1) < 0.01);
    assert_true(fabs(relative_stiffness(EQUILATERAL, phi) - 1) < 0.01);
  }
}

/* Folds along v bend the warp: the sheet is rolled about v, then about u. */
static void warp_and_weft(void **state) {
  (void)state;
  for (int about_v = 0; about_v < 2; about_v++) {
    ForceCase c;
    make_sheet(&c, ONE_DIAGONAL);
    assert_true(case_use(&c, &weft_force_bend_dihedral));
    double *x = WEFT_NEW(double, 3 * SIDE * SIDE), *values = WEFT_NEW(double, 2 * c.force->elements.count);
    roll(&c, about_v ? pi / 2 : 0, 0.01, x);
    c.ops->moments(c.force, x, values);
    int seen = 0;
    for (int e = 0; e < c.force->elements.count; e++) {
      double angle = c.model.edge_angle[c.model.hinge_edge[c.force->source[e]]];
      if (fabs(angle - (about_v ? pi / 2 : 0)) > 1e-12) continue; /* not parallel to the axis */
      const WeftMaterial *material = &c.model.cloths[0].material;
      double b = about_v ? material->bend_warp : material->bend_weft;
      assert_true(fabs(fabs(values[2 * e]) - 0.01) < 1e-5);
      assert_true(fabs(values[2 * e + 1] - b * values[2 * e]) < 1e-15);
      /* rolled towards +z, where the first triangle's normal points to: positive */
      assert_true(values[2 * e] > 0);
      seen++;
    }
    assert_int_equal(seen, CELLS * (CELLS - 1));
    free(x);
    free(values);
    case_free(&c);
  }
}

/* A pleat of 3 rad pressed past half a turn, to -3.1 rad, is 2 pi - 6.1 from rest and not 6.1; its force
 * turns it back. */
static void past_half_a_turn(void **state) {
  (void)state;
  const double uv[] = {0, 0, 1, 0, 0.3, 0.8, 0.6, -0.7};
  const int32_t triangles[] = {0, 1, 2, 1, 0, 3};
  const WeftForceOps *methods[] = {&weft_force_bend_dihedral, &weft_force_bend_measured};
  for (int method = 0; method < 2; method++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      ForceCase c;
      case_make(&c, 4, uv, 2, triangles);
      c.model.hinge_rest_angle[0] = sign * 3.0;
      assert_true(case_use(&c, methods[method]));
      double angle = sign * -3.1, values[2], v[12] = {0};
      double x[] = {0, 0, 0, 1, 0, 0, 0.3, 0.8, 0, 0.6, -0.7 * cos(angle), 0.7 * sin(angle)};
      c.ops->moments(c.force, x, values);
      double k_per_angle = 1 / c.model.hinge_rest_area[0];
      assert_true(fabs(values[0] - sign * (2 * pi - 6.1) * k_per_angle) < 1e-13);
      case_add(&c, x, v, 0, 0, 0);
      /* d moves the short way, through half a turn: for a positive rest the angle falls */
      Vec3 opening = vec3(0, 0.7 * sin(angle), 0.7 * cos(angle));
      assert_true(sign * v3_dot(load3(c.f, 3), opening) < 0);
      case_free(&c);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stiffness_by_direction),
                                     cmocka_unit_test(warp_and_weft), cmocka_unit_test(past_half_a_turn)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
