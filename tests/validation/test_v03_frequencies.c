/* V03e: frequencies of three motions whose modes are known.
 *
 * Swinging: an inextensible sheet without bending stiffness, hung by its upper edge, has the modes
 * J0(j sqrt(1 - s/L)), s from the upper edge, with omega = j/2 sqrt(g/L) and j a zero of J0. Backward Euler
 * makes the period 2 pi h / atan(omega h) and multiplies the amplitude by (1 + omega^2 h^2)^(-1/2) a step.
 *
 * Bending: a cantilever has omega = 1.8751041^2 sqrt(B/rho)/L^2. Two held rows clamp the strip half a cell
 * inside the second one, so L is counted from there. As in V01 the strip is stiff across, so that B is
 * bend_warp.
 *
 * Stretching: a bar held at one end has f = sqrt(k/rho)/(4 L). */
#include "cases.h"

static const double PI = 3.14159265358979324;

/* Zero crossings and extremes of a motion that is sampled at the ends of steps. */
typedef struct Swing {
  int crossing_count, extreme_count;
  double first_crossing, last_crossing; /* [s] */
  double first_extreme, last_extreme;   /* magnitudes */
  double before, largest;
} Swing;

static void swing_sample(Swing *swing, double time, double h, double value) {
  if (swing->before * value < 0) {
    double at = time - h * value / (value - swing->before);
    if (swing->crossing_count++ == 0) {
      swing->first_crossing = at;
    } else { /* the extreme between two crossings */
      if (swing->extreme_count++ == 0) swing->first_extreme = swing->largest;
      swing->last_extreme = swing->largest;
    }
    swing->last_crossing = at;
    swing->largest = 0;
  }
  swing->largest = fmax(swing->largest, fabs(value));
  if (value != 0) swing->before = value;
}

static double swing_period(const Swing *swing) {
  assert_true(swing->crossing_count > 2);
  return 2 * (swing->last_crossing - swing->first_crossing) / (swing->crossing_count - 1);
}

/* Factor of the amplitude in one period. */
static double swing_decay(const Swing *swing) {
  assert_true(swing->extreme_count > 2);
  return pow(swing->last_extreme / swing->first_extreme, 2.0 / (swing->extreme_count - 1));
}

/* Coordinate of the middle of the last column, over so many seconds. */
static Swing watch(Sheet *sheet, double h, double seconds, int axis, double origin) {
  Swing swing = {0};
  int tip = 3 * sheet_vertex(sheet, sheet->columns, sheet->rows / 2) + axis;
  for (int i = 1; i <= (int)ceil(seconds / h); i++) {
    sheet_step(sheet, 1);
    sheet_read(sheet);
    swing_sample(&swing, i * h, h, sheet->x[tip] - origin);
  }
  return swing;
}

static double bessel_j0(double x) {
  double sum = 0, term = 1;
  for (int k = 1; fabs(term) > 1e-17; k++) {
    sum += term;
    term *= -x * x / (4.0 * k * k);
  }
  return sum;
}

/* Hung by the left column, out of its plane by the first mode, stretched by its weight. */
static const double SWING_ZERO = 2.404825557695773, SWING_LENGTH = 1, SWING_TIP = 0.02, SWING_STIFFNESS = 1e4;

static void hang_swung(double *p, const void *user) {
  (void)user;
  double s = p[0];
  p[0] = p[1];
  p[1] = SWING_TIP * bessel_j0(SWING_ZERO * sqrt(fmax(0, 1 - s / SWING_LENGTH)));
  p[2] = -s - 0.2 * 9.81 / SWING_STIFFNESS * (SWING_LENGTH * s - s * s / 2);
}

static void check_swing(double h, double tabulated_decay) {
  enum { N = 20, ROWS = 4 };
  double omega = SWING_ZERO / 2 * sqrt(9.81 / SWING_LENGTH);
  double period = 2 * PI * h / atan(omega * h), decay = pow(1 + omega * omega * h * h, -period / (2 * h));
  check_near(2 * PI / omega, 1.668368, 1e-6);
  check_near(decay, tabulated_decay, 1e-6);
  WeftMaterial material = bare_material(0.2, SWING_STIFFNESS, SWING_STIFFNESS / 10, 0);
  WeftWorldDef def = motion_world_def(h);
  Sheet sheet = sheet_create(&def, SWING_LENGTH, 0.2, N, ROWS, &material, "baraff_witkin", "dihedral",
                             hang_swung, NULL);
  sheet_pin_column(&sheet, 0, WEFT_AXIS_ALL);
  Swing swing = watch(&sheet, h, 3.6, 1, 0);
  print_message("h %g: period %.5f s (%.5f), decay %.5f (%.5f)\n", h, swing_period(&swing), period,
                swing_decay(&swing), decay);
  check_relative(swing_period(&swing), period, 0.005);
  check_near(swing_decay(&swing), decay, 0.01);
  sheet_destroy(&sheet);
}

