#include "detect/run_pool.h"

#include "detect/run_place.kernel.h"
#include "detect/run_pool.kernel.h"
#include "device/launch.h"
#include "device/shared.h"

#include <limits.h>

enum { SMALLEST_ROOM = 256, LARGEST_ROOM = 2048 };

int weft_run_count(int entry_count) { return (entry_count + POOL_RUN - 1) / POOL_RUN; }

WeftResult weft_run_pool_reserve(WeftRunPool *pool, WeftBroad *broad, int run_count, WeftError *error) {
  if (pool->room < SMALLEST_ROOM) pool->room = SMALLEST_ROOM;
  while (pool->room > INT_MAX / run_count) pool->room /= 2; /* kernels count places with an int */
  size_t needed = (size_t)run_count * (size_t)pool->room;
  WeftResult result = weft_shared_grow(broad->device, (void **)&pool->a, &pool->capacity_a, needed,
                                       sizeof(int32_t), WEFT_MEMORY_DETECT, "pairs of a run", error);
  if (!result) {
    result = weft_shared_grow(broad->device, (void **)&pool->b, &pool->capacity_b, needed, sizeof(int32_t),
                              WEFT_MEMORY_DETECT, "pairs of a run", error);
  }
  if (!result) result = weft_broad_reserve_items(broad, run_count, error);
  return result;
}

WeftResult weft_run_pool_place(WeftRunPool *pool, WeftBroad *broad, int run_count, WeftError *error) {
  weft_broad_sum_tests(broad, run_count);
  WeftResult result = weft_broad_place_items(broad, run_count, error);
  if (result) return result;
  LAUNCH(broad->device, run_place, run_count, pool->room, pool->a, pool->b, broad->item_count,
         broad->item_start, broad->pairs.a, broad->pairs.b);
  return WEFT_RESULT_OK;
}

/* Twice what a run found on average. */
void weft_run_pool_adapt(WeftRunPool *pool, const WeftBroad *broad, int run_count) {
  int wanted = 2 * (broad->pairs.count / run_count);
  if (wanted > LARGEST_ROOM) wanted = LARGEST_ROOM;
  if (wanted > pool->room) pool->room = wanted;
}

void weft_run_pool_destroy(WeftRunPool *pool, WeftBroad *broad) {
  weft_shared_free(broad->device, (void **)&pool->a);
  weft_shared_free(broad->device, (void **)&pool->b);
}
