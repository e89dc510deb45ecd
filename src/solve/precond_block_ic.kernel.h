/* Block incomplete Cholesky: M = L D Lt, L with the identity on its diagonal, after [MeijerinkVorst77], with
 * blocks for numbers and the matrix's own pattern.
 *
 *   for every row i, for its columns j before i in turn:
 *     W_ij = A_ij - sum over k before j of W_ik Lt_kj      (k in the pattern of both rows)
 *     L_ij = W_ij / D_j
 *   D_i = A_ii - w sum over j before i of W_ij Lt_ji
 *
 * Rows are cut into domains. A row that is coupled to a domain before its own is a late one: it comes after
 * all others, whatever its number. So the rest of a domain couples to nothing outside of it, one work item a
 * domain does it, and nothing is left out. Late rows are done in turn by a single item. Elements make a few
 * of a hundred late; there is room for some more that contacts do, what goes beyond that is left out.
 *
 * w = 1 would be IC(0). It exists for M-matrices; on other positive definite matrices it can break down, and
 * does where bending rules: a plate couples its vertices with both signs. So w is less, and if a
 * domain breaks down all the same everything is factored anew with a smaller one: every pivot takes up less
 * of what was eliminated. A pivot counts as broken when it is below IC_PIVOT of what the block A_ii alone has
 * there. After the last try the sums are left out altogether: symmetric Gauss-Seidel, D_i = A_ii, L_ij = A_ij
 * / A_jj, which always exists. Every D_i is positive definite, and so is M, whatever was left out.
 */
#ifndef WEFT_SOLVE_PRECOND_BLOCK_IC_KERNEL_H
#define WEFT_SOLVE_PRECOND_BLOCK_IC_KERNEL_H

#include "solve/factor.kernel.h"
#include "solve/ic.kernel.h"
#include "solve/rows.kernel.h"
#include "solve/single.kernel.h"

/* Two matrices of the drape of 20164 vertices take 71 and 103 iterations with this in one domain, 95 and 118
 * with 0.3, as many with 0.03. */
#define IC_PIVOT 0.1
/* w falls from 0.9 to 0.8, 0.6, 0.3 and 0, which is Gauss-Seidel, for all domains alike: those that hold by
 * themselves with more leave pivots at which late rows break (the drape of 20164 vertices, iterations a solve
 * over 96 steps: each domain by itself from 1 on 37, from 0.9 on 27). */
#define IC_TRIES 4
/* Couplings that a row keeps, the first ones; only the hub of a fan has more before it in its domain. */
#define IC_ROW_MOST 64
/* Where the rows of a domain end. */
INLINE int ic_last(int domain, int domain_rows, int row_count) {
  int end = (domain + 1) * domain_rows;
  return end < row_count ? end : row_count;
}

INLINE int ic_is_broken(Mat3 d, Mat3 alone) {
  Vec3 p = factor_pivots(d), q = factor_pivots(alone);
  return !(p.x > IC_PIVOT * q.x && p.y > IC_PIVOT * q.y && p.z > IC_PIVOT * q.z && p.z > 0);
}

/* Blocks of L that a late row may have. */
INLINE int ic_late_blocks(int row, GLOBAL const int *base_start, GLOBAL const int *extra_start) {
  int couplings = base_start[row + 1] - base_start[row] + extra_start[row + 1] - extra_start[row] - 1;
  return couplings < IC_ROW_MOST ? couplings : IC_ROW_MOST;
}

/* Is the row coupled to a domain before its own by the columns of this range, of which the first is the
 * least? */
INLINE int ic_reaches_back(int row, int domain_rows, int begin, int end, GLOBAL const int *column) {
  return begin < end && column[begin] / domain_rows < row / domain_rows;
}

/* Marks late rows, as far as there is room for them, and gives each its range in L. Those that elements
 * couple come before those that contacts do. */
