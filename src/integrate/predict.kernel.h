#include "device/kernel.h"

/* x1 = x + h (v + s h g) on free components, x + h held_velocity on held ones. s: how much of gravity the
 * last step's dv shows, 0 to 1: all of it in free fall, none of it where something carries the vertex. What
 * rests is not thought to fall in every step anew. */
KERNEL vector_predict(int row_count, REAL h, REAL gx, REAL gy, REAL gz, GLOBAL const unsigned char *held,
                      GLOBAL const REAL *held_velocity, GLOBAL const REAL *x, GLOBAL const REAL *v,
                      GLOBAL const REAL *dv, GLOBAL REAL *x1) {
  FOR_ITEMS (row, row_count) {
    REAL g[3] = {gx, gy, gz}, square = gx * gx + gy * gy + gz * gz;
    REAL s = square > 0 ? v3_dot(load3(dv, row), vec3(gx, gy, gz)) / (h * square) : 0;
    s = s > 1 ? 1 : s > 0 ? s : 0;
    for (int k = 0; k < 3; k++) {
      int i = 3 * row + k;
      x1[i] = x[i] + h * ((held[row] >> k) & 1 ? held_velocity[i] : v[i] + s * h * g[k]);
    }
  }
}
