/* From doubles to the floats of boxes, outwards. */
#ifndef WEFT_DETECT_BOX_ROUND_KERNEL_H
#define WEFT_DETECT_BOX_ROUND_KERNEL_H

#include "detect/box.kernel.h"

/* Beyond every coordinate and distance that detection takes (boxes.h). A step may try positions farther out
 * still; there boxes end here: what overlapped does so as before, and no box becomes infinite, for an
 * infinite one would overlap an empty one. */
#define BOX_FARTHEST 4e30

INLINE REAL box_bounded(REAL x) {
  return x > BOX_FARTHEST ? BOX_FARTHEST : x < -BOX_FARTHEST ? -BOX_FARTHEST : x;
}

/* A float at or below x: x less 2^-23 of itself stays below after it was rounded to a float, which moves it
 * by at most 2^-24 of itself; the constant does the same for numbers below 1.2e-38, which a float holds with
 * less precision and a device may round to zero. */
INLINE float float_below(REAL x) {
  REAL y = box_bounded(x);
  return (float)(y - fabs(y) * 1.1920928955078125e-7 - 2.4e-38);
}
INLINE float float_above(REAL x) {
  REAL y = box_bounded(x);
  return (float)(y + fabs(y) * 1.1920928955078125e-7 + 2.4e-38);
}

INLINE REAL least(REAL a, REAL b) { return a < b ? a : b; }
INLINE REAL most(REAL a, REAL b) { return a > b ? a : b; }

#endif
