/* make_corpus FOLDER: writes the states and checkpoints of the fuzz corpora anew, into FOLDER/state and
 * FOLDER/checkpoint. Needed whenever their formats or the model's fingerprint change; test_corpus tells. */
#include "base/write_file.h"
#include "fuzz/corpus.h"
#include "world.h"

#include <stdio.h>
#include <string.h>
#include <weft/checkpoint.h>

enum { RUN = 42, CUT_AT = 100 };
static const char NOTES[] = "frames 7";

/* The same bytes every time: what was measured is left out. */
static void forget_times(WeftReport *report) {
  report->seconds = report->check.seconds = 0;
  memset(report->stage_seconds, 0, sizeof report->stage_seconds);
  for (int i = 0; i < WEFT_CHAIN_MOST; i++) report->links[i].seconds = 0;
}

static WeftResult write_case(const char *folder, const FuzzCase *a_case, WeftError *error) {
  char path[4096];
  WeftWorld *world = fuzz_case_world(a_case, error);
  if (!world) return error->result ? error->result : WEFT_RESULT_NOT_CONVERGED;
  snprintf(path, sizeof path, "%s/state/%s.weft", folder, a_case->name);
  WeftResult result = weft_world_save_file(world, path, error);
  snprintf(path, sizeof path, "%s/checkpoint/%s.weft", folder, a_case->name);
  forget_times(&world->report);
  if (!result) result = weft_checkpoint_write(world, RUN, NOTES, sizeof NOTES, path, error);
  weft_world_destroy(world);
  return result;
}

/* FOLDER/kind/cut_off.weft: the first bytes of two_steps.weft. */
static WeftResult write_cut_off(const char *folder, const char *kind, WeftError *error) {
  char path[4096], bytes[CUT_AT];
  snprintf(path, sizeof path, "%s/%s/two_steps.weft", folder, kind);
  FILE *stream = fopen(path, "rb");
  size_t got = stream ? fread(bytes, 1, sizeof bytes, stream) : 0;
  if (stream) fclose(stream);
  if (got != sizeof bytes) return weft_fail(error, WEFT_RESULT_IO, "%s: could not be read", path);
  snprintf(path, sizeof path, "%s/%s/cut_off.weft", folder, kind);
  return weft_write_file(path, bytes, sizeof bytes, error);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 2) {
    fprintf(stderr, "usage: make_corpus FOLDER, from the root of the tree: make_corpus tests/fuzz/corpus\n");
    return 2;
  }
  WeftError error = {0};
  WeftResult result = WEFT_RESULT_OK;
  for (int i = 0; i < FUZZ_CASE_COUNT && !result; i++)
    result = write_case(arguments[1], &FUZZ_CASES[i], &error);
  if (!result) result = write_cut_off(arguments[1], "state", &error);
  if (!result) result = write_cut_off(arguments[1], "checkpoint", &error);
  if (result) fprintf(stderr, "make_corpus: %s\n", error.message);
  return result ? 1 : 0;
}
