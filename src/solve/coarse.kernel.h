#ifndef WEFT_SOLVE_COARSE_KERNEL_H
#define WEFT_SOLVE_COARSE_KERNEL_H

#include "solve/factor.kernel.h"
#include "solve/rows.kernel.h"
#include "solve/single.kernel.h"

#define COARSE_NODES 3

/* Adds to row I, whose columns are at position, the share w of row r of A: each of its blocks A_rc for each
 * node J that the column c moves with. */
INLINE void coarse_add_row(int begin, int end, REAL share, int row_held, GLOBAL const int *column,
                           GLOBAL const REAL *value, GLOBAL const unsigned char *held, GLOBAL const int *node,
                           GLOBAL const float *weight, GLOBAL const int *position,
                           GLOBAL REAL *coarse_value) {
  for (int slot = begin; slot < end; slot++) {
    int c = column[slot];
    Four low = FOUR_LOAD(value + 9 * slot), high = FOUR_LOAD(value + 9 * slot + 4);
    REAL last = value[9 * slot + 8];
    if (row_held | held[c]) {
      Block m = block_wide(factor_free(load_mat3(value, slot), row_held, held[c], 0));
      low = FOUR_JOIN(m.a, m.b);
      high = FOUR_NEXT(m.b, m.c);
      last = FOUR_Z(m.c);
    }
    for (int q = 0; q < COARSE_NODES; q++) {
      REAL w = share * weight[COARSE_NODES * c + q];
      if (w == 0) continue;
      GLOBAL REAL *to = coarse_value + 9 * position[node[COARSE_NODES * c + q]];
      FOUR_ADD(to, w * low);
      FOUR_ADD(to + 4, w * high);
      to[8] += w * last;
    }
  }
}

/* Pt A P, by its rows. position: scratch, node_count a work item. */
KERNEL coarse_multiply(int item_count, int node_count, GLOBAL const int *start, GLOBAL const int *rows,
                       GLOBAL const float *share, GLOBAL const int *node, GLOBAL const float *weight,
                       GLOBAL const int *base_start, GLOBAL const int *extra_start, GLOBAL const int *column,
                       GLOBAL const REAL *value, GLOBAL const unsigned char *held,
                       GLOBAL const int *coarse_base, GLOBAL const int *coarse_extra,
                       GLOBAL const int *coarse_column, GLOBAL int *position_of_all,
                       GLOBAL REAL *coarse_value) {
  FOR_CHUNKS (item, item_count) {
    GLOBAL int *position = position_of_all + item * node_count;
    for (int i = item; i < node_count; i += item_count) {
      for (int part = 0; part < 2; part++) {
        int end = part ? coarse_extra[i + 1] : coarse_base[i + 1];
        for (int slot = part ? coarse_extra[i] : coarse_base[i]; slot < end; slot++) {
          position[coarse_column[slot]] = slot;
          for (int k = 0; k < 9; k++) coarse_value[9 * slot + k] = 0;
        }
      }
      for (int s = start[i]; s < start[i + 1]; s++) {
        int row = rows[s];
        coarse_add_row(base_start[row], base_start[row + 1], share[s], held[row], column, value, held, node,
                       weight, position, coarse_value);
        coarse_add_row(extra_start[row], extra_start[row + 1], share[s], held[row], column, value, held, node,
                       weight, position, coarse_value);
      }
    }
  }
}

/* Pt r */
KERNEL coarse_restrict(int node_count, GLOBAL const int *start, GLOBAL const int *rows,
                       GLOBAL const float *share, GLOBAL const REAL *r, GLOBAL REAL *coarse) {
  FOR_CHUNKS (i, node_count) {
    Vec3 sum = vec3(0, 0, 0);
    for (int s = start[i]; s < start[i + 1]; s++) sum = v3_axpy(sum, share[s], load3(r, rows[s]));
    store3(coarse, i, sum);
  }
}

KERNEL coarse_restrict_narrow(int node_count, GLOBAL const int *start, GLOBAL const int *rows,
                              GLOBAL const float *share, GLOBAL const float *r, GLOBAL REAL *coarse) {
  FOR_CHUNKS (i, node_count) {
    float sum[4] = {0, 0, 0, 0};
    for (int s = start[i]; s < start[i + 1]; s++) {
      GLOBAL const float *ri = r + 4 * rows[s];
      float by = share[s];
      FOR_LANES (k, 4) sum[k] += by * ri[k];
    }
    store3(coarse, i, vec3(sum[0], sum[1], sum[2]));
  }
}

/* z += P of the coarse z, and r.z */
KERNEL coarse_prolong(int item_count, int rows_per_item, int row_count, GLOBAL const int *node,
                      GLOBAL const float *weight, GLOBAL const REAL *coarse, GLOBAL const REAL *r,
                      GLOBAL REAL *z, GLOBAL REAL *rz) {
  FOR_CHUNKS (item, item_count) {
    REAL sum = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      Vec3 zi = load3(z, row);
      for (int q = 0; q < COARSE_NODES; q++) {
        int at = COARSE_NODES * row + q;
        zi = v3_axpy(zi, weight[at], load3(coarse, node[at]));
      }
      store3(z, row, zi);
      sum += v3_dot(load3(r, row), zi);
    }
    rz[item] = sum;
  }
}

KERNEL coarse_prolong_narrow(int item_count, int rows_per_item, int row_count, GLOBAL const int *node,
                             GLOBAL const float *weight, GLOBAL const float *coarse, GLOBAL const float *r,
                             GLOBAL float *z, GLOBAL REAL *rr, GLOBAL REAL *rz) {
  FOR_CHUNKS (item, item_count) {
    REAL sum_rr = 0, sum_rz = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      GLOBAL float *zi = z + 4 * row;
      for (int q = 0; q < COARSE_NODES; q++) {
        int at = COARSE_NODES * row + q;
        GLOBAL const float *c = coarse + 4 * node[at];
        float by = weight[at];
        FOR_LANES (k, 4) zi[k] += by * c[k];
      }
      zi[3] = 0;
      Vec3 ri = single_load(r, row);
      sum_rr += v3_dot(ri, ri);
      sum_rz += v3_dot(ri, single_load(z, row));
    }
    rr[item] = sum_rr;
    rz[item] = sum_rz;
  }
}

#endif
