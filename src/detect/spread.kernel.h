/* How far boxes reach and how large they are: nine numbers. */
#include "detect/box.kernel.h"

#define SPREAD_RUN 512 /* boxes in a run */
/* low and high of all, the largest and the sum of their sides, how many were left out */
#define SPREAD_NUMBERS 9

INLINE void spread_store(GLOBAL REAL *spread, Box all, REAL largest, REAL sum, int larger_count) {
  spread[0] = all.low_x;
  spread[1] = all.low_y;
  spread[2] = all.low_z;
  spread[3] = all.high_x;
  spread[4] = all.high_y;
  spread[5] = all.high_z;
  spread[6] = largest;
  spread[7] = sum;
  spread[8] = larger_count;
}

/* Of boxes whose largest side is not above the limit. */
KERNEL spread_runs(int run_count, int box_count, REAL limit, GLOBAL const float *box, GLOBAL REAL *spread) {
  FOR_CHUNKS (run, run_count) {
    Box all = box_empty();
    REAL largest = 0, sum = 0;
    int larger_count = 0;
    for (int i = run * SPREAD_RUN; i < (run + 1) * SPREAD_RUN && i < box_count; i++) {
      Box b = load_box(box, i);
      REAL side = box_largest_side(b);
      if (side > limit) {
        larger_count++;
        continue;
      }
      all = box_join(all, b);
      largest = side > largest ? side : largest;
      sum += side;
    }
    spread_store(spread + SPREAD_NUMBERS * run, all, largest, sum, larger_count);
  }
}

/* The runs' numbers become those of all, in the place of the first. */
KERNEL spread_all(int one, int run_count, GLOBAL REAL *spread) {
  FOR_CHUNKS (item, one) {
    for (int run = 1; run < run_count; run++) {
      GLOBAL const REAL *other = spread + SPREAD_NUMBERS * run;
      for (int k = 0; k < 3; k++) {
        if (other[k] < spread[k]) spread[k] = other[k];
        if (other[3 + k] > spread[3 + k]) spread[3 + k] = other[3 + k];
      }
      if (other[6] > spread[6]) spread[6] = other[6];
      spread[7] += other[7];
      spread[8] += other[8];
    }
    (void)item;
  }
}