KERNEL precond_ic_late(int one, int domain_rows, int row_count, int block_count, GLOBAL const int *base_start,
                       GLOBAL const int *extra_start, GLOBAL const int *column, GLOBAL REAL *storage) {
  FOR_CHUNKS (item, one) {
    IcFactor f = ic_factor(row_count, block_count, storage);
    int count = 0, at = block_count / 2, room = IC_BLOCKS(block_count) - at;
    for (int row = 0; row < row_count; row++) {
      int blocks = ic_late_blocks(row, base_start, extra_start);
      int is_late =
          blocks <= room && ic_reaches_back(row, domain_rows, base_start[row], base_start[row + 1], column);
      f.position[row] = is_late ? IC_LATE : IC_EARLY;
      if (is_late) room -= blocks;
    }
    for (int row = 0; row < row_count; row++) {
      int blocks = ic_late_blocks(row, base_start, extra_start);
      if (f.position[row] == IC_EARLY) {
        if (blocks > room ||
            !ic_reaches_back(row, domain_rows, extra_start[row], extra_start[row + 1], column))
          continue;
        f.position[row] = IC_LATE;
        room -= blocks;
      }
      f.late[count++] = row;
      f.row_begin[row] = f.row_end[row] = at;
      at += blocks;
    }
    if (count < row_count) f.late[count] = -1; /* there is a first domain, where no row is late */
  }
}

/* Appends the columns in [first, last) of the row, from both of its ranges and ascending, that are late or
 * not; w gets their values. Returns where the row ends in L. */
INLINE int ic_gather(IcFactor f, int row, int first, int last, int kind, int begin, int end,
                     GLOBAL const int *base_start, GLOBAL const int *extra_start, GLOBAL const int *column,
                     GLOBAL const REAL *value, GLOBAL const unsigned char *held, Block *w) {
  int base = base_start[row], base_end = base_start[row + 1];
  int extra = extra_start[row], extra_end = extra_start[row + 1];
  while (base < base_end && column[base] < first) base++;
  while (extra < extra_end && column[extra] < first) extra++;
  while (end < begin + IC_ROW_MOST) {
    int from_base = base < base_end ? column[base] : last;
    int from_extra = extra < extra_end ? column[extra] : last;
    int j = from_base < from_extra ? from_base : from_extra;
    if (j >= last) break;
    int slot = from_base < from_extra ? base++ : extra++;
    if (j == row || f.position[j] != kind || held[row] == 7 || held[j] == 7) continue;
    w[end - begin] = block_wide(factor_free(load_mat3(value, slot), held[row], held[j], 0));
    f.column[end++] = j;
  }
  return end;
}

/* Eliminates the row with the blocks [begin, end), whose W is A on entry, and stores its part of L. Columns
 * from `late` on are late rows. diagonal: A_ii; returns D_i. */
INLINE Mat3 ic_eliminate(IcFactor f, int is_late, int begin, int late, int end, REAL weight, Mat3 diagonal,
                         Block *w) {
  Block pivot = block_wide(diagonal);
  for (int at = begin; at < end; at++) f.position[f.column[at]] = at - begin;
  for (int at = begin; at < end; at++) {
    int j = f.column[at];
    Block wij = w[at - begin];
    for (int k = f.row_begin[j]; k < f.row_end[j] && weight > 0; k++) {
      int place = f.position[f.column[k]];
      if (place >= 0) wij = block_axpy(wij, -1, block_times(w[place], m3_transpose(factor_load(f.value, k))));
    }
    w[at - begin] = wij;
    Mat3 lij = block_narrow(block_times(wij, factor_inverse_of(f.inverse, j)));
    factor_store(f.value, at, lij);
    factor_store(f.turned, at, m3_transpose(is_late && at < late ? block_narrow(wij) : lij));
    pivot = block_axpy(pivot, -weight, block_times(wij, m3_transpose(lij)));
  }
  for (int at = begin; at < end; at++) f.position[f.column[at]] = at < late ? IC_EARLY : IC_LATE;
  return block_narrow(pivot);
}

/* A row whose columns are gathered: eliminates it, and stores its pivot. Is that broken? */
INLINE int ic_row(IcFactor f, int row, int begin, int late, int end, int round, GLOBAL const REAL *value,
                  GLOBAL const int *diagonal, GLOBAL const unsigned char *held, Block *w) {
  REAL weight = round < IC_TRIES ? 0.9 - 0.05 * (REAL)(round * (round + 1)) : 0;
  Mat3 alone = factor_free(load_mat3(value, diagonal[row]), held[row], held[row], 1);
  Mat3 d = ic_eliminate(f, f.position[row] == IC_LATE, begin, late, end, weight, alone, w);
  factor_invert(d, f.inverse + 6 * row);
  Mat3 inverse = factor_inverse_of(f.inverse, row);
  REAL numbers[9] = {inverse.a.x, inverse.a.y, inverse.a.z, inverse.b.x, inverse.b.y,
                     inverse.b.z, inverse.c.x, inverse.c.y, inverse.c.z};
  for (int k = 0; k < 9; k++) f.divisor[10 * row + k] = (float)numbers[k];
  f.row_begin[row] = begin;
  f.row_end[row] = end;
  return round < IC_TRIES && ic_is_broken(d, alone);
}

