/* One stage of an explicit method. */
#include "device/kernel.h"

/* a = f / m on free components, 0 on held ones */
KERNEL explicit_acceleration(int row_count, GLOBAL const unsigned char *held, GLOBAL const REAL *mass,
                             GLOBAL const REAL *f, GLOBAL REAL *a) {
  FOR_ITEMS (row, row_count) {
    for (int k = 0; k < 3; k++) {
      int i = 3 * row + k;
      a[i] = (held[row] >> k) & 1 ? 0 : f[i] / mass[row];
    }
  }
}

/* out = M a */
KERNEL explicit_times_mass(int row_count, GLOBAL const REAL *mass, GLOBAL const REAL *a, GLOBAL REAL *out) {
  FOR_ITEMS (row, row_count) {
    store3(out, row, v3_scale(mass[row], load3(a, row)));
  }
}
