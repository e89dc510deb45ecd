/* A ribbon that is pulled and twisted unwinds. It turns as a wave along it does, c = sqrt(T / (density x
 * width)), and its free end has unwound after length / c: 0.1 s for this one, which lets it turn by half a
 * radian in a step of 1/60 s. One linear solve a step is slower, but must not creep: with all tension in K_x
 * v (see triangle_slight) 47 degrees were left after 1.33 s at 1/60 s. */
#include "cases.h"

#include <math.h>

static const double LENGTH = 1.41, WIDTH = 0.012, PULL = 0.5, STIFFNESS = 2000, TWIST = 3.14159265358979;
enum { COLUMNS = 235, ROWS = 2 };

static void pose(double *p, const void *user) {
  (void)user;
  double angle = TWIST * p[0] / LENGTH, y = p[1] - WIDTH / 2;
  p[0] *= 1 + PULL / (STIFFNESS * WIDTH);
  p[1] = y * cos(angle);
  p[2] = y * sin(angle);
}

/* Angle of the free end after so many steps of h [degrees]. */
static double unwound(double h, int steps, int newton_iterations) {
  WeftMaterial material = bare_material(0.2, STIFFNESS, 200, 3e-5);
  WeftError error;
  material.stretch_damping = weft_default_material().stretch_damping;
  WeftWorldDef def = motion_world_def(h);
  clear_gravity(&def);
  def.mass_damping = 2;
  def.newton_iterations = newton_iterations;
  Sheet sheet =
      sheet_create(&def, LENGTH, WIDTH, COLUMNS, ROWS, &material, "baraff_witkin", "dihedral", pose, NULL);
  sheet_pin_column(&sheet, 0, WEFT_AXIS_ALL);
  for (int j = 0; j <= ROWS; j++) {
    const double force[3] = {PULL / (ROWS + 1), 0, 0};
    check_ok(weft_world_set_force(sheet.world, 0, sheet_vertex(&sheet, COLUMNS, j), force, &error), error);
  }
  double angle = TWIST;
  for (int i = 0; i < steps; i++) {
    sheet_step(&sheet, 1);
    sheet_read(&sheet);
    const double *a = sheet.x + 3 * sheet_vertex(&sheet, COLUMNS, 0);
    const double *b = sheet.x + 3 * sheet_vertex(&sheet, COLUMNS, ROWS);
    double now = atan2(b[2] - a[2], b[1] - a[1]);
    angle += remainder(now - angle, 2 * TWIST);
  }
  sheet_destroy(&sheet);
  print_message("h %g, %d solves: %.1f degrees left after %g s\n", h, newton_iterations, angle * 180 / TWIST,
                steps * h);
  return angle * 180 / TWIST;
}

static void one_solve_does_not_creep(void **state) {
  (void)state;
  assert_true(fabs(unwound(1.0 / 60, 80, 1)) < 10);
  assert_true(fabs(unwound(1.0 / 240, 120, 1)) < 20);
}

static void newton_unwinds_at_once(void **state) {
  (void)state;
  assert_true(unwound(1.0 / 60, 20, 8) < 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_solve_does_not_creep),
                                     cmocka_unit_test(newton_unwinds_at_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
