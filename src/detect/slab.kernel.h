/* Are two moving triangles, or features of them, apart? See slabs.h. */
#ifndef WEFT_DETECT_SLAB_KERNEL_H
#define WEFT_DETECT_SLAB_KERNEL_H

#include "detect/box.kernel.h"

/* The plane's normal of length 1 (zero when there is none), its height, the least and the largest height of
 * the corners in the end, the largest coordinate. */
#define SLAB_VALUES 7
/* More than rounding makes of a height, as a part of the largest coordinate. */
#define SLAB_ROUNDING 1e-13
/* Bits of candidates.kernel.h: all pairs of features, those of edges. */
#define SLAB_ALL 32767
#define SLAB_EDGES (511 << 6)
/* Beyond all heights. */
#define SLAB_NOWHERE 1e300

/* Which corners of triangle a stay further than the limit from the plane of b: bits 0-2 those above it, 3-5
 * those below. */
INLINE int slab_sides(int a, GLOBAL const REAL *slab_b, REAL limit, GLOBAL const int *triangles,
                      GLOBAL const REAL *x0, GLOBAL const REAL *x1) {
  Vec3 n = load3(slab_b, 0);
  REAL height = slab_b[3], low = slab_b[4], high = slab_b[5];
  int sides = 0;
  for (int k = 0; k < 3; k++) {
    int v = triangles[3 * a + k];
    REAL begin = v3_dot(n, load3(x0, v)) - height, end = v3_dot(n, load3(x1, v));
    sides |= ((begin > limit) & (end - high > limit)) << k;
    sides |= ((begin < -limit) & (low - end > limit)) << (3 + k);
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

/* What is left of the features of two triangles, as bits of candidates.kernel.h: those that do not stay
 * further apart than twice the radius along the plane of one of both, or along an axis. */
INLINE int slab_leaves(int a, int b, GLOBAL const int *triangles, GLOBAL const REAL *plane,
                       GLOBAL const float *begin, GLOBAL const float *end, GLOBAL const REAL *x0,
                       GLOBAL const REAL *x1, REAL radius) {
  if (slab_is_beside(load_box(begin, a), load_box(begin, b), load_box(end, a), load_box(end, b))) return 0;
  GLOBAL const REAL *slab_a = plane + SLAB_VALUES * a, *slab_b = plane + SLAB_VALUES * b;
  REAL limit = 2 * radius * (1 + SLAB_ROUNDING) + SLAB_ROUNDING * (slab_a[6] + slab_b[6]);
  int sides_a = slab_sides(a, slab_b, limit, triangles, x0, x1);
  if (slab_is_clear(sides_a)) return 0;
  int sides_b = slab_sides(b, slab_a, limit, triangles, x0, x1);
  if (slab_is_clear(sides_b)) return 0;
  int left = 7 & ~slab_clear_corners(sides_a);
  left |= (7 & ~slab_clear_corners(sides_b)) << 3;
  int edges_a = 7 & ~slab_clear_edges(sides_a), edges_b = 7 & ~slab_clear_edges(sides_b);
  for (int i = 0; i < 3; i++) left |= (edges_a >> i & 1 ? edges_b : 0) << (6 + 3 * i);
  return left;
}

/* What of two triangles does not stay further apart than the limit [m] along the line between their middles
 * at the start, as bits of candidates.kernel.h. Corners that both have, as neighbours do, are on either side:
 * features that have none in common are apart when the corners of one alone are apart from the shared ones,
 * and these from those of the other alone. With two in common edges that have one of them each are left. far:
 * their largest coordinate. */
INLINE int slab_neighbours(int a, int b, GLOBAL const int *triangles, GLOBAL const REAL *x0,
                           GLOBAL const REAL *x1, REAL limit, REAL far) {
  int ia[3], ib[3], is_shared_a[3], is_shared_b[3], shared = 0;
  Vec3 n = vec3(0, 0, 0);
  for (int k = 0; k < 3; k++) {
    ia[k] = triangles[3 * a + k];
    ib[k] = triangles[3 * b + k];
    n = v3_add(n, v3_sub(load3(x0, ia[k]), load3(x0, ib[k])));
  }
  for (int k = 0; k < 3; k++) {
    is_shared_a[k] = (ia[k] == ib[0]) | (ia[k] == ib[1]) | (ia[k] == ib[2]);
    is_shared_b[k] = (ib[k] == ia[0]) | (ib[k] == ia[1]) | (ib[k] == ia[2]);
    shared += is_shared_a[k];
  }
  if (shared == 3) return SLAB_ALL;
  REAL floor = (limit * (1 + SLAB_ROUNDING) + SLAB_ROUNDING * far) * v3_length(n);
  for (int end = 0; end < 2; end++) {
    GLOBAL const REAL *x = end ? x1 : x0;
    REAL low_a = SLAB_NOWHERE, high_b = -SLAB_NOWHERE; /* of a alone, of b alone */
    REAL low = SLAB_NOWHERE, high = -SLAB_NOWHERE;     /* of what they share */
    for (int k = 0; k < 3; k++) {
      REAL at_a = v3_dot(n, load3(x, ia[k])), at_b = v3_dot(n, load3(x, ib[k]));
      low_a = !is_shared_a[k] && at_a < low_a ? at_a : low_a;
      high_b = !is_shared_b[k] && at_b > high_b ? at_b : high_b;
      low = is_shared_a[k] && at_a < low ? at_a : low;
      high = is_shared_a[k] && at_a > high ? at_a : high;
    }
    REAL gap = low_a - high_b;
    if (shared) gap = low_a - high < low - high_b ? low_a - high : low - high_b;
    if (!(gap > floor)) return SLAB_ALL;
  }
  return shared == 2 ? SLAB_EDGES : 0;
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
