/* A walk through the tree for every leaf. Each leaf has a small pool for what it finds, so that one walk is
 * enough where counting first and writing afterwards would take two; the few leaves that find more walk
 * again. */
#include "detect/broad_bvh.kernel.h"
#include "detect/bvh.h"
#include "device/launch.h"
#include "device/shared.h"

typedef struct BvhPhase {
  WeftBroad broad;
  WeftBvh tree;
  int pool_size; /* pairs a leaf's pool holds */
  size_t pool_capacity;
  int32_t *pool;
} BvhPhase;

enum { SMALLEST_POOL = 64, LARGEST_POOL = 4096 };

static WeftResult create(WeftBroad *broad, WeftError *error) {
  BvhPhase *self = (BvhPhase *)broad;
  self->pool_size = SMALLEST_POOL;
  WeftResult result = weft_bvh_create(&self->tree, broad->device, broad->triangle_count, error);
  if (!result) result = weft_broad_reserve_items(broad, self->tree.leaf_count, error);
  if (!result) result = weft_broad_reserve_primitives(broad, 2 * self->tree.first_leaf, error);
  if (!result) result = weft_broad_reserve_primitives(broad, broad->triangle_count, error);
  return result;
}

static void destroy(WeftBroad *broad) {
  BvhPhase *self = (BvhPhase *)broad;
  weft_shared_free(broad->device, (void **)&self->pool);
  weft_bvh_destroy(&self->tree);
}

/* For the next query: twice what a leaf found on average. */
static int next_pool_size(const BvhPhase *self) {
  int wanted = 2 * (self->broad.pairs.count / self->tree.leaf_count);
  if (wanted > LARGEST_POOL) wanted = LARGEST_POOL;
  return wanted > self->pool_size ? wanted : self->pool_size;
}

static WeftResult find(WeftBroad *broad, const WeftBroadQuery *query, WeftError *error) {
  BvhPhase *self = (BvhPhase *)broad;
  WeftBvh *tree = &self->tree;
  int leaves = tree->leaf_count, is_all_active = !query->active;
  WeftResult result = weft_shared_grow(broad->device, (void **)&self->pool, &self->pool_capacity,
                                       (size_t)leaves * (size_t)(self->pool_size + 1), sizeof(int32_t),
                                       WEFT_MEMORY_DETECT, "pairs of a leaf", error);
  if (result) return result;
  if (weft_bvh_fit(tree, &broad->primitives, query->box)) broad->counts.rebuilds++;
  weft_bvh_mark(tree, query->active);
  LAUNCH(broad->device, bvh_find, leaves, is_all_active, tree->first_leaf, tree->node, tree->leaf,
         tree->leaf_active, self->pool_size, self->pool, broad->item_count, broad->item_tests);
  weft_broad_sum_tests(broad, leaves);
  result = weft_broad_place_items(broad, leaves, error);
  if (result) return result;
  LAUNCH(broad->device, bvh_place, leaves, is_all_active, tree->first_leaf, tree->node, tree->leaf,
         tree->leaf_active, self->pool_size, self->pool, tree->order, broad->item_count, broad->item_start,
         broad->pairs.a, broad->pairs.b);
  self->pool_size = next_pool_size(self);
  return WEFT_RESULT_OK;
}

const WeftBroadOps weft_broad_bvh = {
    "bvh", "Tang16 sec. 4.1", "tree of boxes, fitted to each query", sizeof(BvhPhase), create, destroy, find};
