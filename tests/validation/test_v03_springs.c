/* V03c and V03d: backward Euler on one spring, whose steps have closed forms.
 *
 * V03c: a mass on a damped spring obeys x_{n+1} (1 + h c/m + h^2 k/m) - x_n (2 + h c/m) + x_{n-1} = 0, so x_n
 * is a combination of the powers of the two roots z; undamped, a step divides the energy by 1 + (omega h)^2.
 *
 * V03d: a stiff dumbbell spins freely. Backward Euler takes from its angular momentum: in the stiff limit a
 * turn of phi in one step becomes tan phi' = sin phi / (2 - cos phi) in the next. One linearised solve a step
 * takes more: along the dumbbell and across it the distance d of the masses has its own small recurrence. */
#include "cases.h"

/* A net of links between two vertices. */
static WeftWorld *link_world(const WeftWorldDef *def, const double positions[6], const double velocities[6],
                             const double mass[2], WeftLink link) {
  WeftError error;
  WeftWorld *world;
  WeftClothDef cloth = weft_default_cloth_def();
  cloth.vertex_count = 2;
  cloth.positions = positions;
  cloth.velocities = velocities;
  cloth.added_mass = mass;
  cloth.link_count = 1;
  cloth.links = &link;
  check_ok(weft_world_create(def, &world, &error), error);
  check_ok(weft_world_add_cloth(world, &cloth, NULL, &error), error);
  return world;
}

/* x_n for x_0 = 1, v_0 = 0, that is x_{-1} = 1, with z = r exp(+-i phi). */
static double oscillator(double m, double k, double c, double h, int n) {
  double a = 1 + h * c / m + h * h * k / m, b = 1 + h * c / (2 * m);
  double r = 1 / sqrt(a), phi = atan2(sqrt(a - b * b), b);
  return pow(r, n) * (cos(n * phi) + (cos(phi) - r) / sin(phi) * sin(n * phi));
}

static void check_oscillator(double m, double k, double c, double h, double tabulated) {
  const double rest = 2; /* the spring's length; the mass never comes near its other end */
  double expected = oscillator(m, k, c, h, 100);
  check_near(expected, tabulated, 1e-9);
  WeftWorldDef def = motion_world_def(h);
  clear_gravity(&def);
  def.solver_tolerance = 1e-12;
  WeftWorld *world = link_world(&def, (double[6]){0, 0, 0, rest + 1, 0, 0}, NULL, (double[2]){1, m},
                                (WeftLink){0, 1, rest, k, c});
  WeftError error;
  WeftEnergies before, after;
  double x[6], worst = 0;
  check_ok(weft_world_pin(world, 0, 0, WEFT_AXIS_ALL, &error), error);
  check_ok(weft_world_energies(world, &before, &error), error);
  for (int n = 1; n <= 100; n++) {
    check_ok(weft_world_step(world, 1, &error), error);
    check_ok(weft_world_positions(world, 0, x, &error), error);
    check_ok(weft_world_energies(world, &after, &error), error);
    check_near(x[3] - rest, oscillator(m, k, c, h, n), 1e-8);
    if (c == 0) worst = fmax(worst, fabs(after.total - before.total / (1 + h * h * k / m)));
    before = after;
  }
  print_message("m %g, k %g, c %g, h %g: x100 = %.10f, expected %.10f\n", m, k, c, h, x[3] - rest, expected);
  check_near(worst, 0, 1e-10 * k);
  weft_world_destroy(world);
}

static void spring_swings_as_backward_euler(void **state) {
  (void)state;
  check_oscillator(1, 100, 0, 0.01, -0.5208665260);
  check_oscillator(1, 100, 0, 0.005, 0.2468465938);
  check_oscillator(1, 100, 0, 0.001, 0.5376355784);
  check_oscillator(1, 100, 0.5, 0.01, -0.4193982855);
  check_oscillator(1, 1e4, 0, 0.01, 0);
}

static const double OMEGA = 6.283185307179586;   /* spin at the start [1/s] */
static const double DRIFT[3] = {0.3, -0.2, 0.1}; /* velocity of the dumbbell's middle [m/s] */

