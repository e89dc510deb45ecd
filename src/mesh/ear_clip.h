/* Triangles of one plane polygon, concave ones too. */
#ifndef WEFT_MESH_EAR_CLIP_H
#define WEFT_MESH_EAR_CLIP_H

#include "base/error.h"

#include <stdint.h>

/* Room for polygons of up to `capacity` corners; made once for many polygons. */
typedef struct WeftEarClipper {
  int capacity;
  double *points; /* capacity x 2, in the polygon's plane */
  double *quality;
  int32_t *previous, *next;
  uint8_t *blocks;
} WeftEarClipper;

WeftResult weft_ear_clipper_create(WeftEarClipper *clipper, int capacity, WeftError *error);
void weft_ear_clipper_destroy(WeftEarClipper *clipper);
/* vertices: the polygon's, count >= 3. Writes count - 2 triangles of places in 0 .. count - 1, in the
 * polygon's sense. */
void weft_ear_clip(WeftEarClipper *clipper, const double *positions, const int32_t *vertices, int count,
                   int32_t *triangles);

#endif
