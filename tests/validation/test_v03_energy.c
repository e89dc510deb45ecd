/* Energy of a soft sheet that is let go from the horizontal, held by one edge: RK4 with a step that resolves
 * the stiffest mode keeps it, the more exactly the smaller the step; backward Euler only ever takes from it.
 *
 * So does one linearised solve a step where the step is small beside the motion, as the default 1/200 s is.
 * At 1/50 s this sheet turns by up to 0.17 rad a step; a linearised turn by that stretches it by 1.4 %, and
 * every other step gained energy (docs/validation.md). Newton's iterations are what helps there. */
#include "cases.h"

typedef struct Course {
  double start, largest_gain, lost; /* [J]: total at the start, most gained in a step, less at the end */
  double largest_off;               /* [J]: farthest from the start */
  double largest_kinetic;           /* [J] */
} Course;

static Course swing(const char *integrator, int newton_iterations, double h, double seconds,
                    double stiffness) {
  enum { CELLS = 8 };
  WeftMaterial material = bare_material(0.2, stiffness, stiffness / 5, 1e-4);
  WeftWorldDef def = motion_world_def(h);
  def.integrator = integrator;
  def.newton_iterations = newton_iterations;
  def.solver_tolerance = 1e-10;
  def.newton_tolerance = 1e-9;
  Sheet sheet =
      sheet_create(&def, 0.4, 0.4, CELLS, CELLS, &material, "baraff_witkin", "dihedral", NULL, NULL);
  sheet_pin_column(&sheet, 0, WEFT_AXIS_ALL);
  WeftError error;
  WeftEnergies energies;
  check_ok(weft_world_energies(sheet.world, &energies, &error), error);
  Course course = {.start = energies.total};
  double before = energies.total;
  for (int i = 0; i < (int)lround(seconds / h); i++) {
    sheet_step(&sheet, 1);
    check_ok(weft_world_energies(sheet.world, &energies, &error), error);
    course.largest_gain = fmax(course.largest_gain, energies.total - before);
    course.largest_off = fmax(course.largest_off, fabs(energies.total - course.start));
    course.largest_kinetic = fmax(course.largest_kinetic, energies.kinetic);
    before = energies.total;
  }
  course.lost = course.start - before;
  print_message("%s (%d), h %g: off by %.2e, gains %.2e a step, loses %.2e J; kinetic up to %.2e J\n",
                integrator, newton_iterations, h, course.largest_off, course.largest_gain, course.lost,
                course.largest_kinetic);
  sheet_destroy(&sheet);
  return course;
}

static void runge_kutta_keeps_energy(void **state) {
  (void)state;
  Course coarse = swing("rk4", 1, 1e-3, 1, 20), fine = swing("rk4", 1, 5e-4, 1, 20);
  check_near(coarse.largest_off, 0, 1e-4 * coarse.largest_kinetic);
  check_near(fine.largest_off, 0, 1e-5 * fine.largest_kinetic);
  assert_true(fine.largest_off < coarse.largest_off / 16); /* fourth order at least */
}

static void backward_euler_never_gains_energy(void **state) {
  (void)state;
  const double steps[3] = {0.02, 0.005, 0.001};
  double lost_before = 1e300;
  for (int i = 0; i < 3; i++) {
    Course newton = swing("backward_euler", 20, steps[i], 1, 1000);
    check_near(newton.largest_gain, 0, 1e-9 * newton.largest_kinetic);
    assert_true(newton.lost > 0 && newton.lost < lost_before); /* less with smaller steps */
    lost_before = newton.lost;
    if (i == 0) continue;
    Course linearised = swing("backward_euler", 1, steps[i], 1, 1000);
    check_near(linearised.largest_gain, 0, 1e-9 * linearised.largest_kinetic);
    assert_true(linearised.lost > newton.lost);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(runge_kutta_keeps_energy),
                                     cmocka_unit_test(backward_euler_never_gains_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
