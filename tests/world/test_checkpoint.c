/* Checkpoints: state, counts and notes come back; what is cut off, altered or of another run is refused and
 * changes nothing. And the fingerprint that tells one run from another. */
#include "collision_worlds.h"

#include "base/read_file.h"
#include "checkpoint.h"

#include <unistd.h>

static char path[] = "/tmp/weft-test-checkpoint-XXXXXX";

static int make_file(void **state) {
  (void)state;
  int file = mkstemp(path);
  return file < 0 ? -1 : close(file);
}

static int remove_file(void **state) {
  (void)state;
  return remove(path);
}

static WeftWorldDef small_def(void) {
  WeftWorldDef def = weft_default_world_def();
  def.threads = 1;
  return def;
}

static WeftWorld *small_world(const WeftWorldDef *def) {
  WeftError error;
  WeftWorld *world;
  check_ok(weft_world_create(def, &world, &error), error);
  add_rectangle(world, 0, 5, "baraff_witkin", "dihedral");
  check_ok(weft_world_pin(world, 0, 0, WEFT_AXIS_ALL, &error), error);
  return world;
}

static void state_counts_and_notes_come_back(void **state) {
  (void)state;
  WeftError error;
  WeftWorldDef def = small_def();
  WeftWorld *world = small_world(&def), *other = small_world(&def);
  check_ok(weft_world_step(world, 7, &error), error);
  WeftCheck check;
  check_ok(weft_check_world(world, NULL, &check, &error), error);
  weft_check_free(&check);
  check_ok(weft_checkpoint_write(world, 42, "notes", 6, path, &error), error);
  WeftCheckpoint *checkpoint;
  check_ok(weft_checkpoint_read(path, &checkpoint, &error), error);
  WeftCheckpointInfo info = weft_checkpoint_info(checkpoint);
  assert_true(info.run == 42 && info.step == 7 && info.time == weft_world_time(world) && info.note_size == 6);
  assert_string_equal(info.notes, "notes");
  uint64_t before = hash_of(other);
  check_refused(weft_checkpoint_restore(checkpoint, other, 43, &error), WEFT_RESULT_MISMATCH, "another run",
                error);
  assert_true(hash_of(other) == before);
  for (int i = 1; i <= 2; i++) {
    check_ok(weft_checkpoint_restore(checkpoint, other, 42, &error), error);
    assert_true(hash_of(other) == hash_of(world));
    WeftReport a = report_of(world), b = report_of(other);
    assert_int_equal(b.resumes, 1); /* the checkpoint itself was written by a run that was never resumed */
    assert_true(a.steps == b.steps && a.solves == b.solves && a.solver_iterations == b.solver_iterations &&
                a.solver_iterations_max == b.solver_iterations_max && a.seconds == b.seconds &&
                a.solver_residual_max == b.solver_residual_max && a.max_speed == b.max_speed);
    assert_int_equal(a.check.checks, 1);
    assert_memory_equal(&a.check, &b.check, sizeof a.check);
    assert_memory_equal(a.stage_seconds, b.stage_seconds, sizeof a.stage_seconds);
    check_ok(weft_world_step(world, 3, &error), error);
    check_ok(weft_world_step(other, 3, &error), error);
    assert_true(hash_of(other) == hash_of(world));
    assert_int_equal(report_of(other).steps, 10);
    check_ok(weft_checkpoint_restore(checkpoint, world, 42, &error), error);
  }
  weft_checkpoint_free(checkpoint);
  weft_world_destroy(world);
  weft_world_destroy(other);
}

/* Cloth that slides to rest on a ball: contacts remember how far friction is stretched. */
static WeftWorld *rubbing_world(void) {
  WeftWorldDef def = colliding_def(1);
  def.time_step = 1.0 / 100;
  WeftWorld *world = world_of(&def);
  add_sheet(world, &(Sheet){0.3, 9, {0.02, 0.01, 0.1005}, 0.2, {0.3, 0, -0.5}, 1e-3, 0.5});
  add_sheet(world, &(Sheet){0.2, 7, {0, 0.01, 0.105}, 0.5, {0, 0, -1}, 1e-3, 0.5});
  add_ball(world, 0.1, 1e-3, 0, NULL);
  return world;
}

