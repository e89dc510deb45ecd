/* Triangles of one leaf against those of another. */
#ifndef WEFT_DETECT_BVH_MEET_KERNEL_H
#define WEFT_DETECT_BVH_MEET_KERNEL_H

#include "detect/bvh_shape.kernel.h"

/* What a work item has found so far, and the boxes it compared for it. */
typedef struct LeafWalk {
  int found, tests;
} LeafWalk;

/* The triangles of two leaves. The first pool_size pairs go to pool, which has eight places more, each as
 * place of the first in its leaf * 2^28 + place of the second in its leaf + named, by which the caller knows
 * the leaves; the rest are counted. Where a and b are given, all pairs go there instead. Where shapes of the
 * leaves are given, pairs that stay further apart than the limit [m] are left out. */
INLINE LeafWalk bvh_meet(LeafWalk walk, int leaf, int other, GLOBAL const float *leaves, Box other_box,
                         GLOBAL const float *shape, float limit, GLOBAL const int *leaf_active, int named,
                         int pool_size, GLOBAL int *pool, GLOBAL const int *order, GLOBAL int *a,
                         GLOBAL int *b) {
  GLOBAL const float *own = leaves + 6 * BVH_LEAF * leaf, *m = leaves + 6 * BVH_LEAF * other;
  int own_active = leaf_active[leaf], other_active = leaf_active[other];
  int near[BVH_LEAF];
  FOR_LANES (i, BVH_LEAF) {
    near[i] = (own[i] <= other_box.high_x) & (other_box.low_x <= own[3 * BVH_LEAF + i]) &
              (own[BVH_LEAF + i] <= other_box.high_y) & (other_box.low_y <= own[4 * BVH_LEAF + i]) &
              (own[2 * BVH_LEAF + i] <= other_box.high_z) & (other_box.low_z <= own[5 * BVH_LEAF + i]);
  }
  walk.tests += BVH_LEAF;
  for (int i = 0; i < BVH_LEAF; i++) {
    if (!near[i]) continue;
    Box mine;
    mine.low_x = own[i];
    mine.low_y = own[BVH_LEAF + i];
    mine.low_z = own[2 * BVH_LEAF + i];
    mine.high_x = own[3 * BVH_LEAF + i];
    mine.high_y = own[4 * BVH_LEAF + i];
    mine.high_z = own[5 * BVH_LEAF + i];
    int valid = (own_active >> i) & 1 ? 255 : other_active;
    if (leaf == other) valid &= 254 << i; /* each pair once */
    walk.tests += BVH_LEAF;
    int hit[BVH_LEAF];
    FOR_LANES (j, BVH_LEAF) {
      hit[j] = (mine.low_x <= m[3 * BVH_LEAF + j]) & (m[j] <= mine.high_x) &
               (mine.low_y <= m[4 * BVH_LEAF + j]) & (m[BVH_LEAF + j] <= mine.high_y) &
               (mine.low_z <= m[5 * BVH_LEAF + j]) & (m[2 * BVH_LEAF + j] <= mine.high_z) & (valid >> j);
    }
    int found = 0, any = 0;
    for (int j = 0; j < BVH_LEAF; j++) any |= hit[j];
    if (any && shape)
      shape_tell_apart(shape + SHAPE_VALUES * BVH_LEAF * leaf, i, shape + SHAPE_VALUES * BVH_LEAF * other,
                       limit, hit);
    if (a) {
      for (int j = 0; j < BVH_LEAF; j++) {
        if (!hit[j]) continue;
        int p = order[BVH_LEAF * leaf + i], q = order[BVH_LEAF * other + j];
        a[walk.found + found] = p < q ? p : q;
        b[walk.found + found] = p < q ? q : p;
        found++;
      }
    } else {
      /* without branches: which of the eight hit cannot be foretold */
      GLOBAL int *to = pool + (walk.found < pool_size ? walk.found : pool_size);
      for (int j = 0; j < BVH_LEAF; j++) {
        to[found] = (i << 28) | (named + j);
        found += hit[j];
      }
    }
    walk.found += found;
  }
  return walk;
}

#endif
