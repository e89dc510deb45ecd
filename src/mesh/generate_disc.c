/* Discs: ring k has 6 k vertices at radius k / rings, so that edges along a ring (2 pi / 6 = 1.047 of the
 * distance between rings) and across are nearly the same. Ring 0 is the centre; vertices ring by ring,
 * counterclockwise from +x. In each of the six sectors k outer edges face k - 1 inner ones. Halfway between
 * two spokes the triangles are nearly equilateral (sides 1.05 and 1.13); at the spokes, where vertices of two
 * rings face each other, they have a nearly right angle and sides 1, 1.05 and 1.45: 6 such places a ring are
 * the price of adding 6 vertices from ring to ring. Rejected: a polar grid, which has needles at the centre.
 */
#include "mesh/generate_common.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static int32_t ring_start(int ring) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1); }

/* Vertex i of a ring, i modulo the ring's size. */
static WeftCorner corner(const WeftShape *shape, int ring, int i) {
  int32_t vertex = ring_start(ring) + (ring == 0 ? 0 : i % (6 * ring));
  return (WeftCorner){vertex, shape->mesh.positions[3 * (size_t)vertex],
                      shape->mesh.positions[3 * (size_t)vertex + 1]};
}

static void add_ring(WeftShape *shape, int ring) {
  for (int sector = 0; sector < 6; sector++) {
    for (int i = 0; i < ring; i++) {
      int outer = sector * ring + i, inner = sector * (ring - 1) + i;
      WeftCorner a = corner(shape, ring - 1, inner), b = corner(shape, ring, outer + 1);
      weft_shape_add_triangle(shape, a, corner(shape, ring, outer), b);
      if (i + 1 < ring) weft_shape_add_triangle(shape, a, b, corner(shape, ring - 1, inner + 1));
    }
  }
}

WeftResult weft_generate_disc(WeftShape *shape, double radius, int rings, WeftError *error) {
  memset(shape, 0, sizeof *shape);
  WeftResult result = weft_check_size(radius, "radius of a disc", error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(rings, 1, "rings of a disc", error);
  if (result == WEFT_RESULT_OK) {
    result = weft_shape_create(shape, 1 + 3 * (int64_t)rings * ((int64_t)rings + 1),
                               6 * (int64_t)rings * rings, error);
  }
  if (result != WEFT_RESULT_OK) return result;
  for (int ring = 1; ring <= rings; ring++) {
    double r = radius * ring / rings;
    for (int i = 0; i < 6 * ring; i++) {
      double angle = PI * i / (3.0 * ring);
      weft_shape_set_vertex(shape, ring_start(ring) + i, r * cos(angle), r * sin(angle), 0,
                            ring == rings ? WEFT_SIDE_BIT(WEFT_SIDE_RIM) : 0);
    }
    add_ring(shape, ring);
  }
  return WEFT_RESULT_OK;
}
