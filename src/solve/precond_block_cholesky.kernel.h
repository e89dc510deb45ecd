/* Complete block Cholesky, M = L D Lt = P A Pt, in the order and with the pattern of solve/fill.h.
 *
 *   for every column j:
 *     C_ij = A_ij - sum over k < j of L_ik D_k Lt_jk     (columns k that have a row j: a chain of each row)
 *     D_j = C_jj,  L_ij = C_ij / D_j
 *
 * Sums are double, L is in single precision, and so are the solves with it: what that leaves is for the
 * conjugate gradients.
 */
#ifndef WEFT_SOLVE_PRECOND_BLOCK_CHOLESKY_KERNEL_H
#define WEFT_SOLVE_PRECOND_BLOCK_CHOLESKY_KERNEL_H

#include "solve/cholesky.kernel.h"
#include "solve/rows.kernel.h"

/* Column j's blocks of the matrix, and zero where it has none, into work: three columns of four numbers a
 * block. Returns A_jj. */
INLINE Mat3 cholesky_load(int vertex, int j, int begin, int end, GLOBAL const int *base_start,
                          GLOBAL const int *extra_start, GLOBAL const int *column, GLOBAL const REAL *value,
                          GLOBAL const unsigned char *held, GLOBAL const int *place,
                          GLOBAL const int *position, GLOBAL REAL *work) {
  Mat3 diagonal = m3_zero();
  for (int i = 0; i < 12 * (end - begin); i++) work[i] = 0;
  for (int part = 0; part < 2; part++) {
    int first = part ? extra_start[vertex] : base_start[vertex];
    int last = part ? extra_start[vertex + 1] : base_start[vertex + 1];
    for (int slot = first; slot < last; slot++) {
      int other = column[slot], i = place[other];
      if (i < j) continue;
      Mat3 m = factor_free(load_mat3(value, slot), held[vertex], held[other], i == j ? 1 : 0);
      if (i == j) {
        diagonal = m;
        continue;
      }
      /* the row of the vertex: A_ji, of which A_ij is the transpose */
      GLOBAL REAL *c = work + 12 * position[i];
      c[0] = m.a.x;
      c[1] = m.b.x;
      c[2] = m.c.x;
      c[4] = m.a.y;
      c[5] = m.b.y;
      c[6] = m.c.y;
      c[8] = m.a.z;
      c[9] = m.b.z;
      c[10] = m.c.z;
    }
  }
  return diagonal;
}

/* c -= L_ik Wt, W = L_jk D_k */
INLINE void cholesky_subtract(GLOBAL REAL *c, GLOBAL const float *l, Mat3 w) {
  REAL factor[9] = {w.a.x, w.b.x, w.c.x, w.a.y, w.b.y, w.c.y, w.a.z, w.b.z, w.c.z};
  /* columns are read as four, the fourth is never used */
  for (int k = 0; k < 3; k++) {
    REAL p = factor[3 * k], q = factor[3 * k + 1], r = factor[3 * k + 2];
    FOR_LANES (i, 4) c[4 * k + i] -= l[i] * p + l[3 + i] * q + l[6 + i] * r;
  }
}

/* D and its inverse of a column: xx yy zz xy xz yz each. */
INLINE void cholesky_store_pivot(Mat3 d, GLOBAL REAL *pivot) {
  pivot[0] = d.a.x;
  pivot[1] = d.b.y;
  pivot[2] = d.c.z;
  pivot[3] = d.b.x;
  pivot[4] = d.c.x;
  pivot[5] = d.c.y;
  factor_invert(d, pivot + 6);
}

/* L of a column: C / D. */
INLINE void cholesky_divide(int begin, int end, GLOBAL const REAL *work, Mat3 inverse, GLOBAL float *l) {
  for (int s = begin; s < end; s++) {
    GLOBAL const REAL *c = work + 12 * (s - begin);
    Mat3 m;
    m.a = vec3(c[0], c[1], c[2]);
    m.b = vec3(c[4], c[5], c[6]);
    m.c = vec3(c[8], c[9], c[10]);
    factor_store(l, s, factor_times(m, inverse));
  }
}

