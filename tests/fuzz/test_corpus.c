/* The corpora still reach what they were made to reach: a file that is meant to be good is accepted by the
 * reader, for else the fuzzer would only ever see the first refusal. */
#include "check.h"
#include "fuzz/corpus.h"
#include "world.h"

#include <weft/cache.h>
#include <weft/checkpoint.h>

static const char *path_of(const char *file) {
  static char path[4096];
  const char *root = getenv("WEFT_SOURCE_DIR");
  snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", root ? root : ".", file);
  return path;
}

static void check_accepted(WeftResult result, const char *path, const WeftError *error) {
  if (result == WEFT_RESULT_OK) return;
  print_error(
      "%s is refused: %s\nIf a format or the model's fingerprint has changed, write the corpora anew:\n"
      "  build/release/fuzz/make_corpus tests/fuzz/corpus\n",
      path, error->message);
  fail();
}

/* The world that took a file remembers contacts where it should, and can go on. */
static void check_goes_on(WeftWorld *restored, const FuzzCase *a_case, const char *path) {
  WeftError error;
  assert_int_equal(restored->state.step, a_case->steps);
  assert_true((restored->state.contacts.count > 0) == (a_case->world == FUZZ_ON_FLOOR));
  check_accepted(weft_world_step(restored, 1, &error), path, &error);
}

static void states_are_accepted(void **state) {
  (void)state;
  for (int i = 0; i < FUZZ_CASE_COUNT; i++) {
    WeftError error;
    char file[64];
    snprintf(file, sizeof file, "state/%s.weft", FUZZ_CASES[i].name);
    WeftWorld *world = fuzz_world(FUZZ_CASES[i].world);
    assert_non_null(world);
    check_accepted(weft_world_restore_file(world, path_of(file), &error), path_of(file), &error);
    check_goes_on(world, &FUZZ_CASES[i], path_of(file));
    weft_world_destroy(world);
  }
}

static void checkpoints_are_accepted(void **state) {
  (void)state;
  for (int i = 0; i < FUZZ_CASE_COUNT; i++) {
    WeftError error;
    char file[64];
    snprintf(file, sizeof file, "checkpoint/%s.weft", FUZZ_CASES[i].name);
    WeftWorld *world = fuzz_world(FUZZ_CASES[i].world);
    WeftCheckpoint *checkpoint;
    assert_non_null(world);
    check_accepted(weft_checkpoint_read(path_of(file), &checkpoint, &error), path_of(file), &error);
    uint64_t run = weft_checkpoint_info(checkpoint).run;
    check_accepted(weft_checkpoint_restore(checkpoint, world, run, &error), path_of(file), &error);
    check_goes_on(world, &FUZZ_CASES[i], path_of(file));
    weft_checkpoint_free(checkpoint);
    weft_world_destroy(world);
  }
}

/* Caches know nothing of fingerprints, and those of older versions stay readable: nothing to write anew. */
static void caches_are_accepted(void **state) {
  (void)state;
  static const char *const files[] = {"bits_11_velocities", "bits_32", "obstacles", "obstacles_bits_12",
                                      "plain"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    WeftError error;
    char file[64];
    snprintf(file, sizeof file, "cache/%s.weftcache", files[i]);
    WeftCache *cache;
    check_ok(weft_cache_open(path_of(file), &cache, &error), error);
    assert_true(weft_cache_info(cache).frame_count >= 2);
    check_ok(weft_cache_read(cache, 1, NULL, &error), error);
    weft_cache_close(cache);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(states_are_accepted),
                                     cmocka_unit_test(checkpoints_are_accepted),
                                     cmocka_unit_test(caches_are_accepted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
