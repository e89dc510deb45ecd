/* r -= alpha q, then z = r in place of q */
#include "solve/rows.kernel.h"

KERNEL precond_none_descend(int item_count, int rows_per_item, int row_count, REAL alpha, GLOBAL REAL *r,
                            GLOBAL REAL *qz, GLOBAL REAL *rr, GLOBAL REAL *rz) {
  FOR_CHUNKS (item, item_count) {
    REAL sum_rr = 0, sum_rz = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      Vec3 ri = v3_axpy(load3(r, row), -alpha, load3(qz, row));
      store3(r, row, ri);
      Vec3 zi = ri;
      store3(qz, row, zi);
      sum_rr += v3_dot(ri, ri);
      sum_rz += v3_dot(ri, zi);
    }
    rr[item] = sum_rr;
    rz[item] = sum_rz;
  }
}