static void sheet_swings_in_time(void **state) {
  (void)state;
  check_swing(0.01, 0.888441);
  check_swing(0.005, 0.942562);
  check_swing(0.001, 0.988238);
}

/* A cantilever's first mode, its tip a hundredth of the length off, without stretching it. */
typedef struct Cantilever {
  double length, clamp; /* where the clamp is [m] */
} Cantilever;

static double cantilever_mode(double s) {
  const double beta = 1.8751040687, ratio = (cosh(beta) + cos(beta)) / (sinh(beta) + sin(beta));
  if (s <= 0) return 0;
  return 0.5 * (cosh(beta * s) - cos(beta * s) - ratio * (sinh(beta * s) - sin(beta * s)));
}

static void bend_mode(double *p, const void *user) {
  const Cantilever *c = user;
  enum { PARTS = 400 };
  double s = (p[0] - c->clamp) / c->length, step = s / PARTS, shift = 0;
  if (s < 0.02) return; /* held */
  for (int i = 0; i < PARTS; i++) {
    double slope = 0.01 * (cantilever_mode((i + 1) * step) - cantilever_mode(i * step)) / step;
    shift += (1 - sqrt(1 - slope * slope)) * step;
  }
  p[0] -= shift * c->length;
  p[2] = 0.01 * cantilever_mode(s) * c->length;
}

static void check_bending(double bend, double length, double tabulated) {
  enum { N = 40, ROWS = 2 };
  const double h = 0.01, density = 0.2, mode = 1.8751040687;
  double cell = length / (N + 0.5),
         expected = mode * mode / (2 * PI) * sqrt(bend / density) / (length * length);
  check_near(expected, tabulated, 1e-6);
  WeftMaterial material = bare_material(density, 100, 10, bend);
  material.bend_weft = 100 * bend;
  WeftWorldDef def = motion_world_def(h);
  clear_gravity(&def);
  Cantilever cantilever = {length, cell / 2};
  Sheet sheet = sheet_create(&def, (N + 1) * cell, ROWS * cell, N + 1, ROWS, &material, "baraff_witkin",
                             "dihedral", bend_mode, &cantilever);
  sheet_pin_column(&sheet, 0, WEFT_AXIS_ALL);
  sheet_pin_column(&sheet, 1, WEFT_AXIS_ALL);
  Swing swing = watch(&sheet, h, 1.4 / expected, 2, 0);
  double frequency = 1 / swing_period(&swing);
  print_message("B %g, L %g: %.6f Hz (%.6f)\n", bend, length, frequency, expected);
  check_relative(frequency, expected, 0.02);
  sheet_destroy(&sheet);
}

static void cantilever_bends_in_time(void **state) {
  (void)state;
  check_bending(1e-5, 0.1, 0.395691);
  check_bending(1e-4, 0.2, 0.312821);
}

static void stretch_mode(double *p, const void *user) {
  (void)user;
  p[0] += 1e-3 * sin(PI * p[0] / 2);
}

static void bar_stretches_in_time(void **state) {
  (void)state;
  enum { N = 40, ROWS = 4 };
  const double h = 1e-4, stiffness = 1000, density = 0.2;
  double expected = sqrt(stiffness / density) / 4;
  check_near(expected, 17.6777, 1e-4);
  WeftMaterial material = bare_material(density, stiffness, stiffness / 10, 1e-5);
  WeftWorldDef def = motion_world_def(h);
  clear_gravity(&def);
  Sheet sheet =
      sheet_create(&def, 1, 0.1, N, ROWS, &material, "baraff_witkin", "dihedral", stretch_mode, NULL);
  sheet_pin_column(&sheet, 0, WEFT_AXIS_ALL);
  Swing swing = watch(&sheet, h, 0.12, 0, 1);
  double frequency = 1 / swing_period(&swing);
  print_message("k %g: %.4f Hz (%.4f)\n", stiffness, frequency, expected);
  check_relative(frequency, expected, 0.01);
  sheet_destroy(&sheet);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sheet_swings_in_time),
                                     cmocka_unit_test(cantilever_bends_in_time),
                                     cmocka_unit_test(bar_stretches_in_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
