/* V10: drag. Air of density rho brakes a sheet of density rho_a that falls face-on by drag_normal rho A v^2,
 * so
 *
 *     v = v_t tanh(g t / v_t),  x = v_t^2/g log cosh(g t / v_t),  v_t = sqrt(rho_a g / (drag_normal rho))
 *
 * and backward Euler finds v_{n+1} as the root of v + h c v^2 = v_n + h g, c = drag_normal rho / rho_a.
 * Edge-on and without tangential drag d it falls freely; with it v = v_e (1 - exp(-t d/rho_a)), where
 * v_e = rho_a g / d. */
#include "cases.h"

static const double GRAVITY = 9.81, AREAL = 0.2;

static void stand_up(double *p, const void *user) {
  (void)user;
  p[2] = p[1];
  p[1] = 0;
}

typedef struct Air {
  double density, drag_normal, drag_tangential;
  bool is_edge_on;
} Air;

static Sheet falling_sheet(Air air, double h, int newton_iterations) {
  WeftMaterial material = bare_material(AREAL, 1000, 50, 1e-5);
  material.drag_normal = air.drag_normal;
  material.drag_tangential = air.drag_tangential;
  WeftWorldDef def = motion_world_def(h);
  def.wind.air_density = air.density;
  def.newton_iterations = newton_iterations;
  def.newton_tolerance = 1e-12;
  def.solver_tolerance = 1e-12;
  return sheet_create(&def, 0.5, 0.5, 5, 5, &material, "baraff_witkin", "dihedral",
                      air.is_edge_on ? stand_up : NULL, NULL);
}

/* Speed downwards at a time, which all vertices share, and the way fallen: vertex 0 starts at the origin. */
static double fall(Sheet *sheet, double h, double time, double *way) {
  sheet_step(sheet, (int)lround((time - weft_world_time(sheet->world)) / h));
  sheet_read(sheet);
  double speed = -sheet->v[2];
  for (int i = 0; i < sheet->vertex_count; i++) {
    check_near(sheet->v[3 * i + 2], -speed, 1e-8);
    check_near(sheet->v[3 * i], 0, 1e-8);
    check_near(sheet->v[3 * i + 1], 0, 1e-8);
  }
  *way = -sheet->x[2];
  return speed;
}

/* Backward Euler's speed, the positive root step by step, and the way it makes. */
static double euler_speed(double terminal, double h, double time, double *way) {
  double c = GRAVITY / (terminal * terminal), v = 0;
  *way = 0;
  for (int n = (int)lround(time / h); n > 0; n--) {
    v = (sqrt(1 + 4 * h * c * (v + h * GRAVITY)) - 1) / (2 * h * c);
    *way += h * v;
  }
  return v;
}

static void check_face_on(double h) {
  const Air air = {.density = 1, .drag_normal = 1};
  const double table[3][2] = {{0.1, 0.846864}, {0.2, 1.240341}, {0.5, 1.398171}}; /* time, exact speed */
  double terminal = sqrt(AREAL * GRAVITY), way = 0;
  Sheet sheet = falling_sheet(air, h, 30);
  for (int i = 0; i < 3; i++) {
    double t = table[i][0], exact = terminal * tanh(GRAVITY * t / terminal), euler_way;
    double euler = euler_speed(terminal, h, t, &euler_way), speed = fall(&sheet, h, t, &way);
    double exact_way = terminal * terminal / GRAVITY * log(cosh(GRAVITY * t / terminal));
    print_message("h %g: v(%g) = %.6f, backward Euler %.6f, exact %.6f; x = %.6f, %.6f, %.6f\n", h, t, speed,
                  euler, exact, way, euler_way, exact_way);
    check_near(exact, table[i][1], 1e-6);
    check_near(speed, euler, 1e-6);
    check_near(way, euler_way, 1e-6);
    check_relative(speed, exact, 2 * h); /* first order */
    check_relative(way, exact_way, 10 * h);
  }
  sheet_destroy(&sheet);
}

static void sheet_falls_face_on(void **state) {
  (void)state;
  double way, terminal = sqrt(AREAL * GRAVITY);
  check_near(euler_speed(terminal, 0.01, 0.2, &way), 1.224368, 1e-6);
  check_near(euler_speed(terminal, 0.001, 0.2, &way), 1.238720, 1e-6);
  check_near(terminal * terminal / GRAVITY * log(cosh(GRAVITY * 0.2 / terminal)), 0.153304, 1e-6);
  check_face_on(0.01);
  check_face_on(0.001);
}

static void sheet_reaches_terminal_speed(void **state) {
  (void)state;
  const struct {
    Air air;
    double speed;
  } cases[2] = {{{.density = 1, .drag_normal = 1}, 1.400714},
                {{.density = 1.225, .drag_normal = 0.64}, 1.581945}};
  for (int i = 0; i < 2; i++) {
    for (int newton_iterations = 1; newton_iterations <= 30; newton_iterations += 29) {
      Sheet sheet = falling_sheet(cases[i].air, 0.01, newton_iterations);
      double way, speed = fall(&sheet, 0.01, 3, &way);
      print_message("terminal speed %.6f, expected %.6f\n", speed, cases[i].speed);
      check_near(speed, sqrt(AREAL * GRAVITY / (cases[i].air.density * cases[i].air.drag_normal)), 1e-6);
      check_near(speed, cases[i].speed, 1e-6);
      sheet_destroy(&sheet);
    }
  }
}

static void sheet_falls_freely_edge_on(void **state) {
  (void)state;
  const double h = 0.001;
  Sheet sheet = falling_sheet((Air){.density = 1, .drag_normal = 1, .is_edge_on = true}, h, 1);
  double way, speed = fall(&sheet, h, 0.2, &way);
  print_message("edge-on: v(0.2) = %.9f, x = %.9f\n", speed, way);
  check_relative(speed, GRAVITY * 0.2, 1e-10);
  check_relative(way, GRAVITY * h * h * 200 * 201 / 2, 1e-10);
  sheet_destroy(&sheet);
}

static void sheet_rubs_edge_on(void **state) {
  (void)state;
  const double h = 0.001, drag = 0.8;
  Sheet sheet =
      falling_sheet((Air){.density = 1, .drag_normal = 1, .drag_tangential = drag, .is_edge_on = true}, h, 1);
  double way, speed = fall(&sheet, h, 0.2, &way), last = AREAL * GRAVITY / drag;
  double expected = last * (1 - pow(1 + h * drag / AREAL, -200)),
         exact = last * (1 - exp(-0.2 * drag / AREAL));
  print_message("edge-on with tangential drag: v(0.2) = %.9f, backward Euler %.9f, exact %.9f\n", speed,
                expected, exact);
  check_relative(speed, expected, 1e-9);
  check_relative(speed, exact, 2 * h);
  sheet_destroy(&sheet);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sheet_falls_face_on), cmocka_unit_test(sheet_reaches_terminal_speed),
      cmocka_unit_test(sheet_falls_freely_edge_on), cmocka_unit_test(sheet_rubs_edge_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
