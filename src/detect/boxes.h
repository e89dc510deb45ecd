/* Axis-aligned boxes of vertices, edges and triangles, in single precision and rounded outwards: half the
 * memory to move, and what the box of doubles held is still inside. */
#ifndef WEFT_DETECT_BOXES_H
#define WEFT_DETECT_BOXES_H

#include "detect/surface.h"

/* Coordinates and distances up to this [m] fit a float with room to spare. */
#define WEFT_LARGEST_COORDINATE 1e30

typedef struct WeftBoxes {
  WeftDevice *device;
  /* Six floats each: low x y z, high x y z. */
  float *vertex;   /* vertex_count x 6 */
  float *edge;     /* edge_count x 6 */
  float *triangle; /* triangle_count x 6 */
} WeftBoxes;

WeftResult weft_boxes_create(WeftBoxes *boxes, const WeftSurface *surface, WeftError *error);
void weft_boxes_destroy(WeftBoxes *boxes);

/* Of what moves from x0 to x1 (the same array: what stands still), grown by radius [m] on every side. */
void weft_boxes_fit(WeftBoxes *boxes, const WeftSurface *surface, const double *x0, const double *x1,
                    double radius);

#endif
