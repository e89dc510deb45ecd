#ifndef WEFT_SOLVE_BCSR_FIND_KERNEL_H
#define WEFT_SOLVE_BCSR_FIND_KERNEL_H

#include "device/kernel.h"

/* Index of column in the ascending range [begin, end) of columns, -1 when it is not there. */
INLINE int bcsr_find(GLOBAL const int *columns, int begin, int end, int column) {
  if (begin == end || column < columns[begin] || column > columns[end - 1]) return -1;
  while (begin < end) {
    int middle = begin + (end - begin) / 2;
    if (columns[middle] == column) return middle;
    if (columns[middle] < column)
      begin = middle + 1;
    else
      end = middle;
  }
  return -1;
}

#endif
