/* V02: cloth at rest under its own weight.
 *
 * V02a, the catenary: a strip of length 1 m without bending stiffness hangs by both ends at one height, a
 * span d apart. With weight w per length, linear stiffness k and horizontal tension H
 *
 *     d   = 2 (H/w asinh(w L / 2 H) + H L / 2 k)
 *     sag = H/w (sqrt(1 + (w L / 2 H)^2) - 1) + w L^2 / 8 k
 *
 * and each end carries half the weight.
 *
 * V02b, the hanging sheet: the tension at height s above the lower edge is w s. A linear law lengthens a
 * sheet of length L by w L^2 / 2 k; the law of Green's strain, w s = k l (l^2 - 1)/2 for the stretch l, by
 * the integral of l - 1. */
#include "cases.h"

static const double GRAVITY = 9.81;

typedef struct Catenary {
  double span, density, stiffness; /* length 1 m */
  double horizontal, sag;          /* what comes of it: H [N/m], sag [m] */
} Catenary;

static void solve_catenary(Catenary *c) {
  double w = c->density * GRAVITY, low = 1e-6, high = 50;
  for (int i = 0; i < 200; i++) {
    c->horizontal = (low + high) / 2;
    double span =
        2 * (c->horizontal / w * asinh(w / (2 * c->horizontal)) + c->horizontal / (2 * c->stiffness));
    *(span < c->span ? &low : &high) = c->horizontal;
  }
  double slope = w / (2 * c->horizontal);
  c->sag = c->horizontal / w * (sqrt(1 + slope * slope) - 1) + w / (8 * c->stiffness);
}

/* A parabola between the ends. */
static void hang_parabola(double *p, const void *user) {
  const Catenary *c = user;
  double s = p[0];
  p[0] = c->span * s;
  p[2] = -4 * c->sag * s * (1 - s);
}

/* Sum over a column of the forces that hold it. */
static void end_force(Sheet *sheet, int column, double force[3]) {
  WeftError error;
  check_ok(weft_world_reactions(sheet->world, 0, sheet->v, &error), error);
  for (int k = 0; k < 3; k++) {
    force[k] = 0;
    for (int j = 0; j <= sheet->rows; j++) force[k] += sheet->v[3 * sheet_vertex(sheet, column, j) + k];
  }
}

static void check_catenary(double span, double stiffness, double tabulated_sag) {
  enum { N = 40, ROWS = 4 };
  const double width = 0.1;
  Catenary c = {.span = span, .density = 0.2, .stiffness = stiffness};
  solve_catenary(&c);
  check_near(c.sag, tabulated_sag, 1e-6);
  WeftMaterial material = bare_material(c.density, stiffness, stiffness / 10, 0);
  WeftWorldDef def = rest_world_def(3);
  Sheet sheet =
      sheet_create(&def, 1, width, N, ROWS, &material, "baraff_witkin", "dihedral", hang_parabola, &c);
  sheet_pin_column(&sheet, 0, WEFT_AXIS_ALL);
  sheet_pin_column(&sheet, N, WEFT_AXIS_ALL);
  sheet_settle(&sheet, 1e-7, 2000);
  sheet_read(&sheet);
  double half_weight = 0.5 * c.density * GRAVITY * width, left[3], right[3];
  end_force(&sheet, 0, left);
  end_force(&sheet, N, right);
  double sag = -sheet.x[3 * sheet_vertex(&sheet, N / 2, ROWS / 2) + 2];
  print_message(
      "span %g, k %g: sag %.6f, expected %.6f; ends carry %.6f %.6f of %.6f N, pull %.6f of %.6f N\n", span,
      stiffness, sag, c.sag, left[2], right[2], half_weight, right[0], c.horizontal * width);
  check_relative(sag, c.sag, 0.005);
  check_relative(left[2], half_weight, 0.001);
  check_relative(right[2], half_weight, 0.001);
  check_relative(right[0], c.horizontal * width, 0.005);
  check_relative(left[0], -c.horizontal * width, 0.005);
  sheet_destroy(&sheet);
}

static void strip_hangs_as_catenary(void **state) {
  (void)state;
  const double table[3][3] = {/* span, sag for k = 1000 and 100 */
                              {0.5, 0.398512, 0.401366},
                              {0.8, 0.266093, 0.271859},
                              {0.9, 0.191959, 0.202422}};
  for (int i = 0; i < 3; i++) {
    check_catenary(table[i][0], 1000, table[i][1]);
    check_catenary(table[i][0], 100, table[i][2]);
  }
}

