/* Whole steps on an OpenCL device: the same bits as on the CPU, for every shipped scene, integrator,
 * preconditioner and method; what crosses between host and device; and what the host changes on the way. */
#include "opencl_case.h"
#include "world.h"
#include "world/worlds.h"

#include <dirent.h>
#include <weft/scene.h>

static void use(WeftWorld *world, const char *device) {
  WeftError error;
  check_ok(weft_world_use_device(world, device, &error), error);
}

/* Both reports in all that does not tell of time and place. */
static void check_same(WeftWorld *here, WeftWorld *there, const char *what) {
  WeftError error;
  WeftReport one, other;
  check_ok(weft_world_report(here, &one, &error), error);
  check_ok(weft_world_report(there, &other, &error), error);
  if (one.state_hash != other.state_hash)
    fail_msg("%s: hash %016llx on the CPU, %016llx on %s", what, (unsigned long long)one.state_hash,
             (unsigned long long)other.state_hash, other.device);
  assert_int_equal(one.solver_iterations, other.solver_iterations);
  assert_int_equal(one.retries, other.retries);
  assert_memory_equal(&one.energies, &other.energies, sizeof one.energies);
  assert_true(one.max_speed == other.max_speed);
  assert_non_null(strstr(other.device, "opencl:"));
}

static void run_scene(const char *path, int steps) {
  WeftError error;
  WeftScene *scene;
  WeftWorld *worlds[2];
  check_ok(weft_scene_load(path, NULL, 0, (WeftLog){0}, &scene, &error), error);
  for (int i = 0; i < 2; i++) {
    check_ok(weft_scene_create_world(scene, 0, (WeftLog){0}, &worlds[i], &error), error);
    if (i == 1) use(worlds[i], "opencl");
    check_ok(weft_world_step(worlds[i], steps, &error), error);
  }
  check_same(worlds[0], worlds[1], path);
  print_message("%s: %d steps, equal bits\n", strrchr(path, '/') + 1, steps);
  for (int i = 0; i < 2; i++) weft_world_destroy(worlds[i]);
  weft_scene_destroy(scene);
}

/* 100 steps with WEFT_LONG (make check-long). */
static void every_shipped_scene_gives_the_same_bits(void **state) {
  (void)state;
  char folder[512], path[1024];
  snprintf(folder, sizeof folder, "%s/scenes", getenv("WEFT_SOURCE_DIR") ? getenv("WEFT_SOURCE_DIR") : ".");
  DIR *list = opendir(folder);
  assert_non_null(list);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(list));) {
    size_t length = strlen(entry->d_name);
    if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0 || strstr(entry->d_name, ".schema."))
      continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    run_scene(path, getenv("WEFT_LONG") ? 100 : 3);
    count++;
  }
  closedir(list);
  assert_true(count >= 6);
}

static void every_integrator_gives_the_same_bits(void **state) {
  (void)state;
  const struct {
    const char *integrator;
    double time_step;
    int steps;
  } cases[] = {
      {"backward_euler", 0.005, 8}, {"explicit_euler", 1e-5, 20}, {"rk2", 2e-5, 20}, {"rk4", 5e-5, 20}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    WeftError error;
    WeftWorld *worlds[2];
    for (int k = 0; k < 2; k++) {
      worlds[k] = busy_world(0, cases[i].integrator, cases[i].time_step);
      if (k == 1) use(worlds[k], "opencl");
      check_ok(weft_world_step(worlds[k], cases[i].steps, &error), error);
    }
    check_same(worlds[0], worlds[1], cases[i].integrator);
    for (int k = 0; k < 2; k++) weft_world_destroy(worlds[k]);
  }
}

/* Free cloth, so that the balance of momentum has work to do, with the other methods. */
static WeftWorld *free_world(const char *preconditioner, const char *device) {
  WeftError error;
  WeftWorld *world;
  WeftWorldDef def = weft_default_world_def();
  def.preconditioner = preconditioner;
  def.newton_iterations = 2;
  def.device = device;
  def.solver_tolerance = 1e-4;
  def.wind.velocity[1] = 2;
  check_ok(weft_world_create(&def, &world, &error), error);
  add_rectangle(world, 0, 20, "springs", "dihedral");
  WeftClothDef cloth = weft_default_cloth_def();
  double positions[] = {0, 0, 1, 0.1, 0, 1.01, 0, 0.1, 1, 0.1, 0.1, 1.02};
  int32_t triangles[] = {0, 1, 2, 3, 2, 1};
  cloth.vertex_count = 4;
  cloth.positions = positions;
  cloth.triangle_count = 2;
  cloth.triangles = triangles;
  cloth.rest_bend = WEFT_REST_BEND_FLAT;
  check_ok(weft_material_find("denim", &cloth.material, &error), error);
  cloth.stretch = cloth.material.has_measured_stretch ? "measured" : "baraff_witkin";
  cloth.bend = cloth.material.has_measured_bend ? "measured" : "dihedral";
  check_ok(weft_world_add_cloth(world, &cloth, NULL, &error), error);
  return world;
}

