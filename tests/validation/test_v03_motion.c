/* V03a and V03b: what a free sheet must do whatever it is made of.
 *
 * Falling from x0 with v0, after n steps of h the integrators have their own closed forms:
 *     backward Euler    x0 + v0 n h - g h^2 n (n + 1)/2
 *     explicit Euler    x0 + v0 n h - g h^2 n (n - 1)/2
 *     rk2, rk4          x0 + v0 n h - g (n h)^2 / 2
 * Without outer forces the sum of m v stays as it is. */
#include "cases.h"

static const double GRAVITY = 9.81;
static const double START[3] = {0.7, -0.4, 2.0}; /* velocity [m/s] */

/* Turned about x and y, so that no axis is special. */
static void tilt(double *p, const void *user) {
  (void)user;
  double x = p[0], y = p[1];
  p[0] = 0.8 * x;
  p[1] = 0.6 * y - 0.48 * x;
  p[2] = 0.8 * y + 0.36 * x;
}

/* Largest |length / rest - 1| over the edges of all triangles; rest: start positions. */
static double largest_strain(const Sheet *sheet, const double *rest) {
  WeftError error;
  int32_t *triangles = calloc((size_t)sheet->triangle_count, 3 * sizeof *triangles);
  assert_non_null(triangles);
  check_ok(weft_world_triangles(sheet->world, 0, triangles, &error), error);
  double largest = 0;
  for (int t = 0; t < sheet->triangle_count; t++) {
    for (int i = 0; i < 3; i++) {
      int a = triangles[3 * t + i], b = triangles[3 * t + (i + 1) % 3];
      double now = 0, before = 0;
      for (int k = 0; k < 3; k++) {
        now += pow(sheet->x[3 * b + k] - sheet->x[3 * a + k], 2);
        before += pow(rest[3 * b + k] - rest[3 * a + k], 2);
      }
      largest = fmax(largest, fabs(sqrt(now / before) - 1));
    }
  }
  free(triangles);
  return largest;
}

/* One second of fall; the n (n + more)/2 of the closed form. */
static void check_fall(const char *integrator, int n, int more, const WeftMaterial *material,
                       int newton_iterations) {
  double h = 1.0 / n;
  WeftWorldDef def = motion_world_def(h);
  def.integrator = integrator;
  def.solver_tolerance = 1e-13;
  def.newton_iterations = newton_iterations;
  Sheet sheet = sheet_create(&def, 1, 0.6, 10, 6, material, "baraff_witkin", "dihedral", tilt, NULL);
  size_t bytes = 3 * (size_t)sheet.vertex_count * sizeof(double);
  double *start = malloc(bytes);
  assert_non_null(start);
  sheet_read(&sheet);
  memcpy(start, sheet.x, bytes);
  for (int i = 0; i < 3 * sheet.vertex_count; i++) sheet.v[i] = START[i % 3];
  WeftError error;
  check_ok(weft_world_set_state(sheet.world, 0, NULL, sheet.v, &error), error);
  sheet_step(&sheet, n);
  sheet_read(&sheet);
  double fall = GRAVITY * h * h * n * (n + more) / 2, worst = 0;
  for (int i = 0; i < 3 * sheet.vertex_count; i++) {
    double moved = START[i % 3] - (i % 3 == 2 ? fall : 0);
    worst = fmax(worst, fabs(sheet.x[i] - start[i] - moved));
    check_near(sheet.v[i], START[i % 3] - (i % 3 == 2 ? GRAVITY : 0), 1e-10 * GRAVITY);
  }
  double strain = largest_strain(&sheet, start);
  print_message("%s, h = 1/%d: fall %.9f m, error %.1e m, largest strain %.1e\n", integrator, n, fall, worst,
                strain);
  check_near(worst, 0, 1e-10 * fall);
  check_near(strain, 0, 1e-12);
  free(start);
  sheet_destroy(&sheet);
}

static void sheet_falls_as_backward_euler(void **state) {
  (void)state;
  const struct {
    int steps;
    double fall;
  } table[4] = {{60, 4.986750}, {100, 4.954050}, {200, 4.929525}, {1000, 4.909905}};
  WeftMaterial material = weft_default_material();
  for (int i = 0; i < 4; i++) {
    int n = table[i].steps;
    check_near(GRAVITY * (n + 1) / (2.0 * n), table[i].fall, 1e-9);
    check_fall("backward_euler", n, 1, &material, 1);
    check_fall("backward_euler", n, 1, &material, 5);
  }
}

/* Soft, because rounding errors grow where the step does not resolve the stiffest mode. */
static void sheet_falls_as_explicit_methods(void **state) {
  (void)state;
  WeftMaterial material = bare_material(0.2, 0.01, 0.002, 1e-8);
  const int steps[4] = {60, 100, 200, 1000};
  for (int i = 0; i < 4; i++) {
    check_fall("explicit_euler", steps[i], -1, &material, 1);
    check_fall("rk2", steps[i], 0, &material, 1);
    check_fall("rk4", steps[i], 0, &material, 1);
  }
}

