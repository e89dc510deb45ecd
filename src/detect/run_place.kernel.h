#include "device/kernel.h"

/* From the pools of runs into one array, but for those that found more than their pool holds. */
KERNEL run_place(int run_count, int room, GLOBAL const int *pool_a, GLOBAL const int *pool_b,
                 GLOBAL const int *count, GLOBAL const int *start, GLOBAL int *a, GLOBAL int *b) {
  FOR_CHUNKS (run, run_count) {
    int n = count[run] <= room ? count[run] : 0, to = start[run], from = run * room;
    for (int i = 0; i < n; i++) {
      a[to + i] = pool_a[from + i];
      b[to + i] = pool_b[from + i];
    }
  }
}
