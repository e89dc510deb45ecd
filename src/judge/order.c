#include "judge/order.h"

#include "base/memory.h"

#include <stdlib.h>

/* One pass of a counting sort, which keeps the order of equals. start has range + 1 places. */
static void pass(const WeftKeyed *from, WeftKeyed *to, size_t count, int32_t range, bool by_major,
                 size_t *start) {
  for (int32_t k = 0; k <= range; k++) start[k] = 0;
  for (size_t i = 0; i < count; i++) start[(by_major ? from[i].major : from[i].minor) + 1]++;
  for (int32_t k = 0; k < range; k++) start[k + 1] += start[k];
  for (size_t i = 0; i < count; i++) to[start[by_major ? from[i].major : from[i].minor]++] = from[i];
}

bool weft_order_keyed(WeftKeyed *entries, size_t count, int32_t range) {
  WeftKeyed *between = WEFT_NEW(WeftKeyed, count);
  size_t *start = WEFT_NEW(size_t, (size_t)range + 1);
  bool has_memory = between && start;
  if (has_memory) {
    pass(entries, between, count, range, false, start);
    pass(between, entries, count, range, true, start);
  }
  free(between);
  free(start);
  return has_memory;
}
