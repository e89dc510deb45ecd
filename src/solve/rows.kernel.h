/* The solver's work items are runs of rows, so that partial sums of dot products have a fixed shape. */
#ifndef WEFT_SOLVE_ROWS_KERNEL_H
#define WEFT_SOLVE_ROWS_KERNEL_H

#include "device/kernel.h"

#define FOR_ROWS_OF(item, rows_per_item, row_count) \
  for (int row = item * rows_per_item; row < (item + 1) * rows_per_item && row < row_count; row++)

#endif
