/* Boxes in blocks of eight, one coordinate after the other, so that one box meets eight at once. */
#ifndef WEFT_DETECT_BOX_BLOCK_KERNEL_H
#define WEFT_DETECT_BOX_BLOCK_KERNEL_H

#include "detect/box.kernel.h"

#define BLOCK 8

INLINE void block_store(GLOBAL float *blocks, int i, Box b) {
  GLOBAL float *own = blocks + 6 * BLOCK * (i / BLOCK) + i % BLOCK;
  own[0] = b.low_x;
  own[BLOCK] = b.low_y;
  own[2 * BLOCK] = b.low_z;
  own[3 * BLOCK] = b.high_x;
  own[4 * BLOCK] = b.high_y;
  own[5 * BLOCK] = b.high_z;
}

INLINE Box block_load(GLOBAL const float *blocks, int i) {
  GLOBAL const float *own = blocks + 6 * BLOCK * (i / BLOCK) + i % BLOCK;
  Box b;
  b.low_x = own[0];
  b.low_y = own[BLOCK];
  b.low_z = own[2 * BLOCK];
  b.high_x = own[3 * BLOCK];
  b.high_y = own[4 * BLOCK];
  b.high_z = own[5 * BLOCK];
  return b;
}

/* hit[k] = 1 where the box overlaps the k-th of the block m, else 0. */
INLINE void block_overlaps(Box b, GLOBAL const float *m, int *hit) {
  FOR_LANES (k, BLOCK) {
    hit[k] = (b.low_x <= m[3 * BLOCK + k]) & (m[k] <= b.high_x) & (b.low_y <= m[4 * BLOCK + k]) &
             (m[BLOCK + k] <= b.high_y) & (b.low_z <= m[5 * BLOCK + k]) & (m[2 * BLOCK + k] <= b.high_z);
  }
}

#endif
