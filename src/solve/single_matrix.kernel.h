#ifndef WEFT_SOLVE_SINGLE_MATRIX_KERNEL_H
#define WEFT_SOLVE_SINGLE_MATRIX_KERNEL_H

#include "solve/rows.kernel.h"
#include "solve/single.kernel.h"

/* A block by rows; false when it is zero, as those of contacts that do nothing are. */
INLINE int single_matrix_store(GLOBAL const REAL *value, int slot, GLOBAL float *single, int at) {
  int is_there = 0;
  for (int k = 0; k < 9; k++) {
    REAL number = value[9 * slot + k];
    is_there |= number != 0;
    single[9 * at + k % 3 * 3 + k / 3] = (float)number;
  }
  return is_there;
}

/* Writes the blocks of a row that couple it to rows before it in its domain (is_inside), or to other domains;
 * returns where they end. */
INLINE int single_matrix_gather(int row, int is_inside, int at, GLOBAL const int *domain,
                                GLOBAL const int *base_start, GLOBAL const int *extra_start,
                                GLOBAL const int *column, GLOBAL const REAL *value, GLOBAL int *to_column,
                                GLOBAL float *single) {
  for (int part = 0; part < 2; part++) {
    int end = part ? extra_start[row + 1] : base_start[row + 1];
    for (int slot = part ? extra_start[row] : base_start[row]; slot < end; slot++) {
      int c = column[slot], is_near = domain[c] == domain[row];
      if (is_inside ? !is_near || c >= row : is_near) continue;
      if (!single_matrix_store(value, slot, single, at)) continue;
      to_column[at++] = c;
    }
  }
  return at;
}

/* Blocks of the matrix in the rows of a domain are more than enough room for its own. */
KERNEL single_matrix_place(int one, int row_count, GLOBAL const int *order, GLOBAL const int *base_start,
                           GLOBAL const int *extra_start, GLOBAL int *row_start) {
  FOR_CHUNKS (item, one) {
    int at = 0;
    for (int k = 0; k < row_count; k++) {
      int row = order[k];
      row_start[3 * k] = at;
      at += base_start[row + 1] - base_start[row] + extra_start[row + 1] - extra_start[row];
    }
  }
}

/* One item a domain, whose first row knows where its blocks begin. */
KERNEL single_matrix_make(int domain_count, GLOBAL const int *start, GLOBAL const int *order,
                          GLOBAL const int *domain, GLOBAL const int *base_start,
                          GLOBAL const int *extra_start, GLOBAL const int *column, GLOBAL const REAL *value,
                          GLOBAL int *row_start, GLOBAL int *to_column, GLOBAL float *single) {
  FOR_CHUNKS (item, domain_count) {
    int at = start[item] < start[item + 1] ? row_start[3 * start[item]] : 0;
    for (int k = start[item]; k < start[item + 1]; k++) {
      int row = order[k];
      REAL sum[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
      for (int part = 0; part < 2; part++) {
        int end = part ? extra_start[row + 1] : base_start[row + 1];
        for (int slot = part ? extra_start[row] : base_start[row]; slot < end; slot++) {
          for (int i = 0; i < 9; i++) sum[i] += value[9 * slot + i];
        }
      }
      for (int i = 0; i < 9; i++) single[9 * at + i % 3 * 3 + i / 3] = (float)sum[i];
      row_start[3 * k] = at;
      to_column[at] = row;
      int split = single_matrix_gather(row, 1, at + 1, domain, base_start, extra_start, column, value,
                                       to_column, single);
      at = single_matrix_gather(row, 0, split, domain, base_start, extra_start, column, value, to_column,
                                single);
      row_start[3 * k + 1] = split;
      row_start[3 * k + 2] = at;
    }
  }
}

/* q = S A p, partial = p . q of each domain. */
KERNEL single_matrix_multiply(int domain_count, GLOBAL const int *start, GLOBAL const int *order,
                              GLOBAL const int *row_start, GLOBAL const int *column,
                              GLOBAL const float *single, GLOBAL const unsigned char *held,
                              GLOBAL const float *p, GLOBAL float *q, GLOBAL REAL *partial) {
  FOR_CHUNKS (item, domain_count) {
    for (int k = start[item]; k < start[item + 1]; k++) {
      int at = row_start[3 * k], split = row_start[3 * k + 1], end = row_start[3 * k + 2], row = order[k];
      Single8 wide = SINGLE_TWICE(p + 4 * row);
      Single4 own = SINGLE4(p + 4 * row);
      Single8 sum = SINGLE8(single + 9 * at) * SINGLE_TILE(wide);
      float ninth = single[9 * at + 8] * SINGLE_Z(own);
      for (at++; at < split; at++) {
        GLOBAL const float *block = single + 9 * at;
        GLOBAL const float *from = p + 4 * column[at];
        GLOBAL float *to = q + 4 * column[at];
        PREFETCH(block, 64 * 9 * sizeof(float));
        Single4 d = SINGLE4(from) - own;
        sum += SINGLE8(block) * SINGLE_TILE(SINGLE_TWICE(from) - wide);
        ninth += block[8] * SINGLE_Z(d);
        SINGLE_STORE(SINGLE4(to) - (SINGLE4(block) * SINGLE_X(d) + SINGLE4(block + 3) * SINGLE_Y(d) +
                                    SINGLE4(block + 6) * SINGLE_Z(d)),
                     to);
      }
      for (; at < end; at++) {
        GLOBAL const float *block = single + 9 * at;
        GLOBAL const float *from = p + 4 * column[at];
        PREFETCH(block, 64 * 9 * sizeof(float));
        sum += SINGLE8(block) * SINGLE_TILE(SINGLE_TWICE(from) - wide);
        ninth += block[8] * (from[2] - SINGLE_Z(own));
      }
      SINGLE_STORE(SINGLE_FOLD_ROWS(sum, ninth), q + 4 * row);
    }
    REAL sum = 0;
    for (int k = start[item]; k < start[item + 1]; k++) {
      int row = order[k];
      Vec3 qi = single_load(q, row);
      if (held[row]) qi = vec3(held[row] & 1 ? 0 : qi.x, held[row] & 2 ? 0 : qi.y, held[row] & 4 ? 0 : qi.z);
      single_store(q, row, qi);
      sum += v3_dot(single_load(p, row), qi);
    }
    partial[item] = sum;
  }
}

#endif
