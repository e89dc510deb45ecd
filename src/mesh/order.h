/* An order of vertices in which neighbours in space are neighbours in memory. */
#ifndef WEFT_MESH_ORDER_H
#define WEFT_MESH_ORDER_H

#include "base/error.h"

#include <stdint.h>

/* internal_of_user[i] becomes the place of vertex i: a permutation of 0 .. vertex_count - 1. Vertices in the
 * same cell of the curve keep their order. Positions (vertex_count x 3) that are not finite count as the
 * corner of the box. */
WeftResult weft_order_vertices(int vertex_count, const double *positions, int32_t *internal_of_user,
                               WeftError *error);

/* So many vertices in a row are a patch, from the first on: what the solver factors by itself. */
enum { WEFT_PATCH_ROWS = 8192 };

/* Orders the vertices of each patch anew, along the mesh. triangles: triangle_count x 3, the user's vertices.
 */
WeftResult weft_order_patches(int vertex_count, int triangle_count, const int32_t *triangles,
                              int32_t *internal_of_user, WeftError *error);

#endif
