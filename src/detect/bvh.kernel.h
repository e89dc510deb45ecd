/* Building and fitting the tree of bvh.h. */
#include "detect/bvh_shape.kernel.h"
#include "mesh/hilbert.kernel.h"

#define BVH_KEY_BITS 10 /* an axis */
#define BVH_RUN 512     /* triangles in a run of bounds */

INLINE REAL box_half_area(Box b) {
  REAL x = (REAL)b.high_x - b.low_x, y = (REAL)b.high_y - b.low_y, z = (REAL)b.high_z - b.low_z;
  return x < 0 ? 0 : x * y + y * z + z * x;
}

KERNEL bvh_bound_runs(int run_count, int triangle_count, GLOBAL const float *box, GLOBAL float *bounds) {
  FOR_CHUNKS (run, run_count) {
    Box all = box_empty();
    for (int i = run * BVH_RUN; i < (run + 1) * BVH_RUN && i < triangle_count; i++) {
      all = box_join(all, load_box(box, i));
    }
    store_box(bounds, run, all);
  }
}

/* The bounds of all become the first. */
KERNEL bvh_bound_all(int one, int run_count, GLOBAL float *bounds) {
  FOR_CHUNKS (item, one) {
    Box all = load_box(bounds, item);
    for (int run = 1; run < run_count; run++) all = box_join(all, load_box(bounds, run));
    store_box(bounds, item, all);
  }
}

INLINE int bvh_cell(float low, float high, float from, float per_length) {
  float at = (0.5f * low + 0.5f * high - from) * per_length;
  int cells = 1 << BVH_KEY_BITS;
  if (!(at > 0)) return 0;
  return at < (float)cells ? (int)at : cells - 1;
}

INLINE int bvh_hilbert(int x, int y, int z) {
  int cell[3], key = 0;
  cell[0] = x;
  cell[1] = y;
  cell[2] = z;
  hilbert_place(cell, BVH_KEY_BITS);
  for (int level = BVH_KEY_BITS - 1; level >= 0; level--) {
    for (int axis = 0; axis < 3; axis++) key = key << 1 | (cell[axis] >> level & 1);
  }
  return key;
}

/* The same cube of cells along all axes, so that a flat sheet is a flat sheet of the curve. */
KERNEL bvh_keys(int triangle_count, GLOBAL const float *box, GLOBAL const float *bounds, GLOBAL int *key,
                GLOBAL int *order) {
  FOR_ITEMS (i, triangle_count) {
    Box all = load_box(bounds, 0), b = load_box(box, i);
    float x = all.high_x - all.low_x, y = all.high_y - all.low_y, z = all.high_z - all.low_z;
    float extent = x > y ? x : y;
    extent = extent > z ? extent : z;
    float per_length = extent > 0 ? (float)(1 << BVH_KEY_BITS) / extent : 0;
    key[i] = bvh_hilbert(bvh_cell(b.low_x, b.high_x, all.low_x, per_length),
                         bvh_cell(b.low_y, b.high_y, all.low_y, per_length),
                         bvh_cell(b.low_z, b.high_z, all.low_z, per_length));
    order[i] = i;
  }
}

INLINE void bvh_fit_leaf(int l, int first_leaf, GLOBAL const int *order, GLOBAL const float *box,
                         GLOBAL float *leaf, GLOBAL float *node, GLOBAL REAL *area) {
  Box all = box_empty();
  GLOBAL float *own = leaf + 6 * BVH_LEAF * l;
  for (int i = 0; i < BVH_LEAF; i++) {
    int triangle = order[BVH_LEAF * l + i];
    Box b = box_empty();
    if (triangle >= 0) b = load_box(box, triangle);
    own[i] = b.low_x;
    own[BVH_LEAF + i] = b.low_y;
    own[2 * BVH_LEAF + i] = b.low_z;
    own[3 * BVH_LEAF + i] = b.high_x;
    own[4 * BVH_LEAF + i] = b.high_y;
    own[5 * BVH_LEAF + i] = b.high_z;
    all = box_join(all, b);
  }
  store_box(node, first_leaf + l, all);
  area[first_leaf + l] = box_half_area(all);
}

