/* Links of the response chain. A link gets all impacts that were found so far in this step, as a small
 * problem of its own: local vertex numbers, masses, where the vertices start and where they want to go; and
 * moves the ends. Afterwards continuous collision detection looks again next to what was moved, and what it
 * finds is added; so the link is called in rounds, until nothing is found or its budget is spent. respond.c
 * does that.
 *
 * A link is a pure function on arrays of the host: the problem is small (the vertices of impacts), whatever
 * device the step runs on. */
#ifndef WEFT_RESPOND_LINK_H
#define WEFT_RESPOND_LINK_H

#include "base/error.h"

#include <stdint.h>

typedef struct WeftImpacts {
  double h;  /* [s]: displacements are velocities times h */
  int round; /* of this link in this step, from 0 */
  int vertex_count;
  const double *x0;           /* vertex_count x 3: at the beginning of the step, free of intersections [m] */
  const double *inverse_mass; /* vertex_count [1/kg]; 0: an obstacle's or a held vertex, which no link before
                                 the last moves */
  const uint8_t *is_obstacle; /* vertex_count: never moved by any link */
  int impact_count;
  const int32_t *vertices; /* impact_count x 4: vertex and face, or edge and edge */
  const uint8_t *is_edges; /* impact_count */
  const double *time;      /* impact_count: when it was first found to touch, as a part of the step */
} WeftImpacts;

/* What a link's work in one round came to. */
typedef struct WeftLinkCounts {
  int64_t iterations; /* of whatever it iterates */
  int64_t limited;    /* vertices that did not get where they wanted */
} WeftLinkCounts;

typedef struct WeftLinkOps {
  const char *name, *citation, *summary;
  int budget; /* rounds, when the scene says nothing */
  /* Moves x1 (vertex_count x 3), the ends of the vertices: where they were after the last round, or, for a
   * link that starts_over, where they were before its first. Threads may be used; the outcome must not depend
   * on their number. */
  bool starts_over;
  WeftResult (*solve)(const WeftImpacts *impacts, double *x1, WeftLinkCounts *counts, WeftError *error);
  /* Velocities are what vertices wanted, less what approaches; otherwise the displacement over h. */
  bool keeps_velocity;
} WeftLinkOps;

extern const WeftLinkOps weft_link_impulse;
extern const WeftLinkOps weft_link_zone_linear;
extern const WeftLinkOps weft_link_zone_nonlinear;
extern const WeftLinkOps weft_link_zone_rigid;
extern const WeftLinkOps weft_link_truncate;

#endif
