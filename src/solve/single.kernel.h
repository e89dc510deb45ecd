/* Vectors in single precision: four numbers a row, so that it is one wide load. The fourth is zero, or means
 * nothing. */
#ifndef WEFT_SOLVE_SINGLE_KERNEL_H
#define WEFT_SOLVE_SINGLE_KERNEL_H

#include "device/kernel.h"

INLINE Vec3 single_load(GLOBAL const float *p, int row) {
  return vec3(p[4 * row], p[4 * row + 1], p[4 * row + 2]);
}
INLINE void single_store(GLOBAL float *p, int row, Vec3 v) {
  p[4 * row] = (float)v.x;
  p[4 * row + 1] = (float)v.y;
  p[4 * row + 2] = (float)v.z;
  p[4 * row + 3] = 0;
}

#endif
