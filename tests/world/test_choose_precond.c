/* The preconditioner "auto": which one it stands for, that the report tells, and that it makes no other bits
 * than the one it stands for. */
#include "choose_precond.h"
#include "world.h"
#include "worlds.h"

static WeftWorld *make_cells(const char *precond, double stiffness, int threads, int columns, int rows) {
  WeftError error;
  WeftWorld *world;
  WeftShape shape;
  WeftWorldDef def = weft_default_world_def();
  def.preconditioner = precond;
  def.threads = threads;
  check_ok(weft_world_create(&def, &world, &error), error);
  check_ok(weft_generate_rectangle(&shape, columns / 80.0, rows / 80.0, columns, rows,
                                   WEFT_PATTERN_ALTERNATING, &error),
           error);
  WeftClothDef cloth = weft_default_cloth_def();
  cloth.vertex_count = shape.mesh.vertex_count;
  cloth.positions = shape.mesh.positions;
  cloth.triangle_count = shape.mesh.triangle_count;
  cloth.triangles = shape.mesh.triangles;
  cloth.material.stretch_warp *= stiffness;
  cloth.material.stretch_weft *= stiffness;
  check_ok(weft_world_add_cloth(world, &cloth, NULL, &error), error);
  check_ok(weft_world_pin(world, 0, 0, WEFT_AXIS_ALL, &error), error);
  weft_shape_free(&shape);
  return world;
}

static WeftWorld *make(const char *precond, double stiffness, int threads) {
  return make_cells(precond, stiffness, threads, 40, 40);
}

static void it_is_the_default(void **state) {
  (void)state;
  assert_string_equal(weft_default_world_def().preconditioner, "auto");
}

/* Stiff cloth gets block_ic, a strip of it a complete factor, soft cloth block_jacobi; the run is the one
 * that naming it would give, whatever the number of threads. */
static void the_choice_follows_the_stiffness(void **state) {
  (void)state;
  const struct {
    double stiffness;
    int columns, rows;
    const char *expected;
  } cases[] = {{4, 40, 40, "block_ic"},
               {4, 200, 4, "block_cholesky"},
               {0.002, 40, 40, "block_jacobi"},
               {0.002, 200, 4, "block_jacobi"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    WeftError error;
    WeftReport report;
    WeftWorld *named = make_cells(cases[i].expected, cases[i].stiffness, 1, cases[i].columns, cases[i].rows);
    check_ok(weft_world_step(named, 5, &error), error);
    for (int threads = 1; threads <= 3; threads++) {
      WeftWorld *world = make_cells("auto", cases[i].stiffness, threads, cases[i].columns, cases[i].rows);
      check_ok(weft_world_step(world, 5, &error), error);
      check_ok(weft_world_report(world, &report, &error), error);
      assert_string_equal(report.preconditioner, cases[i].expected);
      assert_true(report.state_hash == hash_of(named));
      weft_world_destroy(world);
    }
    weft_world_destroy(named);
  }
}

/* Large meshes get two levels. */
static void large_meshes_get_two_levels(void **state) {
  (void)state;
  WeftError error;
  for (int is_large = TEST_IS_SANITIZED; is_large < 2; is_large++) { /* 16129 and 16384 vertices */
    WeftWorld *world = make_cells("auto", 4, 1, 126 + is_large, 126 + is_large);
    check_ok(weft_world_build(world, &error), error);
    assert_string_equal(world->precond->name, is_large ? "two_level" : "block_ic");
    assert_true(is_large ? world->step.pcg.coarse.node_count > 100 : world->step.pcg.coarse.node_count == 0);
    weft_world_destroy(world);
  }
}

/* As the square root of the stiffness, in proportion to the time step, and with the logarithm of the
 * tolerance. */
static void more_iterations_are_expected_of_stiffer_systems(void **state) {
  (void)state;
  WeftWorld *soft = make("auto", 1, 1), *stiff = make("auto", 100, 1);
  WeftWorldDef def = soft->def;
  double expected = weft_expected_iterations(&soft->model, &def);
  check_near(weft_expected_iterations(&stiff->model, &def) / expected, 10, 0.1); /* bending stays */
  def.time_step *= 2;
  check_near(weft_expected_iterations(&soft->model, &def) / expected, 2, 1e-12);
  def = soft->def;
  def.solver_tolerance = 1e-8;
  check_near(weft_expected_iterations(&soft->model, &def) / expected, log(2e8) / log(2e4), 1e-12);
  weft_world_destroy(soft);
  weft_world_destroy(stiff);
}

/* One work item for a thousand vertices is nothing for a GPU. */
static void gpus_get_block_jacobi(void **state) {
  (void)state;
  WeftWorld *world = make("auto", 1, 1);
  assert_ptr_equal(weft_choose_precond(&world->model, &world->def, false), &weft_precond_block_ic);
  assert_ptr_equal(weft_choose_precond(&world->model, &world->def, true), &weft_precond_block_jacobi);
  weft_world_destroy(world);
}

/* A world that another one's state is loaded into goes on as that one does. */
static void a_restored_state_goes_on_with_the_same_bits(void **state) {
  (void)state;
  WeftError error;
  void *bytes;
  size_t size;
  WeftWorld *world = make("auto", 1, 2), *other = make("auto", 1, 1);
  check_ok(weft_world_step(world, 3, &error), error);
  check_ok(weft_world_save(world, &bytes, &size, &error), error);
  check_ok(weft_world_restore(other, bytes, size, &error), error);
  check_ok(weft_world_step(world, 3, &error), error);
  check_ok(weft_world_step(other, 3, &error), error);
  assert_true(hash_of(world) == hash_of(other));
  weft_free(bytes);
  weft_world_destroy(world);
  weft_world_destroy(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_the_default),
      cmocka_unit_test(the_choice_follows_the_stiffness),
      cmocka_unit_test(large_meshes_get_two_levels),
      cmocka_unit_test(more_iterations_are_expected_of_stiffer_systems),
      cmocka_unit_test(gpus_get_block_jacobi),
      cmocka_unit_test(a_restored_state_goes_on_with_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
