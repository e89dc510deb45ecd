/* Detection for callers outside: include/weft/detect.h over detect/detector.h. */
#include "base/memory.h"
#include "defaults.h"
#include "detect/detector.h"
#include "device/shared.h"
#include "device/threads.h"
#include "registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/detect.h>

struct WeftDetection {
  WeftDevice *device;
  WeftSurface surface;
  WeftDetector detector;
  int threads;
  double *x0, *x1; /* vertex_count x 3: copies on the device */
};

WeftDetectDef weft_default_detect_def(void) {
  return (WeftDetectDef){.cookie = WEFT_COOKIE, .method = "bvh", .device = "cpu"};
}

const char *weft_detect_phase_name(int32_t phase) {
  static const char *const names[WEFT_DETECT_PHASES] = {"boxes", "broad", "candidates", "narrow"};
  return phase >= 0 && phase < WEFT_DETECT_PHASES ? names[phase] : "";
}

static WeftResult check_def(const WeftDetectDef *def, WeftError *error) {
  if (def->cookie != WEFT_COOKIE) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "the definition was not made by weft_default_detect_def()");
  }
  if (def->vertex_count < 0 || def->triangle_count < 0 || (def->triangle_count > 0 && !def->triangles)) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "counts have to be 0 or more, with their arrays");
  }
  if (def->threads < 0) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "threads has to be 0 or more, not %d",
                     def->threads);
  }
  for (int32_t i = 0; i < 3 * def->triangle_count; i++) {
    if (def->triangles[i] < 0 || def->triangles[i] >= def->vertex_count) {
      return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                       "triangle %d has vertex %d, but there are %d vertices, from 0", i / 3,
                       def->triangles[i], def->vertex_count);
    }
  }
  if (!def->method || !weft_registry_broad(def->method)) {
    const char *near = def->method ? weft_registry_nearest("broad_phase", def->method) : NULL;
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "there is no broad phase \"%s\"%s%s%s",
                     def->method ? def->method : "", near ? ", did you mean \"" : "", near ? near : "",
                     near ? "\"?" : "; see weft_list_methods");
  }
  return WEFT_RESULT_OK;
}

static WeftResult create_surface(WeftDetection *detection, const WeftDetectDef *def, WeftError *error) {
  uint8_t *is_cloth = NULL;
  if (def->is_obstacle) {
    is_cloth = WEFT_NEW(uint8_t, def->triangle_count);
    if (!is_cloth) return weft_fail_memory(error, "detection");
    for (int32_t t = 0; t < def->triangle_count; t++) is_cloth[t] = !def->is_obstacle[t];
  }
  WeftResult result = weft_surface_create(&detection->surface, detection->device, def->vertex_count,
                                          def->triangle_count, def->triangles, is_cloth, error);
  free(is_cloth);
  return result;
}

WeftResult weft_detection_create(const WeftDetectDef *def, WeftDetection **detection, WeftError *error) {
  if (!def || !detection) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "definition and detection have to be given");
  }
  *detection = NULL;
  WeftResult result = check_def(def, error);
  if (result) return result;
  WeftDetection *made = WEFT_NEW(WeftDetection, 1);
  if (!made) return weft_fail_memory(error, "detection");
  size_t numbers = 3 * (size_t)def->vertex_count;
  made->threads = def->threads ? def->threads : weft_threads_available();
  result = weft_device_open(def->device, &made->device, error);
  if (!result) result = create_surface(made, def, error);
  if (!result) {
    result = weft_detector_create(&made->detector, &made->surface, weft_registry_broad(def->method), error);
  }
  if (!result) {
    result = weft_shared_new(made->device, (void **)&made->x0, numbers, sizeof(double), WEFT_MEMORY_POSITION,
                             "positions", error);
  }
  if (!result) {
    result = weft_shared_new(made->device, (void **)&made->x1, numbers, sizeof(double), WEFT_MEMORY_POSITION,
                             "positions", error);
  }
  if (result) {
    weft_detection_destroy(made);
    return result;
  }
  *detection = made;
  return WEFT_RESULT_OK;
}

void weft_detection_destroy(WeftDetection *detection) {
  if (!detection) return;
  weft_shared_free(detection->device, (void **)&detection->x0);
  weft_shared_free(detection->device, (void **)&detection->x1);
  weft_detector_destroy(&detection->detector);
  weft_surface_destroy(&detection->surface);
  weft_device_close(detection->device);
  free(detection);
}

