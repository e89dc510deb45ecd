/* Right-hand sides of backward Euler. */
#include "device/kernel.h"

/* b = h (f + h K_x v) */
KERNEL newton_linear_rhs(int n, REAL h, GLOBAL const REAL *f, GLOBAL const REAL *kxv, GLOBAL REAL *b) {
  FOR_ITEMS (i, n) {
    b[i] = h * (f[i] + h * kxv[i]);
  }
}

/* r = h f - M (v - v0) */
KERNEL newton_residual(int row_count, GLOBAL const REAL *mass, REAL h, GLOBAL const REAL *f,
                       GLOBAL const REAL *v, GLOBAL const REAL *v0, GLOBAL REAL *r) {
  FOR_ITEMS (row, row_count) {
    Vec3 change = v3_sub(load3(v, row), load3(v0, row));
    store3(r, row, v3_axpy(v3_scale(h, load3(f, row)), -mass[row], change));
  }
}
