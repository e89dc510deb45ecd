/* A tree fitted to each query, and a walk through it for every leaf. */
#include "detect/bvh_walks.h"

typedef struct BvhPhase {
  WeftBroad broad;
  WeftBvh tree;
  WeftBvhWalks walks;
} BvhPhase;

static WeftResult create(WeftBroad *broad, WeftError *error) {
  BvhPhase *self = (BvhPhase *)broad;
  WeftResult result = weft_bvh_create(&self->tree, broad->device, broad->triangle_count, error);
  if (!result) result = weft_broad_reserve_items(broad, self->tree.leaf_count, error);
  if (!result) result = weft_broad_reserve_primitives(broad, 2 * self->tree.first_leaf, error);
  if (!result) result = weft_broad_reserve_primitives(broad, broad->triangle_count, error);
  return result;
}

static void destroy(WeftBroad *broad) {
  BvhPhase *self = (BvhPhase *)broad;
  weft_bvh_walks_destroy(&self->walks, broad->device);
  weft_bvh_destroy(&self->tree);
}

static WeftResult find(WeftBroad *broad, const WeftBroadQuery *query, WeftError *error) {
  BvhPhase *self = (BvhPhase *)broad;
  if (weft_bvh_follow(&self->tree, &broad->primitives, query)) broad->counts.rebuilds++;
  return weft_bvh_walks_find(&self->walks, &self->tree, broad, query, error);
}

const WeftBroadOps weft_broad_bvh = {
    "bvh", "Tang16 sec. 4.1", "tree of boxes, fitted to each query", sizeof(BvhPhase), create, destroy, find};
