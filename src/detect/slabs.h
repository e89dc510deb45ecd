/* What tells moving triangles apart that boxes hold together: of each triangle its plane at the start of the
 * way, between which heights over that plane it ends, and its boxes at both ends of the way.
 *
 * Points that go straight are on one side of each other along a direction all the way when they are at its
 * start and at its end; how both move together does not matter. Layers of cloth lie askew in their boxes, and
 * what flies together sweeps over all that is ahead of it. */
#ifndef WEFT_DETECT_SLABS_H
#define WEFT_DETECT_SLABS_H

#include "detect/surface.h"

typedef struct WeftSlabs {
  WeftDevice *device;
  float *plane;  /* triangle_count x SLAB_VALUES, see slab.kernel.h */
  float *end[2]; /* triangle_count x 6 each: boxes at the start and at the end, grown by the radius */
  float *corner; /* triangle_count x SLAB_CORNERS */
} WeftSlabs;

WeftResult weft_slabs_create(WeftSlabs *slabs, const WeftSurface *surface, WeftError *error);
void weft_slabs_destroy(WeftSlabs *slabs);

/* active: triangle_count, 1 or 0: those of others are as they were when they were fitted last; NULL: none
 * are. */
void weft_slabs_fit(WeftSlabs *slabs, const WeftSurface *surface, const double *x0, const double *x1,
                    double radius, const int32_t *active);

#endif
