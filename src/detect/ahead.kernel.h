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

/* Sine of the angle by which a direction may lean into a face that it leaves. */
#define AHEAD_LEAN 1e-3

/* May something in the direction n (of length 1) be closest to the inside of an edge? Not if n leans over one
 * of the faces there: then that face is closer. Edges within a flat or hollow floor are never met; they would
 * brake what slides over them. */
INLINE int ahead_is_on_edge(int edge, GLOBAL const int *ends, GLOBAL const int *opposite,
                            GLOBAL const REAL *x, Vec3 n) {
  Vec3 a = load3(x, ends[0]), e = v3_sub(load3(x, ends[1]), a);
  REAL square = v3_dot(e, e);
  for (int k = 0; k < 2; k++) {
    int corner = opposite[2 * edge + k];
    if (corner < 0) continue;
    Vec3 into = v3_sub(load3(x, corner), a);
    into = v3_axpy(into, -v3_dot(into, e) / square, e);
    if (v3_dot(n, into) > AHEAD_LEAN * v3_length(into)) return 0;
  }
  return 1;
}

/* The same for a vertex and the edges at it. */
INLINE int ahead_is_on_vertex(int vertex, GLOBAL const int *around_start, GLOBAL const int *around,
                              GLOBAL const REAL *x, Vec3 n) {
  Vec3 a = load3(x, vertex);
  for (int i = around_start[vertex]; i < around_start[vertex + 1]; i++) {
    Vec3 along = v3_sub(load3(x, around[i]), a);
    if (v3_dot(n, along) > AHEAD_LEAN * v3_length(along)) return 0;
  }
  return 1;
}

/* Is a pair met where its features stick out, as far as they are an obstacle's? */
INLINE int ahead_is_met(const Vec3 *x0, const Vec3 *x1, int is_edges, Ahead ahead, GLOBAL const int *features,
                        GLOBAL const int *pair, GLOBAL const REAL *x, GLOBAL const int *is_fixed,
                        GLOBAL const int *opposite, GLOBAL const int *around_start,
                        GLOBAL const int *around) {
  int is_first = is_fixed[pair[0]], is_second = is_edges && is_fixed[pair[2]];
  if (!is_first && !is_second) return 1;
  REAL gap = 0;
  Vec3 at[4];
  for (int k = 0; k < 4; k++) at[k] = ccd_at(x0[k], x1[k], ahead.when);
  Vec3 n = ahead_up(at, is_edges);
  for (int k = 0; k < 4; k++) gap += ahead.at.weight[k] * v3_dot(n, v3_sub(x0[k], x0[0]));
  n = v3_scale((gap < 0 ? 1 : -1) / v3_length(n), n); /* from the first feature to the second */
  if (is_first && !(is_edges ? ahead_is_on_edge(features[0], pair, opposite, x, n)
                             : ahead_is_on_vertex(features[0], around_start, around, x, n)))
    return 0;
  return !is_second || ahead_is_on_edge(features[1], pair + 2, opposite, x, v3_scale(-1, n));
}

#endif
