/* The corpora that follow the file formats and the model's fingerprint: what make_corpus writes, and of it
 * what test_corpus wants to see accepted. */
#ifndef WEFT_TESTS_FUZZ_CORPUS_H
#define WEFT_TESTS_FUZZ_CORPUS_H

#include "fuzz/fuzz_state.h"

typedef struct FuzzCase {
  const char *name;
  FuzzWorld world;
  int steps;
  bool is_pinned;
} FuzzCase;

/* Each in state/ and in checkpoint/. */
static const FuzzCase FUZZ_CASES[] = {{"start", FUZZ_ALONE, 0, false},
                                      {"two_steps", FUZZ_ALONE, 2, false},
                                      {"pinned", FUZZ_ALONE, 2, true},
                                      {"contacts", FUZZ_ON_FLOOR, 2, false}};
enum { FUZZ_CASE_COUNT = sizeof FUZZ_CASES / sizeof *FUZZ_CASES };

static inline WeftWorld *fuzz_case_world(const FuzzCase *a_case, WeftError *error) {
  WeftWorld *world = fuzz_world(a_case->world);
  if (!world) return NULL;
  if ((!a_case->is_pinned || weft_world_pin(world, 0, 0, WEFT_AXIS_ALL, error) == WEFT_RESULT_OK) &&
      weft_world_step(world, a_case->steps, error) == WEFT_RESULT_OK)
    return world;
  weft_world_destroy(world);
  return NULL;
}

#endif