/* Whether a domain broke down in the round of this number is noted where y is not needed yet, in turns, so
 * that the next round can look while it notes its own; number -1 stands for the late rows. */
INLINE GLOBAL float *ic_note(IcFactor f, int domain, int domain_rows, int round) {
  return f.y + (domain < 0 ? 2 : 4 * domain * domain_rows) + (round & 1);
}

/* Has a domain broken down in this round, or the late rows? */
INLINE int ic_any_broken(IcFactor f, int domain_count, int domain_rows, int round, int with_late) {
  int is_broken = with_late && *ic_note(f, -1, domain_rows, round) > 0;
  for (int i = 0; i < domain_count; i++) is_broken |= *ic_note(f, i, domain_rows, round) > 0;
  return is_broken;
}

/* One work item a domain: its rows that are not late. Their blocks begin at half of the matrix's blocks
 * before them: the pattern is symmetric, so that no domain needs more than half of its own. Nothing is left
 * to do from the second round on if nothing broke down in the one before. */
KERNEL precond_ic_update(int domain_count, int domain_rows, int round, int row_count, int block_count,
                         GLOBAL const int *base_start, GLOBAL const int *extra_start,
                         GLOBAL const int *column, GLOBAL const REAL *value, GLOBAL const int *diagonal,
                         GLOBAL const unsigned char *held, GLOBAL REAL *storage) {
  FOR_CHUNKS (domain, domain_count) {
    IcFactor f = ic_factor(row_count, block_count, storage);
    Block w[IC_ROW_MOST];
    int first = domain * domain_rows, last = ic_last(domain, domain_rows, row_count);
    int end = (base_start[first] + extra_start[first] - base_start[row_count]) / 2;
    int is_broken = 0;
    if (round == 0 || ic_any_broken(f, domain_count, domain_rows, round - 1, 1)) {
      for (int row = first; row < last && !is_broken; row++) {
        int begin = end;
        if (f.position[row] == IC_LATE) continue;
        end = ic_gather(f, row, first, row, IC_EARLY, begin, begin, base_start, extra_start, column, value,
                        held, w);
        is_broken = ic_row(f, row, begin, end, end, round, value, diagonal, held, w);
      }
    }
    *ic_note(f, domain, domain_rows, round) = (float)is_broken;
  }
}

/* The late rows, after all others. */
KERNEL precond_ic_update_late(int one, int domain_count, int domain_rows, int round, int row_count,
                              int block_count, GLOBAL const int *base_start, GLOBAL const int *extra_start,
                              GLOBAL const int *column, GLOBAL const REAL *value, GLOBAL const int *diagonal,
                              GLOBAL const unsigned char *held, GLOBAL REAL *storage) {
  FOR_CHUNKS (item, one) {
    IcFactor f = ic_factor(row_count, block_count, storage);
    Block w[IC_ROW_MOST];
    int is_done = round > 0 && !ic_any_broken(f, domain_count, domain_rows, round - 1, 1);
    int is_broken = !is_done && ic_any_broken(f, domain_count, domain_rows, round, 0);
    for (int i = 0; i < row_count && f.late[i] >= 0 && !is_broken && !is_done; i++) {
      int row = f.late[i], begin = f.row_begin[row];
      int late = ic_gather(f, row, 0, row_count, IC_EARLY, begin, begin, base_start, extra_start, column,
                           value, held, w);
      int end =
          ic_gather(f, row, 0, row, IC_LATE, begin, late, base_start, extra_start, column, value, held, w);
      is_broken = ic_row(f, row, begin, late, end, round, value, diagonal, held, w);
    }
    *ic_note(f, -1, domain_rows, round) = (float)is_broken;
  }
}

