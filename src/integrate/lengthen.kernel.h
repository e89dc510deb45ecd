#include "solve/rows.kernel.h"

/* partial = the largest growth of an edge of the item's rows; each edge belongs to the lower of its ends */
KERNEL lengthen_largest(int item_count, int rows_per_item, int row_count, GLOBAL const int *around_start,
                        GLOBAL const int *around, GLOBAL const REAL *rest, GLOBAL const REAL *x0,
                        GLOBAL const REAL *x1, GLOBAL REAL *partial) {
  FOR_CHUNKS (item, item_count) {
    REAL largest = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      for (int i = around_start[row]; i < around_start[row + 1]; i++) {
        int other = around[i];
        if (other < row) continue;
        REAL length = v3_length(v3_sub(load3(rest, other), load3(rest, row)));
        REAL growth = v3_length(v3_sub(load3(x1, other), load3(x1, row))) -
                      v3_length(v3_sub(load3(x0, other), load3(x0, row)));
        if (length > 0 && growth > largest * length) largest = growth / length;
      }
    }
    partial[item] = largest;
  }
}
