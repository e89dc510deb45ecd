/* A tree of boxes, and the front of the last search through pairs of its nodes, from which the next one goes
 * on ([LiChen98], [Tang11]); where only a few triangles are active, next to those alone (localised
 * propagation, [Tang16] sec. 4.1 and fig. 8).
 *
 * Pairs of nodes form a tree themselves: below (p, q) are the four pairs of their children, below (p, p)
 * three of them. Both nodes of a pair are on one level, so a pair's parent is known from its numbers. A
 * search goes below pairs whose boxes overlap and that hold an active triangle. We keep the pairs it went
 * below, the forks: the front is their children that are no forks. Four of the front in eight bytes, and the
 * children's boxes lie side by side. Those with pairs of leaves below (lower) are a list of their own.
 *
 * A query looks again at every pair of the front that holds an active triangle. Where boxes overlap now it
 * becomes a fork: count, scan, write behind the others, and look at the new ones, until there are none. Pairs
 * of the front without an active triangle are not looked at, and nothing is believed of them: so one rule
 * serves full, restricted and local queries in any order.
 *
 * Forks whose boxes have parted are left alone at first. They cost a little and may soon be needed again; to
 * look for them costs as much as searching anew. Now and then, and when the front has grown, a query is a
 * tidying one, which looks at all: a fork whose boxes have parted goes, and its parent sees the same boxes
 * and takes it back as part of the front. Then the front is that of a search from the root. */
#include "detect/broad_front.kernel.h"
#include "detect/bvh_walks.h"
#include "device/launch.h"
#include "device/shared.h"

#include <limits.h>

typedef struct Forks {
  int count;
  size_t capacity, spare_capacity; /* ints */
  int32_t *fork, *spare;           /* 2 x count; the other side of tidying */
} Forks;

typedef struct FrontPhase {
  WeftBroad broad;
  WeftBvh tree;
  WeftBvhWalks walks;
  Forks upper, lower;
  bool has_front; /* of this tree */
  int tidy_count; /* forks when it was last tidy */
  int since_tidy; /* queries that were not local */
  int rest;       /* queries until the next front, after one that was too large */
  int pool_size;  /* pairs that the pool of a run of lower forks holds */
  size_t pool_capacity;
  int32_t *pool;
} FrontPhase;

enum {
  QUERIES_A_TIDYING = 8,
  /* The memory a front may take: forks a leaf. The crumpled sheets have 11 and 17 (docs/detection-front.md).
   */
  FORKS_A_LEAF = 64,
  MOST_FORKS = 1 << 26,
  QUERIES_OF_REST = 16,
  SMALLEST_POOL = 64,
  LARGEST_POOL = 4096
};

static int runs_of(int count, int run) { return (count + run - 1) / run; }

static int most_forks(const FrontPhase *self) {
  int leaves = self->tree.leaf_count;
  return leaves < MOST_FORKS / FORKS_A_LEAF ? FORKS_A_LEAF * leaves : MOST_FORKS;
}

static WeftResult create(WeftBroad *broad, WeftError *error) {
  FrontPhase *self = (FrontPhase *)broad;
  self->pool_size = SMALLEST_POOL;
  WeftResult result = weft_bvh_create(&self->tree, broad->device, broad->triangle_count, error);
  if (!result) result = weft_broad_reserve_items(broad, self->tree.leaf_count, error);
  if (!result) result = weft_broad_reserve_primitives(broad, 2 * self->tree.first_leaf, error);
  if (!result) result = weft_broad_reserve_primitives(broad, broad->triangle_count, error);
  return result;
}

static void destroy_forks(Forks *forks, WeftDevice *device) {
  weft_shared_free(device, (void **)&forks->fork);
  weft_shared_free(device, (void **)&forks->spare);
}

static void destroy(WeftBroad *broad) {
  FrontPhase *self = (FrontPhase *)broad;
  destroy_forks(&self->upper, broad->device);
  destroy_forks(&self->lower, broad->device);
  weft_shared_free(broad->device, (void **)&self->pool);
  weft_bvh_walks_destroy(&self->walks, broad->device);
  weft_bvh_destroy(&self->tree);
}

static void swap_sides(Forks *forks) {
  int32_t *fork = forks->fork;
  size_t capacity = forks->capacity;
  forks->fork = forks->spare;
  forks->capacity = forks->spare_capacity;
  forks->spare = fork;
  forks->spare_capacity = capacity;
}

static WeftResult reserve_spare(Forks *forks, WeftDevice *device, int count, WeftError *error) {
  return weft_shared_grow(device, (void **)&forks->spare, &forks->spare_capacity, 2 * (size_t)count,
                          sizeof(int32_t), WEFT_MEMORY_DETECT, "front of a search", error);
}

