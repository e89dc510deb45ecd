/* Block incomplete Cholesky: M = L D Lt, L with the identity on its diagonal, after [MeijerinkVorst77], with
 * blocks for numbers and the matrix's own pattern.
 *
 *   for every row i, for its columns j before i in turn:
 *     W_ij = A_ij - sum over k before j of W_ik Lt_kj      (k in the pattern of both rows)
 *     L_ij = W_ij / D_j
 *   D_i = A_ii - w sum over j before i of W_ij Lt_ji
 *
 * Rows are cut into domains (solve/domains.h). A row that is coupled to a domain before its own is a late
 * one: it comes after all others, whatever its number. So the rest of a domain couples to nothing outside of
 * it, one work item a domain does it, and nothing is left out. Late rows are done in turn by a single item.
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

INLINE int ic_is_broken(Mat3 d, Mat3 alone) {
  Vec3 p = factor_pivots(d), q = factor_pivots(alone);
  return !(p.x > IC_PIVOT * q.x && p.y > IC_PIVOT * q.y && p.z > IC_PIVOT * q.z && p.z > 0);
}

/* Is there something in a block? In those of contacts that do nothing there is not, and what elements need is
 * always counted as there. */
INLINE int ic_is_there(int slot, int base_count, GLOBAL const REAL *value) {
  int is_there = slot < base_count;
  for (int k = 0; k < 9 && !is_there; k++) is_there = value[9 * slot + k] != 0;
  return is_there;
}

/* Marks late rows, one item a domain. */
KERNEL precond_ic_mark(int domain_count, GLOBAL const int *start, GLOBAL const int *order,
                       GLOBAL const int *domain, int row_count, int block_count, GLOBAL const int *base_start,
                       GLOBAL const int *extra_start, GLOBAL const int *column, GLOBAL const REAL *value,
                       GLOBAL REAL *storage) {
  FOR_CHUNKS (item, domain_count) {
    IcFactor f = ic_factor(row_count, block_count, storage);
    for (int k = start[item]; k < start[item + 1]; k++) {
      int row = order[k], is_late = 0;
      for (int part = 0; part < 2; part++) {
        int end = part ? extra_start[row + 1] : base_start[row + 1];
        for (int slot = part ? extra_start[row] : base_start[row]; slot < end && !is_late; slot++)
          is_late = domain[column[slot]] < item && ic_is_there(slot, base_start[row_count], value);
      }
      f.position[row] = is_late ? IC_LATE : IC_EARLY;
    }
  }
}

/* Does L have the block of the row in this slot: of rows that are not late (IC_EARLY), or of late ones? Rows
 * of other domains are only looked at by late rows, when those are done. */
INLINE int ic_takes(IcFactor f, int row, int slot, int kind, int is_late, int base_count,
                    GLOBAL const int *domain, GLOBAL const int *column, GLOBAL const REAL *value,
                    GLOBAL const unsigned char *held) {
  int j = column[slot];
  if (j == row || held[row] == 7 || held[j] == 7) return 0;
  if (!is_late && (j > row || domain[j] != domain[row])) return 0;
  if (f.position[j] != kind || (kind == IC_LATE && j > row)) return 0;
  return ic_is_there(slot, base_count, value);
}

/* Appends the columns of the row, from both of its ranges and ascending, that are late or not; w gets their
 * values. Returns where the row ends in L. */
INLINE int ic_gather(IcFactor f, int row, int kind, int is_late, int begin, int end, int base_count,
                     GLOBAL const int *domain, GLOBAL const int *base_start, GLOBAL const int *extra_start,
                     GLOBAL const int *column, GLOBAL const REAL *value, GLOBAL const unsigned char *held,
                     Block *w) {
  int base = base_start[row], base_end = base_start[row + 1];
  int extra = extra_start[row], extra_end = extra_start[row + 1];
  while ((base < base_end || extra < extra_end) && end < begin + IC_ROW_MOST) {
    int is_base = extra == extra_end || (base < base_end && column[base] < column[extra]);
    int slot = is_base ? base++ : extra++, j = column[slot];
    if (!ic_takes(f, row, slot, kind, is_late, base_count, domain, column, value, held)) continue;
    w[end - begin] = block_wide(factor_free(load_mat3(value, slot), held[row], held[j], 0));
    f.column[end++] = j;
  }
  return end;
}

