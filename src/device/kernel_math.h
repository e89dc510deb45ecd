/* Functions for kernels that go beyond sqrt and fabs: built from + - x / alone, so that every device gives
 * the same bits, which libm and OpenCL's built-ins do not promise.
 *
 * Accuracy, measured against libm in tests/device/test_kernel_math.c: arctangent 1.5 ulp, sine 2.1 ulp.
 */
#ifndef WEFT_DEVICE_KERNEL_MATH_H
#define WEFT_DEVICE_KERNEL_MATH_H

#include "device/kernel.h"

#define KERNEL_PI 3.14159265358979311600
/* pi - KERNEL_PI */
#define KERNEL_PI_REST 1.2246467991473532e-16

/* Angle of the vector (x, y) in (-pi, pi]; 0 for the zero vector.
 * The smaller part is brought near c = 0, 1/4, 1/2 or 1 times the larger: with q = smaller over larger
 * atan q = atan c + atan((q - c)/(1 + c q)). The rest is below 0.163, where the arctangent's series up to the
 * 19th power leaves 2e-18. */
INLINE REAL arctangent2(REAL y, REAL x) {
  REAL across = fabs(y), along = fabs(x);
  REAL low = across < along ? across : along, high = across < along ? along : across;
  if (high == 0) return 0;
  /* atan c in two parts */
  REAL c = 0, base = 0, base_rest = 0;
  if (low > 0.72 * high) {
    c = 1;
    base = 0.78539816339744827900;
    base_rest = 3.061616997868383e-17;
  } else if (low > 0.375 * high) {
    c = 0.5;
    base = 0.46364760900080609352;
    base_rest = 2.2698777452961687e-17;
  } else if (low > 0.125 * high) {
    c = 0.25;
    base = 0.24497866312686414347;
    base_rest = 1.0698755618734451e-17;
  }
  REAL t = (low - c * high) / (high + c * low);
  REAL s = t * t;
  REAL series = -1.0 / 19;
  series = 1.0 / 17 + s * series;
  series = -1.0 / 15 + s * series;
  series = 1.0 / 13 + s * series;
  series = -1.0 / 11 + s * series;
  series = 1.0 / 9 + s * series;
  series = -1.0 / 7 + s * series;
  series = 1.0 / 5 + s * series;
  series = -1.0 / 3 + s * series;
  REAL angle = base + (t + (t * s * series + base_rest));
  if (across > along) angle = (0.5 * KERNEL_PI - angle) + 0.5 * KERNEL_PI_REST;
  if (x < 0) angle = (KERNEL_PI - angle) + KERNEL_PI_REST;
  return y < 0 ? -angle : angle;
}

/* sin(2 pi turns). Whole turns and quarters are taken off without rounding error; the series runs to the 21st
 * power, which leaves 2e-18 at a quarter turn. From 2^51 turns on every number is a multiple of half a turn.
 */
INLINE REAL sine_of_turns(REAL turns) {
  if (fabs(turns) >= 2251799813685248.0) return 0;
  /* adding and taking away 1.5 x 2^52 leaves the nearest whole number */
  REAL whole = (turns + 6755399441055744.0) - 6755399441055744.0;
  REAL r = turns - whole;
  if (r > 0.25) r = 0.5 - r;
  if (r < -0.25) r = -0.5 - r;
  REAL y = 2 * KERNEL_PI * r;
  REAL s = y * y;
  REAL series = 1 - s * (1.0 / (20 * 21));
  series = 1 - s * (1.0 / (18 * 19)) * series;
  series = 1 - s * (1.0 / (16 * 17)) * series;
  series = 1 - s * (1.0 / (14 * 15)) * series;
  series = 1 - s * (1.0 / (12 * 13)) * series;
  series = 1 - s * (1.0 / (10 * 11)) * series;
  series = 1 - s * (1.0 / (8 * 9)) * series;
  series = 1 - s * (1.0 / (6 * 7)) * series;
  series = 1 - s * (1.0 / (4 * 5)) * series;
  series = s * (1.0 / (2 * 3)) * series;
  return y - y * series;
}

#endif