/* In the middle of contact: bit for bit, by what contacts remember too. */
static void a_colliding_run_goes_on(void **state) {
  (void)state;
  enum { BEFORE = 15, AFTER = 15, MOST = 3 * 200 };
  WeftError error;
  WeftWorld *world = rubbing_world(), *other = rubbing_world(), *forgetful = rubbing_world();
  check_ok(weft_world_step(world, BEFORE, &error), error);
  WeftReport before = report_of(world);
  assert_true(before.contacts > 0);
  check_ok(weft_checkpoint_write(world, 7, NULL, 0, path, &error), error);
  WeftCheckpoint *checkpoint;
  check_ok(weft_checkpoint_read(path, &checkpoint, &error), error);
  check_ok(weft_checkpoint_restore(checkpoint, other, 7, &error), error);
  weft_checkpoint_free(checkpoint);
  double x[MOST], v[MOST], expected[MOST];
  for (int i = 0; i < 2; i++) {
    check_ok(weft_world_positions(world, i, x, &error), error);
    check_ok(weft_world_velocities(world, i, v, &error), error);
    check_ok(weft_world_set_state(forgetful, i, x, v, &error), error);
  }
  for (int step = 0; step < AFTER; step++) {
    check_ok(weft_world_step(world, 1, &error), error);
    check_ok(weft_world_step(other, 1, &error), error);
    check_ok(weft_world_step(forgetful, 1, &error), error);
    assert_true(hash_of(other) == hash_of(world));
  }
  WeftReport a = report_of(world), b = report_of(other);
  assert_true(a.contacts == b.contacts && a.impacts_left == b.impacts_left && a.retries == b.retries);
  for (int i = 0; i < a.link_in_chain_count; i++) {
    assert_true(a.links[i].impacts == b.links[i].impacts && a.links[i].rounds == b.links[i].rounds &&
                a.links[i].iterations == b.links[i].iterations && a.links[i].limited == b.links[i].limited &&
                a.links[i].left == b.links[i].left);
  }
  /* positions and velocities alone would not have been enough */
  check_ok(weft_world_positions(world, 0, expected, &error), error);
  check_ok(weft_world_positions(forgetful, 0, x, &error), error);
  assert_true(memcmp(x, expected, 3 * (size_t)weft_world_vertex_count(world, 0) * sizeof *x) != 0);
  weft_world_destroy(world);
  weft_world_destroy(other);
  weft_world_destroy(forgetful);
}

/* As weft_checkpoint_read, from bytes. */
static WeftResult parse(const char *bytes, size_t size, WeftError *error) {
  char *copy = malloc(size + 1);
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  WeftCheckpoint *checkpoint;
  WeftResult result = weft_checkpoint_parse(copy, size, "file", &checkpoint, error);
  assert_true((result == WEFT_RESULT_OK) == (checkpoint != NULL));
  weft_checkpoint_free(checkpoint);
  return result;
}

static void what_is_no_whole_checkpoint_is_refused(void **state) {
  (void)state;
  WeftError error;
  char *bytes;
  size_t size;
  WeftWorldDef def = small_def();
  WeftWorld *world = small_world(&def);
  check_ok(weft_checkpoint_write(world, 42, "some notes", 10, path, &error), error);
  check_ok(weft_read_file(path, &bytes, &size, &error), error);
  assert_int_equal(parse(bytes, size, &error), WEFT_RESULT_OK);
  for (size_t length = 0; length < size; length++)
    check_refused(parse(bytes, length, &error), WEFT_RESULT_PARSE,
                  length < 8 ? "not a checkpoint" : "cut off", error);
  for (size_t at = 0; at < size; at++) {
    bytes[at] = (char)(bytes[at] ^ 1 << at % 8);
    WeftResult result = parse(bytes, size, &error);
    assert_true(result == WEFT_RESULT_PARSE || result == WEFT_RESULT_MISMATCH);
    bytes[at] = (char)(bytes[at] ^ 1 << at % 8);
  }
  bytes[8] = 5;
  check_refused(parse(bytes, size, &error), WEFT_RESULT_MISMATCH, "version 5, this weft reads version 4",
                error);
  WeftCheckpoint *checkpoint;
  check_refused(weft_checkpoint_read("/nonexistent/file", &checkpoint, &error), WEFT_RESULT_IO,
                "/nonexistent/file", error);
  check_refused(weft_checkpoint_write(world, 1, NULL, 0, "/nonexistent/file", &error), WEFT_RESULT_IO,
                "/nonexistent/file", error);
  free(bytes);
  weft_world_destroy(world);
}

