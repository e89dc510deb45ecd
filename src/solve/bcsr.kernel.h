/* Pattern assembly after [Tang16 alg. 1] and products with the matrix.
 * Differs: CAMA counts and fills with atomics; here each chunk of rows walks its own elements
 * (force/element.kernel.h), so nothing depends on timing. */
#ifndef WEFT_SOLVE_BCSR_KERNEL_H
#define WEFT_SOLVE_BCSR_KERNEL_H

#include "solve/bcsr_find.kernel.h"
#include "solve/bcsr_row.kernel.h"

/* Space counting: entries (with duplicates) that the elements put into each row. */
KERNEL bcsr_count(int chunk_count, int chunk_rows, int row_count, GLOBAL const int *chunk_start,
                  GLOBAL const int *chunk_element, int arity, GLOBAL const int *vertices, GLOBAL int *count) {
  FOR_CHUNKS (chunk, chunk_count) {
    int row_begin = chunk * chunk_rows, row_end = row_begin + chunk_rows;
    if (row_end > row_count) row_end = row_count;
    for (int at = chunk_start[chunk]; at < chunk_start[chunk + 1]; at++) {
      for (int i = 0; i < arity; i++) {
        int row = vertices[arity * chunk_element[at] + i];
        if (row >= row_begin && row < row_end) count[row] += arity;
      }
    }
  }
}

/* Filling indices: cursor[row] is where the row's next entry goes. */
KERNEL bcsr_fill(int chunk_count, int chunk_rows, int row_count, GLOBAL const int *chunk_start,
                 GLOBAL const int *chunk_element, int arity, GLOBAL const int *vertices, GLOBAL int *cursor,
                 GLOBAL int *entry) {
  FOR_CHUNKS (chunk, chunk_count) {
    int row_begin = chunk * chunk_rows, row_end = row_begin + chunk_rows;
    if (row_end > row_count) row_end = row_count;
    for (int at = chunk_start[chunk]; at < chunk_start[chunk + 1]; at++) {
      GLOBAL const int *element = vertices + arity * chunk_element[at];
      for (int i = 0; i < arity; i++) {
        int row = element[i];
        if (row < row_begin || row >= row_end) continue;
        for (int j = 0; j < arity; j++) entry[cursor[row]++] = element[j];
      }
    }
  }
}

/* Removing duplications: moves one of each to the row's front, without those that the base pattern has
 * (base_start NULL: there is none yet), and sorts them. kept[row] is how many are left. Elements that share
 * vertices repeat each some ten times, so looking whether one is there costs less than sorting all. */
KERNEL bcsr_sort_unique(int row_count, GLOBAL const int *start, GLOBAL int *entry,
                        GLOBAL const int *base_start, GLOBAL const int *base_column, GLOBAL int *kept) {
  FOR_ITEMS (row, row_count) {
    GLOBAL int *item = entry + start[row];
    int n = start[row + 1] - start[row], left = 0;
    for (int i = 0; i < n; i++) {
      int wanted = item[i], is_there = 0;
      for (int k = 0; k < left; k++) is_there |= item[k] == wanted;
      if (is_there) continue;
      if (base_start && bcsr_find(base_column, base_start[row], base_start[row + 1], wanted) >= 0) continue;
      item[left++] = wanted;
    }
    /* shell sort: tens are left, rarely hundreds */
    for (int gap = left / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
      for (int i = gap; i < left; i++) {
        int moved = item[i], j = i;
        for (; j >= gap && item[j - gap] > moved; j -= gap) item[j] = item[j - gap];
        item[j] = moved;
      }
    }
    kept[row] = left;
  }
}

/* Data reduction: rows without gaps. */
KERNEL bcsr_compact(int row_count, GLOBAL const int *loose_start, GLOBAL const int *entry,
                    GLOBAL const int *start, GLOBAL int *column) {
  FOR_ITEMS (row, row_count) {
    for (int i = 0; i < start[row + 1] - start[row]; i++)
      column[start[row] + i] = entry[loose_start[row] + i];
  }
}

/* Starts of the extra part from those that begin at zero; the last one is its end. */
KERNEL bcsr_shift_starts(int starts, int row_count, int base, int extra, GLOBAL int *start) {
  FOR_ITEMS (row, starts) {
    start[row] = base + (row < row_count ? start[row] : extra);
  }
}

/* location(s, t) of every element's entries. */
KERNEL bcsr_locate(int element_count, int arity, GLOBAL const int *vertices, GLOBAL const int *base_start,
                   GLOBAL const int *extra_start, GLOBAL const int *column, GLOBAL int *slots) {
  FOR_ITEMS (e, element_count) {
    for (int i = 0; i < arity; i++) {
      for (int j = 0; j < arity; j++) {
        int row = vertices[arity * e + i], wanted = vertices[arity * e + j];
        int slot = bcsr_find(column, base_start[row], base_start[row + 1], wanted);
        if (slot < 0) slot = bcsr_find(column, extra_start[row], extra_start[row + 1], wanted);
        slots[arity * arity * e + arity * i + j] = slot;
      }
    }
  }
}

KERNEL bcsr_zero(int block_count, int first, GLOBAL REAL *value) {
  FOR_ITEMS (block, block_count) {
    for (int k = 0; k < 9; k++) value[9 * (first + block) + k] = 0;
  }
}

KERNEL bcsr_add_mass(int row_count, GLOBAL const int *diagonal, GLOBAL const REAL *mass, REAL scale,
                     GLOBAL REAL *value) {
  FOR_ITEMS (row, row_count) {
    add_mat3(value, diagonal[row], m3_identity(scale * mass[row]));
  }
}

KERNEL bcsr_multiply(int row_count, GLOBAL const int *base_start, GLOBAL const int *extra_start,
                     GLOBAL const int *column, GLOBAL const REAL *value, GLOBAL const REAL *x,
                     GLOBAL REAL *y) {
  FOR_ITEMS (row, row_count) {
    store3(y, row, bcsr_row(row, base_start, extra_start, column, value, x));
  }
}

#endif
