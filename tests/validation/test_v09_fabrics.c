/* V09: measured fabrics. Two invented fabrics, one stiff with weak coupling of warp and weft, one that
 * stretches and narrows, are written as ArcSim's material files, read back, and pulled along the warp and
 * along the weft with T newtons per metre of width, free to contract. What has to come out is the solution of
 * two scalar equations in Green's strain along (a) and across (t) the pull,
 *
 *     0 = k_tt G_t + k_12 G_a,      T = sqrt(1 + 2 G_a) (k_aa G_a + k_12 G_t)
 *
 * whose moduli k(G) this file reads from the tables by itself: rows mixed by the largest stretch and its
 * direction, doubled, at the corners of a grid of 1/30, trilinear between them.
 *
 * The last test bends a strip with a constant k_e under its own weight: at twice the bending length
 * (B / rho g)^(1/3), B = k_e / 4, the chord of the elastica slopes by 41.5 degrees, as the stiffness tester
 * of the textile laboratory has it. */
#include "strip.h"

typedef struct Fabric {
  const char *name;
  double density;          /* [kg/m^2] */
  double stretching[6][4]; /* c11 c12 c22 c33 [N/m] */
  double bending[3][5];    /* k_e [N m] */
} Fabric;

static const Fabric FABRICS[2] = {
    {"stiff",
     0.31,
     {{230, 6, 640, 35},
      {190, 9, 600, 30},
      {170, 14, 560, 28},
      {150, 20, 520, 26},
      {180, 16, 480, 29},
      {210, 11, 420, 33}},
     {{9.0e-5, 7.0e-5, 6.0e-5, 5.5e-5, 5.0e-5},
      {7.5e-5, 6.0e-5, 5e-5, 4.6e-5, 4.3e-5},
      {8.0e-5, 6.4e-5, 5.3e-5, 5e-5, 4.8e-5}}},
    {"stretchy",
     0.19,
     {{34, 11, 62, 12},
      {27, 7, 55, 10},
      {30, 9, 58, 11},
      {36, 12, 66, 13},
      {41, 14, 78, 14},
      {45, 15, 95, 15}},
     {{2.4e-5, 2.0e-5, 1.7e-5, 1.5e-5, 1.4e-5},
      {2.0e-5, 1.7e-5, 1.5e-5, 1.3e-5, 1.2e-5},
      {2.2e-5, 1.8e-5, 1.6e-5, 1.4e-5, 1.3e-5}}},
};

static void write_rows(FILE *file, const char *key, const double *values, int rows, int columns) {
  fprintf(file, ",\n  \"%s\": [", key);
  for (int i = 0; i < rows * columns; i++) {
    const char *before = i % columns ? ", " : i ? "],\n    [" : "[";
    fprintf(file, "%s%.17g", before, values[i]);
  }
  fprintf(file, "]]");
}

/* The fabric as ArcSim writes it, through a file and the library's reader. */
static WeftMaterial fabric_material(const Fabric *fabric) {
  char path[] = "/tmp/weft_v09_XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *file = fdopen(descriptor, "w");
  assert_non_null(file);
  fprintf(file, "{\n  // an invented fabric\n  \"density\": %.17g", fabric->density);
  write_rows(file, "stretching", fabric->stretching[0], 6, 4);
  write_rows(file, "bending", fabric->bending[0], 3, 5);
  fprintf(file, ",\n  \"damping\": 0\n}\n");
  assert_int_equal(fclose(file), 0);
  WeftError error;
  WeftMaterial material;
  WeftResult result = weft_material_read(path, &material, &error);
  remove(path);
  check_ok(result, error);
  assert_true(material.has_measured_stretch && material.has_measured_bend);
  assert_memory_equal(material.measured_stretch, fabric->stretching, sizeof fabric->stretching);
  assert_memory_equal(material.measured_bend, fabric->bending, sizeof fabric->bending);
  return material;
}

/* The modulus c11 (0), c12 (1), c22 (2) or c33 (3) at a corner of the grid, doubled. */
static double corner_modulus(const Fabric *fabric, int which, double g11, double g22, double g12) {
  double mean = (g11 + g22) / 2, radius = hypot((g11 - g22) / 2, g12);
  double stretch = sqrt(fmax(0, 1 + 2 * (mean + radius))); /* the largest principal one */
  double degrees =
      fabs(atan2(g12, (g11 - g22) / 2)) * 90 / 3.14159265358979324; /* of its direction from the warp */
  double strained = fmin(1, fmax(0, 6 * (stretch - 1)));
  int row = (int)fmin(3, degrees / 22.5);
  double between = degrees / 22.5 - row;
  const double(*c)[4] = fabric->stretching;
  double far = c[1 + row][which] + between * (c[2 + row][which] - c[1 + row][which]);
  return 2 * fmax(0, c[0][which] + strained * (far - c[0][which]));
}

static double modulus(const Fabric *fabric, int which, double g11, double g22) {
  double at[3] = {(g11 + 0.25) * 30, (g22 + 0.25) * 30, 0}, sum = 0;
  int cell[3];
  for (int k = 0; k < 3; k++) {
    at[k] = fmin(29, fmax(0, at[k]));
    cell[k] = (int)fmin(28, at[k]);
  }
  for (int corner = 0; corner < 8; corner++) {
    double weight = 1, g[3];
    for (int k = 0; k < 3; k++) {
      int up = (corner >> k) & 1;
      weight *= up ? at[k] - cell[k] : 1 - (at[k] - cell[k]);
      g[k] = (cell[k] + up) / 30.0 - (k < 2 ? 0.25 : 0);
    }
    sum += weight * corner_modulus(fabric, which, g[0], g[1], g[2]);
  }
  return sum;
}

