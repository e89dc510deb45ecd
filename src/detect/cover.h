/* Candidates that serve several queries of one step. Every query starts at the same x0, and most vertices end
 * about where the last one had them, which the search allowed for: boxes and distances had grown. Only the
 * pairs of vertices that end outside of that are searched for again, and take the place of those found
 * before. Rejected: anywhere in the box of a vertex' way is inside. Then pairs could only be told apart by
 * boxes. */
#ifndef WEFT_DETECT_COVER_H
#define WEFT_DETECT_COVER_H

#include "detect/candidates.h"

typedef struct WeftCover {
  WeftDevice *device;
  bool is_there;
  double radius;       /* by which boxes had grown [m] */
  double *reached;     /* vertex_count x 3: boxes held the way from x0 to here [m] */
  int32_t *is_outside; /* vertex_count */
  int32_t *outside;    /* those that are */
  int32_t *active;     /* triangle_count: has a vertex outside */
  WeftCandidates more; /* pairs of these */
  WeftFeaturePairs joined;
  size_t capacity_is_kept, capacity_kept;
  int32_t *is_kept, *kept; /* scratch for pairs */
  WeftPrimitives primitives;
} WeftCover;

WeftResult weft_cover_create(WeftCover *cover, const WeftSurface *surface, WeftError *error);
void weft_cover_destroy(WeftCover *cover);

/* After a search for everything on the way from x0 to x1, with boxes grown by radius. */
void weft_cover_begin(WeftCover *cover, const WeftSurface *surface, const double *x1, double radius);
/* How many vertices end outside at x1, when boxes have to be grown by this; -1 when the device failed. */
int weft_cover_leave(WeftCover *cover, const WeftSurface *surface, const double *x1, double radius);
/* From now on those vertices are thought to go to x1; active says which triangles have one. */
void weft_cover_extend(WeftCover *cover, const WeftSurface *surface, int outside_count, const double *x1);
/* Candidates become those that have no vertex outside, and those of `more` that have one. */
WeftResult weft_cover_join(WeftCover *cover, WeftCandidates *candidates, WeftError *error);

#endif
