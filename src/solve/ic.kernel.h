/* The factor of block_ic as it lies in memory, and solves with it; how it is made is in
 * precond_block_ic.kernel.h. */
#ifndef WEFT_SOLVE_IC_KERNEL_H
#define WEFT_SOLVE_IC_KERNEL_H

#include "solve/single.kernel.h"

/* doubles of storage: six for the inverse of D, ten floats for the same, four integers and four floats a row;
 * 76 bytes for every block of L, and three floats more */
#define IC_VALUES_PER_ROW 15
#define IC_VALUES_PER_BLOCK 5
/* What couples two rows is stored once. */
#define IC_BLOCKS(row_count, block_count) (((block_count) - (row_count)) / 2)

/* position of a row that is not in the row at work: */
#define IC_EARLY (-1)
#define IC_LATE (-2)

/* What lies in the storage. L is in single precision, and so are the solves with it: they move half the bytes
 * and do without conversions, the iterations are the same. */
typedef struct IcFactor {
  GLOBAL REAL *inverse;  /* of D: xx yy zz xy xz yz a row */
  GLOBAL float *divisor; /* the same for solves: 9 a row, by columns, and one that only ic_kept_round uses */
  GLOBAL float *y;       /* scratch: 4 a row */
  GLOBAL int *row_begin, *row_end; /* the row's range in L */
  GLOBAL int *position;            /* place of a column in the row at work, else whether it is late */
  GLOBAL int *late;                /* late rows in ascending order, and -1 */
  GLOBAL float *value;             /* 9 a block of L, by columns */
  GLOBAL float *turned;            /* the same, transposed; of late rows W, in columns that are not late */
  GLOBAL int *column;              /* of each block of L */
} IcFactor;

INLINE IcFactor ic_factor(int row_count, int block_count, GLOBAL REAL *storage) {
  IcFactor f;
  f.inverse = storage;
  f.divisor = (GLOBAL float *)(GLOBAL void *)(storage + 6 * row_count);
  f.y = f.divisor + 10 * row_count;
  f.row_begin = (GLOBAL int *)(GLOBAL void *)(f.y + 4 * row_count);
  f.row_end = f.row_begin + row_count;
  f.position = f.row_end + row_count;
  f.late = f.position + row_count;
  f.value = (GLOBAL float *)(GLOBAL void *)(storage + IC_VALUES_PER_ROW * row_count);
  f.turned = f.value + 9 * IC_BLOCKS(row_count, block_count);
  f.column = (GLOBAL int *)(GLOBAL void *)(f.turned + 9 * IC_BLOCKS(row_count, block_count) + 3);
  return f;
}

/* y of a row becomes L \ y, as those of its columns are already. Columns of blocks are read as four, the
 * fourth is thrown away. */
INLINE void ic_forward(IcFactor f, int row, GLOBAL float *all) {
  Single8 sum = SINGLE8_ZERO;
  float last = 0;
  for (int at = f.row_begin[row]; at < f.row_end[row]; at++) {
    GLOBAL const float *l = f.value + 9 * at;
    PREFETCH(l, 64 * 9 * sizeof(float));
    Single4 y = SINGLE4(all + 4 * f.column[at]);
    sum += SINGLE8(l) * SINGLE_SPREAD(y);
    last += l[8] * SINGLE_Z(y);
  }
  SINGLE_STORE(SINGLE4(all + 4 * row) - SINGLE_FOLD(sum, last), all + 4 * row);
}

/* y = D \ y */
INLINE void ic_divide(IcFactor f, int row, GLOBAL float *all) {
  GLOBAL float *y = all + 4 * row;
  GLOBAL const float *d = f.divisor + 10 * row;
  float y0 = y[0], y1 = y[1], y2 = y[2];
  FOR_LANES (k, 4) y[k] = d[k] * y0 + d[3 + k] * y1 + d[6 + k] * y2;
}

/* Takes what is known of a row's z from y of its columns: Lt z, or Wt z where y is not yet divided by D. */
INLINE void ic_backward(IcFactor f, int row, GLOBAL float *all) {
  GLOBAL const float *z = all + 4 * row;
  float z0 = z[0], z1 = z[1], z2 = z[2];
  for (int at = f.row_end[row] - 1; at >= f.row_begin[row]; at--) {
    GLOBAL const float *l = f.turned + 9 * at;
    GLOBAL float *y = all + 4 * f.column[at];
    PREFETCH(l, -64 * 9 * (int)sizeof(float));
    FOR_LANES (k, 4) y[k] -= l[k] * z0 + l[3 + k] * z1 + l[6 + k] * z2;
  }
}

/* Late rows: all of their way, and what they take from the others. */
INLINE void ic_solve_late(IcFactor f, int row_count, GLOBAL float *y) {
  int count = 0;
  for (; count < row_count && f.late[count] >= 0; count++) ic_forward(f, f.late[count], y);
  for (int i = 0; i < count; i++) ic_divide(f, f.late[i], y);
  for (int i = count - 1; i >= 0; i--) ic_backward(f, f.late[i], y);
}

#endif