/* Room for so many; those that are there stay. */
static WeftResult reserve_forks(Forks *forks, WeftDevice *device, int count, WeftError *error) {
  if (forks->fork && 2 * (size_t)count <= forks->capacity) return WEFT_RESULT_OK;
  WeftResult result = reserve_spare(forks, device, count, error);
  if (result) return result;
  size_t bytes = 2 * (size_t)forks->count * sizeof(int32_t);
  if (bytes) weft_device_copy(device, forks->spare, forks->fork, bytes);
  swap_sides(forks);
  return WEFT_RESULT_OK;
}

/* The front of a search that has not begun: the fork at the root. */
static WeftResult start_front(FrontPhase *self, WeftError *error) {
  WeftDevice *device = self->broad.device;
  Forks *first = self->tree.first_leaf > 2 ? &self->upper : &self->lower;
  self->upper.count = self->lower.count = 0;
  WeftResult result = reserve_forks(&self->upper, device, 1, error);
  if (!result) result = reserve_forks(&self->lower, device, 1, error);
  if (result) return result;
  first->fork[0] = first->fork[1] = 1;
  weft_device_upload(device, first->fork, 2 * sizeof(int32_t));
  first->count = 1;
  return WEFT_RESULT_OK;
}

/* Looks at count upper forks from first on; *upper and *lower become the numbers of new forks. */
static WeftResult look(FrontPhase *self, int first, int count, bool is_tidied, bool is_all_active, int *upper,
                       int *lower, WeftError *error) {
  WeftBroad *broad = &self->broad;
  const WeftBvh *tree = &self->tree;
  int runs = runs_of(count, FRONT_RUN), tidied = is_tidied, all = is_all_active;
  WeftResult result = weft_broad_reserve_items(broad, runs, error);
  if (result) return result;
  LAUNCH(broad->device, front_look, runs, first, count, tree->first_leaf, tidied, all, tree->node_active,
         tree->node, self->upper.fork, broad->item_count, broad->item_start, broad->item_tests);
  broad->counts.box_tests += weft_reduce(&broad->primitives, runs, broad->item_tests);
  *upper = weft_scan(&broad->primitives, runs, broad->item_count, broad->item_count);
  *lower = weft_scan(&broad->primitives, runs, broad->item_start, broad->item_start);
  return weft_device_check(broad->device, error);
}

/* Forks for all that overlaps. *is_too_large: the front would be; it is useless then. */
static WeftResult propagate(FrontPhase *self, bool is_tidied, bool is_all_active, bool *is_too_large,
                            WeftError *error) {
  WeftBroad *broad = &self->broad;
  Forks *upper = &self->upper, *lower = &self->lower;
  int first = 0;
  *is_too_large = false;
  while (first < upper->count) {
    int count = upper->count - first, more_upper, more_lower;
    WeftResult result =
        look(self, first, count, is_tidied && first == 0, is_all_active, &more_upper, &more_lower, error);
    if (result) return result;
    if (more_upper + more_lower > most_forks(self) - upper->count - lower->count) {
      *is_too_large = true;
      return WEFT_RESULT_OK;
    }
    if (more_upper + more_lower == 0) return WEFT_RESULT_OK;
    result = reserve_forks(upper, broad->device, upper->count + more_upper, error);
    if (!result) result = reserve_forks(lower, broad->device, lower->count + more_lower, error);
    if (result) return result;
    int runs = runs_of(count, FRONT_RUN);
    LAUNCH(broad->device, front_expand, runs, first, count, self->tree.first_leaf, upper->count, lower->count,
           broad->item_count, broad->item_start, upper->fork, lower->fork);
    first = upper->count;
    upper->count += more_upper;
    lower->count += more_lower;
  }
  return WEFT_RESULT_OK;
}

/* For the next query: twice what a run found on average, as far as an index of pool is an int. */
static int next_pool_size(const FrontPhase *self, int runs) {
  int wanted = 2 * (self->broad.pairs.count / runs);
  if (wanted > LARGEST_POOL) wanted = LARGEST_POOL;
  return wanted > self->pool_size ? wanted : self->pool_size;
}