WeftResult weft_detection_edge(const WeftDetection *detection, int32_t edge, int32_t ends[2],
                               WeftError *error) {
  if (!detection || !ends || edge < 0 || edge >= detection->surface.edge_count) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "there is no edge %d", edge);
  }
  memcpy(ends, detection->surface.edges + 2 * (size_t)edge, 2 * sizeof *ends);
  return WEFT_RESULT_OK;
}

static WeftResult take_positions(WeftDetection *detection, const double *from, double *to, WeftError *error) {
  size_t numbers = 3 * (size_t)detection->surface.vertex_count;
  for (size_t i = 0; i < numbers; i++) {
    if (!(fabs(from[i]) <= WEFT_LARGEST_COORDINATE)) {
      return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                       "vertex %zu has the coordinate %g; detection works with finite numbers up to %g",
                       i / 3, from[i], WEFT_LARGEST_COORDINATE);
    }
  }
  memcpy(to, from, numbers * sizeof *to);
  weft_device_upload(detection->device, to, numbers * sizeof *to);
  return WEFT_RESULT_OK;
}

/* Brings the pairs of one kind back from the device. */
static WeftResult give_pairs(WeftDetection *detection, WeftFound *found, bool has_weights,
                             WeftDetectedPairs *pairs, WeftError *error) {
  size_t n = (size_t)found->count;
  *pairs = (WeftDetectedPairs){0};
  if (n == 0) return WEFT_RESULT_OK;
  bool is_here =
      weft_device_download(detection->device, found->features, 2 * n * sizeof(int32_t)) &&
      weft_device_download(detection->device, found->vertices, 4 * n * sizeof(int32_t)) &&
      weft_device_download(detection->device, found->value, n * sizeof(double)) &&
      (!has_weights || weft_device_download(detection->device, found->weight, 4 * n * sizeof(double)));
  if (!is_here) return weft_device_check(detection->device, error);
  pairs->count = found->count;
  pairs->features = found->features;
  pairs->vertices = found->vertices;
  pairs->values = found->value;
  if (has_weights) pairs->weights = found->weight;
  return WEFT_RESULT_OK;
}

static double least_value(const WeftDetectedPairs *pairs, double least) {
  for (int64_t i = 0; i < pairs->count; i++) least = fmin(least, pairs->values[i]);
  return least;
}

static WeftResult give(WeftDetection *detection, bool is_close, WeftDetected *detected, WeftError *error) {
  WeftDetector *detector = &detection->detector;
  detected->box_tests = detector->broad->counts.box_tests;
  detected->overlaps = detector->broad->pairs.count;
  detected->tests_vf = detector->candidates.vertex_face.count;
  detected->tests_ee = detector->candidates.edge_edge.count;
  memcpy(detected->seconds, detector->phase_seconds, sizeof detected->seconds);
  WeftResult result = give_pairs(detection, &detector->vertex_face, is_close, &detected->vertex_face, error);
  if (!result) result = give_pairs(detection, &detector->edge_edge, is_close, &detected->edge_edge, error);
  if (result) return result;
  double least = least_value(&detected->edge_edge, least_value(&detected->vertex_face, INFINITY));
  if (is_close) {
    detected->least_distance = least;
  } else {
    detected->first_impact = least;
  }
  return WEFT_RESULT_OK;
}

static WeftResult detect(WeftDetection *detection, const double *start, const double *end, double distance,
                         WeftDetected *detected, WeftError *error) {
  if (!(distance >= 0 && distance <= WEFT_LARGEST_COORDINATE)) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "the distance has to be 0 or more and finite, not %g", distance);
  }
  *detected = (WeftDetected){.first_impact = INFINITY, .least_distance = INFINITY};
  WeftResult result = take_positions(detection, start, detection->x0, error);
  if (!result && end) result = take_positions(detection, end, detection->x1, error);
  if (result) return result;
  const WeftDetectQuery query = {.x0 = detection->x0, .x1 = detection->x1, .distance = distance};
  int threads_before = weft_threads_use(detection->threads);
  result = end ? weft_detector_impacts(&detection->detector, &query, error)
               : weft_detector_close(&detection->detector, &query, error);
  weft_threads_use(threads_before);
  return result ? result : give(detection, !end, detected, error);
}

WeftResult weft_detection_close(WeftDetection *detection, const double *positions, double distance,
                                WeftDetected *detected, WeftError *error) {
  if (!detection || !detected || !positions) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "detection, positions and result have to be given");
  }
  return detect(detection, positions, NULL, distance, detected, error);
}

WeftResult weft_detection_impacts(WeftDetection *detection, const double *start, const double *end,
                                  double gap, WeftDetected *detected, WeftError *error) {
  if (!detection || !detected || !start || !end) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "detection, positions and result have to be given");
  }
  return detect(detection, start, end, gap, detected, error);
}
