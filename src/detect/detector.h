/* Detection from positions to sorted lists of pairs: boxes, broad phase, candidates, narrow phase. It is
 * asked by distance or by sweep and does not know who asks. */
#ifndef WEFT_DETECT_DETECTOR_H
#define WEFT_DETECT_DETECTOR_H

#include "detect/cover.h"
#include "detect/found.h"

/* Where the time of a query goes. */
enum {
  WEFT_DETECT_BOXES,
  WEFT_DETECT_BROAD,
  WEFT_DETECT_CANDIDATES,
  WEFT_DETECT_NARROW,
  WEFT_DETECT_PHASE_COUNT
};

typedef struct WeftDetector {
  const WeftSurface *surface;
  WeftBoxes boxes;
  WeftSlabs slabs;
  WeftBroad *broad;
  WeftCandidates candidates;
  WeftFound vertex_face, edge_edge; /* the answer */
  WeftCover cover;
  bool
      is_exact; /* boxes are those of the last query: they have no margin, and were not those of one before */
  bool has_slabs;                                /* they are those of the last query */
  double phase_seconds[WEFT_DETECT_PHASE_COUNT]; /* of the last query */
} WeftDetector;

/* What is asked. */
typedef struct WeftDetectQuery {
  const double *x0, *x1; /* surface's vertex_count x 3 [m]; the same array: what stands still */
  double distance;       /* pairs no further apart than this are wanted [m] >= 0 */
  const int32_t *active; /* triangle_count: pairs of triangles without a 1 are left out; NULL: obstacles among
                            themselves */
  bool is_local;         /* only active triangles have moved since the last query */
  double margin;         /* boxes grow by this [m] besides: later queries near this one search less */
  double margin_at_rest; /* the same, when most vertices have moved by no more than a third of it since the
                            search before */
  bool prunes;           /* what is wanted is found all the same, but fewer candidates are looked at */
  bool goes_on;          /* may use what was found before: less effort, the same answer */
} WeftDetectQuery;

WeftResult weft_detector_create(WeftDetector *detector, const WeftSurface *surface, const WeftBroadOps *broad,
                                WeftError *error);
void weft_detector_destroy(WeftDetector *detector);

/* Pairs that are close at x0: values are distances. x1 is not looked at. */
WeftResult weft_detector_close(WeftDetector *detector, const WeftDetectQuery *query, WeftError *error);
/* Pairs that come close on the way from x0 to x1: values are times of impact. */
WeftResult weft_detector_impacts(WeftDetector *detector, const WeftDetectQuery *query, WeftError *error);
/* Pairs that are close at x0 and face each other, or meet on the way from x0 to x1: values are the times that
 * the weights belong to, 0 for those that are close. */
WeftResult weft_detector_ahead(WeftDetector *detector, const WeftDetectQuery *query, WeftError *error);

#endif
