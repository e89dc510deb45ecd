/* What the generators share: argument checks, arrays, and corners with their uv. */
#ifndef WEFT_MESH_GENERATE_COMMON_H
#define WEFT_MESH_GENERATE_COMMON_H

#include "base/error.h"
#include "mesh/generate.h"

/* A corner of a triangle: its vertex and its place in the flat rest shape [m]. */
typedef struct WeftCorner {
  int32_t vertex;
  double u, v;
} WeftCorner;

/* what: "width of a rectangle". */
WeftResult weft_check_size(double size, const char *what, WeftError *error);
WeftResult weft_check_count(int count, int least, const char *what, WeftError *error);
/* Refuses more than WEFT_MAX_VERTICES. */
WeftResult weft_check_counts(int64_t vertex_count, int64_t triangle_count, WeftError *error);
/* Makes the arrays of a solid, zeroed: positions and triangles, no uvs, no sides. triangle_count is 0:
 * weft_solid_add_triangle counts up. Refuses more than WEFT_MAX_VERTICES. */
WeftResult weft_solid_create(WeftShape *shape, int64_t vertex_count, int64_t triangle_count,
                             WeftError *error);
void weft_solid_add_triangle(WeftShape *shape, int32_t a, int32_t b, int32_t c);
/* The same with uvs and sides, for weft_shape_add_triangle. */
WeftResult weft_shape_create(WeftShape *shape, int64_t vertex_count, int64_t triangle_count,
                             WeftError *error);
void weft_shape_set_vertex(WeftShape *shape, int32_t vertex, double x, double y, double z, int sides);
void weft_shape_add_triangle(WeftShape *shape, WeftCorner a, WeftCorner b, WeftCorner c);
/* Rows of triangles of edge length `edge` that make `height` as well as possible, at least 1. */
int64_t weft_equilateral_rows(double height, double edge);

#define WEFT_SIDE_BIT(side) (1 << (side))

#endif
