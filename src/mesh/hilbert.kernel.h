/* The Hilbert curve [Skilling04], for any number of bits an axis up to 30. */
#ifndef WEFT_MESH_HILBERT_KERNEL_H
#define WEFT_MESH_HILBERT_KERNEL_H

#include "device/kernel.h"

/* From a cell's three coordinates to its place along the curve, whose bits are then those of cell[0],
 * cell[1], cell[2] interleaved, the highest first: undoes the rotations of the coarser levels, and turns the
 * Gray code that they leave into a number. */
INLINE void hilbert_place(int *cell, int bits) {
  for (int level = 1 << (bits - 1); level > 1; level >>= 1) {
    int below = level - 1;
    for (int axis = 0; axis < 3; axis++) {
      if (cell[axis] & level) {
        cell[0] ^= below; /* the octant is traversed backwards */
      } else {
        int differing = (cell[0] ^ cell[axis]) & below; /* the octant has the first axis exchanged */
        cell[0] ^= differing;
        cell[axis] ^= differing;
      }
    }
  }
  int parity = 0;
  for (int level = bits - 1; level >= 0; level--) {
    for (int axis = 0; axis < 3; axis++) {
      parity ^= cell[axis] >> level & 1;
      cell[axis] = (cell[axis] & ~(1 << level)) | parity << level;
    }
  }
}

#endif
