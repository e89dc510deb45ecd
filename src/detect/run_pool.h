/* For methods that search from entry to entry of a sorted table: entries are taken in runs, and each run has
 * a small pool for the pairs it finds, so that one search is enough where counting first and writing
 * afterwards would take two. The few runs that find more than their pool holds search again. */
#ifndef WEFT_DETECT_RUN_POOL_H
#define WEFT_DETECT_RUN_POOL_H

#include "detect/broad.h"

typedef struct WeftRunPool {
  int room; /* pairs a run's pool holds */
  size_t capacity_a, capacity_b;
  int32_t *a, *b; /* runs x room */
} WeftRunPool;

/* Runs that hold so many entries. */
int weft_run_count(int entry_count);
/* Pools and work items for so many runs. */
WeftResult weft_run_pool_reserve(WeftRunPool *pool, WeftBroad *broad, int run_count, WeftError *error);
/* After the search: broad's pairs from the pools, and its counts. Runs with item_count beyond room are left
 * to the caller. */
WeftResult weft_run_pool_place(WeftRunPool *pool, WeftBroad *broad, int run_count, WeftError *error);
/* After them: room for the next query, from what this one found. */
void weft_run_pool_adapt(WeftRunPool *pool, const WeftBroad *broad, int run_count);
void weft_run_pool_destroy(WeftRunPool *pool, WeftBroad *broad);

#endif
