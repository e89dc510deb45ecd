/* Are two moving triangles, or features of them, apart? See slabs.h. */
#ifndef WEFT_DETECT_SLAB_KERNEL_H
#define WEFT_DETECT_SLAB_KERNEL_H

#include "detect/box.kernel.h"

/* The plane's normal of length 1 (zero when there is none), its height, the least and the largest height of
 * the corners in the end, the largest coordinate, and one that is not used. */
#define SLAB_VALUES 8
/* Corners in single precision, of one triangle: x of all, then y, then z, each of the three at the start and
 * the first once more, and the same at the end. */
#define SLAB_CORNERS 24
/* More than rounding makes of a height, as a part of the largest coordinate; in single precision, also of a
 * length. */
#define SLAB_ROUNDING 1e-13
#define SLAB_ROUNDING_SINGLE 1e-6
/* Bits of candidates.kernel.h: all pairs of features, those of edges. */
#define SLAB_ALL 32767
#define SLAB_EDGES (511 << 6)
/* Beyond all heights. */
#define SLAB_MUCH 1e38f
/* Squares of lengths below this are not compared. */
#define SLAB_TINY 1e-30f

/* Heights of a triangle's corners: at the start, and from 4 on at the end. */
INLINE void slab_heights(float nx, float ny, float nz, GLOBAL const float *corner, float *height) {
  FOR_LANES (k, 8) height[k] = nx * corner[k] + ny * corner[8 + k] + nz * corner[16 + k];
}

/* Which corners of a triangle stay further than the limit from a plane: bits 0-2 those above it, 3-5 those
 * below. */
INLINE int slab_sides(GLOBAL const float *corner, GLOBAL const float *plane, float limit) {
  float at[8], above = plane[3] + limit, below = plane[3] - limit, high = plane[5] + limit,
               low = plane[4] - limit;
  int sides = 0;
  slab_heights(plane[0], plane[1], plane[2], corner, at);
  for (int k = 0; k < 3; k++) {
    sides |= ((at[k] > above) & (at[4 + k] > high)) << k;
    sides |= ((at[k] < below) & (at[4 + k] < low)) << (3 + k);
  }
  return sides;
}

/* Corners, and edges k from corner k to the next, that are clear of the plane. */
INLINE int slab_clear_corners(int sides) { return (sides | sides >> 3) & 7; }
INLINE int slab_clear_edges(int sides) {
  int above = sides & 7, below = sides >> 3;
  return ((above & (above >> 1 | above << 2)) | (below & (below >> 1 | below << 2))) & 7;
}
INLINE int slab_is_clear(int sides) { return (sides & 7) == 7 || sides >> 3 == 7; }

/* Are boxes a and b apart along one axis, on the same side at the start and at the end? */
INLINE int slab_is_beside(Box a0, Box b0, Box a1, Box b1) {
  return ((a0.high_x < b0.low_x) & (a1.high_x < b1.low_x)) |
         ((b0.high_x < a0.low_x) & (b1.high_x < a1.low_x)) |
         ((a0.high_y < b0.low_y) & (a1.high_y < b1.low_y)) |
         ((b0.high_y < a0.low_y) & (b1.high_y < a1.low_y)) |
         ((a0.high_z < b0.low_z) & (a1.high_z < b1.low_z)) |
         ((b0.high_z < a0.low_z) & (b1.high_z < a1.low_z));
}

/* A distance in single precision that is more than this one, by more than rounding. */
INLINE float slab_limit(REAL limit, float far) {
  return (float)((limit + SLAB_ROUNDING_SINGLE * far) * (1 + SLAB_ROUNDING_SINGLE));
}

/* What is left of the features of two triangles, as bits of candidates.kernel.h: those that do not stay
 * further apart than the limit along the plane of one of both, or along an axis. */