typedef struct Strains {
  double along, across; /* Green's, or those of engineers */
} Strains;

/* The stress across the pull, and along it. */
static void stresses(const Fabric *fabric, bool is_warp, Strains g, double *along, double *across) {
  double g11 = is_warp ? g.along : g.across, g22 = is_warp ? g.across : g.along;
  double coupling = modulus(fabric, 1, g11, g22);
  *along = modulus(fabric, is_warp ? 0 : 2, g11, g22) * g.along + coupling * g.across;
  *across = modulus(fabric, is_warp ? 2 : 0, g11, g22) * g.across + coupling * g.along;
}

/* Nested bisection: the strain across for each strain along, the strain along for T. */
static Strains expected_strains(const Fabric *fabric, bool is_warp, double pull) {
  Strains g = {0, 0};
  double low = 0, high = 0.7, along, across;
  for (int i = 0; i < 60; i++) {
    g.along = (low + high) / 2;
    double least = -0.49, most = 0.2;
    for (int k = 0; k < 60; k++) {
      g.across = (least + most) / 2;
      stresses(fabric, is_warp, g, &along, &across);
      *(across < 0 ? &least : &most) = g.across;
    }
    *(sqrt(1 + 2 * g.along) * along < pull ? &low : &high) = g.along;
  }
  return (Strains){sqrt(1 + 2 * g.along) - 1, sqrt(1 + 2 * g.across) - 1};
}

/* A strip of 0.2 m by 0.1 m on rollers at one end, pulled at the other. */
static Strains pulled_strains(const Fabric *fabric, bool is_warp, double pull) {
  enum { ALONG = 10, ACROSS = 5 };
  const double length = 0.2, width = 0.1;
  WeftMaterial material = fabric_material(fabric);
  WeftWorldDef def = rest_world_def(1);
  clear_gravity(&def);
  def.solver_tolerance = 1e-10;
  Sheet sheet =
      sheet_create(&def, is_warp ? length : width, is_warp ? width : length, is_warp ? ALONG : ACROSS,
                   is_warp ? ACROSS : ALONG, &material, "measured", "measured", NULL, NULL);
  WeftError error;
  int axis = is_warp ? 0 : 1, first = 0, last = 0;
  for (int i = 0; i <= ACROSS; i++) {
    first = is_warp ? sheet_vertex(&sheet, 0, i) : sheet_vertex(&sheet, i, 0);
    last = is_warp ? sheet_vertex(&sheet, ALONG, i) : sheet_vertex(&sheet, i, ALONG);
    int rollers = (is_warp ? WEFT_AXIS_X : WEFT_AXIS_Y) | WEFT_AXIS_Z; /* the first of them rolls nowhere */
    check_ok(weft_world_pin(sheet.world, 0, first, i == 0 ? WEFT_AXIS_ALL : rollers, &error), error);
    check_ok(weft_world_pin(sheet.world, 0, last, WEFT_AXIS_Z, &error), error);
    double force[3] = {0};
    force[axis] = pull * width / ACROSS * (i == 0 || i == ACROSS ? 0.5 : 1);
    check_ok(weft_world_set_force(sheet.world, 0, last, force, &error), error);
  }
  sheet_settle(&sheet, 1e-10, 2000);
  sheet_read(&sheet);
  Strains strains = {sheet.x[3 * last + axis] / length - 1, sheet.x[3 * last + 1 - axis] / width - 1};
  sheet_destroy(&sheet);
  return strains;
}

static void fabrics_stretch_as_measured(void **state) {
  (void)state;
  const double pulls[3] = {5, 10, 20};
  for (int i = 0; i < 12; i++) {
    const Fabric *fabric = &FABRICS[i / 6];
    bool is_warp = i / 3 % 2 == 0;
    double pull = pulls[i % 3];
    Strains expected = expected_strains(fabric, is_warp, pull), got = pulled_strains(fabric, is_warp, pull);
    print_message("%s, %s, T = %g: %.4f %% (%.4f), across %.4f %% (%.4f)\n", fabric->name,
                  is_warp ? "warp" : "weft", pull, 100 * got.along, 100 * expected.along, 100 * got.across,
                  100 * expected.across);
    check_relative(got.along, expected.along, 0.01);
    check_relative(got.across, expected.across, 0.01);
  }
}

static void constant_stiffness_gives_the_bending_length(void **state) {
  (void)state;
  double slope = tan(41.5 * 3.14159265358979324 / 180);
  for (int i = 0; i < 2; i++) {
    double stiffness = FABRICS[i].bending[0][0], density = FABRICS[i].density;
    Fabric fabric = FABRICS[i];
    for (int k = 0; k < 15; k++) fabric.bending[k / 5][k % 5] = stiffness;
    WeftMaterial material = fabric_material(&fabric);
    material.stretch_warp = material.stretch_weft = 1e4; /* as good as inextensible */
    double length = 2 * cbrt(stiffness / 4 / (density * 9.81));
    double ratio = isotropic_strip_ratio(&material, "measured", length, 20, 0.5);
    print_message("%s: overhang %.5f m, H/W %.4f (%.4f), chord %.3f degrees\n", fabric.name, length, ratio,
                  slope, atan(ratio) * 180 / 3.14159265358979324);
    check_relative(ratio, slope, 0.02);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fabrics_stretch_as_measured),
                                     cmocka_unit_test(constant_stiffness_gives_the_bending_length)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
