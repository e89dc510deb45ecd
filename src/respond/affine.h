/* The affine motion that fits displacements of points best. */
#ifndef WEFT_RESPOND_AFFINE_H
#define WEFT_RESPOND_AFFINE_H

#include "device/kernel.h"

/* Points x go by shift + gradient (x - centre). What moves so at constant speed, each on its straight way,
 * never meets what did not touch at the start, for turns below 180 degrees: the motion at each moment is
 * affine and can be undone. */
typedef struct WeftAffine {
  double weight; /* of the points so far; 0: none, and the motion is none */
  Vec3 centre, shift;
  Vec3 spread[3], mixed[3]; /* rows of the sums of (x - centre)(x - centre)^T, (d - shift)(x - centre)^T */
  Vec3 gradient[3];         /* rows */
} WeftAffine;

/* First all points, then the means, again all points where gradients are wanted, and the fit. */
void weft_affine_add_mean(WeftAffine *motion, double weight, Vec3 x, Vec3 moved);
void weft_affine_mean(WeftAffine *motion);
void weft_affine_add_spread(WeftAffine *motion, Vec3 x, Vec3 moved);
/* Least squares; directions in which the points do not spread keep their lengths. */
void weft_affine_fit(WeftAffine *motion);

Vec3 weft_affine_at(const WeftAffine *motion, Vec3 x);

#endif
