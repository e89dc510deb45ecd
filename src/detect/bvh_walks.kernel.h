/* Pairs of overlapping boxes by one walk through the tree for every leaf. When all triangles are active a
 * leaf walks only through what comes behind it, since those before have already met it. In a pool a pair has
 * the place of its second triangle in the tree. */
#include "detect/bvh_meet.kernel.h"

INLINE LeafWalk bvh_walk(int leaf, int is_all_active, int first_leaf, GLOBAL const float *node,
                         GLOBAL const float *leaves, GLOBAL const float *shape, REAL distance,
                         GLOBAL const int *leaf_active, int pool_size, GLOBAL int *pool,
                         GLOBAL const int *order, GLOBAL int *a, GLOBAL int *b) {
  float limit = shape_limit(distance, load_box(node, 1));
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
        walk = bvh_meet(walk, leaf, other, leaves, there, shape, limit, leaf_active, BVH_LEAF * other,
                        pool_size, pool, order, a, b);
      }
      k = bvh_next(k);
    }
  } while (k != 1);
  return walk;
}

KERNEL bvh_find(int leaf_count, int is_all_active, int first_leaf, GLOBAL const float *node,
                GLOBAL const float *leaves, GLOBAL const float *shape, REAL distance,
                GLOBAL const int *leaf_active, int pool_size, GLOBAL int *pool, GLOBAL int *count,
                GLOBAL REAL *tests) {
  FOR_CHUNKS (leaf, leaf_count) {
    LeafWalk walk = bvh_walk(leaf, is_all_active, first_leaf, node, leaves, shape, distance, leaf_active,
                             pool_size, pool + leaf * (pool_size + BVH_LEAF), 0, 0, 0);
    count[leaf] = walk.found;
    tests[leaf] = walk.tests;
  }
}

/* From the pools into one array; a leaf with more than its pool holds walks again. */
KERNEL bvh_place(int leaf_count, int is_all_active, int first_leaf, GLOBAL const float *node,
                 GLOBAL const float *leaves, GLOBAL const float *shape, REAL distance,
                 GLOBAL const int *leaf_active, int pool_size, GLOBAL int *pool, GLOBAL const int *order,
                 GLOBAL const int *count, GLOBAL const int *start, GLOBAL int *a, GLOBAL int *b) {
  FOR_CHUNKS (leaf, leaf_count) {
    GLOBAL int *first = a + start[leaf], *second = b + start[leaf];
    if (count[leaf] > pool_size) {
      bvh_walk(leaf, is_all_active, first_leaf, node, leaves, shape, distance, leaf_active, 0, 0, order,
               first, second);
    } else {
      GLOBAL const int *own = pool + leaf * (pool_size + BVH_LEAF);
      for (int i = 0; i < count[leaf]; i++) {
        int p = order[BVH_LEAF * leaf + (own[i] >> 28)], q = order[own[i] & 0x0fffffff];
        first[i] = p < q ? p : q;
        second[i] = p < q ? q : p;
      }
    }
  }
}
