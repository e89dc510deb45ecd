/* Save at any step, restore in a new process, continue: the same bits. And what is no saved state is refused.
 */
#include "worlds.h"

#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 24 };

static char program[4096];

/* In a new process: restore from the file, do the steps that are left, print the hash. */
static int continue_run(const char *path, int steps) {
  WeftError error;
  WeftWorld *world = busy_world(2, "backward_euler", 0.005);
  if (weft_world_restore_file(world, path, &error) || weft_world_step(world, steps, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  printf("%016llx\n", (unsigned long long)hash_of(world));
  weft_world_destroy(world);
  return 0;
}

static uint64_t hash_from_new_process(const char *path, int steps) {
  int ends[2];
  char steps_text[16], text[64] = "";
  snprintf(steps_text, sizeof steps_text, "%d", steps);
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    execl(program, program, path, steps_text, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t got;
       length < sizeof text - 1 && (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;) {
    length += (size_t)got;
  }
  close(ends[0]);
  int status;
  waitpid(child, &status, 0);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return strtoull(text, NULL, 16);
}

static void a_restored_run_continues_bit_for_bit(void **state) {
  (void)state;
  WeftError error;
  char path[] = "/tmp/weft-test-save-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  WeftWorld *world = busy_world(1, "backward_euler", 0.005);
  check_ok(weft_world_step(world, STEPS, &error), error);
  uint64_t expected = hash_of(world);
  weft_world_destroy(world);
  for (int at = 0; at <= STEPS; at += 6) {
    world = busy_world(1, "backward_euler", 0.005);
    check_ok(weft_world_step(world, at, &error), error);
    check_ok(weft_world_save_file(world, path, &error), error);
    weft_world_destroy(world);
    assert_true(hash_from_new_process(path, STEPS - at) == expected);
  }
  remove(path);
}

static void what_is_no_saved_state_is_refused_and_changes_nothing(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = busy_world(1, "backward_euler", 0.005);
  check_ok(weft_world_step(world, 3, &error), error);
  void *bytes;
  size_t size;
  check_ok(weft_world_save(world, &bytes, &size, &error), error);
  check_ok(weft_world_step(world, 1, &error), error);
  uint64_t before = hash_of(world);
  unsigned char *altered = malloc(size);
  /* cut off anywhere */
  for (size_t cut = 0; cut < size; cut += size / 40 + 1) {
    assert_int_not_equal(weft_world_restore(world, bytes, cut, &error), WEFT_RESULT_OK);
  }
  /* one bit altered anywhere */
  for (size_t at = 0; at < size; at += size / 200 + 1) {
    memcpy(altered, bytes, size);
    altered[at] ^= 0x10;
    assert_int_not_equal(weft_world_restore(world, altered, size, &error), WEFT_RESULT_OK);
  }
  memcpy(altered, bytes, size);
  altered[8] = 99;
  check_refused(weft_world_restore(world, altered, size, &error), WEFT_RESULT_MISMATCH, "version 99", error);
  altered[0] = 'x';
  check_refused(weft_world_restore(world, altered, size, &error), WEFT_RESULT_PARSE, "not a saved state",
                error);
  assert_true(hash_of(world) == before);
  /* another model */
  WeftWorldDef def = weft_default_world_def();
  WeftWorld *other;
  check_ok(weft_world_create(&def, &other, &error), error);
  add_rectangle(other, 0, 10, "baraff_witkin", "dihedral");
  check_refused(weft_world_restore(other, bytes, size, &error), WEFT_RESULT_MISMATCH, "another model", error);
  weft_world_destroy(other);
  /* a file that is not there, and a folder that cannot be written to */
  check_refused(weft_world_restore_file(world, "/nonexistent/state", &error), WEFT_RESULT_IO,
                "/nonexistent/state", error);
  check_refused(weft_world_save_file(world, "/nonexistent/state", &error), WEFT_RESULT_IO,
                "/nonexistent/state", error);
  free(altered);
  weft_free(bytes);
  weft_world_destroy(world);
}

int main(int argument_count, char **arguments) {
  if (argument_count == 3) return continue_run(arguments[1], atoi(arguments[2]));
  snprintf(program, sizeof program, "%s", arguments[0]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_restored_run_continues_bit_for_bit),
      cmocka_unit_test(what_is_no_saved_state_is_refused_and_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
