/* The shape of the tree of bvh.h. */
#ifndef WEFT_DETECT_BVH_NODE_KERNEL_H
#define WEFT_DETECT_BVH_NODE_KERNEL_H

#include "detect/box.kernel.h"

#define BVH_LEAF 8 /* triangles in a leaf */

/* The node behind k and all below it: k + 1, or, where k is the last child, that of its parent, and so on. A
 * walk through the tree needs no stack; it ends at node 1. */
INLINE int bvh_next(int k) {
  k++;
  while (!(k & 1)) k >>= 1;
  return k;
}

#endif