static uint64_t fingerprint_of(WeftWorld *world) {
  uint64_t fingerprint;
  WeftError error;
  check_ok(weft_world_fingerprint(world, &fingerprint, &error), error);
  return fingerprint;
}

static uint64_t fingerprint_with(const WeftWorldDef *def) {
  WeftWorld *world = small_world(def);
  uint64_t fingerprint = fingerprint_of(world);
  weft_world_destroy(world);
  return fingerprint;
}

/* Each change of what decides the result changes it; threads do not. */
static void the_fingerprint_tells_runs_apart(void **state) {
  (void)state;
  WeftError error;
  WeftWorldDef def = small_def(), other;
  uint64_t seen[32], count = 0;
  seen[count++] = fingerprint_with(&def);
  other = def;
  other.threads = 2;
  assert_true(fingerprint_with(&other) == seen[0]);
#define CHANGED(statement) \
  other = def;             \
  statement;               \
  seen[count++] = fingerprint_with(&other)
  CHANGED(other.time_step *= 1 + 1e-15);
  CHANGED(other.gravity[2] = -9.8);
  CHANGED(other.wind.velocity[1] = 1);
  CHANGED(other.wind.gust_frequency = 1);
  CHANGED(other.mass_damping = 1e-9);
  CHANGED(other.integrator = "explicit_euler");
  CHANGED(other.preconditioner = "jacobi");
  CHANGED(other.solver_tolerance *= 1.5);
  CHANGED(other.solver_max_iterations = 5);
  CHANGED(other.newton_iterations = 3);
  CHANGED(other.newton_tolerance = 1);
  CHANGED(other.quasi_static = true);
  CHANGED(other.step_halvings = 1);
  WeftWorld *world = small_world(&def);
  check_ok(weft_world_set_force(world, 0, 3, (double[]){0, 0, 1}, &error), error);
  seen[count++] = fingerprint_of(world);
  check_ok(weft_world_pin(world, 0, 4, WEFT_AXIS_X, &error), error);
  seen[count++] = fingerprint_of(world);
  WeftKey keys[] = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {0, 0, 1}, {0, 0, 0}}};
  int32_t vertex = 2;
  WeftHandleDef handle = weft_default_handle_def();
  handle.vertex_count = 1;
  handle.vertices = &vertex;
  handle.key_count = 2;
  handle.keys = keys;
  check_ok(weft_world_add_handle(world, &handle, NULL, &error), error);
  seen[count++] = fingerprint_of(world);
  keys[1].rotation[0] = 1e-3;
  check_ok(weft_world_add_handle(world, &handle, NULL, &error), error);
  seen[count++] = fingerprint_of(world);
  check_ok(weft_world_step(world, 1, &error), error);
  seen[count++] = fingerprint_of(world);
  weft_world_destroy(world);
  for (uint64_t i = 0; i < count; i++)
    for (uint64_t j = 0; j < i; j++)
      if (seen[i] == seen[j]) fail_msg("changes %d and %d have one fingerprint", (int)i, (int)j);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(state_counts_and_notes_come_back),
      cmocka_unit_test(a_colliding_run_goes_on),
      cmocka_unit_test(what_is_no_whole_checkpoint_is_refused),
      cmocka_unit_test(the_fingerprint_tells_runs_apart),
  };
  return cmocka_run_group_tests(tests, make_file, remove_file);
}
