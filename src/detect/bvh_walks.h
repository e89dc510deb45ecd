/* All pairs of a tree by a walk for every leaf: needs no memory of the past. Each leaf has a small pool for
 * what it finds, so that one walk is enough where counting first and writing afterwards would take two; the
 * few leaves that find more walk again. */
#ifndef WEFT_DETECT_BVH_WALKS_H
#define WEFT_DETECT_BVH_WALKS_H

#include "detect/bvh.h"

typedef struct WeftBvhWalks {
  int pool_size; /* pairs a leaf's pool holds; 0 at first */
  size_t pool_capacity;
  int32_t *pool;
} WeftBvhWalks;

/* Fills the pairs and counts of broad, which has items for the leaves, from a tree that follows the query. */
WeftResult weft_bvh_walks_find(WeftBvhWalks *walks, const WeftBvh *tree, WeftBroad *broad,
                               const WeftBroadQuery *query, WeftError *error);
void weft_bvh_walks_destroy(WeftBvhWalks *walks, WeftDevice *device);

#endif
