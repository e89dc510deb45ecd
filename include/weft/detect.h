/* weft: collision detection alone, on meshes of the caller's. The same code finds the pairs of a step.
 *
 *   WeftDetectDef def = weft_default_detect_def();
 *   def.vertex_count = ...; def.triangle_count = ...; def.triangles = ...;
 *   weft_detection_create(&def, &detection, &error);
 *   weft_detection_close(detection, positions, 0.001, &found, &error);       pairs within a millimetre
 *   weft_detection_impacts(detection, start, end, 0, &found, &error);        first touch on the way
 *   weft_detection_destroy(detection);
 *
 * docs/detection.md describes the methods.
 */
#ifndef WEFT_DETECT_H
#define WEFT_DETECT_H

#include <weft/weft.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is looked at: one mesh, or several one behind the other. */
typedef struct WeftDetectDef {
  uint32_t cookie;
  int32_t vertex_count;
  int32_t triangle_count;
  const int32_t *triangles;   /* triangle_count x 3 */
  const uint8_t *is_obstacle; /* triangle_count: 1 for triangles that do not meet each other; NULL: none */
  const char *method;         /* broad phase, see weft_list_methods; default "bvh" */
  const char *device;         /* as in WeftWorldDef; default "cpu" */
  int32_t threads;            /* 0: as many as there are cores */
} WeftDetectDef;
WEFT_API WeftDetectDef weft_default_detect_def(void);

typedef struct WeftDetection WeftDetection;

/* Pairs of features, sorted by the first, then by the second. Arrays live until the next query. */
typedef struct WeftDetectedPairs {
  int64_t count;
  const int32_t *features; /* count x 2: vertex and triangle, or edge and edge */
  const int32_t *vertices; /* count x 4: the vertex and the triangle's three, or both edges' ends */
  const double *values;    /* count: distance [m], or time of impact in [0, 1] */
  const double *weights; /* count x 4, for distances: the closest points' gap is the sum of weight x vertex */
} WeftDetectedPairs;

enum { WEFT_DETECT_PHASES = 4 };

typedef struct WeftDetected {
  WeftDetectedPairs vertex_face, edge_edge;
  double box_tests;           /* pairs of boxes compared by the broad phase */
  int64_t overlaps;           /* pairs of triangles whose boxes overlap */
  int64_t tests_vf, tests_ee; /* elementary tests: pairs of features whose boxes overlap */
  double first_impact;        /* earliest time of impact; infinity when there is none, or for distances */
  double least_distance;      /* of the pairs found [m]; infinity when there is none, or for impacts */
  double seconds[WEFT_DETECT_PHASES]; /* boxes, broad phase, candidates, narrow phase */
} WeftDetected;

/* "boxes", "broad", "candidates", "narrow". */
WEFT_API const char *weft_detect_phase_name(int32_t phase);

WEFT_API WeftResult weft_detection_create(const WeftDetectDef *def, WeftDetection **detection,
                                          WeftError *error);
WEFT_API void weft_detection_destroy(WeftDetection *detection);
/* The two ends of an edge, as pairs number edges; WEFT_RESULT_INVALID_ARGUMENT beyond the last. */
WEFT_API WeftResult weft_detection_edge(const WeftDetection *detection, int32_t edge, int32_t ends[2],
                                        WeftError *error);

/* All vertex-face and edge-edge pairs without a common vertex that are no further apart than distance >= 0
 * [m]. positions: vertex_count x 3, finite. */
WEFT_API WeftResult weft_detection_close(WeftDetection *detection, const double *positions, double distance,
                                         WeftDetected *detected, WeftError *error);
/* All that come within gap >= 0 [m] while vertices move straight from start to end: no pair that does is
 * missed, and no time is later than the true one. */
WEFT_API WeftResult weft_detection_impacts(WeftDetection *detection, const double *start, const double *end,
                                           double gap, WeftDetected *detected, WeftError *error);

#ifdef __cplusplus
}
#endif
#endif
