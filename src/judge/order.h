/* Sorting by two whole numbers. */
#ifndef WEFT_JUDGE_ORDER_H
#define WEFT_JUDGE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct WeftKeyed {
  int32_t major, minor, item;
} WeftKeyed;

/* By major, then minor, then as they were; both are in [0, range). False when out of memory. */
bool weft_order_keyed(WeftKeyed *entries, size_t count, int32_t range);

#endif
