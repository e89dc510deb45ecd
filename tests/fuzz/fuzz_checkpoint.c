/* Checkpoints, and the saved state inside. Both checksums are put right first, or nothing behind them would
 * ever be reached; a checkpoint that is taken must then be one that can be stepped and reported without a
 * crash. */
#include "base/checksum.h"
#include "base/hash.h"
#include "checkpoint.h"
#include "fuzz/fuzz_state.h"

#include <stdlib.h>
#include <string.h>

enum { TAIL = 8 }; /* bytes of a checksum */

static void try_checkpoint(const WeftCheckpoint *checkpoint, WeftWorld *world) {
  WeftError error;
  if (!world) abort();
  if (weft_checkpoint_restore(checkpoint, world, weft_checkpoint_info(checkpoint).run, &error) ==
      WEFT_RESULT_OK) {
    char *text = NULL;
    weft_world_step(world, 1, &error);
    if (weft_world_report_json(world, "fuzz", &text, &error) == WEFT_RESULT_OK) weft_free(text);
  }
  weft_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *copy = malloc(size + 1); /* taken over by the reader */
  if (!copy) abort();
  if (size) memcpy(copy, data, size);
  static const char magic[8] = {'w', 'e', 'f', 't', 's', 't', 'a', 't'};
  size_t state = 0;
  while (state + sizeof magic <= size && memcmp(copy + state, magic, sizeof magic) != 0) state += 8;
  if (state + 3 * TAIL <= size) {
    uint64_t hash = weft_hash(WEFT_HASH_START, copy + state, size - state - 2 * TAIL);
    memcpy(copy + size - 2 * TAIL, &hash, sizeof hash);
  }
  if (size >= TAIL) {
    uint64_t checksum = weft_checksum(copy, size - TAIL);
    memcpy(copy + size - TAIL, &checksum, sizeof checksum);
  }
  WeftError error;
  WeftCheckpoint *checkpoint;
  if (weft_checkpoint_parse(copy, size, "checkpoint", &checkpoint, &error) == WEFT_RESULT_OK) {
    WeftCheckpointInfo info = weft_checkpoint_info(checkpoint);
    unsigned sum = 0;
    for (size_t i = 0; i < info.note_size; i++) sum += ((const unsigned char *)info.notes)[i];
    if (sum > 255 * info.note_size) abort();
    for (FuzzWorld which = 0; which < FUZZ_WORLD_COUNT; which++)
      try_checkpoint(checkpoint, fuzz_world(which));
    weft_checkpoint_free(checkpoint);
  }
  return 0;
}
