/* Vector passes shared by step and integrators. */
#ifndef WEFT_INTEGRATE_VECTOR_KERNEL_H
#define WEFT_INTEGRATE_VECTOR_KERNEL_H

#include "solve/rows.kernel.h"

/* f = m g + given force - damping m v */
KERNEL vector_body_forces(int row_count, GLOBAL const REAL *mass, REAL gx, REAL gy, REAL gz, REAL damping,
                          GLOBAL const REAL *given, GLOBAL const REAL *v, GLOBAL REAL *f) {
  FOR_ITEMS (row, row_count) {
    Vec3 a = v3_axpy(vec3(gx, gy, gz), -damping, load3(v, row));
    store3(f, row, v3_axpy(load3(given, row), mass[row], a));
  }
}

/* out = a + s b */
KERNEL vector_axpy(int n, GLOBAL const REAL *a, REAL s, GLOBAL const REAL *b, GLOBAL REAL *out) {
  FOR_ITEMS (i, n) {
    out[i] = a[i] + s * b[i];
  }
}

/* out = wanted on held components, v elsewhere */
KERNEL vector_hold(int row_count, GLOBAL const unsigned char *held, GLOBAL const REAL *wanted,
                   GLOBAL const REAL *v, GLOBAL REAL *out) {
  FOR_ITEMS (row, row_count) {
    for (int k = 0; k < 3; k++) {
      int i = 3 * row + k;
      out[i] = (held[row] >> k) & 1 ? wanted[i] : v[i];
    }
  }
}

/* Velocity with which held vertices reach their targets in `time`. */
KERNEL vector_held_velocity(int row_count, GLOBAL const unsigned char *held, GLOBAL const REAL *target,
                            GLOBAL const REAL *x, REAL time, GLOBAL REAL *velocity) {
  FOR_ITEMS (row, row_count) {
    Vec3 d = held[row] ? v3_scale(1 / time, v3_sub(load3(target, row), load3(x, row))) : vec3(0, 0, 0);
    store3(velocity, row, d);
  }
}

/* Force that held components feel from what holds them: what the motion needs less what the other forces
 * give. */
KERNEL vector_reaction(int row_count, GLOBAL const unsigned char *held, GLOBAL const REAL *needed, REAL scale,
                       GLOBAL const REAL *given, REAL given_scale, GLOBAL REAL *reaction) {
  FOR_ITEMS (row, row_count) {
    for (int k = 0; k < 3; k++) {
      int i = 3 * row + k;
      reaction[i] = (held[row] >> k) & 1 ? scale * needed[i] - given_scale * given[i] : 0;
    }
  }
}

/* partial = largest |a| of the item's rows; not finite when one of them is not */
KERNEL vector_largest(int item_count, int rows_per_item, int row_count, GLOBAL const REAL *a,
                      GLOBAL REAL *partial) {
  FOR_CHUNKS (item, item_count) {
    REAL largest = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      REAL length = v3_length(load3(a, row));
      if (!(length <= largest)) largest = length;
      if (!(largest >= 0)) break; /* not a number: stays so */
    }
    partial[item] = largest;
  }
}

/* partial = a . b over the free components of the item's rows */
KERNEL vector_dot_free(int item_count, int rows_per_item, int row_count, GLOBAL const unsigned char *held,
                       GLOBAL const REAL *a, GLOBAL const REAL *b, GLOBAL REAL *partial) {
  FOR_CHUNKS (item, item_count) {
    REAL sum = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      for (int k = 0; k < 3; k++) {
        if (!((held[row] >> k) & 1)) sum += a[3 * row + k] * b[3 * row + k];
      }
    }
    partial[item] = sum;
  }
}

#endif
