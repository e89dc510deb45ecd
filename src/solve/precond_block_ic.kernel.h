/* Block incomplete Cholesky inside domains of consecutive rows: M = L D Lt, L with the identity on its
 * diagonal, after [MeijerinkVorst77], with blocks for numbers and the matrix's own pattern.
 *
 *   for every row i, for its columns j < i in ascending order:
 *     W_ij = A_ij - sum over k < j of W_ik Lt_kj      (k in the pattern of both rows)
 *     L_ij = W_ij / D_j
 *   D_i = A_ii - w sum over j < i of W_ij Lt_ji
 *
 * w = 1 is IC(0). It exists for M-matrices; on other positive definite matrices it can break down, and does
 * where bending rules: a plate couples its vertices with both signs. Then the domain is factored anew with a
 * smaller w, so that every pivot takes up less of what was eliminated. A pivot counts as broken when it is
 * below IC_PIVOT of what the block A_ii alone has there. After the last try the sums are left out altogether:
 * symmetric Gauss-Seidel, D_i = A_ii, L_ij = A_ij / A_jj, which always exists. Every D_i is positive
 * definite, and so is M, whatever was left out.
 */
#ifndef WEFT_SOLVE_PRECOND_BLOCK_IC_KERNEL_H
#define WEFT_SOLVE_PRECOND_BLOCK_IC_KERNEL_H

#include "solve/factor.kernel.h"
#include "solve/rows.kernel.h"

#define IC_PIVOT 0.3
/* w falls from 1 in so many equal steps; the last try is Gauss-Seidel. Twice as many save 1 % of the
 * iterations and take 1.6 times as long (eight sheets on a ball). */
#define IC_TRIES 10
/* Couplings that a row keeps, the first ones; only the hub of a fan has more before it in its domain. */
#define IC_ROW_MOST 64
/* doubles of storage: six for the inverse of D, three integers and four floats a row; 40 bytes for every
 * block of L, of which there are half as many as of the matrix, and one column more */
#define IC_VALUES_PER_ROW 10
#define IC_VALUES_PER_BLOCK 3

/* What lies in the storage. L is in single precision, and so are the solves with it: they move half the bytes
 * and do without conversions, the iterations are the same. */
typedef struct IcFactor {
  GLOBAL REAL *inverse;            /* of D: xx yy zz xy xz yz a row */
  GLOBAL int *row_begin, *row_end; /* the row's range in L */
  GLOBAL int *position;            /* scratch: place of a column in the row at work, else -1 */
  GLOBAL float *y;                 /* scratch: 4 a row */
  GLOBAL int *column;              /* of each block of L */
  GLOBAL float *value;             /* 9 a block, by columns */
} IcFactor;

INLINE IcFactor ic_factor(int row_count, int block_count, GLOBAL REAL *storage) {
  IcFactor f;
  f.inverse = storage;
  f.row_begin = (GLOBAL int *)(GLOBAL void *)(storage + 6 * row_count);
  f.row_end = f.row_begin + row_count;
  f.position = f.row_end + row_count;
  f.y = (GLOBAL float *)(GLOBAL void *)(f.position + row_count);
  f.column = (GLOBAL int *)(GLOBAL void *)(storage + IC_VALUES_PER_ROW * row_count);
  f.value = (GLOBAL float *)(GLOBAL void *)(f.column + (block_count + 1) / 2);
  return f;
}

INLINE int ic_is_broken(Mat3 d, Mat3 alone) {
  Vec3 p = factor_pivots(d), q = factor_pivots(alone);
  return !(p.x > IC_PIVOT * q.x && p.y > IC_PIVOT * q.y && p.z > IC_PIVOT * q.z && p.z > 0);
}

/* Columns of the row's blocks in [first, row) in ascending order, from both of its ranges; w gets their
 * values. Returns where the row ends in L. */
INLINE int ic_gather(int row, int first, int begin, GLOBAL const int *base_start,
                     GLOBAL const int *extra_start, GLOBAL const int *column, GLOBAL const REAL *value,
                     GLOBAL const unsigned char *held, Mat3 *w, GLOBAL int *lower) {
  int base = base_start[row], base_end = base_start[row + 1];
  int extra = extra_start[row], extra_end = extra_start[row + 1];
  int end = begin;
  while (base < base_end && column[base] < first) base++;
  while (extra < extra_end && column[extra] < first) extra++;
  while (end < begin + IC_ROW_MOST) {
    int from_base = base < base_end ? column[base] : row;
    int from_extra = extra < extra_end ? column[extra] : row;
    int j = from_base < from_extra ? from_base : from_extra;
    if (j >= row) break;
    int slot = from_base < from_extra ? base++ : extra++;
    if (held[row] == 7 || held[j] == 7) continue;
    w[end - begin] = factor_free(load_mat3(value, slot), held[row], held[j], 0);
    lower[end++] = j;
  }
  return end;
}

/* Eliminates the row with the blocks [begin, end), whose W is A on entry, and stores its part of L. diagonal:
 * A_ii; returns D_i. */