static void every_preconditioner_gives_the_same_bits(void **state) {
  (void)state;
  int count = 0;
  for (int32_t i = 0; i < weft_method_count(); i++) {
    WeftMethodInfo info = weft_method_info(i);
    if (strcmp(info.family, "preconditioner") != 0) continue;
    WeftError error;
    WeftWorld *worlds[2];
    for (int k = 0; k < 2; k++) {
      worlds[k] = free_world(info.name, k ? "opencl" : "cpu");
      check_ok(weft_world_step(worlds[k], 4, &error), error);
    }
    assert_non_null(worlds[1]->device); /* it was not lost on the way */
    check_same(worlds[0], worlds[1], info.name);
    for (int k = 0; k < 2; k++) weft_world_destroy(worlds[k]);
    count++;
  }
  assert_true(count >= 5);
}

/* During steps nothing but small things crosses, and looking brings back what was asked for. */
static void positions_forces_and_matrix_stay_on_the_device(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = busy_world(0, "backward_euler", 0.005);
  use(world, "opencl");
  check_ok(weft_world_step(world, 1, &error), error); /* sends what the host had changed before */
  WeftDeviceCounts before = world->device->counts;
  check_ok(weft_world_step(world, 5, &error), error);
  WeftDeviceCounts after = world->device->counts;
  int64_t small_bytes = 0;
  for (int kind = 0; kind < WEFT_MEMORY_KIND_COUNT; kind++) {
    int64_t up = after.uploads[kind].count - before.uploads[kind].count;
    int64_t down = after.downloads[kind].count - before.downloads[kind].count;
    if (kind != WEFT_MEMORY_SMALL) assert_int_equal(up + down, 0);
  }
  small_bytes = after.uploads[WEFT_MEMORY_SMALL].bytes + after.downloads[WEFT_MEMORY_SMALL].bytes -
                before.uploads[WEFT_MEMORY_SMALL].bytes - before.downloads[WEFT_MEMORY_SMALL].bytes;
  int64_t launches = after.launches - before.launches, iterations = world->report.solver_iterations;
  print_message(
      "5 steps: %lld launches, %lld small transfers of %lld bytes together\n", (long long)launches,
      (long long)(after.downloads[WEFT_MEMORY_SMALL].count + after.uploads[WEFT_MEMORY_SMALL].count -
                  before.downloads[WEFT_MEMORY_SMALL].count - before.uploads[WEFT_MEMORY_SMALL].count),
      (long long)small_bytes);
  /* five passes an iteration at most, and a few dozen launches a step around them */
  assert_true(launches > 5 * 20 && launches < 5 * iterations + 5 * 80);
  assert_true(small_bytes < 5 * 3 * world->model.vertex_count * (int64_t)sizeof(double));
  double *positions = calloc(3 * (size_t)weft_world_vertex_count(world, 0), sizeof *positions);
  check_ok(weft_world_positions(world, 0, positions, &error), error);
  check_ok(weft_world_velocities(world, 0, positions, &error), error);
  WeftDeviceCounts looked = world->device->counts;
  assert_int_equal(looked.downloads[WEFT_MEMORY_POSITION].count - after.downloads[WEFT_MEMORY_POSITION].count,
                   1); /* both looks at once */
  assert_int_equal(looked.downloads[WEFT_MEMORY_MATRIX].count, 0);
  free(positions);
  weft_world_destroy(world);
}

/* Everything that the host can change between steps, in the same order on both. */
static void change_on_the_way(WeftWorld *world) {
  WeftError error;
  check_ok(weft_world_step(world, 2, &error), error);
  check_ok(weft_world_pin(world, 0, 100, WEFT_AXIS_X | WEFT_AXIS_Z, &error), error);
  check_ok(weft_world_set_force(world, 0, 7, (double[]){0, 0.1, 0}, &error), error);
  check_ok(weft_world_step(world, 1, &error), error);
  check_ok(weft_world_move(world, 1, 0, (double[]){1.01, 0.01, 0}, &error), error);
  check_ok(weft_world_set_gravity(world, (double[]){0, 1, -9}, &error), error);
  check_ok(weft_world_step(world, 1, &error), error);
  WeftHandleDef handle = weft_default_handle_def();
  int32_t vertices[] = {200, 201, 0};
  handle.vertex_count = 3;
  handle.vertices = vertices;
  handle.release_time = 0.03;
  check_ok(weft_world_add_handle(world, &handle, NULL, &error), error);
  check_ok(weft_world_step(world, 3, &error), error);
  WeftWind wind = {.velocity = {0, 5, 0}, .gust_length = 1, .air_density = 1.2};
  check_ok(weft_world_set_wind(world, &wind, &error), error);
  int32_t count = weft_world_vertex_count(world, 1);
  double *positions = calloc(3 * (size_t)count, sizeof *positions);
  check_ok(weft_world_positions(world, 1, positions, &error), error);
  for (int32_t i = 0; i < count; i++) positions[3 * i + 2] += 0.001;
  check_ok(weft_world_set_state(world, 1, positions, NULL, &error), error);
  check_ok(weft_world_step(world, 2, &error), error);
  free(positions);
}

