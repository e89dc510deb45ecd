/* Saved states. The checksum is put right first, or nothing behind it would ever be reached; a state that is
 * taken must then be one that can be stepped without a crash. */
#include "fuzz/fuzz_state.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static void try_state(WeftWorld *world, const uint8_t *bytes, size_t size) {
  WeftError error;
  if (!world) abort();
  if (weft_world_restore(world, bytes, size, &error) == WEFT_RESULT_OK) weft_world_step(world, 1, &error);
  weft_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *copy = malloc(size ? size : 1);
  if (!copy) abort();
  if (size) memcpy(copy, data, size);
  if (size >= sizeof(uint64_t)) {
    uint64_t hash = weft_hash(WEFT_HASH_START, copy, size - sizeof hash);
    memcpy(copy + size - sizeof hash, &hash, sizeof hash);
  }
  for (FuzzWorld which = 0; which < FUZZ_WORLD_COUNT; which++) try_state(fuzz_world(which), copy, size);
  free(copy);
  return 0;
}
