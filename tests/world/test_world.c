/* The public interface: what it does, and what it refuses. */
#include "worlds.h"

static WeftWorld *small_world(WeftWorldDef def) {
  WeftError error;
  WeftWorld *world;
  check_ok(weft_world_create(&def, &world, &error), error);
  add_rectangle(world, 0, 5, "baraff_witkin", "dihedral");
  return world;
}

static void definitions_are_checked(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world;
  WeftWorldDef zero = {0};
  check_refused(weft_world_create(&zero, &world, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "weft_default_world_def", error);
  assert_null(world);
  assert_int_equal(weft_world_create(&zero, &world, NULL), WEFT_RESULT_INVALID_ARGUMENT);
  WeftWorldDef def = weft_default_world_def();
  def.time_step = 0;
  check_refused(weft_world_create(&def, &world, &error), WEFT_RESULT_INVALID_ARGUMENT, "time_step is 0",
                error);
  def = weft_default_world_def();
  def.gravity[1] = NAN;
  check_refused(weft_world_create(&def, &world, &error), WEFT_RESULT_INVALID_ARGUMENT, "gravity", error);
  def = weft_default_world_def();
  def.integrator = "backward_eler";
  check_refused(weft_world_create(&def, &world, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "did you mean 'backward_euler'?", error);
  def = weft_default_world_def();
  def.preconditioner = "jacoby";
  check_refused(weft_world_create(&def, &world, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "did you mean 'jacobi'?", error);
  def = weft_default_world_def();
  def.solver_tolerance = 1;
  check_refused(weft_world_create(&def, &world, &error), WEFT_RESULT_INVALID_ARGUMENT, "solver_tolerance",
                error);
}

static void cloths_are_checked(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world;
  WeftWorldDef world_def = weft_default_world_def();
  check_ok(weft_world_create(&world_def, &world, &error), error);
  check_refused(weft_world_step(world, 1, &error), WEFT_RESULT_INVALID_ARGUMENT, "no cloth 0", error);
  double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  int32_t triangles[] = {0, 1, 2, 1, 3, 2};
  WeftClothDef good = weft_default_cloth_def();
  good.vertex_count = 4;
  good.positions = positions;
  good.triangle_count = 2;
  good.triangles = triangles;
  WeftClothDef zero = {0};
  check_refused(weft_world_add_cloth(world, &zero, NULL, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "weft_default_cloth_def", error);
  int32_t beyond[] = {0, 1, 2, 1, 4, 2}, flat[] = {0, 1, 2, 1, 1, 2}, twice[] = {0, 1, 2, 2, 0, 1};
  const struct {
    const int32_t *triangles;
    const char *message;
  } bad_triangles[] = {{beyond, "triangle 1 (vertices 1, 4, 2) has a vertex out of range"},
                       {flat, "triangle 1 (vertices 1, 1, 2) has no area"},
                       {twice, "triangle 1 (vertices 2, 0, 1) is there twice"}};
  for (int i = 0; i < 3; i++) {
    WeftClothDef bad = good;
    bad.triangles = bad_triangles[i].triangles;
    check_refused(weft_world_add_cloth(world, &bad, NULL, &error), WEFT_RESULT_INVALID_DATA,
                  bad_triangles[i].message, error);
  }
  double not_finite[12] = {0, 0, 0, INFINITY};
  double uv[12] = {0}; /* no area */
  WeftLink link = {0, 4, 1, 1, 0};
  WeftClothDef bad[9] = {good, good, good, good, good, good, good, good, good};
  bad[0].positions = not_finite;
  bad[1].material.density = 0;
  bad[2].material.bend_warp = -1;
  bad[3].stretch = "spring";
  bad[4].bend = "measured";
  bad[5].vertex_count = 0;
  bad[6].link_count = 1;
  bad[6].links = &link;
  bad[7].velocities = not_finite;
  bad[8].material.cookie = 0;
  const char *messages[] = {"position of item 1",
                            "density is 0",
                            "bend_warp is -1",
                            "did you mean 'springs'?",
                            "measured table",
                            "0 vertices",
                            "link 0 joins vertices 0 and 4",
                            "velocity of item 1",
                            "weft_default_material"};
  for (int i = 0; i < 9; i++) {
    check_refused(weft_world_add_cloth(world, &bad[i], NULL, &error), WEFT_RESULT_INVALID_ARGUMENT,
                  messages[i], error);
  }
  assert_int_equal(weft_world_cloth_count(world), 0);
  WeftClothDef no_area = good;
  no_area.rest_uv = uv;
  check_ok(weft_world_add_cloth(world, &no_area, NULL, &error), error);
  check_refused(weft_world_step(world, 1, &error), WEFT_RESULT_INVALID_DATA,
                "triangle 0 (vertices 0, 1, 2) has no area", error);
  weft_world_destroy(world);
}

static void calls_are_checked(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = small_world(weft_default_world_def());
  double target[3] = {0, NAN, 0}, x[3 * 64];
  check_refused(weft_world_pin(world, 1, 0, WEFT_AXIS_ALL, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "no cloth 1", error);
  check_refused(weft_world_pin(world, 0, 999, WEFT_AXIS_ALL, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "no vertex 999", error);
  check_refused(weft_world_pin(world, 0, 0, 8, &error), WEFT_RESULT_INVALID_ARGUMENT, "axes is 8", error);
  check_refused(weft_world_move(world, 0, 0, target, &error), WEFT_RESULT_INVALID_ARGUMENT, "not finite",
                error);
  check_refused(weft_world_positions(world, -1, x, &error), WEFT_RESULT_INVALID_ARGUMENT, "no cloth -1",
                error);
  WeftClothDef late = weft_default_cloth_def();
  check_refused(weft_world_add_cloth(world, &late, NULL, &error), WEFT_RESULT_WRONG_TIME,
                "before the first step", error);
  WeftHandleDef handle = weft_default_handle_def();
  check_refused(weft_world_add_handle(world, &handle, NULL, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "holds no vertex", error);
  int32_t vertex = 77;
  handle.vertex_count = 1;
  handle.vertices = &vertex;
  check_refused(weft_world_add_handle(world, &handle, NULL, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "vertex 77", error);
  vertex = 3;
  WeftKey keys[] = {{1, {0}, {0}}, {1, {0}, {0}}};
  handle.key_count = 2;
  handle.keys = keys;
  check_refused(weft_world_add_handle(world, &handle, NULL, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "later than", error);
  WeftWind wind = {.gust_length = 0};
  check_refused(weft_world_set_wind(world, &wind, &error), WEFT_RESULT_INVALID_ARGUMENT, "gust_length",
                error);
  weft_world_destroy(world);
  weft_world_destroy(NULL);
}

static void held_vertices_follow_their_targets(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = small_world(weft_default_world_def());
  enum { VERTICES = 30 };
  double x[3 * VERTICES], start[3 * VERTICES], v[3 * VERTICES];
  check_ok(weft_world_positions(world, 0, start, &error), error);
  /* keys that turn a quarter about the y axis through the pivot and lift by one, over half a second */
  WeftKey keys[] = {{0, {0, 0, 0}, {0, 0, 0}}, {0.5, {0, 0, 1}, {0, 1.5707963267948966, 0}}};
  int32_t vertices[] = {0, 5};
  WeftHandleDef handle = weft_default_handle_def();
  handle.vertex_count = 2;
  handle.vertices = vertices;
  handle.key_count = 2;
  handle.keys = keys;
  handle.release_time = 0.75;
  check_ok(weft_world_add_handle(world, &handle, NULL, &error), error);
  check_ok(weft_world_pin(world, 0, 29, WEFT_AXIS_Z, &error), error);
  check_ok(weft_world_step(world, 100, &error), error);
  check_ok(weft_world_positions(world, 0, x, &error), error);
  for (int i = 0; i < 2; i++) {
    const double *s = start + 3 * vertices[i], *p = x + 3 * vertices[i];
    check_near(p[0], s[2], 1e-12);
    check_near(p[1], s[1], 1e-12);
    check_near(p[2], 1 - s[0], 1e-12);
  }
  check_near(x[3 * 29 + 2], start[3 * 29 + 2], 1e-14); /* held in height, free to move sideways */
  assert_true(fabs(x[3 * 29] - start[3 * 29]) > 1e-3);
  check_ok(weft_world_step(world, 60, &error), error); /* 0.8 s: let go at 0.75 s */
  check_ok(weft_world_velocities(world, 0, v, &error), error);
  assert_true(v[2] < -0.1);
  check_ok(weft_world_pin(world, 0, 7, WEFT_AXIS_ALL, &error), error);
  check_ok(weft_world_move(world, 0, 7, (double[]){0.1, 0.2, 0.3}, &error), error);
  check_ok(weft_world_step(world, 1, &error), error);
  check_ok(weft_world_positions(world, 0, x, &error), error);
  check_near(x[21], 0.1, 1e-15);
  check_near(x[22], 0.2, 1e-15);
  check_near(x[23], 0.3, 1e-15);
  weft_world_destroy(world);
}

static void what_is_read_back_fits_the_definition(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = busy_world(1, "backward_euler", 0.005);
  assert_int_equal(weft_world_cloth_count(world), 2);
  assert_int_equal(weft_world_vertex_count(world, 0), 41 * 33);
  assert_int_equal(weft_world_triangle_count(world, 1), 20 * 16 * 2);
  assert_int_equal(weft_world_vertex_count(world, 2), -1);
  assert_string_equal(weft_world_cloth_name(world, 2), "");
  int n = weft_world_vertex_count(world, 0), t = weft_world_triangle_count(world, 0);
  double *x = calloc((size_t)n, 24), *normals = calloc((size_t)n, 24), *mass = calloc((size_t)n, 8);
  double *strains = calloc((size_t)t, 24);
  check_ok(weft_world_positions(world, 0, x, &error), error);
  check_ok(weft_world_normals(world, 0, normals, &error), error);
  check_ok(weft_world_masses(world, 0, mass, &error), error);
  check_ok(weft_world_face_strains(world, 0, strains, &error), error);
  double total = 0;
  for (int i = 0; i < n; i++) {
    check_near(x[3 * i], -0.25 + 0.5 * (i % 41) / 40, 1e-12);
    check_near(hypot(hypot(normals[3 * i], normals[3 * i + 1]), normals[3 * i + 2]), 1, 1e-12);
    assert_true(normals[3 * i + 2] > 0.9);
    total += mass[i];
  }
  check_near(total, 0.15 * 0.2, 1e-12);
  for (int i = 0; i < t; i++)
    assert_true(strains[3 * i] >= 0 && strains[3 * i] < 0.1); /* wavy: longer than flat */
  int32_t hinge_count;
  check_ok(weft_world_hinge_count(world, 0, &hinge_count, &error), error);
  double *values = calloc((size_t)hinge_count, 16);
  int32_t *hinges = calloc((size_t)hinge_count, 16);
  check_ok(weft_world_hinge_values(world, 0, values, &error), error);
  check_ok(weft_world_hinges(world, 0, hinges, &error), error);
  double moment = 0;
  for (int i = 0; i < hinge_count; i++) {
    check_near(values[2 * i + 1], 1e-5 * values[2 * i],
               1e-15); /* M = B K; at rest where it starts: rest_bend shape */
    moment += fabs(values[2 * i + 1]);
    for (int k = 0; k < 4; k++) assert_true(hinges[4 * i + k] >= 0 && hinges[4 * i + k] < n);
  }
  check_near(moment, 0, 1e-15);
  WeftMomenta momenta;
  WeftEnergies energies;
  check_ok(weft_world_step(world, 5, &error), error);
  check_ok(weft_world_momenta(world, &momenta, &error), error);
  check_ok(weft_world_energies(world, &energies, &error), error);
  check_near(momenta.mass, 2 * 0.15 * 0.2, 1e-12);
  assert_true(momenta.linear[2] < 0 && energies.kinetic > 0 && energies.stretch > 0 && energies.link > 0);
  check_near(energies.total,
             energies.kinetic + energies.gravity + energies.stretch + energies.bend + energies.link, 1e-15);
  char *json;
  check_ok(weft_world_report_json(world, "busy", &json, &error), error);
  assert_non_null(strstr(json, "\"steps\": 5,"));
  assert_non_null(strstr(json, "\"scene\": \"busy\""));
  assert_non_null(strstr(json, "\"state_hash\": \""));
  weft_free(json);
  free(x), free(normals), free(mass), free(strains), free(values), free(hinges);
  weft_world_destroy(world);
}

static void count_warnings(WeftLogLevel level, const char *text, void *user) {
  assert_int_equal(level, WEFT_LOG_WARNING);
  assert_non_null(text);
  ++*(int *)user;
}

static void a_step_that_blows_up_is_retried_and_never_silent(void **state) {
  (void)state;
  WeftError error;
  WeftReport report;
  int warnings = 0;
  WeftWorldDef def = weft_default_world_def();
  def.integrator = "explicit_euler";
  def.time_step = 0.05; /* far too long for explicit Euler: a thousand steps a period */
  def.log = (WeftLog){count_warnings, &warnings};
  WeftWorld *world = small_world(def);
  WeftResult result = WEFT_RESULT_OK;
  uint64_t before = 0;
  int steps = 0;
  for (; steps < 2000 && !result; steps++) {
    before = hash_of(world);
    result = weft_world_step(world, 1, &error);
  }
  check_refused(result, WEFT_RESULT_NOT_FINITE, "stopped being finite", error);
  assert_true(hash_of(world) == before); /* as it was after the last good step */
  check_ok(weft_world_report(world, &report, &error), error);
  assert_true(report.retries > 6 && warnings >= 6);
  assert_true(isfinite(report.energies.kinetic));
  assert_int_equal(report.steps, steps - 1);
  weft_world_destroy(world);
}

static void a_solver_that_does_not_converge_is_told(void **state) {
  (void)state;
  WeftError error;
  WeftReport report;
  WeftWorldDef def = weft_default_world_def();
  def.solver_max_iterations = 1;
  def.step_halvings = 2;
  WeftWorld *world = small_world(def);
  check_ok(weft_world_pin(world, 0, 0, WEFT_AXIS_ALL, &error), error);
  check_refused(weft_world_step(world, 1, &error), WEFT_RESULT_NOT_CONVERGED, "after 1 iterations", error);
  check_ok(weft_world_report(world, &report, &error), error);
  assert_int_equal(report.steps, 0);
  assert_int_equal(report.retries, 3);
  weft_world_destroy(world);
  /* with few more it gets there in smaller steps */
  def.solver_max_iterations = 14;
  def.step_halvings = 12;
  world = small_world(def);
  check_ok(weft_world_pin(world, 0, 0, WEFT_AXIS_ALL, &error), error);
  check_ok(weft_world_step(world, 3, &error), error);
  check_ok(weft_world_report(world, &report, &error), error);
  assert_true(report.retries > 0 && report.substeps > 3);
  check_near(report.time, 3 * def.time_step, 1e-15);
  weft_world_destroy(world);
}

static void methods_can_be_listed(void **state) {
  (void)state;
  int defaults = 0;
  for (int i = 0; i < weft_method_count(); i++) {
    WeftMethodInfo info = weft_method_info(i);
    assert_true(info.family && info.name && info.citation && info.summary);
    defaults += info.is_default;
  }
  assert_int_equal(
      defaults,
      9); /* stretch, bend, link, air, integrator, preconditioner, broad phase, friction, response */
  assert_null(weft_method_info(weft_method_count()).name);
  assert_null(weft_method_info(-1).name);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(definitions_are_checked),
      cmocka_unit_test(cloths_are_checked),
      cmocka_unit_test(calls_are_checked),
      cmocka_unit_test(held_vertices_follow_their_targets),
      cmocka_unit_test(what_is_read_back_fits_the_definition),
      cmocka_unit_test(a_step_that_blows_up_is_retried_and_never_silent),
      cmocka_unit_test(a_solver_that_does_not_converge_is_told),
      cmocka_unit_test(methods_can_be_listed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
