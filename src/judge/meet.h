/* Does an edge meet a triangle? Both are closed point sets: a common point is enough. Degenerate ones are the
 * point sets they are: a triangle whose corners lie on a line is a segment or a point. Exact. */
#ifndef WEFT_JUDGE_MEET_H
#define WEFT_JUDGE_MEET_H

#include <stdbool.h>
#include <weft/check.h>

typedef struct WeftMeeting {
  WeftHitKind kind;
  double begin,
      end; /* where along the edge, in [0, 1]; equal for a point. In doubles: for places and lengths */
} WeftMeeting;

/* True when the edge from p to q and the triangle have a common point. */
bool weft_edge_meets_triangle(const double *p, const double *q, const double *const corners[3],
                              WeftMeeting *meeting);

#endif
