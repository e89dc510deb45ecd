/* Meshes of simple shapes: sheets with a flat rest shape in their uvs (u along the warp) [m], and solids.
 * Grids never have all diagonals one way: that bends four times stiffer along one diagonal than along the
 * other. */
#ifndef WEFT_MESH_GENERATE_H
#define WEFT_MESH_GENERATE_H

#include <weft/scene.h>

typedef enum WeftPattern { WEFT_PATTERN_ALTERNATING, WEFT_PATTERN_EQUILATERAL } WeftPattern;

/* Named border pieces; which vertices they are depends on the shape. For a rectangle left/right are u = 0 /
 * width and bottom/top v = 0 / height; for a tube bottom/top are its rims; for a disc rim is its border. A
 * ribbon has a rectangle's, left is its start. */
typedef enum WeftSide {
  WEFT_SIDE_LEFT,
  WEFT_SIDE_RIGHT,
  WEFT_SIDE_BOTTOM,
  WEFT_SIDE_TOP,
  WEFT_SIDE_RIM
} WeftSide;

typedef struct WeftShape {
  WeftMesh mesh;
  uint8_t *sides; /* vertex_count: bit (1 << WeftSide) for each side a vertex is on; NULL for solids */
} WeftShape;

/* Width along x, height along y, centred at the origin, z = 0. columns x rows cells; equilateral: columns
 * cells of edge width/columns, rows adjusted to close to equilateral when rows is 0, borders straight (half
 * triangles at the sides). */
WeftResult weft_generate_rectangle(WeftShape *shape, double width, double height, int columns, int rows,
                                   WeftPattern pattern, WeftError *error);
/* Centred at the origin, z = 0, made of rings of nearly equilateral triangles; rings >= 1. */
WeftResult weft_generate_disc(WeftShape *shape, double radius, int rings, WeftError *error);
/* Axis z, from z = 0, where it has `radius`, to height; columns around, rows along; uvs are the unrolled
 * cylinder (a seam in uv only). A top_radius other than radius makes an open cone, whose cells are unrolled
 * one by one; of the patterns it takes alternating alone. */
WeftResult weft_generate_tube(WeftShape *shape, double radius, double top_radius, double height, int columns,
                              int rows, WeftPattern pattern, WeftError *error);
/* A strip of `width` along the uniform cubic B-spline of point_count >= 4 points [m], its width level;
 * columns along, rows across (0: so that cells are about as high as wide). uvs are the straight strip, from v
 * = 0 on the line's right to width.
 */
WeftResult weft_generate_ribbon(WeftShape *shape, const double *points, int point_count, double width,
                                int columns, int rows, WeftError *error);

/* Solids, without uvs. Closed but for the funnel, triangles counterclockwise seen from outside. Lengths above
 * 0; columns, at least 3, go around the z axis, rows along it. */

/* Centred at the origin; cells along x, y, z, at least 1. */
WeftResult weft_generate_box(WeftShape *shape, const double size[3], const int cells[3], WeftError *error);
/* Centred at the origin, poles on z; rows from pole to pole, at least 2. */
WeftResult weft_generate_sphere(WeftShape *shape, double radius, int columns, int rows, WeftError *error);
/* From z = 0 to height. */
WeftResult weft_generate_cylinder(WeftShape *shape, double radius, double height, int columns, int rows,
                                  WeftError *error);
/* From z = 0 to height, radius at the bottom; top_radius 0: a tip. */
WeftResult weft_generate_cone(WeftShape *shape, double radius, double top_radius, double height, int columns,
                              int rows, WeftError *error);
/* Open at both ends: a cone from z = 0, where it has `radius`, down to -height, then a tube of neck_radius
 * and neck_height. */
WeftResult weft_generate_funnel(WeftShape *shape, double radius, double neck_radius, double height,
                                double neck_height, int columns, int rows, int neck_rows, WeftError *error);
/* Half spheres about (0, 0, 0) and (0, 0, height), each of cap_rows, and a cylinder between them. */
WeftResult weft_generate_capsule(WeftShape *shape, double radius, double height, int columns, int rows,
                                 int cap_rows, WeftError *error);
/* Around z, centred at the origin; tube_radius < radius; rows go around the tube, at least 3. */
WeftResult weft_generate_torus(WeftShape *shape, double radius, double tube_radius, int columns, int rows,
                               WeftError *error);
/* Turns a profile about z: point_count >= 2 pairs of radius >= 0 and z [m]. What lies on its right as it runs
 * is outside. Points on the axis may only be its ends; ends elsewhere stay open. */
WeftResult weft_generate_turned(WeftShape *shape, const double *profile, int point_count, int columns,
                                WeftError *error);
void weft_shape_free(WeftShape *shape);

#endif
