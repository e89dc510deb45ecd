/* The narrow phase: distances and times of impact of whole lists of pairs, on any device. All arrays are the
 * caller's; on a device other than the CPU they were shared with it, and results stay there. */
#ifndef WEFT_DETECT_NARROW_H
#define WEFT_DETECT_NARROW_H

#include "detect/surface.h"

typedef enum WeftPairKind {
  WEFT_PAIR_VERTEX_FACE, /* indices: vertex, and the face's three */
  WEFT_PAIR_EDGE_EDGE    /* indices: both ends of one edge, and of the other */
} WeftPairKind;

/* What a pair that does not meet gets as time of impact. */
#define WEFT_NO_IMPACT 2.0 /* CCD_NONE of the kernels */

/* pair: 4 indices each. distance [m]: one a pair. weight: 4 a pair, the gap's vector is the sum of weight[k]
 * x[pair[k]]; the first feature's sum to 1, the second's to -1. */
void weft_narrow_distance(WeftDevice *device, WeftPairKind kind, int pair_count, const int32_t *pair,
                          const double *x, double *distance, double *weight);

/* time: for each pair the first time in [0, 1] at which it is no further apart than gap >= 0 [m] on the way
 * from x0 to x1, never later than that and earlier by rounding only; or WEFT_NO_IMPACT. A pair that starts in
 * touch gets 0. Coordinates are finite. */
void weft_narrow_ccd(WeftDevice *device, WeftPairKind kind, int pair_count, const int32_t *pair,
                     const double *x0, const double *x1, double gap, double *time);

/* when: for each pair that is closer than distance [m] at x0 with an upright line between its closest points,
 * 0; for others that meet on the way from x0 to x1 that time in [0, 1]; for the rest, and for edges and
 * vertices of obstacles that do not stick out where they are met, WEFT_NO_IMPACT. weight: of the closest
 * points at that time. features: the vertex, or both edges, and what they are in the surface. */
void weft_narrow_ahead(const WeftSurface *surface, WeftPairKind kind, int pair_count, const int32_t *features,
                       const int32_t *pair, const double *x0, const double *x1, double distance, double *when,
                       double *weight);

#endif
