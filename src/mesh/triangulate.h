/* Polygons to triangles. */
#ifndef WEFT_MESH_TRIANGULATE_H
#define WEFT_MESH_TRIANGULATE_H

#include "base/error.h"

#include <stdint.h>

/* Larger polygons would take seconds each. */
#define WEFT_MAX_POLYGON_CORNERS 16384

/* Polygon p has the corners start[p] .. start[p + 1] - 1, at least 3 and at most WEFT_MAX_POLYGON_CORNERS,
 * and corner_vertex is the vertex of each (in range). Writes three corners a triangle, corners - 2 triangles
 * a polygon, in the polygons' order and sense. */
WeftResult weft_triangulate(int vertex_count, const double *positions, int polygon_count,
                            const int32_t *start, const int32_t *corner_vertex, int32_t *triangle_corners,
                            WeftError *error);

#endif
