#include "detect/found.h"

#include "detect/found.kernel.h"
#include "device/launch.h"
#include "device/shared.h"

#include <string.h>

void weft_found_create(WeftFound *found, WeftDevice *device) { *found = (WeftFound){.device = device}; }

void weft_found_destroy(WeftFound *found) {
  void **arrays[] = {(void **)&found->features, (void **)&found->vertices,  (void **)&found->value,
                     (void **)&found->weight,   (void **)&found->all_value, (void **)&found->all_weight,
                     (void **)&found->kept,     (void **)&found->index,     (void **)&found->key};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) weft_shared_free(found->device, arrays[i]);
  weft_primitives_destroy(&found->primitives);
  memset(found, 0, sizeof *found);
}

static WeftResult grow_ints(WeftFound *found, int32_t **array, size_t *capacity, size_t needed,
                            WeftError *error) {
  return weft_shared_grow(found->device, (void **)array, capacity, needed, sizeof(int32_t),
                          WEFT_MEMORY_DETECT, "pairs found", error);
}

static WeftResult grow_reals(WeftFound *found, double **array, size_t *capacity, size_t needed,
                             WeftError *error) {
  return weft_shared_grow(found->device, (void **)array, capacity, needed, sizeof(double), WEFT_MEMORY_DETECT,
                          "pairs found", error);
}

static WeftResult reserve_all(WeftFound *found, int n, bool has_weights, WeftError *error) {
  size_t size = (size_t)n;
  WeftResult result = grow_reals(found, &found->all_value, &found->capacity_all_value, size, error);
  if (!result && has_weights) {
    result = grow_reals(found, &found->all_weight, &found->capacity_all_weight, 4 * size, error);
  }
  if (!result) result = grow_ints(found, &found->kept, &found->capacity_kept, size, error);
  if (!result) result = grow_ints(found, &found->index, &found->capacity_index, size, error);
  if (!result) result = grow_ints(found, &found->key, &found->capacity_key, size, error);
  if (!result) result = weft_primitives_reserve(&found->primitives, found->device, n, error);
  return result;
}

static WeftResult reserve_kept(WeftFound *found, size_t count, bool has_weights, WeftError *error) {
  WeftResult result = grow_ints(found, &found->features, &found->capacity_features, 2 * count, error);
  if (!result) result = grow_ints(found, &found->vertices, &found->capacity_vertices, 4 * count, error);
  if (!result) result = grow_reals(found, &found->value, &found->capacity_value, count, error);
  if (!result && has_weights) {
    result = grow_reals(found, &found->weight, &found->capacity_weight, 4 * count, error);
  }
  return result;
}

/* Keeps what is at most limit, sorted. */
static WeftResult keep(WeftFound *found, const WeftFeaturePairs *candidates, int feature_count, double limit,
                       bool has_weights, WeftError *error) {
  WeftDevice *device = found->device;
  int bits = weft_sort_bits(feature_count);
  LAUNCH(device, found_mark, candidates->count, found->all_value, limit, found->kept);
  int count = weft_compact(&found->primitives, candidates->count, found->kept, found->index);
  WeftResult result = weft_device_check(device, error);
  if (!result) result = reserve_kept(found, (size_t)count, has_weights, error);
  if (result || count == 0) return result;
  for (int which = 1; which >= 0; which--) { /* stable: by the second feature, then by the first */
    LAUNCH(device, found_keys, count, which, found->index, candidates->features, found->key);
    weft_sort(&found->primitives, count, bits, found->key, found->index);
  }
  LAUNCH(device, found_gather, count, found->index, candidates->features, candidates->vertices,
         found->all_value, found->features, found->vertices, found->value);
  if (has_weights)
    LAUNCH(device, found_gather_weights, count, found->index, found->all_weight, found->weight);
  found->count = count;
  return weft_device_check(device, error);
}

WeftResult weft_found_close(WeftFound *found, WeftPairKind kind, const WeftFeaturePairs *candidates,
                            int feature_count, const double *x, double distance, WeftError *error) {
  found->count = 0;
  if (candidates->count == 0) return WEFT_RESULT_OK;
  WeftResult result = reserve_all(found, candidates->count, true, error);
  if (result) return result;
  weft_narrow_distance(found->device, kind, candidates->count, candidates->vertices, x, found->all_value,
                       found->all_weight);
  return keep(found, candidates, feature_count, distance, true, error);
}

WeftResult weft_found_impacts(WeftFound *found, WeftPairKind kind, const WeftFeaturePairs *candidates,
                              int feature_count, const double *x0, const double *x1, double gap,
                              WeftError *error) {
  found->count = 0;
  if (candidates->count == 0) return WEFT_RESULT_OK;
  WeftResult result = reserve_all(found, candidates->count, false, error);
  if (result) return result;
  weft_narrow_ccd(found->device, kind, candidates->count, candidates->vertices, x0, x1, gap,
                  found->all_value);
  return keep(found, candidates, feature_count, 1.0, false, error);
}

WeftResult weft_found_ahead(WeftFound *found, const WeftSurface *surface, WeftPairKind kind,
                            const WeftFeaturePairs *candidates, int feature_count, const double *x0,
                            const double *x1, double distance, WeftError *error) {
  found->count = 0;
  if (candidates->count == 0) return WEFT_RESULT_OK;
  WeftResult result = reserve_all(found, candidates->count, true, error);
  if (result) return result;
  weft_narrow_ahead(surface, kind, candidates->count, candidates->features, candidates->vertices, x0, x1,
                    distance, found->all_value, found->all_weight);
  return keep(found, candidates, feature_count, 1.0, true, error);
}
