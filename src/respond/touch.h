/* Where and in which direction the two features of an impact touch. */
#ifndef WEFT_RESPOND_TOUCH_H
#define WEFT_RESPOND_TOUCH_H

#include "device/kernel.h"
#include "respond/link.h"

#include <stdbool.h>

typedef struct WeftTouch {
  double weight[4]; /* of the points that touch: the first feature's sum to 1, the second's to -1 */
  Vec3 normal; /* of length 1, from the second feature to the first as they lie at x0; 0 if there is none */
  double gap;  /* [m]: how far apart those points are at x0 along the normal; >= 0 */
} WeftTouch;

/* Does the pair meet on the way from x0 to x1? */
bool weft_meets(const WeftImpacts *impacts, int impact, const double *x1);

/* On the way from x0 to x1. When the pair touches on that way, then there; otherwise where it is closest at
 * the impact's own time, which was found for other ends. */
WeftTouch weft_touch(const WeftImpacts *impacts, int impact, const double *x1);

#endif
