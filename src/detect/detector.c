#include "detect/detector.h"

#include "base/timer.h"

#include <math.h>
#include <string.h>

WeftResult weft_detector_create(WeftDetector *detector, const WeftSurface *surface, const WeftBroadOps *broad,
                                WeftError *error) {
  *detector = (WeftDetector){.surface = surface};
  weft_candidates_create(&detector->candidates, surface->device);
  weft_found_create(&detector->vertex_face, surface->device);
  weft_found_create(&detector->edge_edge, surface->device);
  WeftResult result = weft_boxes_create(&detector->boxes, surface, error);
  if (!result) result = weft_slabs_create(&detector->slabs, surface, error);
  if (!result) {
    result = weft_broad_create(broad, surface->device, surface->triangle_count, &detector->broad, error);
  }
  if (!result) result = weft_cover_create(&detector->cover, surface, error);
  if (result) weft_detector_destroy(detector);
  return result;
}

void weft_detector_destroy(WeftDetector *detector) {
  weft_boxes_destroy(&detector->boxes);
  weft_slabs_destroy(&detector->slabs);
  weft_broad_destroy(detector->broad);
  weft_candidates_destroy(&detector->candidates);
  weft_found_destroy(&detector->vertex_face);
  weft_found_destroy(&detector->edge_edge);
  weft_cover_destroy(&detector->cover);
  memset(detector, 0, sizeof *detector);
}

/* Adds the time since *start to the phase, and starts anew. */
static void end_phase(WeftDetector *detector, int phase, double *start) {
  weft_device_finish(detector->surface->device);
  double now = weft_seconds();
  detector->phase_seconds[phase] += now - *start;
  *start = now;
}

/* Boxes, broad phase and candidates of features swept from x0 to x1, grown by radius. */
static WeftResult search(WeftDetector *detector, const double *x0, const double *x1, double radius,
                         const int32_t *active, bool is_local, bool prunes, WeftCandidates *candidates,
                         double *start, WeftError *error) {
  const WeftSurface *surface = detector->surface;
  weft_boxes_fit(&detector->boxes, surface, x0, x1, radius);
  if (prunes)
    weft_slabs_fit(&detector->slabs, surface, x0, x1, radius,
                   is_local && detector->has_slabs ? active : NULL);
  detector->has_slabs = prunes;
  end_phase(detector, WEFT_DETECT_BOXES, start);
  const WeftBroadQuery broad = {.box = detector->boxes.triangle,
                                .active = active,
                                .is_local = is_local,
                                .slabs = prunes ? &detector->slabs : NULL,
                                .distance = 2 * radius};
  WeftResult result = weft_broad_find(detector->broad, &broad, error);
  end_phase(detector, WEFT_DETECT_BROAD, start);
  if (result) return result;
  result = weft_candidates_find(candidates, surface, &detector->boxes, prunes ? &detector->slabs : NULL, x0,
                                x1, radius, &detector->broad->pairs, error);
  end_phase(detector, WEFT_DETECT_CANDIDATES, start);
  return result;
}

/* The candidates of a query that goes on: those there are, but for the vertices that are elsewhere. */
static WeftResult go_on(WeftDetector *detector, const WeftDetectQuery *query, const double *x1,
                        int outside_count, double *start, WeftError *error) {
  WeftCover *cover = &detector->cover;
  detector->is_exact = false;
  if (outside_count == 0) return WEFT_RESULT_OK;
  cover->is_there = false; /* until it is whole again */
  weft_cover_extend(cover, detector->surface, outside_count, query->x0, x1);
  WeftResult result = search(detector, cover->begun, cover->reached, cover->radius, cover->active, true,
                             query->prunes, &cover->more, start, error);
  if (!result) result = weft_cover_join(cover, &detector->candidates, error);
  end_phase(detector, WEFT_DETECT_CANDIDATES, start);
  cover->is_there = !result;
  return result;
}

/* Of more vertices than this part the pairs are not searched for again: everything is. */
enum { MOST_OUTSIDE = 3 };
/* A margin for later steps is worth its candidates when it lasts for so many. */
enum { STEPS_WORTH_A_MARGIN = 3 };

/* Are most vertices within slack of where the cover has them? *outside: how many are not; -1 when the device
 * failed. */
static bool most_are_within(WeftDetector *detector, const WeftDetectQuery *query, const double *x1,
                            double slack, int *outside) {
  *outside = weft_cover_leave(&detector->cover, detector->surface, query->x0, x1, slack);
  return *outside <= detector->surface->vertex_count / MOST_OUTSIDE;
}

