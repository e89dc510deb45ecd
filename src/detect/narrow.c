#include "detect/narrow.h"

#include "detect/narrow.kernel.h"
#include "device/launch.h"

void weft_narrow_distance(WeftDevice *device, WeftPairKind kind, int pair_count, const int32_t *pair,
                          const double *x, double *distance, double *weight) {
  if (kind == WEFT_PAIR_VERTEX_FACE)
    LAUNCH(device, narrow_distance_vertex_face, pair_count, pair, x, distance, weight);
  else
    LAUNCH(device, narrow_distance_edge_edge, pair_count, pair, x, distance, weight);
}

void weft_narrow_ccd(WeftDevice *device, WeftPairKind kind, int pair_count, const int32_t *pair,
                     const double *x0, const double *x1, double gap, double *time) {
  if (kind == WEFT_PAIR_VERTEX_FACE)
    LAUNCH(device, narrow_ccd_vertex_face, pair_count, pair, x0, x1, gap, time);
  else
    LAUNCH(device, narrow_ccd_edge_edge, pair_count, pair, x0, x1, gap, time);
}

void weft_narrow_ahead(const WeftSurface *surface, WeftPairKind kind, int pair_count, const int32_t *features,
                       const int32_t *pair, const double *x0, const double *x1, double distance, double *when,
                       double *weight) {
  LAUNCH(surface->device, narrow_ahead, pair_count, kind == WEFT_PAIR_EDGE_EDGE, features, pair, x0, x1,
         distance, surface->is_fixed, surface->opposite, surface->around_start, surface->around, when,
         weight);
}
