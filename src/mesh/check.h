/* The single checks that weft_mesh_inspect reports and weft_mesh_accept acts on. */
#ifndef WEFT_MESH_CHECK_H
#define WEFT_MESH_CHECK_H

#include "base/error.h"

#include <weft/scene.h>

/* Counts and pointers that belong together; contents are not looked at. */
WeftResult weft_mesh_check_arrays(const WeftMesh *mesh, WeftError *error);

bool weft_vertex_is_finite(const double *positions, int32_t vertex);
bool weft_triangle_is_in_range(const int32_t triangle[3], int32_t vertex_count);
bool weft_triangle_repeats_vertex(const int32_t triangle[3]);
/* Vertices in range. A repeated vertex, or an area below 1e-12 times the longest edge squared, or too large a
 * size for a double. Triangles with a vertex that is not finite are not degenerate but worse; ask for that
 * first. */
bool weft_triangle_is_degenerate(const double *positions, const int32_t triangle[3]);
/* [m^2] */
double weft_triangle_area(const double *positions, const int32_t triangle[3]);

/* is_duplicate[t] = 1 where an earlier triangle has the same three vertices in any order; indices in range.
 */
WeftResult weft_find_duplicates(int vertex_count, int triangle_count, const int32_t *triangles,
                                uint8_t *is_duplicate, WeftError *error);

#endif