INLINE Mat3 ic_eliminate(IcFactor f, int begin, int end, REAL weight, Mat3 diagonal, Mat3 *w) {
  for (int at = begin; at < end; at++) {
    int j = f.column[at];
    Mat3 wij = w[at - begin];
    for (int k = f.row_begin[j]; k < f.row_end[j] && weight > 0; k++) {
      int place = f.position[f.column[k]];
      if (place >= 0) wij = m3_axpy(wij, -1, factor_times(w[place], m3_transpose(factor_load(f.value, k))));
    }
    w[at - begin] = wij;
    Mat3 lij = factor_times(wij, factor_inverse_of(f.inverse, j));
    factor_store(f.value, at, lij);
    diagonal = m3_axpy(diagonal, -weight, factor_times(wij, m3_transpose(lij)));
  }
  return diagonal;
}

/* One work item a domain. A domain's blocks begin at half of the matrix's blocks before it: the pattern is
 * symmetric, so that no domain needs more than half of its own. */
KERNEL precond_ic_update(int domain_count, int domain_rows, int row_count, int block_count,
                         GLOBAL const int *base_start, GLOBAL const int *extra_start,
                         GLOBAL const int *column, GLOBAL const REAL *value, GLOBAL const int *diagonal,
                         GLOBAL const unsigned char *held, GLOBAL REAL *storage) {
  FOR_CHUNKS (domain, domain_count) {
    IcFactor f = ic_factor(row_count, block_count, storage);
    Mat3 w[IC_ROW_MOST];
    int first = domain * domain_rows,
        last = first + domain_rows < row_count ? first + domain_rows : row_count;
    int start = (base_start[first] + extra_start[first] - base_start[row_count]) / 2;
    int is_broken = 1;
    for (int row = first; row < last; row++) f.position[row] = -1;
    for (int count = 0; is_broken; count++) {
      REAL weight = 1 - (REAL)count / IC_TRIES;
      int end = start;
      is_broken = 0;
      for (int row = first; row < last && !is_broken; row++) {
        int begin = end;
        end = ic_gather(row, first, begin, base_start, extra_start, column, value, held, w, f.column);
        Mat3 alone = factor_free(load_mat3(value, diagonal[row]), held[row], held[row], 1);
        for (int at = begin; at < end; at++) f.position[f.column[at]] = at - begin;
        Mat3 d = ic_eliminate(f, begin, end, weight, alone, w);
        for (int at = begin; at < end; at++) f.position[f.column[at]] = -1;
        is_broken = count < IC_TRIES && ic_is_broken(d, alone);
        factor_invert(d, f.inverse + 6 * row);
        f.row_begin[row] = begin;
        f.row_end[row] = end;
      }
    }
  }
}

/* r -= alpha q; then y = r / L, D \ y and z = y / Lt, which overwrites q. */
KERNEL precond_ic_descend(int domain_count, int domain_rows, int rows_per_item, int row_count,
                          int block_count, GLOBAL REAL *storage, REAL alpha, GLOBAL REAL *r, GLOBAL REAL *qz,
                          GLOBAL REAL *rr, GLOBAL REAL *rz) {
  FOR_CHUNKS (domain, domain_count) {
    IcFactor f = ic_factor(row_count, block_count, storage);
    int first = domain * domain_rows,
        last = first + domain_rows < row_count ? first + domain_rows : row_count;
    for (int row = first; row < last; row++) {
      Vec3 ri = v3_axpy(load3(r, row), -alpha, load3(qz, row));
      float sum[4] = {(float)ri.x, (float)ri.y, (float)ri.z, 0};
      store3(r, row, ri);
      for (int at = f.row_begin[row]; at < f.row_end[row]; at++) {
        GLOBAL const float *l = f.value + 9 * at;
        GLOBAL const float *y = f.y + 4 * f.column[at];
        PREFETCH(l, 64 * 9 * sizeof(float));
        float y0 = y[0], y1 = y[1], y2 = y[2];
        /* columns are read as four, the fourth is thrown away */
        FOR_LANES (k, 4) sum[k] -= l[k] * y0 + l[3 + k] * y1 + l[6 + k] * y2;
      }
      for (int k = 0; k < 3; k++) f.y[4 * row + k] = sum[k];
    }
    for (int row = first; row < last; row++) {
      GLOBAL float *y = f.y + 4 * row;
      Vec3 z = m3_apply(factor_inverse_of(f.inverse, row), vec3(y[0], y[1], y[2]));
      y[0] = (float)z.x;
      y[1] = (float)z.y;
      y[2] = (float)z.z;
    }
    for (int row = last - 1; row >= first; row--) {
      GLOBAL const float *z = f.y + 4 * row;
      float z0 = z[0], z1 = z[1], z2 = z[2];
      for (int at = f.row_end[row] - 1; at >= f.row_begin[row]; at--) {
        GLOBAL const float *l = f.value + 9 * at;
        GLOBAL float *y = f.y + 4 * f.column[at];
        for (int k = 0; k < 3; k++) y[k] -= l[3 * k] * z0 + l[3 * k + 1] * z1 + l[3 * k + 2] * z2;
      }
    }
    for (int item = first / rows_per_item; item * rows_per_item < last; item++) {
      REAL sum_rr = 0, sum_rz = 0;
      FOR_ROWS_OF(item, rows_per_item, last) {
        GLOBAL const float *y = f.y + 4 * row;
        Vec3 ri = load3(r, row), z = vec3(y[0], y[1], y[2]);
        store3(qz, row, z);
        sum_rr += v3_dot(ri, ri);
        sum_rz += v3_dot(ri, z);
      }
      rr[item] = sum_rr;
      rz[item] = sum_rz;
    }
  }
}

#endif
