#include "device/kernel.h"

/* x1 = x + h v + h^2 g on free components, x + h held_velocity on held ones */
KERNEL vector_predict(int row_count, REAL h, REAL gx, REAL gy, REAL gz, GLOBAL const unsigned char *held,
                      GLOBAL const REAL *held_velocity, GLOBAL const REAL *x, GLOBAL const REAL *v,
                      GLOBAL REAL *x1) {
  FOR_ITEMS (row, row_count) {
    REAL g[3] = {gx, gy, gz};
    for (int k = 0; k < 3; k++) {
      int i = 3 * row + k;
      x1[i] = x[i] + h * ((held[row] >> k) & 1 ? held_velocity[i] : v[i] + h * g[k]);
    }
  }
}