/* r -= alpha q, y = r; in single precision y may be q. */
INLINE void ic_begin(GLOBAL REAL *r, GLOBAL const REAL *q, int row, REAL alpha, GLOBAL float *y) {
  Vec3 ri = v3_axpy(load3(r, row), -alpha, load3(q, row));
  store3(r, row, ri);
  single_store(y, row, ri);
}
INLINE void ic_begin_narrow(GLOBAL float *r, GLOBAL const float *q, int row, REAL alpha, GLOBAL float *y) {
  float by = (float)alpha;
  FOR_LANES (k, 4) {
    float rk = r[4 * row + k] - by * q[4 * row + k];
    r[4 * row + k] = rk;
    y[4 * row + k] = rk;
  }
}

/* The three passes, for vectors in double and in single precision: there z is solved for where q was. */
#define IC_DESCEND(forward, late, backward, NUMBER, begin, load, store, solved)                           \
  /* r -= alpha q; y = L \ r of what is not late, y = r of what is */                                     \
  KERNEL forward(int domain_count, int domain_rows, int row_count, int block_count, GLOBAL REAL *storage, \
                 REAL alpha, GLOBAL NUMBER *r, GLOBAL NUMBER *qz) {                                       \
    FOR_CHUNKS (domain, domain_count) {                                                                   \
      IcFactor f = ic_factor(row_count, block_count, storage);                                            \
      GLOBAL float *y = solved;                                                                           \
      int first = domain * domain_rows, last = ic_last(domain, domain_rows, row_count);                   \
      for (int row = first; row < last; row++) {                                                          \
        begin(r, qz, row, alpha, y);                                                                      \
        if (f.position[row] == IC_EARLY) ic_forward(f, row, y);                                           \
      }                                                                                                   \
    }                                                                                                     \
  }                                                                                                       \
  KERNEL late(int one, int row_count, int block_count, GLOBAL REAL *storage, GLOBAL NUMBER *qz) {         \
    FOR_CHUNKS (item, one) {                                                                              \
      IcFactor f = ic_factor(row_count, block_count, storage);                                            \
      GLOBAL float *y = solved;                                                                           \
      (void)qz;                                                                                           \
      ic_solve_late(f, row_count, y);                                                                     \
    }                                                                                                     \
  }                                                                                                       \
  /* z = Lt \ (D \ y), and the sums over the rows of each item, of which a domain has whole ones */       \
  KERNEL backward(int domain_count, int domain_rows, int rows_per_item, int row_count, int block_count,   \
                  GLOBAL REAL *storage, GLOBAL const NUMBER *r, GLOBAL NUMBER *qz, GLOBAL REAL *rr,       \
                  GLOBAL REAL *rz) {                                                                      \
    FOR_CHUNKS (domain, domain_count) {                                                                   \
      IcFactor f = ic_factor(row_count, block_count, storage);                                            \
      GLOBAL float *y = solved;                                                                           \
      int first = domain * domain_rows, last = ic_last(domain, domain_rows, row_count);                   \
      for (int row = first; row < last; row++) {                                                          \
        if (f.position[row] == IC_EARLY) ic_divide(f, row, y);                                            \
      }                                                                                                   \
      for (int row = last - 1; row >= first; row--) {                                                     \
        if (f.position[row] == IC_EARLY) ic_backward(f, row, y);                                          \
      }                                                                                                   \
      for (int item = first / rows_per_item; item * rows_per_item < last; item++) {                       \
        REAL sum_rr = 0, sum_rz = 0;                                                                      \
        FOR_ROWS_OF(item, rows_per_item, last) {                                                          \
          Vec3 ri = load(r, row), zi = single_load(y, row);                                               \
          store(qz, row, zi);                                                                             \
          sum_rr += v3_dot(ri, ri);                                                                       \
          sum_rz += v3_dot(ri, zi);                                                                       \
        }                                                                                                 \
        rr[item] = sum_rr;                                                                                \
        rz[item] = sum_rz;                                                                                \
      }                                                                                                   \
    }                                                                                                     \
  }

IC_DESCEND(precond_ic_forward, precond_ic_solve_late, precond_ic_backward, REAL, ic_begin, load3, store3, f.y)
IC_DESCEND(precond_ic_forward_narrow, precond_ic_solve_late_narrow, precond_ic_backward_narrow, float,
           ic_begin_narrow, single_load, single_store, qz)

#endif
