/* The passes of one CG iteration. Each item sums its own rows; sum() in pcg.c adds the items in order. */
#include "solve/bcsr_row.kernel.h"
#include "solve/rows.kernel.h"

/* The components of v that are free. */
INLINE Vec3 pcg_filter(Vec3 v, int held) {
  return held ? vec3(held & 1 ? 0 : v.x, held & 2 ? 0 : v.y, held & 4 ? 0 : v.z) : v;
}

/* The matrix in single precision. */
KERNEL pcg_narrow(int block_count, GLOBAL const REAL *value, GLOBAL float *narrow) {
  FOR_ITEMS (block, block_count) {
    for (int k = 0; k < 9; k++) narrow[9 * block + k] = (float)value[9 * block + k];
  }
}

/* q = S A p, partial = p . q */
#define PCG_MULTIPLY(name, NUMBER, product)                                                        \
  KERNEL name(int item_count, int rows_per_item, int row_count, GLOBAL const int *base_start,      \
              GLOBAL const int *extra_start, GLOBAL const int *column, GLOBAL const NUMBER *value, \
              GLOBAL const unsigned char *held, GLOBAL const REAL *p, GLOBAL REAL *q,              \
              GLOBAL REAL *partial) {                                                              \
    FOR_CHUNKS (item, item_count) {                                                                \
      REAL sum = 0;                                                                                \
      FOR_ROWS_OF(item, rows_per_item, row_count) {                                                \
        Vec3 qi = pcg_filter(product(row, base_start, extra_start, column, value, p), held[row]);  \
        store3(q, row, qi);                                                                        \
        sum += v3_dot(load3(p, row), qi);                                                          \
      }                                                                                            \
      partial[item] = sum;                                                                         \
    }                                                                                              \
  }

PCG_MULTIPLY(pcg_multiply, REAL, bcsr_row)
PCG_MULTIPLY(pcg_multiply_narrow, float, bcsr_row_narrow)

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

/* By the threads that will use the rows, so that memory lies with them. */
KERNEL pcg_clear(int row_count, GLOBAL REAL *p, GLOBAL REAL *q) {
  FOR_ITEMS (row, row_count) {
    store3(p, row, vec3(0, 0, 0));
    store3(q, row, vec3(0, 0, 0));
  }
}

/* guess = x, then x = 0 on the free components; partial = how many of those were not zero */
KERNEL pcg_forget(int item_count, int rows_per_item, int row_count, GLOBAL const unsigned char *held,
                  GLOBAL REAL *x, GLOBAL REAL *guess, GLOBAL REAL *partial) {
  FOR_CHUNKS (item, item_count) {
    REAL count = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      Vec3 xi = load3(x, row), freed = pcg_filter(xi, held[row]);
      count += (freed.x != 0) + (freed.y != 0) + (freed.z != 0);
      store3(guess, row, xi);
      store3(x, row, v3_sub(xi, freed));
    }
    partial[item] = count;
  }
}
