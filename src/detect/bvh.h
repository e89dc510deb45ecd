/* A tree of boxes over triangles. Triangles are sorted along a Hilbert curve; eight in a row are a leaf;
 * leaves are the lowest level of a complete binary tree, padded with empty ones to a power of two. So a tree
 * is an order of the triangles and a flat array of boxes: node 1 is the root, the children of node k are 2k
 * and 2k + 1, leaf l is node first_leaf + l. Fitting it to boxes that moved is a pass per level; nothing is
 * allocated after creation. */
#ifndef WEFT_DETECT_BVH_H
#define WEFT_DETECT_BVH_H

#include "detect/broad.h"

typedef struct WeftBvh {
  WeftDevice *device;
  int triangle_count;
  int leaf_count; /* with triangles */
  int first_leaf; /* a power of two, at least leaf_count */
  int32_t *order; /* 8 x leaf_count: the triangle at each place; places beyond the last hold -1 */
  int32_t *key;   /* triangle_count, scratch for sorting */
  float *bounds;  /* scratch: of runs of triangles, then of all at the front */
  float *node;    /* 2 x first_leaf x 6: boxes of nodes; node 0 is not used */
  float *leaf;    /* leaf_count x 6 x 8: the boxes of a leaf's triangles, one coordinate after the other */
  float *shape;   /* leaf_count x SHAPE_VALUES x 8: what slabs say of a leaf's triangles, in the same way */
  int32_t *leaf_active; /* leaf_count: bit i, triangle i of the leaf is active */
  int32_t *node_active; /* 2 x first_leaf: 1, the node holds an active triangle; of use where some are not */
  double *area;         /* 2 x first_leaf: half the surface of each node */
  double built_area;    /* sum of area when the tree was built */
  int fits;             /* since then */
  bool is_built;
  bool has_shapes; /* shape is that of the last query */
} WeftBvh;

WeftResult weft_bvh_create(WeftBvh *tree, WeftDevice *device, int triangle_count, WeftError *error);
void weft_bvh_destroy(WeftBvh *tree);

/* A tree for the boxes of a query, with its marks: built when there is none or the old one has degraded,
 * otherwise fitted; for a local query only the nodes that hold an active triangle, which gives the same
 * boxes and shapes. Returns whether it was built. */
bool weft_bvh_follow(WeftBvh *tree, WeftPrimitives *primitives, const WeftBroadQuery *query);

#endif