/* How many blocks each row of L has, for now where the row is to end. */
KERNEL precond_ic_count(int row_count, int block_count, GLOBAL const int *domain,
                        GLOBAL const int *base_start, GLOBAL const int *extra_start, GLOBAL const int *column,
                        GLOBAL const REAL *value, GLOBAL const unsigned char *held, GLOBAL REAL *storage) {
  FOR_ITEMS (row, row_count) {
    IcFactor f = ic_factor(row_count, block_count, storage);
    int count = 0, is_late = f.position[row] == IC_LATE;
    for (int part = 0; part < 2; part++) {
      int end = part ? extra_start[row + 1] : base_start[row + 1];
      for (int slot = part ? extra_start[row] : base_start[row]; slot < end; slot++) {
        int kind = f.position[column[slot]];
        if (kind == IC_EARLY || is_late)
          count += ic_takes(f, row, slot, kind, is_late, base_start[row_count], domain, column, value, held);
      }
    }
    f.row_end[row] = count < IC_ROW_MOST ? count : IC_ROW_MOST;
  }
}

/* Gives each row its range in L, domain by domain and late rows last, and lists these. */
KERNEL precond_ic_place(int one, int row_count, int block_count, GLOBAL const int *order,
                        GLOBAL REAL *storage) {
  FOR_CHUNKS (item, one) {
    IcFactor f = ic_factor(row_count, block_count, storage);
    int at = 0, count = 0;
    for (int k = 0; k < row_count; k++) {
      int row = order[k];
      f.row_begin[row] = at;
      if (f.position[row] == IC_EARLY) at += f.row_end[row];
    }
    for (int row = 0; row < row_count; row++) {
      if (f.position[row] == IC_EARLY) continue;
      f.late[count++] = row;
      f.row_begin[row] = at;
      at += f.row_end[row];
    }
    if (count < row_count) f.late[count] = -1; /* there is a first domain, where no row is late */
  }
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
  f.row_end[row] = end;
  return round < IC_TRIES && ic_is_broken(d, alone);
}

/* Whether a domain broke down in the round of this number is noted where y is not needed yet, in turns, so
 * that the next round can look while it notes its own; number -1 stands for the late rows. */
INLINE GLOBAL float *ic_note(IcFactor f, int domain, int round) {
  return f.y + (domain < 0 ? 2 : 4 * domain) + (round & 1);
}

/* Has a domain broken down in this round, or the late rows? */
INLINE int ic_any_broken(IcFactor f, int domain_count, int round, int with_late) {
  int is_broken = with_late && *ic_note(f, -1, round) > 0;
  for (int i = 0; i < domain_count; i++) is_broken |= *ic_note(f, i, round) > 0;
  return is_broken;
}

/* The round that the last update ended with, kept where no divisor is: with this one an update of a matrix
 * that differs little from the last begins. */
INLINE GLOBAL float *ic_kept_round(IcFactor f) { return f.divisor + 9; }

/* Is there something to do in this round? From the second one on only if something broke down in the one
 * before. */
INLINE int ic_is_due(IcFactor f, int domain_count, int round, int is_near) {
  int first = is_near ? (int)*ic_kept_round(f) : 0;
  return round == first || (round > first && ic_any_broken(f, domain_count, round - 1, 1));
}

/* One work item a domain: its rows that are not late. */
KERNEL precond_ic_update(int domain_count, GLOBAL const int *start, GLOBAL const int *order,
                         GLOBAL const int *domain, int round, int is_near, int row_count, int block_count,
                         GLOBAL const int *base_start, GLOBAL const int *extra_start,
                         GLOBAL const int *column, GLOBAL const REAL *value, GLOBAL const int *diagonal,
                         GLOBAL const unsigned char *held, GLOBAL REAL *storage) {
  FOR_CHUNKS (item, domain_count) {
    IcFactor f = ic_factor(row_count, block_count, storage);
    Block w[IC_ROW_MOST];
    int is_broken = 0;
    if (ic_is_due(f, domain_count, round, is_near)) {
      for (int k = start[item]; k < start[item + 1] && !is_broken; k++) {
        int row = order[k], begin = f.row_begin[row];
        if (f.position[row] == IC_LATE) continue;
        int end = ic_gather(f, row, IC_EARLY, 0, begin, begin, base_start[row_count], domain, base_start,
                            extra_start, column, value, held, w);
        is_broken = ic_row(f, row, begin, end, end, round, value, diagonal, held, w);
      }
    }
    *ic_note(f, item, round) = (float)is_broken;
  }
}

