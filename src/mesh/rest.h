/* The rest shape of single triangles, edges and hinges. */
#ifndef WEFT_MESH_REST_H
#define WEFT_MESH_REST_H

/* Lays a triangle of the rest shape flat: uv becomes u0 v0 u1 v1 u2 v2 with corner 0 at the origin and u
 * along the warp. The warp is where warp_uv's u grows (any scale; NULL or degenerate: not used), else the
 * direction warp projected into the triangle's plane (or another fixed direction where warp is normal to it).
 */
void weft_rest_flatten(const double *p0, const double *p1, const double *p2, const double *warp_uv,
                       const double warp[3], double uv[6]);
/* Mirrors v when the triangle runs clockwise; returns its area [m^2]. */
double weft_rest_orient(double uv[6]);
/* Length of the edge from a to b [m], and its angle to the warp in [0, pi). */
double weft_rest_edge(const double a[2], const double b[2], double *angle);
/* Signed angle of the hinge a, b, c, d as in model.h; 0 for a degenerate one [rad]. */
double weft_rest_hinge_angle(const double *a, const double *b, const double *c, const double *d);

#endif
