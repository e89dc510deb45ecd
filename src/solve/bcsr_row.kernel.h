/* The product of one block row with a vector: what the matrix product and the solver share. */
#ifndef WEFT_SOLVE_BCSR_ROW_KERNEL_H
#define WEFT_SOLVE_BCSR_ROW_KERNEL_H

#include "device/kernel.h"

/* How far ahead of its use a block is asked for. The processor's own prefetching ends at every page of 4 KB;
 * asking from beyond it makes a product with 100K rows 1.5 times as fast. 40 to 160 blocks are the same, 10
 * help half as much. */
#define BCSR_AHEAD 64

/* One row of A x. A block's columns are read as four numbers, the fourth being the next column's first and
 * thrown away: so the compiler can use whole vectors. */
INLINE Vec3 bcsr_row(int row, GLOBAL const int *base_start, GLOBAL const int *extra_start,
                     GLOBAL const int *column, GLOBAL const REAL *value, GLOBAL const REAL *x) {
  REAL sum[4] = {0, 0, 0, 0};
  int begin = base_start[row], end = base_start[row + 1];
  for (int part = 0; part < 2; part++) {
    for (int slot = begin; slot < end; slot++) {
      GLOBAL const REAL *block = value + 9 * slot;
      GLOBAL const REAL *p = x + 3 * column[slot];
      PREFETCH(block, BCSR_AHEAD * 9 * sizeof(REAL));
      REAL x0 = p[0], x1 = p[1], x2 = p[2];
      FOR_LANES (k, 4) sum[k] += block[k] * x0 + block[3 + k] * x1 + block[6 + k] * x2;
    }
    begin = extra_start[row];
    end = extra_start[row + 1];
  }
  return vec3(sum[0], sum[1], sum[2]);
}

#endif