INLINE int slab_leaves(int a, int b, GLOBAL const float *plane, GLOBAL const float *begin,
                       GLOBAL const float *end, GLOBAL const float *corner, float limit) {
  if (slab_is_beside(load_box(begin, a), load_box(begin, b), load_box(end, a), load_box(end, b))) return 0;
  int sides_a = slab_sides(corner + SLAB_CORNERS * a, plane + SLAB_VALUES * b, limit);
  if (slab_is_clear(sides_a)) return 0;
  int sides_b = slab_sides(corner + SLAB_CORNERS * b, plane + SLAB_VALUES * a, limit);
  if (slab_is_clear(sides_b)) return 0;
  int left = 7 & ~slab_clear_corners(sides_a);
  left |= (7 & ~slab_clear_corners(sides_b)) << 3;
  int edges_a = 7 & ~slab_clear_edges(sides_a), edges_b = 7 & ~slab_clear_edges(sides_b);
  for (int i = 0; i < 3; i++) left |= (edges_a >> i & 1 ? edges_b : 0) << (6 + 3 * i);
  return left;
}

INLINE float slab_least(float a, float b) { return a < b ? a : b; }
INLINE float slab_most(float a, float b) { return a > b ? a : b; }

/* The corner that is not shared, where two are. */
INLINE int slab_apex(const int *is_shared) { return !is_shared[0] ? 0 : !is_shared[1] ? 1 : 2; }

/* Of two triangles with two corners in common the pairs of edges without one: from the apex of a to one of
 * both, from the apex of b to the other. Bits of those that do not stay further apart than the limit [m]
 * along the line between their middles at the start. */
INLINE int slab_opposite(GLOBAL const int *ia, GLOBAL const int *ib, int apex_a, int apex_b,
                         GLOBAL const float *ca, GLOBAL const float *cb, float limit) {
  int left = 0;
  for (int s = 0; s < 2; s++) { /* edge k is that from corner k to the next */
    int to_a = (apex_a + 1 + s) % 3, edge_a = s ? to_a : apex_a;
    int is_next = ib[(apex_b + 1) % 3] != ia[to_a];
    int to_b = (apex_b + (is_next ? 1 : 2)) % 3, edge_b = is_next ? apex_b : to_b;
    float nx = ca[apex_a] + ca[to_a] - (cb[apex_b] + cb[to_b]);
    float ny = ca[8 + apex_a] + ca[8 + to_a] - (cb[8 + apex_b] + cb[8 + to_b]);
    float nz = ca[16 + apex_a] + ca[16 + to_a] - (cb[16 + apex_b] + cb[16 + to_b]);
    float at_a[8], at_b[8], gap = SLAB_MUCH, square = nx * nx + ny * ny + nz * nz;
    slab_heights(nx, ny, nz, ca, at_a);
    slab_heights(nx, ny, nz, cb, at_b);
    for (int e = 0; e < 8; e += 4) {
      float low = slab_least(at_a[e + apex_a], at_a[e + to_a]);
      gap = slab_least(gap, low - slab_most(at_b[e + apex_b], at_b[e + to_b]));
    }
    int is_apart = square > SLAB_TINY && gap > 0 && gap * gap > limit * limit * square;
    left |= !is_apart << (6 + 3 * edge_a + edge_b);
  }
  return left;
}

/* What of two triangles does not stay further apart than the limit [m] along the line between their middles
 * at the start, as bits of candidates.kernel.h. Corners that both have, as neighbours do, are on either side:
 * features that have none in common are apart when the corners of one alone are apart from the shared ones,
 * and these from those of the other alone. With two in common edges that have one of them each have a line of
 * their own. */
