/* Plain weave: warp and weft pass over and under each other in turn. */
#ifndef WEFT_PICTURE_WEAVE_H
#define WEFT_PICTURE_WEAVE_H

#include <math.h>

/* How bright cloth is at a place, about 1: u and v count yarns, footprint is the width of what is looked at,
 * in yarns. A yarn is brightest along its crown and dark where it dives under; where the eye cannot tell
 * yarns apart (half a yarn a sample) nothing is left of them, so that there is no moire. */
static inline double weave_shade(double u, double v, double footprint) {
  const double depth = 0.24;
  double fade = 1 - 2 * footprint;
  if (!(fade > 0)) return 1;
  double iu = floor(u), iv = floor(v), x = u - iu - 0.5, y = v - iv - 0.5;
  /* in every other field the warp is on top; the yarn on top is round across and arched along */
  double profile = (1 - 4 * x * x) * (1 - 4 * y * y);
  double across = fmod(fabs(iu + iv), 2) < 1 ? x : y;
  double crown = 1 - 4 * across * across;
  /* less their means over a field, 4/9 and 2/3 */
  return 1 + fade * depth * (0.75 * (profile - 4.0 / 9) + 0.25 * (crown - 2.0 / 3));
}

#endif
