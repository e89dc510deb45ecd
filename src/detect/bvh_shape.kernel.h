/* What tells the triangles of two leaves apart where their boxes do not, eight at a time: the tests of
 * slab.kernel.h for whole triangles, along the planes of both and along the line between their middles. */
#ifndef WEFT_DETECT_BVH_SHAPE_KERNEL_H
#define WEFT_DETECT_BVH_SHAPE_KERNEL_H

#include "detect/bvh_node.kernel.h"
#include "detect/slab.kernel.h"

/* Of each triangle, one after the other for the eight of a leaf: corners at the start (x of all three, then
 * y, then z) and at the end, sums of those at the start, its plane's normal, height there, and the least and
 * largest height of its corners at the end. */
#define SHAPE_END 9
#define SHAPE_SUM 18
#define SHAPE_PLANE 21
#define SHAPE_VALUES 27

/* What lies between triangles in a box is told apart by more than this. */
INLINE float shape_limit(REAL distance, Box all) {
  float x = slab_most(-all.low_x, all.high_x), y = slab_most(-all.low_y, all.high_y),
        z = slab_most(-all.low_z, all.high_z);
  return slab_limit(distance, 2 * slab_most(x, slab_most(y, z)));
}

/* Of the triangles s in lane j: a value; the height of corner k along (x, y, z), or at the end; the sum of
 * the three. */
#define SHAPE_OF(s, k) (s)[BVH_LEAF * (k) + j]
#define SHAPE_HEIGHT(x, y, z, s, k) (x * SHAPE_OF(s, k) + y * SHAPE_OF(s, (k) + 3) + z * SHAPE_OF(s, (k) + 6))
#define SHAPE_HEIGHTS(x, y, z, s, k) \
  (SHAPE_HEIGHT(x, y, z, s, k) + SHAPE_HEIGHT(x, y, z, s, (k) + 1) + SHAPE_HEIGHT(x, y, z, s, (k) + 2))
/* Are all three above, or below, a height? */
#define SHAPE_ABOVE(x, y, z, s, k, height)                                                 \
  ((SHAPE_HEIGHT(x, y, z, s, k) > height) & (SHAPE_HEIGHT(x, y, z, s, (k) + 1) > height) & \
   (SHAPE_HEIGHT(x, y, z, s, (k) + 2) > height))
#define SHAPE_BELOW(x, y, z, s, k, height)                                                 \
  ((SHAPE_HEIGHT(x, y, z, s, k) < height) & (SHAPE_HEIGHT(x, y, z, s, (k) + 1) < height) & \
   (SHAPE_HEIGHT(x, y, z, s, (k) + 2) < height))
/* Is it further than so far above, or below? q: the square of that. */
#define SHAPE_BEYOND(x, y, z, s, k, height, q, sign)     \
  ((sign * (SHAPE_HEIGHT(x, y, z, s, k) - height) > 0) & \
   ((SHAPE_HEIGHT(x, y, z, s, k) - height) * (SHAPE_HEIGHT(x, y, z, s, k) - height) > q))
#define SHAPE_ALL_BEYOND(x, y, z, s, k, height, q, sign)                                               \
  (SHAPE_BEYOND(x, y, z, s, k, height, q, sign) & SHAPE_BEYOND(x, y, z, s, (k) + 1, height, q, sign) & \
   SHAPE_BEYOND(x, y, z, s, (k) + 2, height, q, sign))

/* Clears hit[j] where the triangles q in lane j stay beside the planes of p. */
#define SHAPE_LEAVE_BESIDE(p, q)                                                                            \
  FOR_LANES (j, BVH_LEAF) {                                                                                 \
    float x = SHAPE_OF(p, SHAPE_PLANE), y = SHAPE_OF(p, SHAPE_PLANE + 1), z = SHAPE_OF(p, SHAPE_PLANE + 2); \
    float above = SHAPE_OF(p, SHAPE_PLANE + 3) + limit, below = SHAPE_OF(p, SHAPE_PLANE + 3) - limit;       \
    float low = SHAPE_OF(p, SHAPE_PLANE + 4) - limit, high = SHAPE_OF(p, SHAPE_PLANE + 5) + limit;          \
    int is_above = SHAPE_ABOVE(x, y, z, q, 0, above) & SHAPE_ABOVE(x, y, z, q, SHAPE_END, high);            \
    int is_below = SHAPE_BELOW(x, y, z, q, 0, below) & SHAPE_BELOW(x, y, z, q, SHAPE_END, low);             \
    hit[j] &= (is_above | is_below) ^ 1;                                                                    \
  }

/* Clears hit[j] where triangle i of one leaf and triangle j of another stay further apart than the limit:
 * along a plane, or on either side of the middle of their corners' heights along the line between them. */
INLINE void shape_tell_apart(GLOBAL const float *own, int i, GLOBAL const float *m, float limit, int *hit) {
  float mine[SHAPE_VALUES * BVH_LEAF];
  for (int k = 0; k < SHAPE_VALUES; k++) {
    FOR_LANES (j, BVH_LEAF) mine[BVH_LEAF * k + j] = own[BVH_LEAF * k + i];
  }
  SHAPE_LEAVE_BESIDE(mine, m)
  SHAPE_LEAVE_BESIDE(m, mine)
  FOR_LANES (j, BVH_LEAF) {
    float x = SHAPE_OF(mine, SHAPE_SUM) - SHAPE_OF(m, SHAPE_SUM),
          y = SHAPE_OF(mine, SHAPE_SUM + 1) - SHAPE_OF(m, SHAPE_SUM + 1),
          z = SHAPE_OF(mine, SHAPE_SUM + 2) - SHAPE_OF(m, SHAPE_SUM + 2);
    float begin = (SHAPE_HEIGHTS(x, y, z, mine, 0) + SHAPE_HEIGHTS(x, y, z, m, 0)) / 6;
    float end = (SHAPE_HEIGHTS(x, y, z, mine, SHAPE_END) + SHAPE_HEIGHTS(x, y, z, m, SHAPE_END)) / 6;
    /* where both middles are at one place rounding is compared, and SLAB_TINY is more than that */
    float q = 0.25f * limit * limit * (x * x + y * y + z * z) + SLAB_TINY;
    int is_above = SHAPE_ALL_BEYOND(x, y, z, mine, 0, begin, q, 1) &
                   SHAPE_ALL_BEYOND(x, y, z, mine, SHAPE_END, end, q, 1);
    int is_below =
        SHAPE_ALL_BEYOND(x, y, z, m, 0, begin, q, -1) & SHAPE_ALL_BEYOND(x, y, z, m, SHAPE_END, end, q, -1);
    hit[j] &= (is_above & is_below) ^ 1;
  }
}

#endif
