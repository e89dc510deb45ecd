/* Boxes in single precision: six floats, low x y z and high x y z. */
#ifndef WEFT_DETECT_BOX_KERNEL_H
#define WEFT_DETECT_BOX_KERNEL_H

#include "device/kernel.h"

typedef struct Box {
  float low_x, low_y, low_z, high_x, high_y, high_z;
} Box;

INLINE Box load_box(GLOBAL const float *p, int i) {
  Box b;
  b.low_x = p[6 * i];
  b.low_y = p[6 * i + 1];
  b.low_z = p[6 * i + 2];
  b.high_x = p[6 * i + 3];
  b.high_y = p[6 * i + 4];
  b.high_z = p[6 * i + 5];
  return b;
}

INLINE void store_box(GLOBAL float *p, int i, Box b) {
  p[6 * i] = b.low_x;
  p[6 * i + 1] = b.low_y;
  p[6 * i + 2] = b.low_z;
  p[6 * i + 3] = b.high_x;
  p[6 * i + 4] = b.high_y;
  p[6 * i + 5] = b.high_z;
}

/* Closed boxes: touching counts. No branches: most tests fail on an axis that cannot be foretold. */
INLINE int box_overlaps(Box a, Box b) {
  return (a.low_x <= b.high_x) & (b.low_x <= a.high_x) & (a.low_y <= b.high_y) & (b.low_y <= a.high_y) &
         (a.low_z <= b.high_z) & (b.low_z <= a.high_z);
}

INLINE Box box_join(Box a, Box b) {
  Box r;
  r.low_x = a.low_x < b.low_x ? a.low_x : b.low_x;
  r.low_y = a.low_y < b.low_y ? a.low_y : b.low_y;
  r.low_z = a.low_z < b.low_z ? a.low_z : b.low_z;
  r.high_x = a.high_x > b.high_x ? a.high_x : b.high_x;
  r.high_y = a.high_y > b.high_y ? a.high_y : b.high_y;
  r.high_z = a.high_z > b.high_z ? a.high_z : b.high_z;
  return r;
}

INLINE REAL box_largest_side(Box b) {
  REAL x = (REAL)b.high_x - b.low_x, y = (REAL)b.high_y - b.low_y, z = (REAL)b.high_z - b.low_z;
  REAL side = x > y ? x : y;
  return side > z ? side : z;
}

/* Overlaps nothing, and joined with another box gives that box. */
INLINE Box box_empty(void) {
  Box b;
  b.low_x = b.low_y = b.low_z = 3.4e38f;
  b.high_x = b.high_y = b.high_z = -3.4e38f;
  return b;
}

#endif
