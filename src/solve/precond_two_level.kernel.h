#include "solve/cholesky.kernel.h"
#include "solve/ic.kernel.h"

/* What of both levels is for one work item, at once: the late rows of the factor in z, and the nodes, whose r
 * is in the order of the matrix and whose z goes where it is read, in single precision. */
KERNEL two_level_between(int two, int row_count, int block_count, GLOBAL REAL *storage, GLOBAL float *z,
                         int node_count, GLOBAL const int *order, GLOBAL const int *start,
                         GLOBAL const int *row, GLOBAL const REAL *pivot, GLOBAL const float *value,
                         GLOBAL float *y, GLOBAL const REAL *node_r, GLOBAL float *node_z) {
  FOR_CHUNKS (item, two) {
    if (item == 0) {
      ic_solve_late(ic_factor(row_count, block_count, storage), row_count, z);
    } else {
      for (int j = 0; j < node_count; j++) single_store(y, j, load3(node_r, order[j]));
      cholesky_solve(node_count, start, row, pivot, value, y);
      for (int j = 0; j < node_count; j++) single_store(node_z, order[j], single_load(y, j));
    }
  }
}