static WeftResult meet(FrontPhase *self, bool is_tidied, bool is_all_active, WeftError *error) {
  WeftBroad *broad = &self->broad;
  const WeftBvh *tree = &self->tree;
  int count = self->lower.count, runs = runs_of(count, FRONT_MEET_RUN);
  int tidied = is_tidied, all = is_all_active;
  if (runs == 0) return WEFT_RESULT_OK;
  WeftResult result = weft_broad_reserve_items(broad, runs, error);
  if (result) return result;
  if (self->pool_size > INT_MAX / runs - BVH_LEAF) self->pool_size = INT_MAX / runs - BVH_LEAF;
  result = weft_shared_grow(broad->device, (void **)&self->pool, &self->pool_capacity,
                            (size_t)runs * (size_t)(self->pool_size + BVH_LEAF), sizeof(int32_t),
                            WEFT_MEMORY_DETECT, "pairs of leaves", error);
  if (result) return result;
  LAUNCH(broad->device, front_meet, runs, count, tree->first_leaf, tidied, all, tree->node_active, tree->node,
         tree->leaf, tree->leaf_active, self->lower.fork, self->pool_size, self->pool, broad->item_count,
         broad->item_tests);
  broad->counts.box_tests += weft_reduce(&broad->primitives, runs, broad->item_tests);
  result = weft_broad_place_items(broad, runs, error);
  if (result) return result;
  LAUNCH(broad->device, front_place, runs, count, tree->first_leaf, all, tree->node_active, tree->node,
         tree->leaf, tree->leaf_active, self->lower.fork, self->pool_size, self->pool, tree->order,
         broad->item_count, broad->item_start, broad->pairs.a, broad->pairs.b);
  self->pool_size = next_pool_size(self, runs);
  return WEFT_RESULT_OK;
}

/* Closes the gaps that tidying left. */
static WeftResult close_gaps(FrontPhase *self, Forks *forks, WeftError *error) {
  WeftBroad *broad = &self->broad;
  int runs = runs_of(forks->count, FRONT_RUN);
  if (runs == 0) return WEFT_RESULT_OK;
  WeftResult result = weft_broad_reserve_items(broad, runs, error);
  if (!result) result = reserve_spare(forks, broad->device, forks->count, error);
  if (result) return result;
  LAUNCH(broad->device, front_count_kept, runs, forks->count, forks->fork, broad->item_count);
  int kept = weft_scan(&broad->primitives, runs, broad->item_count, broad->item_start);
  if (kept < 0) return weft_device_check(broad->device, error);
  if (kept == forks->count) return WEFT_RESULT_OK;
  LAUNCH(broad->device, front_keep, runs, forks->count, forks->fork, broad->item_start, forks->spare);
  forks->count = kept;
  swap_sides(forks);
  return WEFT_RESULT_OK;
}

static bool is_time_to_tidy(FrontPhase *self, bool is_local) {
  int count = self->upper.count + self->lower.count;
  if (!is_local) self->since_tidy++;
  return self->since_tidy >= QUERIES_A_TIDYING || count - self->tidy_count > self->tidy_count / 4;
}

/* Goes on from the front, or from the root. */
static WeftResult search(FrontPhase *self, const WeftBroadQuery *query, bool *is_too_large,
                         WeftError *error) {
  bool is_new = !self->has_front, is_all_active = !query->active;
  bool is_tidied = !is_new && is_time_to_tidy(self, query->is_local);
  self->has_front = false; /* until all went well */
  WeftResult result = is_new ? start_front(self, error) : WEFT_RESULT_OK;
  if (!result) result = propagate(self, is_tidied, is_all_active, is_too_large, error);
  if (result || *is_too_large) return result;
  result = meet(self, is_tidied, is_all_active, error);
  if (!result && is_tidied) result = close_gaps(self, &self->upper, error);
  if (!result && is_tidied) result = close_gaps(self, &self->lower, error);
  if (result) return result;
  if (is_new || is_tidied) {
    self->tidy_count = self->upper.count + self->lower.count;
    self->since_tidy = 0;
  }
  self->has_front = true;
  self->broad.counts.kept = self->upper.count + self->lower.count;
  return WEFT_RESULT_OK;
}

static WeftResult find(WeftBroad *broad, const WeftBroadQuery *query, WeftError *error) {
  FrontPhase *self = (FrontPhase *)broad;
  broad->counts.kept = 0;
  if (weft_bvh_follow(&self->tree, &broad->primitives, query)) {
    broad->counts.rebuilds++;
    self->has_front = false;
  }
  bool is_walking = self->tree.first_leaf == 1 || self->rest > 0;
  WeftResult result = WEFT_RESULT_OK;
  if (self->rest > 0) self->rest--;
  if (!is_walking) {
    result = search(self, query, &is_walking, error);
    if (is_walking) self->rest = QUERIES_OF_REST;
  }
  if (!result && is_walking) {
    double searched = broad->counts.box_tests;
    result = weft_bvh_walks_find(&self->walks, &self->tree, broad, query, error);
    broad->counts.box_tests += searched;
  }
  return result;
}

const WeftBroadOps weft_broad_front = {"bvh_front",
                                       "LiChen98; Tang11; Tang16 sec. 4.1",
                                       "the same tree; each search goes on from the front of the last",
                                       sizeof(FrontPhase),
                                       create,
                                       destroy,
                                       find};
