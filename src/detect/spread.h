/* How far all boxes together reach and how large they are: what a grid takes the size of its cells from. */
#ifndef WEFT_DETECT_SPREAD_H
#define WEFT_DETECT_SPREAD_H

#include "device/device.h"

typedef struct WeftSpread {
  WeftDevice *device;
  double *runs;         /* scratch: SPREAD_NUMBERS for each run of boxes */
  double low[3];        /* of all */
  double extent;        /* of all along the longest axis */
  double side[3];       /* of all */
  double largest, mean; /* over boxes: the longest side of each */
  int larger_count;     /* boxes that are left out of all that, since their longest side is above the limit */
} WeftSpread;

WeftResult weft_spread_create(WeftSpread *spread, WeftDevice *device, int box_count, WeftError *error);
void weft_spread_destroy(WeftSpread *spread);
/* Of boxes with no side above the limit, of which there must be one; INFINITY: of all. */
WeftResult weft_spread_measure(WeftSpread *spread, int box_count, const float *box, double limit,
                               WeftError *error);

#endif