/* One work item: a column needs those before it. scratch: row_count x 4. */
KERNEL cholesky_update(int one, int n, GLOBAL const int *base_start, GLOBAL const int *extra_start,
                       GLOBAL const int *column, GLOBAL const REAL *value, GLOBAL const unsigned char *held,
                       GLOBAL const int *order, GLOBAL const int *place, GLOBAL const int *start,
                       GLOBAL const int *row, GLOBAL REAL *pivot, GLOBAL float *l, GLOBAL REAL *work,
                       GLOBAL int *scratch) {
  FOR_CHUNKS (item, one) {
    /* columns that have this row next; the column behind a column there; the place of a column's next row */
    GLOBAL int *first = scratch, *behind = scratch + n, *next = scratch + 2 * n;
    GLOBAL int *position = scratch + 3 * n; /* of a row in the column at work */
    for (int j = 0; j < n; j++) first[j] = -1;
    for (int j = 0; j < n; j++) {
      int begin = start[j], end = start[j + 1];
      for (int s = begin; s < end; s++) position[row[s]] = s - begin;
      Mat3 alone = cholesky_load(order[j], j, begin, end, base_start, extra_start, column, value, held, place,
                                 position, work);
      Mat3 d = alone;
      for (int k = first[j], after; k >= 0; k = after) {
        int at = next[k], last = start[k + 1];
        Mat3 ljk = factor_load(l, at), w = factor_times(ljk, factor_inverse_of(pivot, 2 * k));
        d = m3_axpy(d, -1, factor_times(w, m3_transpose(ljk)));
        for (int s = at + 1; s < last; s++) cholesky_subtract(work + 12 * position[row[s]], l + 9 * s, w);
        after = behind[k];
        if (at + 1 == last) continue;
        next[k] = at + 1;
        behind[k] = first[row[at + 1]];
        first[row[at + 1]] = k;
      }
      if (!(factor_pivots(d).z > 0)) d = alone; /* lost in rounding; M is positive definite all the same */
      cholesky_store_pivot(d, pivot + 12 * j);
      cholesky_divide(begin, end, work, factor_inverse_of(pivot, 2 * j + 1), l);
      if (begin == end) continue;
      next[j] = begin;
      behind[j] = first[row[begin]];
      first[row[begin]] = j;
    }
  }
}

/* r -= alpha q; then z = M \ r, which overwrites q. y: four a row. */
KERNEL cholesky_descend(int one, int n, GLOBAL const int *order, GLOBAL const int *start,
                        GLOBAL const int *row, GLOBAL const REAL *pivot, GLOBAL const float *value,
                        GLOBAL float *y, REAL alpha, GLOBAL REAL *r, GLOBAL REAL *qz) {
  FOR_CHUNKS (item, one) {
    for (int j = 0; j < n; j++) {
      Vec3 ri = v3_axpy(load3(r, order[j]), -alpha, load3(qz, order[j]));
      store3(r, order[j], ri);
      single_store(y, j, ri);
    }
    cholesky_solve(n, start, row, pivot, value, y);
    for (int j = 0; j < n; j++) store3(qz, order[j], single_load(y, j));
  }
}

/* Partial sums of r.r and r.z. */
KERNEL cholesky_sums(int items, int rows_per_item, int n, GLOBAL const REAL *r, GLOBAL const REAL *z,
                     GLOBAL REAL *rr, GLOBAL REAL *rz) {
  FOR_ITEMS (item, items) {
    REAL sum_rr = 0, sum_rz = 0;
    FOR_ROWS_OF(item, rows_per_item, n) {
      Vec3 ri = load3(r, row);
      sum_rr += v3_dot(ri, ri);
      sum_rz += v3_dot(ri, load3(z, row));
    }
    rr[item] = sum_rr;
    rz[item] = sum_rz;
  }
}

#endif
