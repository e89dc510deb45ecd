/* Rows without a usable diagonal (vertices without mass, always held) get zero. */
#include "solve/rows.kernel.h"

KERNEL precond_jacobi_update(int row_count, GLOBAL const int *diagonal, GLOBAL const REAL *value,
                             GLOBAL REAL *inverse) {
  FOR_ITEMS (row, row_count) {
    for (int k = 0; k < 3; k++) {
      REAL d = value[9 * diagonal[row] + 4 * k];
      inverse[3 * row + k] = d > 0 ? 1 / d : 0;
    }
  }
}

KERNEL precond_jacobi_descend(int item_count, int rows_per_item, int row_count, GLOBAL const REAL *inverse,
                              REAL alpha, GLOBAL REAL *r, GLOBAL REAL *qz, GLOBAL REAL *rr, GLOBAL REAL *rz) {
  FOR_CHUNKS (item, item_count) {
    REAL sum_rr = 0, sum_rz = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      Vec3 ri = v3_axpy(load3(r, row), -alpha, load3(qz, row));
      store3(r, row, ri);
      Vec3 di = load3(inverse, row);
      Vec3 zi = vec3(di.x * ri.x, di.y * ri.y, di.z * ri.z);
      store3(qz, row, zi);
      sum_rr += v3_dot(ri, ri);
      sum_rz += v3_dot(ri, zi);
    }
    rr[item] = sum_rr;
    rz[item] = sum_rz;
  }
}