/* Candidates of features swept from x0 to x1, or more than these. */
static WeftResult find_candidates(WeftDetector *detector, const WeftDetectQuery *query, const double *x1,
                                  double *start, WeftError *error) {
  const WeftSurface *surface = detector->surface;
  WeftCover *cover = &detector->cover;
  double least = query->distance / 2; /* each box grows by half of what may lie between them */
  memset(detector->phase_seconds, 0, sizeof detector->phase_seconds);
  detector->vertex_face.count = detector->edge_edge.count = 0;
  if (query->active) { /* these candidates are not all */
    bool is_local = query->is_local && detector->is_exact;
    cover->is_there = false;
    detector->is_exact = true;
    return search(detector, query->x0, x1, least, query->active, is_local, query->prunes,
                  &detector->candidates, start, error);
  }
  double margin = query->margin;
  if (query->goes_on && cover->is_there) {
    int outside = 0;
    bool is_covered =
        cover->radius >= least && most_are_within(detector, query, x1, cover->radius - least, &outside);
    end_phase(detector, WEFT_DETECT_BOXES, start);
    if (is_covered && outside >= 0) return go_on(detector, query, x1, outside, start, error);
    double still = query->margin_at_rest;
    if (still > 0 && most_are_within(detector, query, x1, still / STEPS_WORTH_A_MARGIN, &outside))
      margin = fmax(margin, still);
    if (outside < 0) return weft_device_check(surface->device, error);
  }
  const int32_t *active = surface->all_cloth ? NULL : surface->is_cloth;
  double radius = least + margin;
  bool is_local = query->is_local && detector->is_exact;
  cover->is_there = false;
  detector->is_exact = margin == 0;
  WeftResult result = search(detector, query->x0, x1, radius, active, is_local, query->prunes,
                             &detector->candidates, start, error);
  if (!result) weft_cover_begin(cover, surface, query->x0, x1, radius);
  return result;
}

static int feature_count(const WeftSurface *surface) {
  int most = surface->vertex_count > surface->edge_count ? surface->vertex_count : surface->edge_count;
  return most > surface->triangle_count ? most : surface->triangle_count;
}

WeftResult weft_detector_close(WeftDetector *detector, const WeftDetectQuery *query, WeftError *error) {
  double start = weft_seconds();
  const WeftCandidates *candidates = &detector->candidates;
  int features = feature_count(detector->surface);
  WeftResult result = find_candidates(detector, query, query->x0, &start, error);
  if (!result) {
    result = weft_found_close(&detector->vertex_face, WEFT_PAIR_VERTEX_FACE, &candidates->vertex_face,
                              features, query->x0, query->distance, error);
  }
  if (!result) {
    result = weft_found_close(&detector->edge_edge, WEFT_PAIR_EDGE_EDGE, &candidates->edge_edge, features,
                              query->x0, query->distance, error);
  }
  end_phase(detector, WEFT_DETECT_NARROW, &start);
  return result;
}

WeftResult weft_detector_impacts(WeftDetector *detector, const WeftDetectQuery *query, WeftError *error) {
  double start = weft_seconds();
  const WeftCandidates *candidates = &detector->candidates;
  int features = feature_count(detector->surface);
  WeftResult result = find_candidates(detector, query, query->x1, &start, error);
  if (!result) {
    result = weft_found_impacts(&detector->vertex_face, WEFT_PAIR_VERTEX_FACE, &candidates->vertex_face,
                                features, query->x0, query->x1, query->distance, error);
  }
  if (!result) {
    result = weft_found_impacts(&detector->edge_edge, WEFT_PAIR_EDGE_EDGE, &candidates->edge_edge, features,
                                query->x0, query->x1, query->distance, error);
  }
  end_phase(detector, WEFT_DETECT_NARROW, &start);
  return result;
}

WeftResult weft_detector_ahead(WeftDetector *detector, const WeftDetectQuery *query, WeftError *error) {
  double start = weft_seconds();
  const WeftCandidates *candidates = &detector->candidates;
  int features = feature_count(detector->surface);
  WeftResult result = find_candidates(detector, query, query->x1, &start, error);
  if (!result) {
    result =
        weft_found_ahead(&detector->vertex_face, detector->surface, WEFT_PAIR_VERTEX_FACE,
                         &candidates->vertex_face, features, query->x0, query->x1, query->distance, error);
  }
  if (!result) {
    result = weft_found_ahead(&detector->edge_edge, detector->surface, WEFT_PAIR_EDGE_EDGE,
                              &candidates->edge_edge, features, query->x0, query->x1, query->distance, error);
  }
  end_phase(detector, WEFT_DETECT_NARROW, &start);
  return result;
}
