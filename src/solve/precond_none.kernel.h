/* z = r */
#include "solve/rows.kernel.h"

KERNEL precond_copy(int item_count, int rows_per_item, int row_count, GLOBAL const REAL *r, GLOBAL REAL *z,
                    GLOBAL REAL *partial) {
  FOR_CHUNKS(item, item_count) {
    REAL sum = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      Vec3 ri = load3(r, row);
      store3(z, row, ri);
      sum += v3_dot(ri, ri);
    }
    partial[item] = sum;
  }
}
