/* How far boxes reach and how large they are: eight numbers. */
#include "detect/box.kernel.h"

#define SPREAD_RUN 512 /* boxes in a run */

INLINE REAL box_largest_side(Box b) {
  REAL x = (REAL)b.high_x - b.low_x, y = (REAL)b.high_y - b.low_y, z = (REAL)b.high_z - b.low_z;
  REAL side = x > y ? x : y;
  return side > z ? side : z;
}

INLINE void spread_store(GLOBAL REAL *spread, int i, Box all, REAL largest, REAL sum) {
  spread[8 * i] = all.low_x;
  spread[8 * i + 1] = all.low_y;
  spread[8 * i + 2] = all.low_z;
  spread[8 * i + 3] = all.high_x;
  spread[8 * i + 4] = all.high_y;
  spread[8 * i + 5] = all.high_z;
  spread[8 * i + 6] = largest;
  spread[8 * i + 7] = sum;
}

KERNEL spread_runs(int run_count, int box_count, GLOBAL const float *box, GLOBAL REAL *spread) {
  FOR_CHUNKS (run, run_count) {
    Box all = box_empty();
    REAL largest = 0, sum = 0;
    for (int i = run * SPREAD_RUN; i < (run + 1) * SPREAD_RUN && i < box_count; i++) {
      Box b = load_box(box, i);
      REAL side = box_largest_side(b);
      all = box_join(all, b);
      largest = side > largest ? side : largest;
      sum += side;
    }
    spread_store(spread, run, all, largest, sum);
  }
}

/* The runs' numbers become those of all, in the place of the first. */
KERNEL spread_all(int one, int run_count, GLOBAL REAL *spread) {
  FOR_CHUNKS (item, one) {
    for (int run = 1; run < run_count; run++) {
      GLOBAL const REAL *other = spread + 8 * run;
      for (int k = 0; k < 3; k++) {
        if (other[k] < spread[k]) spread[k] = other[k];
        if (other[3 + k] > spread[3 + k]) spread[3 + k] = other[3 + k];
      }
      if (other[6] > spread[6]) spread[6] = other[6];
      spread[7] += other[7];
    }
    (void)item;
  }
}
