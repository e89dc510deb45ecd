/* Saved states. The checksum is put right first, or nothing behind it would ever be reached; a state that is
 * taken must then be one that can be stepped without a crash. */
#include "fuzz/fuzz_state.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  WeftError error;
  WeftWorld *world = fuzz_world();
  uint8_t *copy = malloc(size ? size : 1);
  if (world && copy) {
    memcpy(copy, data, size);
    if (size >= sizeof(uint64_t)) {
      uint64_t hash = weft_hash(WEFT_HASH_START, copy, size - sizeof hash);
      memcpy(copy + size - sizeof hash, &hash, sizeof hash);
    }
    if (weft_world_restore(world, copy, size, &error) == WEFT_RESULT_OK) weft_world_step(world, 1, &error);
  }
  free(copy);
  weft_world_destroy(world);
  return 0;
}