INLINE void bvh_fit_node(int k, GLOBAL float *node, GLOBAL REAL *area) {
  Box all = box_join(load_box(node, 2 * k), load_box(node, 2 * k + 1));
  store_box(node, k, all);
  area[k] = box_half_area(all);
}

KERNEL bvh_fit_leaves(int leaf_count, int first_leaf, GLOBAL const int *order, GLOBAL const float *box,
                      GLOBAL float *leaf, GLOBAL float *node, GLOBAL REAL *area) {
  FOR_ITEMS (l, leaf_count) {
    bvh_fit_leaf(l, first_leaf, order, box, leaf, node, area);
  }
}

/* The nodes first .. first + count - 1 of one level. */
KERNEL bvh_fit_level(int count, int first, GLOBAL float *node, GLOBAL REAL *area) {
  FOR_ITEMS (i, count) {
    bvh_fit_node(first + i, node, area);
  }
}

KERNEL bvh_fit_active_leaves(int leaf_count, int first_leaf, GLOBAL const int *order, GLOBAL const float *box,
                             GLOBAL const int *node_active, GLOBAL float *leaf, GLOBAL float *node,
                             GLOBAL REAL *area) {
  FOR_ITEMS (l, leaf_count) {
    if (node_active[first_leaf + l]) bvh_fit_leaf(l, first_leaf, order, box, leaf, node, area);
  }
}

KERNEL bvh_fit_active_level(int count, int first, GLOBAL const int *node_active, GLOBAL float *node,
                            GLOBAL REAL *area) {
  FOR_ITEMS (i, count) {
    if (node_active[first + i]) bvh_fit_node(first + i, node, area);
  }
}

KERNEL bvh_mark(int leaf_count, GLOBAL const int *order, GLOBAL const int *active, GLOBAL int *leaf_active) {
  FOR_ITEMS (l, leaf_count) {
    int bits = 0;
    for (int i = 0; i < BVH_LEAF; i++) {
      int triangle = order[BVH_LEAF * l + i];
      if (triangle >= 0 && (!active || active[triangle])) bits |= 1 << i;
    }
    leaf_active[l] = bits;
  }
}

KERNEL bvh_mark_leaf_nodes(int leaf_count, int first_leaf, GLOBAL const int *leaf_active,
                           GLOBAL int *node_active) {
  FOR_ITEMS (l, leaf_count) {
    node_active[first_leaf + l] = leaf_active[l] != 0;
  }
}

KERNEL bvh_mark_level(int count, int first, GLOBAL int *node_active) {
  FOR_ITEMS (i, count) {
    int k = first + i;
    node_active[k] = node_active[2 * k] | node_active[2 * k + 1];
  }
}

/* Of all leaves, or of those with an active triangle. */
KERNEL bvh_fit_shapes(int leaf_count, int is_for_all, GLOBAL const int *leaf_active, GLOBAL const int *order,
                      GLOBAL const float *plane, GLOBAL const float *corner, GLOBAL float *shape) {
  FOR_ITEMS (l, leaf_count) {
    int count = is_for_all || leaf_active[l] ? BVH_LEAF : 0;
    for (int i = 0; i < count && order[BVH_LEAF * l + i] >= 0; i++) {
      int t = order[BVH_LEAF * l + i];
      GLOBAL const float *from = corner + SLAB_CORNERS * t;
      GLOBAL float *to = shape + SHAPE_VALUES * BVH_LEAF * l + i;
      for (int axis = 0; axis < 3; axis++) {
        float sum = 0;
        for (int k = 0; k < 3; k++) {
          to[BVH_LEAF * (3 * axis + k)] = from[8 * axis + k];
          to[BVH_LEAF * (SHAPE_END + 3 * axis + k)] = from[8 * axis + 4 + k];
          sum += from[8 * axis + k];
        }
        to[BVH_LEAF * (SHAPE_SUM + axis)] = sum;
      }
      for (int k = 0; k < 6; k++) to[BVH_LEAF * (SHAPE_PLANE + k)] = plane[SLAB_VALUES * t + k];
    }
  }
}