INLINE int slab_neighbours(int a, int b, GLOBAL const int *triangles, GLOBAL const float *corner,
                           float limit) {
  GLOBAL const float *ca = corner + SLAB_CORNERS * a, *cb = corner + SLAB_CORNERS * b;
  float nx = ca[0] + ca[1] + ca[2] - (cb[0] + cb[1] + cb[2]);
  float ny = ca[8] + ca[9] + ca[10] - (cb[8] + cb[9] + cb[10]);
  float nz = ca[16] + ca[17] + ca[18] - (cb[16] + cb[17] + cb[18]);
  float at_a[8], at_b[8];
  slab_heights(nx, ny, nz, ca, at_a);
  slab_heights(nx, ny, nz, cb, at_b);
  float square = nx * nx + ny * ny + nz * nz, least_square = limit * limit * square;
  float gap = SLAB_MUCH;
  for (int e = 0; e < 8; e += 4) {
    float low = slab_least(slab_least(at_a[e], at_a[e + 1]), at_a[e + 2]);
    float high = slab_most(slab_most(at_b[e], at_b[e + 1]), at_b[e + 2]);
    gap = slab_least(gap, low - high);
  }
  if (!(square > SLAB_TINY)) return SLAB_ALL;
  if (gap > 0 && gap * gap > least_square) return 0;
  int is_shared_a[3], is_shared_b[3], shared = 0;
  for (int k = 0; k < 3; k++) {
    GLOBAL const int *ia = triangles + 3 * a, *ib = triangles + 3 * b;
    is_shared_a[k] = (ia[k] == ib[0]) | (ia[k] == ib[1]) | (ia[k] == ib[2]);
    is_shared_b[k] = (ib[k] == ia[0]) | (ib[k] == ia[1]) | (ib[k] == ia[2]);
    shared += is_shared_a[k];
  }
  if (shared == 0 || shared == 3) return SLAB_ALL;
  gap = SLAB_MUCH;
  for (int e = 0; e < 8; e += 4) {
    float low_a = SLAB_MUCH, high_b = -SLAB_MUCH; /* of a alone, of b alone */
    float low = SLAB_MUCH, high = -SLAB_MUCH;     /* of what they share */
    for (int k = 0; k < 3; k++) {
      low_a = is_shared_a[k] ? low_a : slab_least(low_a, at_a[e + k]);
      high_b = is_shared_b[k] ? high_b : slab_most(high_b, at_b[e + k]);
      low = is_shared_a[k] ? slab_least(low, at_a[e + k]) : low;
      high = is_shared_a[k] ? slab_most(high, at_a[e + k]) : high;
    }
    gap = slab_least(gap, slab_least(low_a - high, low - high_b));
  }
  if (!(gap > 0 && gap * gap > least_square)) return SLAB_ALL;
  if (shared == 1) return 0;
  return slab_opposite(triangles + 3 * a, triangles + 3 * b, slab_apex(is_shared_a), slab_apex(is_shared_b),
                       ca, cb, limit);
}

/* Do two features stay further apart than the limit [m] along the line between their middles at the start? a,
 * b: their vertices at the start, then at the end; far: their largest coordinate. Along a fixed line what
 * moves straight on is linear in time, so both ends say all. */
INLINE int slab_is_apart(const Vec3 *a, int count_a, const Vec3 *b, int count_b, REAL limit, REAL far) {
  Vec3 n = vec3(0, 0, 0);
  for (int k = 0; k < count_a; k++) n = v3_axpy(n, count_b, a[k]);
  for (int k = 0; k < count_b; k++) n = v3_axpy(n, -count_a, b[k]);
  REAL floor = (limit * (1 + SLAB_ROUNDING) + SLAB_ROUNDING * far) * v3_length(n);
  for (int end = 0; end < 2; end++) {
    REAL low = v3_dot(n, a[end * count_a]), high = v3_dot(n, b[end * count_b]);
    for (int k = 1; k < count_a; k++) {
      REAL at = v3_dot(n, a[end * count_a + k]);
      low = at < low ? at : low;
    }
    for (int k = 1; k < count_b; k++) {
      REAL at = v3_dot(n, b[end * count_b + k]);
      high = at > high ? at : high;
    }
    if (!(low - high > floor)) return 0;
  }
  return 1;
}

#endif
