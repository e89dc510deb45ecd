/* Meshes of simple shapes, with a flat rest shape in their uvs (u along the warp) [m].
 * Grids never have all diagonals one way: that bends four times stiffer along one diagonal than along the
 * other. */
#ifndef WEFT_MESH_GENERATE_H
#define WEFT_MESH_GENERATE_H

#include <weft/scene.h>

typedef enum WeftPattern { WEFT_PATTERN_ALTERNATING, WEFT_PATTERN_EQUILATERAL } WeftPattern;

/* Named border pieces; which vertices they are depends on the shape. For a rectangle left/right are u = 0 /
 * width and bottom/top v = 0 / height; for a tube bottom/top are its rims; for a disc rim is its border. */
typedef enum WeftSide {
  WEFT_SIDE_LEFT,
  WEFT_SIDE_RIGHT,
  WEFT_SIDE_BOTTOM,
  WEFT_SIDE_TOP,
  WEFT_SIDE_RIM
} WeftSide;

typedef struct WeftShape {
  WeftMesh mesh;
  uint8_t *sides; /* vertex_count: bit (1 << WeftSide) for each side a vertex is on */
} WeftShape;

/* Width along x, height along y, centred at the origin, z = 0. columns x rows cells; equilateral: columns
 * cells of edge width/columns, rows adjusted to close to equilateral when rows is 0, borders straight (half
 * triangles at the sides). */
WeftResult weft_generate_rectangle(WeftShape *shape, double width, double height, int columns, int rows,
                                   WeftPattern pattern, WeftError *error);
/* Centred at the origin, z = 0, made of rings of nearly equilateral triangles; rings >= 1. */
WeftResult weft_generate_disc(WeftShape *shape, double radius, int rings, WeftError *error);
/* Axis z, from z = 0 to height; columns around, rows along; uvs are the unrolled cylinder (a seam in uv
 * only). */
WeftResult weft_generate_tube(WeftShape *shape, double radius, double height, int columns, int rows,
                              WeftPattern pattern, WeftError *error);
void weft_shape_free(WeftShape *shape);

#endif
