#include "detect/bvh.h"

#include "detect/bvh.kernel.h"
#include "device/launch.h"
#include "device/shared.h"

#include <string.h>

/* A tree whose boxes have grown to so many times their surface is slower than building one: a sheet that was
 * folded for 16 frames of the crumpled sheet's motion stands at 1.3 (docs/detection.md). */
static const double DEGRADED = 1.5;
/* A build costs about as much as so many fits; sooner it would not pay whatever it gained. */
enum { FITS_A_BUILD = 4 };

static int run_count(const WeftBvh *tree) { return (tree->triangle_count + BVH_RUN - 1) / BVH_RUN; }

WeftResult weft_bvh_create(WeftBvh *tree, WeftDevice *device, int triangle_count, WeftError *error) {
  *tree = (WeftBvh){.device = device, .triangle_count = triangle_count, .first_leaf = 1};
  tree->leaf_count = (triangle_count + BVH_LEAF - 1) / BVH_LEAF;
  while (tree->first_leaf < tree->leaf_count) tree->first_leaf *= 2;
  size_t n = (size_t)triangle_count, leaves = (size_t)tree->leaf_count, nodes = 2 * (size_t)tree->first_leaf;
  const struct {
    void **array;
    size_t count, size;
  } arrays[] = {{(void **)&tree->order, BVH_LEAF * leaves, sizeof(int32_t)},
                {(void **)&tree->key, n, sizeof(int32_t)},
                {(void **)&tree->bounds, 6 * (size_t)run_count(tree), sizeof(float)},
                {(void **)&tree->node, 6 * nodes, sizeof(float)},
                {(void **)&tree->leaf, 6 * BVH_LEAF * leaves, sizeof(float)},
                {(void **)&tree->shape, SHAPE_VALUES * BVH_LEAF * leaves, sizeof(float)},
                {(void **)&tree->leaf_active, leaves, sizeof(int32_t)},
                {(void **)&tree->node_active, nodes, sizeof(int32_t)},
                {(void **)&tree->area, nodes, sizeof(double)}};
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    result = weft_shared_new(device, arrays[i].array, arrays[i].count, arrays[i].size, WEFT_MEMORY_DETECT,
                             "tree of boxes", error);
  }
  if (result) {
    weft_bvh_destroy(tree);
    return result;
  }
  /* what no fit writes: places beyond the last triangle, and the boxes of the leaves that pad the tree; their
   * marks are zero */
  for (size_t i = n; i < BVH_LEAF * leaves; i++) tree->order[i] = -1;
  for (size_t i = 0; i < nodes; i++) store_box(tree->node, (int)i, box_empty());
  weft_device_upload(device, tree->order, BVH_LEAF * leaves * sizeof(int32_t));
  weft_device_upload(device, tree->node, 6 * nodes * sizeof(float));
  weft_device_zero(device, tree->node_active, nodes * sizeof(int32_t));
  return WEFT_RESULT_OK;
}

void weft_bvh_destroy(WeftBvh *tree) {
  void **arrays[] = {(void **)&tree->order,       (void **)&tree->key,  (void **)&tree->bounds,
                     (void **)&tree->node,        (void **)&tree->leaf, (void **)&tree->leaf_active,
                     (void **)&tree->node_active, (void **)&tree->area, (void **)&tree->shape};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) weft_shared_free(tree->device, arrays[i]);
  memset(tree, 0, sizeof *tree);
}

static void sort_triangles(WeftBvh *tree, WeftPrimitives *primitives, const float *box) {
  int n = tree->triangle_count, runs = run_count(tree);
  LAUNCH(tree->device, bvh_bound_runs, runs, n, box, tree->bounds);
  LAUNCH(tree->device, bvh_bound_all, 1, runs, tree->bounds);
  LAUNCH(tree->device, bvh_keys, n, box, tree->bounds, tree->key, tree->order);
  weft_sort(primitives, n, 3 * BVH_KEY_BITS, tree->key, tree->order);
}

/* Returns the sum of the nodes' half surfaces. */
static double fit_nodes(WeftBvh *tree, WeftPrimitives *primitives, const float *box) {
  LAUNCH(tree->device, bvh_fit_leaves, tree->leaf_count, tree->first_leaf, tree->order, box, tree->leaf,
         tree->node, tree->area);
  for (int first = tree->first_leaf / 2; first >= 1; first /= 2) {
    LAUNCH(tree->device, bvh_fit_level, first, first, tree->node, tree->area);
  }
  return weft_reduce(primitives, 2 * tree->first_leaf, tree->area);
}

static bool fit_all(WeftBvh *tree, WeftPrimitives *primitives, const float *box) {
  if (tree->is_built) {
    double area = fit_nodes(tree, primitives, box);
    tree->fits++;
    if (!(area > DEGRADED * tree->built_area) || tree->fits < FITS_A_BUILD) return false;
  }
  sort_triangles(tree, primitives, box);
  tree->built_area = fit_nodes(tree, primitives, box);
  tree->fits = 0;
  tree->is_built = true;
  return true;
}

static void fit_active(WeftBvh *tree, const float *box) {
  LAUNCH(tree->device, bvh_fit_active_leaves, tree->leaf_count, tree->first_leaf, tree->order, box,
         tree->node_active, tree->leaf, tree->node, tree->area);
  for (int first = tree->first_leaf / 2; first >= 1; first /= 2) {
    LAUNCH(tree->device, bvh_fit_active_level, first, first, tree->node_active, tree->node, tree->area);
  }
}

/* active NULL: all are, and nobody asks the nodes. */
static void mark(WeftBvh *tree, const int32_t *active) {
  LAUNCH(tree->device, bvh_mark, tree->leaf_count, tree->order, active, tree->leaf_active);
  if (!active) return;
  LAUNCH(tree->device, bvh_mark_leaf_nodes, tree->leaf_count, tree->first_leaf, tree->leaf_active,
         tree->node_active);
  for (int first = tree->first_leaf / 2; first >= 1; first /= 2) {
    LAUNCH(tree->device, bvh_mark_level, first, first, tree->node_active);
  }
}

/* is_local: where shapes are those of the last query only leaves with an active triangle have others. */
static void fit_shapes(WeftBvh *tree, const WeftSlabs *slabs, bool is_local) {
  if (slabs)
    LAUNCH(tree->device, bvh_fit_shapes, tree->leaf_count, !(is_local && tree->has_shapes), tree->leaf_active,
           tree->order, slabs->plane, slabs->corner, tree->shape);
  tree->has_shapes = slabs != NULL;
}

bool weft_bvh_follow(WeftBvh *tree, WeftPrimitives *primitives, const WeftBroadQuery *query) {
  bool is_local = query->is_local && query->active && tree->is_built;
  bool is_built = !is_local && fit_all(tree, primitives, query->box);
  mark(tree, query->active);
  if (is_local) fit_active(tree, query->box);
  fit_shapes(tree, query->slabs, is_local);
  return is_built;
}