/* Vertices moved by up to a fifth of a cell, and as fast in a tenth of a second. */
static Sheet jittered_sheet(const WeftWorldDef *def, const char *stretch, const char *bend) {
  const double cell = 0.05;
  WeftMaterial material = weft_default_material();
  material.has_measured_stretch = material.has_measured_bend = true;
  for (int i = 0; i < 6; i++) {
    const double row[4] = {400 + 50 * i, 40, 300 - 20 * i, 30};
    memcpy(material.measured_stretch[i], row, sizeof row);
  }
  for (int i = 0; i < 15; i++) material.measured_bend[i / 5][i % 5] = 4e-5 - 1e-6 * i;
  Sheet sheet = sheet_create(def, 8 * cell, 6 * cell, 8, 6, &material, stretch, bend, NULL, NULL);
  sheet_read(&sheet);
  uint64_t seed = 7;
  for (int i = 0; i < 3 * sheet.vertex_count; i++) {
    sheet.x[i] += random_in(&seed, -0.2, 0.2) * cell;
    sheet.v[i] = random_in(&seed, -2, 2) * cell;
  }
  WeftError error;
  check_ok(weft_world_set_state(sheet.world, 0, sheet.x, sheet.v, &error), error);
  return sheet;
}

/* Sum of m v, and of m |v|. */
static double momentum(Sheet *sheet, double p[3]) {
  WeftError error;
  WeftMomenta momenta;
  double *mass = malloc((size_t)sheet->vertex_count * sizeof *mass), sum = 0;
  assert_non_null(mass);
  check_ok(weft_world_masses(sheet->world, 0, mass, &error), error);
  check_ok(weft_world_momenta(sheet->world, &momenta, &error), error);
  sheet_read(sheet);
  memset(p, 0, 3 * sizeof *p);
  for (int i = 0; i < sheet->vertex_count; i++) {
    const double *v = sheet->v + 3 * i;
    sum += mass[i] * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++) p[k] += mass[i] * v[k];
  }
  for (int k = 0; k < 3; k++) check_near(momenta.linear[k], p[k], 1e-14 * sum);
  free(mass);
  return sum;
}

typedef struct Case {
  const char *integrator, *stretch, *bend;
  int newton_iterations;
  double h, tolerance;
  int held; /* axes along which every vertex is held */
} Case;

/* Per step, along the axes that are free. */
static void check_momentum(Case c) {
  WeftWorldDef def = motion_world_def(c.h);
  clear_gravity(&def);
  def.integrator = c.integrator;
  def.newton_iterations = c.newton_iterations;
  def.solver_tolerance = c.tolerance;
  Sheet sheet = jittered_sheet(&def, c.stretch, c.bend);
  WeftError error;
  for (int i = 0; i < sheet.vertex_count; i++)
    check_ok(weft_world_pin(sheet.world, 0, i, c.held, &error), error);
  double before[3], after[3], worst = 0;
  momentum(&sheet, before);
  for (int step = 0; step < 20; step++) {
    sheet_step(&sheet, 1);
    double sum = momentum(&sheet, after), change = 0;
    for (int k = 0; k < 3; k++) change += (c.held >> k) & 1 ? 0 : pow(after[k] - before[k], 2);
    worst = fmax(worst, sqrt(change) / sum);
    memcpy(before, after, sizeof before);
  }
  print_message("%s (%d), %s, %s%s, tolerance %g: momentum changes by %.1e of its parts\n", c.integrator,
                c.newton_iterations, c.stretch, c.bend, c.held ? ", held along y" : "", c.tolerance, worst);
  check_near(worst, 0, c.tolerance);
  sheet_destroy(&sheet);
}

static void momentum_stays(void **state) {
  (void)state;
  const char *stretches[] = {"baraff_witkin", "springs", "measured"},
             *bends[] = {"dihedral", "springs", "measured"};
  for (int i = 0; i < 9; i++) {
    const char *stretch = stretches[i / 3], *bend = bends[i % 3];
    check_momentum((Case){"backward_euler", stretch, bend, 1, 1.0 / 200, 1e-6, 0});
    check_momentum((Case){"backward_euler", stretch, bend, 1, 1.0 / 200, 1e-12, 0});
    check_momentum((Case){"backward_euler", stretch, bend, 5, 1.0 / 200, 1e-6, 0});
    check_momentum((Case){"backward_euler", stretch, bend, 1, 1.0 / 200, 1e-6, WEFT_AXIS_Y});
    check_momentum((Case){"rk4", stretch, bend, 1, 1e-5, 1e-12, 0});
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sheet_falls_as_backward_euler),
                                     cmocka_unit_test(sheet_falls_as_explicit_methods),
                                     cmocka_unit_test(momentum_stays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
