/* Pairs of overlapping boxes by one walk through the tree for every leaf. When all triangles are active a
 * leaf walks only through what comes behind it, since those before have already met it. */
#include "detect/bvh_node.kernel.h"

/* What a leaf's walk finds. The first pool_size pairs go to pool, which has one place more, each as place of
 * the first in the leaf * 2^28 + place of the second in the tree; the rest are counted. Where a and b are
 * given, all pairs go there instead. */
typedef struct LeafWalk {
  int found, tests;
} LeafWalk;

INLINE LeafWalk bvh_meet(LeafWalk walk, int leaf, int other, GLOBAL const float *leaves, Box other_box,
                         GLOBAL const int *leaf_active, int pool_size, GLOBAL int *pool,
                         GLOBAL const int *order, GLOBAL int *a, GLOBAL int *b) {
  GLOBAL const float *own = leaves + 6 * BVH_LEAF * leaf, *m = leaves + 6 * BVH_LEAF * other;
  int own_active = leaf_active[leaf], other_active = leaf_active[other];
  int is_near[BVH_LEAF];
  FOR_LANES (i, BVH_LEAF) {
    is_near[i] = (own[i] <= other_box.high_x) & (other_box.low_x <= own[3 * BVH_LEAF + i]) &
                 (own[BVH_LEAF + i] <= other_box.high_y) & (other_box.low_y <= own[4 * BVH_LEAF + i]) &
                 (own[2 * BVH_LEAF + i] <= other_box.high_z) & (other_box.low_z <= own[5 * BVH_LEAF + i]);
  }
  walk.tests += BVH_LEAF;
  for (int i = 0; i < BVH_LEAF; i++) {
    if (!is_near[i]) continue;
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
               (mine.low_z <= m[5 * BVH_LEAF + j]) & (m[2 * BVH_LEAF + j] <= mine.high_z);
    }
    if (a) {
      for (int j = 0; j < BVH_LEAF; j++) {
        if (!(hit[j] & (valid >> j))) continue;
        int p = order[BVH_LEAF * leaf + i], q = order[BVH_LEAF * other + j];
        a[walk.found] = p < q ? p : q;
        b[walk.found] = p < q ? q : p;
        walk.found++;
      }
    } else {
      /* without branches: which of the eight hit cannot be foretold */
      for (int j = 0; j < BVH_LEAF; j++) {
        pool[walk.found < pool_size ? walk.found : pool_size] = (i << 28) | (BVH_LEAF * other + j);
        walk.found += hit[j] & (valid >> j);
      }
    }
  }
  return walk;
}

INLINE LeafWalk bvh_walk(int leaf, int is_all_active, int first_leaf, GLOBAL const float *node,
                         GLOBAL const float *leaves, GLOBAL const int *leaf_active, int pool_size,
                         GLOBAL int *pool, GLOBAL const int *order, GLOBAL int *a, GLOBAL int *b) {
  LeafWalk walk;
  walk.found = walk.tests = 0;
  if (!leaf_active[leaf]) return walk;
  Box own = load_box(node, first_leaf + leaf);
  int k = is_all_active ? first_leaf + leaf : 1;
  do {
    Box there = load_box(node, k);
    walk.tests++;
    if (!box_overlaps(own, there)) {
      k = bvh_next(k);
    } else if (k < first_leaf) {
      k *= 2;
    } else {
      int other = k - first_leaf;
      /* an active leaf before this one has met it */
      if (other >= leaf || !leaf_active[other]) {
        walk = bvh_meet(walk, leaf, other, leaves, there, leaf_active, pool_size, pool, order, a, b);
      }
      k = bvh_next(k);
    }
  } while (k != 1);
  return walk;
}

KERNEL bvh_find(int leaf_count, int is_all_active, int first_leaf, GLOBAL const float *node,
                GLOBAL const float *leaves, GLOBAL const int *leaf_active, int pool_size, GLOBAL int *pool,
                GLOBAL int *count, GLOBAL REAL *tests) {
  FOR_CHUNKS (leaf, leaf_count) {
    LeafWalk walk = bvh_walk(leaf, is_all_active, first_leaf, node, leaves, leaf_active, pool_size,
                             pool + leaf * (pool_size + 1), 0, 0, 0);
    count[leaf] = walk.found;
    tests[leaf] = walk.tests;
  }
}

/* From the pools into one array; a leaf with more than its pool holds walks again. */
KERNEL bvh_place(int leaf_count, int is_all_active, int first_leaf, GLOBAL const float *node,
                 GLOBAL const float *leaves, GLOBAL const int *leaf_active, int pool_size, GLOBAL int *pool,
                 GLOBAL const int *order, GLOBAL const int *count, GLOBAL const int *start, GLOBAL int *a,
                 GLOBAL int *b) {
  FOR_CHUNKS (leaf, leaf_count) {
    GLOBAL int *first = a + start[leaf], *second = b + start[leaf];
    if (count[leaf] > pool_size) {
      bvh_walk(leaf, is_all_active, first_leaf, node, leaves, leaf_active, 0, 0, order, first, second);
    } else {
      GLOBAL const int *own = pool + leaf * (pool_size + 1);
      for (int i = 0; i < count[leaf]; i++) {
        int p = order[BVH_LEAF * leaf + (own[i] >> 28)], q = order[own[i] & 0x0fffffff];
        first[i] = p < q ? p : q;
        second[i] = p < q ? q : p;
      }
    }
  }
}
