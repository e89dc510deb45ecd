#include "detect/bvh_walks.h"

#include "detect/bvh_walks.kernel.h"
#include "device/launch.h"
#include "device/shared.h"

#include <limits.h>

enum { SMALLEST_POOL = 64, LARGEST_POOL = 4096 };

void weft_bvh_walks_destroy(WeftBvhWalks *walks, WeftDevice *device) {
  weft_shared_free(device, (void **)&walks->pool);
}

/* For the next query: twice what a leaf found on average. */
static int next_pool_size(const WeftBvhWalks *walks, int pairs, int leaves) {
  int wanted = 2 * (pairs / leaves);
  if (wanted > LARGEST_POOL) wanted = LARGEST_POOL;
  if (wanted > INT_MAX / leaves - BVH_LEAF)
    wanted = INT_MAX / leaves - BVH_LEAF; /* kernels count with ints */
  return wanted > walks->pool_size ? wanted : walks->pool_size;
}

WeftResult weft_bvh_walks_find(WeftBvhWalks *walks, const WeftBvh *tree, WeftBroad *broad,
                               const WeftBroadQuery *query, WeftError *error) {
  int leaves = tree->leaf_count, is_forward = !query->active;
  const float *shape = tree->has_shapes ? tree->shape : NULL;
  if (walks->pool_size < SMALLEST_POOL) walks->pool_size = SMALLEST_POOL;
  WeftResult result = weft_shared_grow(broad->device, (void **)&walks->pool, &walks->pool_capacity,
                                       (size_t)leaves * (size_t)(walks->pool_size + BVH_LEAF),
                                       sizeof(int32_t), WEFT_MEMORY_DETECT, "pairs of a leaf", error);
  if (result) return result;
  LAUNCH(broad->device, bvh_find, leaves, is_forward, tree->first_leaf, tree->node, tree->leaf, shape,
         query->distance, tree->leaf_active, walks->pool_size, walks->pool, broad->item_count,
         broad->item_tests);
  weft_broad_sum_tests(broad, leaves);
  result = weft_broad_place_items(broad, leaves, error);
  if (result) return result;
  LAUNCH(broad->device, bvh_place, leaves, is_forward, tree->first_leaf, tree->node, tree->leaf, shape,
         query->distance, tree->leaf_active, walks->pool_size, walks->pool, tree->order, broad->item_count,
         broad->item_start, broad->pairs.a, broad->pairs.b);
  walks->pool_size = next_pool_size(walks, broad->pairs.count, leaves);
  return WEFT_RESULT_OK;
}
