/* Solves with the complete factor of solve/fill.h; how it is made is in precond_block_cholesky.kernel.h. */
#ifndef WEFT_SOLVE_CHOLESKY_KERNEL_H
#define WEFT_SOLVE_CHOLESKY_KERNEL_H

#include "solve/factor.kernel.h"
#include "solve/single.kernel.h"

/* y, four numbers a row in the factor's order, becomes Lt \ (D \ (L \ y)). Columns of blocks are read as
 * four, the fourth is thrown away. */
INLINE void cholesky_solve(int n, GLOBAL const int *start, GLOBAL const int *row, GLOBAL const REAL *pivot,
                           GLOBAL const float *value, GLOBAL float *y) {
  for (int j = 0; j < n; j++) {
    float y0 = y[4 * j], y1 = y[4 * j + 1], y2 = y[4 * j + 2];
    for (int s = start[j]; s < start[j + 1]; s++) {
      GLOBAL const float *l = value + 9 * s;
      GLOBAL float *yi = y + 4 * row[s];
      FOR_LANES (k, 4) yi[k] -= l[k] * y0 + l[3 + k] * y1 + l[6 + k] * y2;
    }
    single_store(y, j, m3_apply(factor_inverse_of(pivot, 2 * j + 1), vec3(y0, y1, y2)));
  }
  for (int j = n - 1; j >= 0; j--) {
    float sum[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
    for (int s = start[j]; s < start[j + 1]; s++) {
      GLOBAL const float *l = value + 9 * s;
      GLOBAL const float *z = y + 4 * row[s];
      FOR_LANES (k, 4) sum[0][k] += l[k] * z[k];
      FOR_LANES (k, 4) sum[1][k] += l[3 + k] * z[k];
      FOR_LANES (k, 4) sum[2][k] += l[6 + k] * z[k];
    }
    for (int k = 0; k < 3; k++) y[4 * j + k] -= sum[k][0] + sum[k][1] + sum[k][2];
  }
}

#endif
