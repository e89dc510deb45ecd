/* What a step has to expect: pairs that are close already and face each other, and pairs that will meet on
 * the way that is predicted. */
#ifndef WEFT_DETECT_AHEAD_KERNEL_H
#define WEFT_DETECT_AHEAD_KERNEL_H

#include "detect/ccd.kernel.h"

/* Square of the sine of the angle by which an upright line may lean. */
#define AHEAD_TILT 1e-4
/* Edges that meet nearer to an end than this part of their length meet at a vertex. */
#define AHEAD_END 1e-3

/* The face's normal, or what stands on both edges; not of length 1. None for edges that run alongside each
 * other: vertices and faces speak for them. */
INLINE Vec3 ahead_up(const Vec3 *x, int is_edges) {
  Vec3 e = v3_sub(x[is_edges ? 1 : 2], x[is_edges ? 0 : 1]), f = v3_sub(x[3], x[is_edges ? 2 : 1]);
  Vec3 up = v3_cross(e, f);
  if (is_edges && v3_dot(up, up) < AHEAD_TILT * v3_dot(e, e) * v3_dot(f, f)) return vec3(0, 0, 0);
  return up;
}

/* Does the line between the closest points stand upright: on the face, or on both edges? Where it does not, a
 * closest point is on a face's border or an edge's end, and a neighbour of theirs is nearer to what is met:
 * over a flat floor of two triangles the one that a vertex is not above would push it sideways. */
INLINE int ahead_is_upright(const Vec3 *x, int is_edges, Closest at) {
  Vec3 up = ahead_up(x, is_edges);
  REAL length = v3_dot(up, up), along = v3_dot(at.gap, up);
  return length > 0 && at.squared > 0 && along * along >= (1 - AHEAD_TILT) * length * at.squared;
}

INLINE Closest ahead_closest(const Vec3 *x, int is_edges) {
  return is_edges ? closest_edge_edge(x) : closest_vertex_face(x);
}

/* Closest points at a part of the way. */
typedef struct Ahead {
  REAL when; /* CCD_NONE: not to be used */
  Closest at;
} Ahead;

INLINE int ahead_is_inside(REAL w) { return w > AHEAD_END && w < 1 - AHEAD_END; }

/* Of a pair that meets at the time. Edges that meet at an end are left out: vertices and faces speak for
 * them, and at a vertex with many edges there would be too many to speak. */
INLINE Ahead ahead_meeting(const Vec3 *x0, const Vec3 *x1, int is_edges, REAL time) {
  Ahead ahead;
  Vec3 x[4];
  for (int k = 0; k < 4; k++) x[k] = ccd_at(x0[k], x1[k], time);
  ahead.when = time;
  ahead.at = ahead_closest(x, is_edges);
  Vec3 up = ahead_up(x, is_edges);
  int is_end = is_edges && !(ahead_is_inside(ahead.at.weight[0]) && ahead_is_inside(-ahead.at.weight[2]));
  if (is_end || !(v3_dot(up, up) > 0)) ahead.when = CCD_NONE;
  return ahead;
}

/* when: the part of the way from x0 to x1 at which the weights are those of the closest points: 0 for pairs
 * that are close now; CCD_NONE for pairs that are not, and will not meet. */
KERNEL narrow_ahead(int pair_count, int is_edges, GLOBAL const int *pair, GLOBAL const REAL *x0,
                    GLOBAL const REAL *x1, REAL distance, GLOBAL REAL *when, GLOBAL REAL *weight) {
  FOR_ITEMS (i, pair_count) {
    Vec3 at0[4], at1[4];
    for (int k = 0; k < 4; k++) {
      at0[k] = load3(x0, pair[4 * i + k]);
      at1[k] = load3(x1, pair[4 * i + k]);
    }
    Ahead ahead;
    ahead.when = 0;
    ahead.at = ahead_closest(at0, is_edges);
    if (ahead.at.squared > distance * distance || !ahead_is_upright(at0, is_edges, ahead.at)) {
      REAL time = (is_edges ? ccd_edge_edge(at0, at1, 0) : ccd_vertex_face(at0, at1, 0)).time;
      ahead.when = time;
      if (time <= 1) ahead = ahead_meeting(at0, at1, is_edges, time);
    }
    when[i] = ahead.when;
    for (int k = 0; k < 4; k++) weight[4 * i + k] = ahead.at.weight[k];
  }
}

#endif
