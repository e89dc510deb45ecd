/* What handles say of the rows they hold. */
#include "device/kernel.h"

/* values: target and the bits of held, four a row; no row appears twice */
KERNEL aim_set_targets(int n, GLOBAL const int *rows, GLOBAL const REAL *values, GLOBAL REAL *target,
                       GLOBAL unsigned char *held) {
  FOR_ITEMS (i, n) {
    store3(target, rows[i], vec3(values[4 * i], values[4 * i + 1], values[4 * i + 2]));
    held[rows[i]] = (unsigned char)values[4 * i + 3];
  }
}
