#include "detect/broad.h"

#include "base/memory.h"
#include "detect/broad.kernel.h"
#include "device/launch.h"
#include "device/shared.h"

#include <limits.h>
#include <stdlib.h>

WeftResult weft_broad_create(const WeftBroadOps *ops, WeftDevice *device, int triangle_count,
                             WeftBroad **broad, WeftError *error) {
  WeftBroad *made = weft_alloc(1, ops->size);
  *broad = NULL;
  if (!made) return weft_fail_memory(error, "broad phase");
  made->ops = ops;
  made->device = device;
  made->triangle_count = triangle_count;
  WeftResult result = ops->create(made, error);
  if (result) {
    weft_broad_destroy(made);
    return result;
  }
  *broad = made;
  return WEFT_RESULT_OK;
}

void weft_broad_destroy(WeftBroad *broad) {
  if (!broad) return;
  broad->ops->destroy(broad);
  weft_primitives_destroy(&broad->primitives);
  weft_shared_free(broad->device, (void **)&broad->pairs.a);
  weft_shared_free(broad->device, (void **)&broad->pairs.b);
  weft_shared_free(broad->device, (void **)&broad->item_count);
  weft_shared_free(broad->device, (void **)&broad->item_start);
  weft_shared_free(broad->device, (void **)&broad->item_tests);
  free(broad);
}

WeftResult weft_broad_find(WeftBroad *broad, const WeftBroadQuery *query, WeftError *error) {
  broad->pairs.count = 0;
  broad->counts.box_tests = 0;
  if (broad->triangle_count == 0) return WEFT_RESULT_OK;
  WeftResult result = broad->ops->find(broad, query, error);
  if (!result) result = weft_device_check(broad->device, error);
  if (result) broad->pairs.count = 0;
  return result;
}

WeftResult weft_broad_reserve_primitives(WeftBroad *broad, int capacity, WeftError *error) {
  return weft_primitives_reserve(&broad->primitives, broad->device, capacity, error);
}

WeftResult weft_broad_reserve_items(WeftBroad *broad, int item_count, WeftError *error) {
  size_t n = (size_t)item_count;
  WeftResult result =
      weft_shared_grow(broad->device, (void **)&broad->item_count, &broad->item_capacity_count, n,
                       sizeof(int32_t), WEFT_MEMORY_DETECT, "counts of pairs", error);
  if (!result) {
    result = weft_shared_grow(broad->device, (void **)&broad->item_start, &broad->item_capacity_start, n,
                              sizeof(int32_t), WEFT_MEMORY_DETECT, "places of pairs", error);
  }
  if (!result) {
    result = weft_shared_grow(broad->device, (void **)&broad->item_tests, &broad->item_capacity_tests, n,
                              sizeof(double), WEFT_MEMORY_DETECT, "counts of tests", error);
  }
  if (!result) result = weft_broad_reserve_primitives(broad, item_count, error);
  return result;
}

static WeftResult reserve_pairs(WeftBroad *broad, int count, WeftError *error) {
  WeftTrianglePairs *pairs = &broad->pairs;
  WeftResult result = weft_shared_grow(broad->device, (void **)&pairs->a, &pairs->capacity_a, (size_t)count,
                                       sizeof(int32_t), WEFT_MEMORY_DETECT, "pairs of triangles", error);
  if (result) return result;
  return weft_shared_grow(broad->device, (void **)&pairs->b, &pairs->capacity_b, (size_t)count,
                          sizeof(int32_t), WEFT_MEMORY_DETECT, "pairs of triangles", error);
}

WeftResult weft_broad_place_items(WeftBroad *broad, int item_count, WeftError *error) {
  /* the sum first as a double: an int32 may not hold it */
  LAUNCH(broad->device, broad_count_as_real, item_count, broad->item_count, broad->item_tests);
  double total = weft_reduce(&broad->primitives, item_count, broad->item_tests);
  WeftResult result = weft_device_check(broad->device, error);
  if (result) return result;
  if (total > INT_MAX / 2) {
    return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                     "%.3g pairs of triangles have overlapping boxes, more than can be held; "
                     "use a smaller distance or time step",
                     total);
  }
  int count = weft_scan(&broad->primitives, item_count, broad->item_count, broad->item_start);
  if (count < 0) return weft_device_check(broad->device, error);
  result = reserve_pairs(broad, count, error);
  if (!result) broad->pairs.count = count;
  return result;
}

void weft_broad_sum_tests(WeftBroad *broad, int item_count) {
  broad->counts.box_tests = weft_reduce(&broad->primitives, item_count, broad->item_tests);
}

WeftResult weft_broad_sort(WeftBroad *broad, WeftError *error) {
  WeftTrianglePairs *pairs = &broad->pairs;
  int bits = weft_sort_bits(broad->triangle_count);
  if (pairs->count == 0) return WEFT_RESULT_OK;
  WeftResult result = weft_broad_reserve_primitives(broad, pairs->count, error);
  if (result) return result;
  /* stable: by the second number, then by the first */
  weft_sort(&broad->primitives, pairs->count, bits, pairs->b, pairs->a);
  weft_sort(&broad->primitives, pairs->count, bits, pairs->a, pairs->b);
  return weft_device_check(broad->device, error);
}
