/* Candidates that serve several queries: those of one step, and of further steps where little moves. Most
 * vertices begin and end about where the search had them, which allowed for that: boxes and distances had
 * grown. Only the pairs of vertices that are outside of that are searched for again, and take the place of
 * those found before. Rejected: anywhere in the box of a vertex' way is inside. Then pairs could only be told
 * apart by boxes. */
#ifndef WEFT_DETECT_COVER_H
#define WEFT_DETECT_COVER_H

#include "detect/candidates.h"

typedef struct WeftCover {
  WeftDevice *device;
  bool is_there;
  double radius;           /* by which boxes had grown [m] */
  double *begun, *reached; /* vertex_count x 3: boxes held the way from the one to the other [m] */
  int32_t *is_outside;     /* vertex_count */
  int32_t *outside;        /* those that are */
  int32_t *active;         /* triangle_count: has a vertex outside */
  WeftCandidates more;     /* pairs of these */
  WeftFeaturePairs joined;
  size_t capacity_is_kept, capacity_kept;
  int32_t *is_kept, *kept; /* scratch for pairs */
  WeftPrimitives primitives;
} WeftCover;

WeftResult weft_cover_create(WeftCover *cover, const WeftSurface *surface, WeftError *error);
void weft_cover_destroy(WeftCover *cover);

/* After a search for everything on the way from x0 to x1, with boxes grown by radius. */
void weft_cover_begin(WeftCover *cover, const WeftSurface *surface, const double *x0, const double *x1,
                      double radius);
/* How many vertices begin or end further than slack from where the search had them; -1 when the device
 * failed. */
int weft_cover_leave(WeftCover *cover, const WeftSurface *surface, const double *x0, const double *x1,
                     double slack);
/* From now on those vertices are thought to go from x0 to x1; active says which triangles have one. */
void weft_cover_extend(WeftCover *cover, const WeftSurface *surface, int outside_count, const double *x0,
                       const double *x1);
/* Candidates become those that have no vertex outside, and those of `more` that have one. */
WeftResult weft_cover_join(WeftCover *cover, WeftCandidates *candidates, WeftError *error);

#endif
