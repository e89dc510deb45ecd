#include "detect/cover.h"

#include "detect/cover.kernel.h"
#include "device/launch.h"
#include "device/shared.h"

#include <string.h>

WeftResult weft_cover_create(WeftCover *cover, const WeftSurface *surface, WeftError *error) {
  size_t n = (size_t)surface->vertex_count, triangles = (size_t)surface->triangle_count;
  *cover = (WeftCover){.device = surface->device};
  weft_candidates_create(&cover->more, surface->device);
  const struct {
    void **array;
    size_t count, size;
  } arrays[] = {{(void **)&cover->begun, 3 * n, sizeof(double)},
                {(void **)&cover->reached, 3 * n, sizeof(double)},
                {(void **)&cover->is_outside, n, sizeof(int32_t)},
                {(void **)&cover->outside, n, sizeof(int32_t)},
                {(void **)&cover->active, triangles, sizeof(int32_t)}};
  WeftResult result = weft_primitives_create(&cover->primitives, surface->device, (int)n, error);
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    result = weft_shared_new(surface->device, arrays[i].array, arrays[i].count, arrays[i].size,
                             WEFT_MEMORY_DETECT, "detection", error);
  }
  if (result) weft_cover_destroy(cover);
  return result;
}

void weft_cover_destroy(WeftCover *cover) {
  void **arrays[] = {
      (void **)&cover->begun,   (void **)&cover->reached,         (void **)&cover->is_outside,
      (void **)&cover->outside, (void **)&cover->active,          (void **)&cover->is_kept,
      (void **)&cover->kept,    (void **)&cover->joined.features, (void **)&cover->joined.vertices};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    weft_shared_free(cover->device, arrays[i]);
  }
  weft_candidates_destroy(&cover->more);
  weft_primitives_destroy(&cover->primitives);
  memset(cover, 0, sizeof *cover);
}

void weft_cover_begin(WeftCover *cover, const WeftSurface *surface, const double *x0, const double *x1,
                      double radius) {
  weft_device_copy(surface->device, cover->begun, x0, 3 * (size_t)surface->vertex_count * sizeof(double));
  weft_device_copy(surface->device, cover->reached, x1, 3 * (size_t)surface->vertex_count * sizeof(double));
  cover->radius = radius;
  cover->is_there = true;
}

int weft_cover_leave(WeftCover *cover, const WeftSurface *surface, const double *x0, const double *x1,
                     double slack) {
  LAUNCH(surface->device, cover_mark_vertices, surface->vertex_count, cover->begun, x0, cover->reached, x1,
         slack, cover->is_outside);
  return weft_compact(&cover->primitives, surface->vertex_count, cover->is_outside, cover->outside);
}

void weft_cover_extend(WeftCover *cover, const WeftSurface *surface, int outside_count, const double *x0,
                       const double *x1) {
  LAUNCH(surface->device, cover_extend, outside_count, cover->outside, x0, cover->begun);
  LAUNCH(surface->device, cover_extend, outside_count, cover->outside, x1, cover->reached);
  LAUNCH(surface->device, cover_mark_triangles, surface->triangle_count, surface->triangles,
         cover->is_outside, cover->active);
}

static WeftResult grow(WeftCover *cover, int32_t **array, size_t *capacity, size_t needed, WeftError *error) {
  return weft_shared_grow(cover->device, (void **)array, capacity, needed, sizeof(int32_t),
                          WEFT_MEMORY_DETECT, "pairs of features", error);
}

/* Which of the pairs to keep; returns how many, or -1 when the device failed. */
static int choose(WeftCover *cover, const WeftFeaturePairs *pairs, int is_new) {
  LAUNCH(cover->device, cover_mark_pairs, pairs->count, is_new, pairs->vertices, cover->is_outside,
         cover->is_kept);
  return weft_compact(&cover->primitives, pairs->count, cover->is_kept, cover->kept);
}

static WeftResult join(WeftCover *cover, WeftFeaturePairs *pairs, const WeftFeaturePairs *more,
                       WeftError *error) {
  WeftDevice *device = cover->device;
  WeftFeaturePairs *joined = &cover->joined;
  size_t all = (size_t)pairs->count + (size_t)more->count;
  int most = pairs->count > more->count ? pairs->count : more->count;
  WeftResult result = grow(cover, &cover->is_kept, &cover->capacity_is_kept, (size_t)most, error);
  if (!result) result = grow(cover, &cover->kept, &cover->capacity_kept, (size_t)most, error);
  if (!result) result = grow(cover, &joined->features, &joined->capacity_features, 2 * all, error);
  if (!result) result = grow(cover, &joined->vertices, &joined->capacity_vertices, 4 * all, error);
  if (!result) result = weft_primitives_reserve(&cover->primitives, device, most, error);
  if (result) return result;
  joined->count = 0;
  const WeftFeaturePairs *const from[2] = {pairs, more};
  for (int i = 0; i < 2; i++) {
    int count = choose(cover, from[i], i == 1);
    if (count < 0) return weft_device_check(device, error);
    LAUNCH(device, cover_copy_pairs, count, joined->count, cover->kept, from[i]->features, from[i]->vertices,
           joined->features, joined->vertices);
    joined->count += count;
  }
  WeftFeaturePairs old = *pairs;
  *pairs = *joined;
  *joined = old;
  return WEFT_RESULT_OK;
}

WeftResult weft_cover_join(WeftCover *cover, WeftCandidates *candidates, WeftError *error) {
  WeftResult result = join(cover, &candidates->vertex_face, &cover->more.vertex_face, error);
  if (!result) result = join(cover, &candidates->edge_edge, &cover->more.edge_edge, error);
  return result;
}