/* rho [kg/m^2], k [N/m], elongation by the linear law and by Green's [m] */
static const double HANGING[4][4] = {{0.2, 1000, 9.8100e-4, 9.7908e-4},
                                     {0.2, 100, 9.8100e-3, 9.6247e-3},
                                     {0.2, 20, 4.9050e-2, 4.4994e-2},
                                     {0.324, 500, 3.1784e-3, 3.1585e-3}};

/* Integral of l - 1 for w s = k l (l^2 - 1)/2 over a sheet of 1 m: with s as a function of l it is an
 * integral by parts, [s (l - 1)] - integral of s dl, from l = 1 to the stretch at the top. */
static double green_elongation(double density, double stiffness) {
  double w = density * GRAVITY, low = 1, high = 10, top = 1;
  for (int i = 0; i < 100; i++) {
    top = (low + high) / 2;
    *(stiffness * top * (top * top - 1) / 2 < w ? &low : &high) = top;
  }
  double square = top * top;
  return (top - 1) - stiffness / (2 * w) * (square * square / 4 - square / 2 + 0.25);
}

static void hang_by_top(double *p, const void *user) {
  (void)user;
  p[2] = p[1] - 1;
  p[1] = 0;
}

static void hang_by_left(double *p, const void *user) {
  (void)user;
  p[2] = -p[0];
  p[0] = 0;
}

/* Lengthening of a sheet of 1 m by 0.4 m held by the upper end of its warp or weft. */
static double elongation(const WeftMaterial *material, const char *stretch, bool is_warp, int n) {
  WeftWorldDef def = rest_world_def(1);
  def.solver_tolerance = 1e-10;
  int across = n * 2 / 5, columns = is_warp ? n : across, rows = is_warp ? across : n;
  Sheet sheet = sheet_create(&def, is_warp ? 1 : 0.4, is_warp ? 0.4 : 1, columns, rows, material, stretch,
                             "dihedral", is_warp ? hang_by_left : hang_by_top, NULL);
  WeftError error;
  for (int i = 0; i <= across; i++) {
    int vertex = is_warp ? sheet_vertex(&sheet, 0, i) : sheet_vertex(&sheet, i, n);
    check_ok(weft_world_pin(sheet.world, 0, vertex, WEFT_AXIS_ALL, &error), error);
  }
  sheet_settle(&sheet, 1e-9, 200);
  sheet_read(&sheet);
  double mean = 0;
  for (int i = 0; i <= across; i++) {
    int vertex = is_warp ? sheet_vertex(&sheet, n, i) : sheet_vertex(&sheet, i, 0);
    mean += (-sheet.x[3 * vertex + 2] - 1) / (across + 1);
  }
  sheet_destroy(&sheet);
  return mean;
}

static void check_elongation(const WeftMaterial *material, const char *stretch, bool is_warp, double expected,
                             double tolerance) {
  double coarse = elongation(material, stretch, is_warp, 10),
         fine = elongation(material, stretch, is_warp, 20);
  print_message("%s, %s: %.6e (n = 10) %.6e (n = 20) m, expected %.6e\n", stretch, is_warp ? "warp" : "weft",
                coarse, fine, expected);
  check_relative(coarse, expected, tolerance);
  check_relative(fine, expected, tolerance);
  check_relative(fine, coarse, 0.005);
}

static void hanging_sheet_follows_linear_law(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    double density = HANGING[i][0], k = HANGING[i][1], expected = density * GRAVITY / (2 * k);
    check_relative(expected, HANGING[i][2], 1e-4);
    for (int is_warp = 0; is_warp < 2; is_warp++) {
      WeftMaterial material = bare_material(density, k, k / 3, 1e-5);
      *(is_warp ? &material.stretch_weft : &material.stretch_warp) = 3 * k;
      check_elongation(&material, "baraff_witkin", is_warp, expected, 0.002);
    }
  }
}

/* A constant table makes the measured method Green's law. It reads its table doubled, as the fabrics are
 * published. */
static void hanging_sheet_follows_green_law(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    double density = HANGING[i][0], k = HANGING[i][1], expected = green_elongation(density, k);
    check_relative(expected, HANGING[i][3], 1e-4);
    for (int is_warp = 0; is_warp < 2; is_warp++) {
      WeftMaterial material = bare_material(density, k, k / 3, 1e-5);
      material.has_measured_stretch = true;
      for (int row = 0; row < 6; row++) {
        double *c = material.measured_stretch[row];
        c[0] = is_warp ? k / 2 : 3 * k / 2;
        c[1] = 0;
        c[2] = is_warp ? 3 * k / 2 : k / 2;
        c[3] = k / 2;
      }
      check_elongation(&material, "measured", is_warp, expected, 0.005);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(strip_hangs_as_catenary),
                                     cmocka_unit_test(hanging_sheet_follows_linear_law),
                                     cmocka_unit_test(hanging_sheet_follows_green_law)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