/* Angular momentum about the centre, along z, after a second over that at the start. */
static double spin_left(double h, int newton_iterations) {
  WeftWorldDef def = motion_world_def(h);
  clear_gravity(&def);
  def.solver_tolerance = 1e-12;
  def.newton_iterations = newton_iterations;
  def.newton_tolerance = 1e-10;
  double v[6];
  for (int k = 0; k < 6; k++) v[k] = DRIFT[k % 3];
  v[1] -= OMEGA / 2;
  v[4] += OMEGA / 2;
  WeftWorld *world =
      link_world(&def, (double[6]){-0.5, 0, 0, 0.5, 0, 0}, v, (double[2]){1, 1}, (WeftLink){0, 1, 1, 1e5, 0});
  WeftError error;
  WeftMomenta momenta;
  WeftReport report;
  check_ok(weft_world_step(world, (int)lround(1 / h), &error), error);
  check_ok(weft_world_momenta(world, &momenta, &error), error);
  check_ok(weft_world_report(world, &report, &error), error);
  assert_int_equal(report.newton_unconverged, 0);
  weft_world_destroy(world);
  const double *p = momenta.linear, *x = momenta.center;
  for (int k = 0; k < 3; k++) {
    check_near(p[k], 2 * DRIFT[k], 1e-12 * OMEGA);
    check_near(x[k], DRIFT[k], 1e-12 * OMEGA);
  }
  return (momenta.angular[2] - (x[0] * p[1] - x[1] * p[0])) / (0.5 * OMEGA);
}

/* The stiff limit, converged. */
static double stiff_spin_left(double h) {
  double phi = OMEGA * h;
  for (int n = (int)lround(1 / h); n > 0; n--) phi = atan2(sin(phi), 2 - cos(phi));
  return phi / (OMEGA * h);
}

/* One linearised solve a step for the distance vector: reduced mass 1/2, rest length 1. Where the spring is
 * longer than that it is also stiff across, by k (1 - 1/length); where it is shorter that would be negative
 * and is left out. */
static double linearised_spin_left(double h) {
  const double mass = 0.5, k = 1e5;
  double d[2] = {1, 0}, v[2] = {0, OMEGA};
  for (int n = (int)lround(1 / h); n > 0; n--) {
    double length = hypot(d[0], d[1]), ex = d[0] / length, ey = d[1] / length;
    double along = (mass * (v[0] * ex + v[1] * ey) - h * k * (length - 1)) / (mass + h * h * k);
    double across = mass * (v[1] * ex - v[0] * ey) / (mass + h * h * k * fmax(0, 1 - 1 / length));
    v[0] = along * ex - across * ey;
    v[1] = along * ey + across * ex;
    for (int i = 0; i < 2; i++) d[i] += h * v[i];
  }
  return (d[0] * v[1] - d[1] * v[0]) / OMEGA;
}

static void dumbbell_spins_as_backward_euler(void **state) {
  (void)state;
  const double table[3][3] = {/* h, spin left with converged Newton, with one linearised solve */
                              {0.01, 0.74834, 0.32215},
                              {0.005, 0.84709, 0.64902},
                              {0.001, 0.96276, 0.95930}};
  for (int i = 0; i < 3; i++) {
    double newton = spin_left(table[i][0], 30), linearised = spin_left(table[i][0], 1);
    print_message("h %g: spin left %.5f with Newton (%.5f), %.5f with one solve (%.5f)\n", table[i][0],
                  newton, table[i][1], linearised, table[i][2]);
    check_relative(linearised_spin_left(table[i][0]), table[i][2], 1e-4);
    check_relative(stiff_spin_left(table[i][0]), table[i][1], 2e-3); /* k = 1e5 is not quite the limit */
    check_relative(newton, table[i][1], 0.02);
    check_relative(linearised, table[i][2], 0.02);
  }
  /* 1 - spin is of the order of h: towards 1 */
  double newton = spin_left(1e-4, 30), linearised = spin_left(1e-4, 1);
  print_message("h 0.0001: spin left %.5f with Newton, %.5f with one solve\n", newton, linearised);
  check_near(newton, 1, 0.005);
  check_near(linearised, 1, 0.005);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(spring_swings_as_backward_euler),
                                     cmocka_unit_test(dumbbell_spins_as_backward_euler)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