static void what_the_host_changes_reaches_the_device(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *here = busy_world(0, "backward_euler", 0.005), *there = busy_world(0, "backward_euler", 0.005);
  use(there, "opencl");
  change_on_the_way(here);
  change_on_the_way(there);
  check_same(here, there, "changes");
  size_t bytes = 3 * (size_t)weft_world_vertex_count(here, 0) * sizeof(double);
  double *one = malloc(bytes), *other = malloc(bytes);
  check_ok(weft_world_reactions(here, 0, one, &error), error);
  check_ok(weft_world_reactions(there, 0, other, &error), error);
  assert_memory_equal(one, other, bytes);
  assert_true(one[3 * 40] != 0);
  free(one);
  free(other);
  weft_world_destroy(here);
  weft_world_destroy(there);
}

static void a_run_moves_between_devices(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *here = busy_world(0, "backward_euler", 0.005), *there = busy_world(0, "backward_euler", 0.005);
  check_ok(weft_world_step(here, 6, &error), error);
  check_ok(weft_world_step(there, 2, &error), error);
  use(there, "opencl");
  check_ok(weft_world_step(there, 2, &error), error);
  use(there, "cpu");
  check_ok(weft_world_step(there, 1, &error), error);
  assert_int_equal(weft_world_use_device(there, "opencl:77", &error), WEFT_RESULT_DEVICE);
  use(there, "opencl");
  check_ok(weft_world_step(there, 1, &error), error);
  check_same(here, there, "moves");
  /* a saved state goes both ways */
  void *bytes, *other_bytes;
  size_t size, other_size;
  check_ok(weft_world_save(here, &bytes, &size, &error), error);
  check_ok(weft_world_save(there, &other_bytes, &other_size, &error), error);
  assert_int_equal(size, other_size);
  assert_memory_equal(bytes, other_bytes, size);
  check_ok(weft_world_step(there, 2, &error), error);
  check_ok(weft_world_restore(there, bytes, size, &error), error);
  check_ok(weft_world_step(here, 2, &error), error);
  check_ok(weft_world_step(there, 2, &error), error);
  assert_true(hash_of(here) == hash_of(there));
  weft_free(bytes);
  weft_free(other_bytes);
  weft_world_destroy(here);
  weft_world_destroy(there);
}

/* Steps that fail and are divided go back to what they started from, on the device too. */
static void divided_steps_give_the_same_bits(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *worlds[2], *whole = busy_world(0, "backward_euler", 0.005);
  check_ok(weft_world_step(whole, 4, &error), error);
  int few = whole->report.solver_iterations_max / 2; /* too few for a whole step */
  weft_world_destroy(whole);
  for (int k = 0; k < 2; k++) {
    worlds[k] = busy_world(0, "backward_euler", 0.005);
    worlds[k]->def.solver_max_iterations = few;
    if (k == 1) use(worlds[k], "opencl");
    check_ok(weft_world_step(worlds[k], 3, &error), error);
    worlds[k]->def.step_halvings = 0; /* and now it fails for good */
    assert_int_equal(weft_world_step(worlds[k], 1, &error), WEFT_RESULT_NOT_CONVERGED);
    assert_int_equal(weft_world_step_count(worlds[k]), 3);
  }
  assert_true(worlds[0]->report.substeps > 0);
  check_same(worlds[0], worlds[1], "divided steps");
  for (int k = 0; k < 2; k++) weft_world_destroy(worlds[k]);
}

int main(void) {
  if (skip_without_opencl()) return SKIPPED;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_shipped_scene_gives_the_same_bits),
      cmocka_unit_test(every_integrator_gives_the_same_bits),
      cmocka_unit_test(every_preconditioner_gives_the_same_bits),
      cmocka_unit_test(positions_forces_and_matrix_stay_on_the_device),
      cmocka_unit_test(what_the_host_changes_reaches_the_device),
      cmocka_unit_test(a_run_moves_between_devices),
      cmocka_unit_test(divided_steps_give_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
