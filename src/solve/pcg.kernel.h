/* The passes of one CG iteration. Each item sums its own rows; sum() in pcg.c adds the items in order. */
#include "solve/bcsr_row.kernel.h"
#include "solve/rows.kernel.h"
#include "solve/single.kernel.h"

/* The components of v that are free. */
INLINE Vec3 pcg_filter(Vec3 v, int held) {
  return held ? vec3(held & 1 ? 0 : v.x, held & 2 ? 0 : v.y, held & 4 ? 0 : v.z) : v;
}

/* q = S A p, partial = p . q */
KERNEL pcg_multiply(int item_count, int rows_per_item, int row_count, GLOBAL const int *base_start,
                    GLOBAL const int *extra_start, GLOBAL const int *column, GLOBAL const REAL *value,
                    GLOBAL const unsigned char *held, GLOBAL const REAL *p, GLOBAL REAL *q,
                    GLOBAL REAL *partial) {
  FOR_CHUNKS (item, item_count) {
    REAL sum = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      Vec3 qi = pcg_filter(bcsr_row(row, base_start, extra_start, column, value, p), held[row]);
      store3(q, row, qi);
      sum += v3_dot(load3(p, row), qi);
    }
    partial[item] = sum;
  }
}

/* r = S (b - A x), partial = r . r */
KERNEL pcg_residual(int item_count, int rows_per_item, int row_count, GLOBAL const int *base_start,
                    GLOBAL const int *extra_start, GLOBAL const int *column, GLOBAL const REAL *value,
                    GLOBAL const unsigned char *held, GLOBAL const REAL *b, GLOBAL const REAL *x,
                    GLOBAL REAL *r, GLOBAL REAL *partial) {
  FOR_CHUNKS (item, item_count) {
    REAL sum = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      Vec3 ax = bcsr_row(row, base_start, extra_start, column, value, x);
      Vec3 ri = pcg_filter(v3_sub(load3(b, row), ax), held[row]);
      store3(r, row, ri);
      sum += v3_dot(ri, ri);
    }
    partial[item] = sum;
  }
}

/* x += alpha p, then p = S z + beta p */
KERNEL pcg_advance(int item_count, int rows_per_item, int row_count, GLOBAL const unsigned char *held,
                   REAL alpha, REAL beta, GLOBAL const REAL *z, GLOBAL REAL *p, GLOBAL REAL *x) {
  FOR_CHUNKS (item, item_count) {
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      Vec3 pi = load3(p, row);
      add3(x, row, v3_scale(alpha, pi));
      store3(p, row, v3_axpy(pcg_filter(load3(z, row), held[row]), beta, pi));
    }
  }
}

KERNEL pcg_advance_narrow(int item_count, int rows_per_item, int row_count, GLOBAL const unsigned char *held,
                          REAL alpha, REAL beta, GLOBAL const float *z, GLOBAL float *p, GLOBAL float *x) {
  FOR_CHUNKS (item, item_count) {
    float a = (float)alpha, b = (float)beta;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      GLOBAL float *pi = p + 4 * row;
      FOR_LANES (k, 4) {
        float pk = pi[k];
        x[4 * row + k] += a * pk;
        pi[k] = z[4 * row + k] + b * pk;
      }
      for (int k = 0; held[row] && k < 3; k++) pi[k] = held[row] >> k & 1 ? 0 : pi[k];
    }
  }
}

/* By the threads that will use the rows, so that memory lies with them. */
KERNEL pcg_clear(int row_count, GLOBAL REAL *p, GLOBAL REAL *q) {
  FOR_ITEMS (row, row_count) {
    store3(p, row, vec3(0, 0, 0));
    store3(q, row, vec3(0, 0, 0));
  }
}

/* r to single precision, in units of which there are `scale` in one; all else zero. */
KERNEL pcg_begin_narrow(int row_count, REAL scale, GLOBAL const REAL *r, GLOBAL float *narrow_r,
                        GLOBAL float *p, GLOBAL float *q, GLOBAL float *x) {
  FOR_ITEMS (row, row_count) {
    single_store(narrow_r, row, v3_scale(scale, load3(r, row)));
    single_store(p, row, vec3(0, 0, 0));
    single_store(q, row, vec3(0, 0, 0));
    single_store(x, row, vec3(0, 0, 0));
  }
}

/* x += what the iterations found, in their units */
KERNEL pcg_end_narrow(int row_count, REAL scale, GLOBAL const float *found, GLOBAL REAL *x) {
  FOR_ITEMS (row, row_count) {
    add3(x, row, v3_scale(1 / scale, single_load(found, row)));
  }
}

/* guess = x, then x = 0 on the free components; partial = how many of those were not zero, partial2 = how
 * many of the others are not */
KERNEL pcg_forget(int item_count, int rows_per_item, int row_count, GLOBAL const unsigned char *held,
                  GLOBAL REAL *x, GLOBAL REAL *guess, GLOBAL REAL *partial, GLOBAL REAL *partial2) {
  FOR_CHUNKS (item, item_count) {
    REAL count = 0, others = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      Vec3 xi = load3(x, row), freed = pcg_filter(xi, held[row]), kept = v3_sub(xi, freed);
      count += (freed.x != 0) + (freed.y != 0) + (freed.z != 0);
      others += (kept.x != 0) + (kept.y != 0) + (kept.z != 0);
      store3(guess, row, xi);
      store3(x, row, kept);
    }
    partial[item] = count;
    partial2[item] = others;
  }
}

/* r = S b, partial = r . r: the residual of x = 0 */
KERNEL pcg_take(int item_count, int rows_per_item, int row_count, GLOBAL const unsigned char *held,
                GLOBAL const REAL *b, GLOBAL REAL *r, GLOBAL REAL *partial) {
  FOR_CHUNKS (item, item_count) {
    REAL sum = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      Vec3 ri = pcg_filter(load3(b, row), held[row]);
      store3(r, row, ri);
      sum += v3_dot(ri, ri);
    }
    partial[item] = sum;
  }
}