/* The late rows, after all others. */
KERNEL precond_ic_update_late(int one, int domain_count, GLOBAL const int *domain, int round, int is_near,
                              int row_count, int block_count, GLOBAL const int *base_start,
                              GLOBAL const int *extra_start, GLOBAL const int *column,
                              GLOBAL const REAL *value, GLOBAL const int *diagonal,
                              GLOBAL const unsigned char *held, GLOBAL REAL *storage) {
  FOR_CHUNKS (item, one) {
    IcFactor f = ic_factor(row_count, block_count, storage);
    Block w[IC_ROW_MOST];
    int is_due = ic_is_due(f, domain_count, round, is_near), base_count = base_start[row_count];
    int is_broken = is_due && ic_any_broken(f, domain_count, round, 0);
    for (int i = 0; i < row_count && f.late[i] >= 0 && !is_broken && is_due; i++) {
      int row = f.late[i], begin = f.row_begin[row];
      int late = ic_gather(f, row, IC_EARLY, 1, begin, begin, base_count, domain, base_start, extra_start,
                           column, value, held, w);
      int end = ic_gather(f, row, IC_LATE, 1, begin, late, base_count, domain, base_start, extra_start,
                          column, value, held, w);
      is_broken = ic_row(f, row, begin, late, end, round, value, diagonal, held, w);
    }
    *ic_note(f, -1, round) = (float)is_broken;
    if (is_due && !is_broken) *ic_kept_round(f) = (float)round;
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
#define IC_DESCEND(forward, late, backward, NUMBER, begin, solved)                                         \
  /* r -= alpha q; y = L \ r of what is not late, y = r of what is */                                      \
  KERNEL forward(int domain_count, GLOBAL const int *start, GLOBAL const int *order, int row_count,        \
                 int block_count, GLOBAL REAL *storage, REAL alpha, GLOBAL NUMBER *r, GLOBAL NUMBER *qz) { \
    FOR_CHUNKS (item, domain_count) {                                                                      \
      IcFactor f = ic_factor(row_count, block_count, storage);                                             \
      GLOBAL float *y = solved;                                                                            \
      for (int k = start[item]; k < start[item + 1]; k++) {                                                \
        int row = order[k];                                                                                \
        begin(r, qz, row, alpha, y);                                                                       \
        if (f.position[row] == IC_EARLY) ic_forward(f, row, y);                                            \
      }                                                                                                    \
    }                                                                                                      \
  }                                                                                                        \
  KERNEL late(int one, int row_count, int block_count, GLOBAL REAL *storage, GLOBAL NUMBER *qz) {          \
    FOR_CHUNKS (item, one) {                                                                               \
      IcFactor f = ic_factor(row_count, block_count, storage);                                             \
      GLOBAL float *y = solved;                                                                            \
      (void)qz;                                                                                            \
      ic_solve_late(f, row_count, y);                                                                      \
    }                                                                                                      \
  }                                                                                                        \
  /* z = Lt \ (D \ y) */                                                                                   \
  KERNEL backward(int domain_count, GLOBAL const int *start, GLOBAL const int *order, int row_count,       \
                  int block_count, GLOBAL REAL *storage, GLOBAL NUMBER *qz) {                              \
    FOR_CHUNKS (item, domain_count) {                                                                      \
      IcFactor f = ic_factor(row_count, block_count, storage);                                             \
      GLOBAL float *y = solved;                                                                            \
      (void)qz;                                                                                            \
      for (int k = start[item]; k < start[item + 1]; k++) {                                                \
        if (f.position[order[k]] == IC_EARLY) ic_divide(f, order[k], y);                                   \
      }                                                                                                    \
      for (int k = start[item + 1] - 1; k >= start[item]; k--) {                                           \
        if (f.position[order[k]] == IC_EARLY) ic_backward(f, order[k], y);                                 \
      }                                                                                                    \
    }                                                                                                      \
  }

IC_DESCEND(precond_ic_forward, precond_ic_solve_late, precond_ic_backward, REAL, ic_begin, f.y)
IC_DESCEND(precond_ic_forward_narrow, precond_ic_solve_late_narrow, precond_ic_backward_narrow, float,
           ic_begin_narrow, qz)

/* z in double, and the sums over the rows of each item */
KERNEL precond_ic_end(int item_count, int rows_per_item, int row_count, int block_count, GLOBAL REAL *storage,
                      GLOBAL const REAL *r, GLOBAL REAL *z, GLOBAL REAL *rr, GLOBAL REAL *rz) {
  FOR_CHUNKS (item, item_count) {
    IcFactor f = ic_factor(row_count, block_count, storage);
    REAL sum_rr = 0, sum_rz = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      Vec3 ri = load3(r, row), zi = single_load(f.y, row);
      store3(z, row, zi);
      sum_rr += v3_dot(ri, ri);
      sum_rz += v3_dot(ri, zi);
    }
    rr[item] = sum_rr;
    rz[item] = sum_rz;
  }
}

/* The same in single precision. */
KERNEL precond_ic_end_narrow(int item_count, int rows_per_item, int row_count, GLOBAL const float *r,
                             GLOBAL float *z, GLOBAL REAL *rr, GLOBAL REAL *rz) {
  FOR_CHUNKS (item, item_count) {
    REAL sum_rr = 0, sum_rz = 0;
    FOR_ROWS_OF(item, rows_per_item, row_count) {
      Vec3 ri = single_load(r, row), zi = single_load(z, row);
      single_store(z, row, zi); /* clears the fourth number */
      sum_rr += v3_dot(ri, ri);
      sum_rz += v3_dot(ri, zi);
    }
    rr[item] = sum_rr;
    rz[item] = sum_rz;
  }
}

#endif
