/* Surfaces of revolution, from which most solids are made. */
#ifndef WEFT_MESH_GENERATE_LATHE_H
#define WEFT_MESH_GENERATE_LATHE_H

#include "mesh/generate_common.h"

/* A point of the outline: distance from the z axis and height [m]. */
typedef struct WeftOutline {
  double r, z;
} WeftOutline;

/* Turns the outline about z in `columns` steps. What lies on the right of the outline, as it runs, in the
 * half plane with r to the right and z up, is outside: a cylinder's side runs upwards. Points with r = 0 are
 * poles, single vertices; they may only be the ends. is_ring: the last point is joined to the first. */
WeftResult weft_generate_lathe(WeftShape *shape, const WeftOutline *outline, int count, bool is_ring,
                               int columns, WeftError *error);

#endif
