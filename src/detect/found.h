/* What the narrow phase kept of the candidates of one kind, sorted by feature: the same list whichever broad
 * phase was asked, on any device and any number of threads. */
#ifndef WEFT_DETECT_FOUND_H
#define WEFT_DETECT_FOUND_H

#include "detect/candidates.h"
#include "detect/narrow.h"

typedef struct WeftFound {
  WeftDevice *device;
  int count;
  int32_t
      *features; /* count x 2: vertex and triangle, or edge and edge; sorted by the first, then the second */
  int32_t *vertices; /* count x 4 */
  double *value;     /* count: distance [m], or time of impact in [0, 1] */
  double *weight;    /* count x 4: of the closest points, see narrow.h; not for impacts */
  size_t capacity_features, capacity_vertices, capacity_value, capacity_weight;
  /* Of all candidates, before what is not wanted is left out. */
  double *all_value, *all_weight;
  int32_t *kept, *index, *key;
  size_t capacity_all_value, capacity_all_weight, capacity_kept, capacity_index, capacity_key;
  WeftPrimitives primitives;
} WeftFound;

void weft_found_create(WeftFound *found, WeftDevice *device);
void weft_found_destroy(WeftFound *found);

/* Pairs no further apart than distance [m]. Features are numbered below feature_count. */
WeftResult weft_found_close(WeftFound *found, WeftPairKind kind, const WeftFeaturePairs *candidates,
                            int feature_count, const double *x, double distance, WeftError *error);
/* Pairs that come within gap [m] on the way from x0 to x1. */
WeftResult weft_found_impacts(WeftFound *found, WeftPairKind kind, const WeftFeaturePairs *candidates,
                              int feature_count, const double *x0, const double *x1, double gap,
                              WeftError *error);
/* Pairs closer than distance [m] at x0 that face each other, and pairs that meet on the way from x0 to x1:
 * weft_narrow_ahead. Values are its times. */
WeftResult weft_found_ahead(WeftFound *found, const WeftSurface *surface, WeftPairKind kind,
                            const WeftFeaturePairs *candidates, int feature_count, const double *x0,
                            const double *x1, double distance, WeftError *error);

#endif
