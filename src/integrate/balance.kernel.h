/* Sums over the rows of one cloth, and its translation; see balance.c. A cloth's rows are found through the
 * order of its vertices: internal[first + i]. */
#include "solve/rows.kernel.h"

/* sums: three an item */
KERNEL balance_sum(int item_count, int rows_per_item, int vertex_count, int first, GLOBAL const int *internal,
                   GLOBAL const REAL *r, GLOBAL REAL *sums) {
  FOR_CHUNKS (item, item_count) {
    Vec3 sum = vec3(0, 0, 0);
    FOR_ROWS_OF(item, rows_per_item, vertex_count) { sum = v3_add(sum, load3(r, internal[first + row])); }
    store3(sums, item, sum);
  }
}

/* d = (x, y, z) on the cloth's vertices that have mass */
KERNEL balance_carry(int vertex_count, int first, GLOBAL const int *internal, GLOBAL const REAL *mass, REAL x,
                     REAL y, REAL z, GLOBAL REAL *d) {
  FOR_ITEMS (i, vertex_count) {
    int row = internal[first + i];
    if (mass[row] > 0) store3(d, row, vec3(x, y, z));
  }
}
