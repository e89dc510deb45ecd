#include "detect/candidates.h"

#include "detect/candidates.kernel.h"
#include "device/launch.h"
#include "device/shared.h"

#include <limits.h>
#include <string.h>

/* A pair of triangles has at most nine pairs of edges: so many pairs of triangles fit an int with any
 * outcome. */
enum { MOST_PAIRS = INT_MAX / 9 };

void weft_candidates_create(WeftCandidates *candidates, WeftDevice *device) {
  *candidates = (WeftCandidates){.device = device};
}

static void free_pairs(WeftDevice *device, WeftFeaturePairs *pairs) {
  weft_shared_free(device, (void **)&pairs->features);
  weft_shared_free(device, (void **)&pairs->vertices);
}

void weft_candidates_destroy(WeftCandidates *candidates) {
  WeftDevice *device = candidates->device;
  free_pairs(device, &candidates->vertex_face);
  free_pairs(device, &candidates->edge_edge);
  weft_shared_free(device, (void **)&candidates->mask);
  weft_shared_free(device, (void **)&candidates->count);
  weft_shared_free(device, (void **)&candidates->start_vf);
  weft_shared_free(device, (void **)&candidates->start_ee);
  weft_primitives_destroy(&candidates->primitives);
  memset(candidates, 0, sizeof *candidates);
}

static WeftResult grow(WeftDevice *device, int32_t **array, size_t *capacity, size_t needed,
                       WeftError *error) {
  return weft_shared_grow(device, (void **)array, capacity, needed, sizeof(int32_t), WEFT_MEMORY_DETECT,
                          "pairs of features", error);
}

static WeftResult reserve(WeftCandidates *candidates, int pair_count, WeftError *error) {
  size_t n = (size_t)pair_count;
  WeftResult result = grow(candidates->device, &candidates->mask, &candidates->capacity_mask, n, error);
  if (!result) result = grow(candidates->device, &candidates->count, &candidates->capacity_count, n, error);
  if (!result) {
    result = grow(candidates->device, &candidates->start_vf, &candidates->capacity_start_vf, n, error);
  }
  if (!result) {
    result = grow(candidates->device, &candidates->start_ee, &candidates->capacity_start_ee, n, error);
  }
  if (!result)
    result = weft_primitives_reserve(&candidates->primitives, candidates->device, pair_count, error);
  return result;
}

/* Room for the pairs of one kind, and where each pair of triangles writes its own. */
static WeftResult place(WeftCandidates *candidates, int pair_count, int among, int32_t *start,
                        WeftFeaturePairs *found, WeftError *error) {
  WeftDevice *device = candidates->device;
  LAUNCH(device, candidates_count, pair_count, among, candidates->mask, candidates->count);
  int count = weft_scan(&candidates->primitives, pair_count, candidates->count, start);
  WeftResult result = weft_device_check(device, error);
  if (!result) result = grow(device, &found->features, &found->capacity_features, 2 * (size_t)count, error);
  if (!result) result = grow(device, &found->vertices, &found->capacity_vertices, 4 * (size_t)count, error);
  if (!result) found->count = count;
  return result;
}

WeftResult weft_candidates_find(WeftCandidates *candidates, const WeftSurface *surface,
                                const WeftBoxes *boxes, const WeftSlabs *slabs, const double *x0,
                                const double *x1, double radius, const WeftTrianglePairs *pairs,
                                WeftError *error) {
  WeftDevice *device = candidates->device;
  int n = pairs->count;
  WeftFeaturePairs *vf = &candidates->vertex_face, *ee = &candidates->edge_edge;
  vf->count = ee->count = 0;
  if (n > MOST_PAIRS) {
    return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                     "%d pairs of triangles are too many; use a smaller distance or time step", n);
  }
  WeftResult result = reserve(candidates, n, error);
  if (result) return result;
  LAUNCH(device, candidates_mark, n, slabs != NULL, slabs ? slabs->plane : NULL, slabs ? slabs->end[0] : NULL,
         slabs ? slabs->end[1] : NULL, slabs ? slabs->corner : NULL, pairs->a, pairs->b, surface->triangles,
         surface->edges, surface->triangle_edges, surface->owned, boxes->vertex, boxes->edge, boxes->triangle,
         x0, x1, radius, candidates->mask);
  result = place(candidates, n, CANDIDATE_VERTEX_FACE, candidates->start_vf, vf, error);
  if (!result) result = place(candidates, n, CANDIDATE_EDGE_EDGE, candidates->start_ee, ee, error);
  if (result) {
    vf->count = ee->count = 0;
    return result;
  }
  LAUNCH(device, candidates_write_vertex_face, n, pairs->a, pairs->b, surface->triangles, candidates->mask,
         candidates->start_vf, vf->features, vf->vertices);
  LAUNCH(device, candidates_write_edge_edge, n, pairs->a, pairs->b, surface->edges, surface->triangle_edges,
         candidates->mask, candidates->start_ee, ee->features, ee->vertices);
  return weft_device_check(device, error);
}
