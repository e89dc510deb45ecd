/* Closest points of vertex and face, and of two edges: every degenerate case included.
 *
 * Points are numbered as pairs store them: vertex 0 and face 1 2 3, or edges 0 1 and 2 3. Everything is done
 * on differences of coordinates, whose rounding error is relative to themselves, so that the distance from
 * the origin does not matter. docs/detection-narrow.md has the bounds of the errors and the reasons.
 */
#ifndef WEFT_DETECT_DISTANCE_KERNEL_H
#define WEFT_DETECT_DISTANCE_KERNEL_H

#include "device/kernel.h"

/* Closest points as weights: gap = sum of weight[i] x[i], from the second feature to the first. The first
 * feature's weights are >= 0 and sum to 1, the second's are <= 0 and sum to -1. */
typedef struct Closest {
  REAL weight[4];
  Vec3 gap;     /* [m]; more accurate than the sum over the weights when far from the origin */
  REAL squared; /* |gap|^2 */
} Closest;

/* Also turns what is not a number into 0. */
INLINE REAL clamp01(REAL s) { return s > 0 ? (s < 1 ? s : 1) : 0; }

/* Where on the edge from 0 to e the point g is closest to; 0 for an edge without length. */
INLINE REAL closest_on_edge(Vec3 g, Vec3 e) {
  REAL length2 = v3_dot(e, e);
  return length2 > 0 ? clamp01(v3_dot(g, e) / length2) : 0;
}

/* The vertex at r over the edge from b to c, whose weights go to wb and wc; kept if closer than the best. */
INLINE void closest_try_edge(Vec3 r, Vec3 b, Vec3 c, int wb, int wc, Closest *best) {
  Vec3 g = v3_sub(r, b), e = v3_sub(c, b);
  REAL s = closest_on_edge(g, e);
  Vec3 gap = v3_axpy(g, -s, e);
  REAL squared = v3_dot(gap, gap);
  if (!(squared < best->squared)) return;
  best->gap = gap;
  best->squared = squared;
  best->weight[1] = best->weight[2] = best->weight[3] = 0;
  best->weight[wb] = s - 1;
  best->weight[wc] = -s;
}

/* The vertex at r over the inside of the face 0, e1, e2. In a sliver of angle a the coordinates b, c are
 * wrong by rounding / a: there they are corrected, from the gap that they leave, until only rounding is left.
 */
INLINE void closest_try_inside(Vec3 r, Vec3 e1, Vec3 e2, Closest *best) {
  Vec3 n = v3_cross(e1, e2), gap = r;
  REAL nn = v3_dot(n, n), b = 0, c = 0;
  if (!(nn > 0)) return;
  REAL most = v3_dot(e1, e1) * v3_dot(e2, e2); /* nn = most sin^2 of the angle */
  int passes = nn > 0.0625 * most ? 1 : nn > 1e-6 * most ? 2 : 8;
  for (int i = 0; i < passes; i++) {
    b += v3_dot(n, v3_cross(gap, e2)) / nn;
    c += v3_dot(n, v3_cross(e1, gap)) / nn;
    gap = v3_axpy(v3_axpy(r, -b, e1), -c, e2);
  }
  REAL a = 1 - b - c, squared = v3_dot(gap, gap);
  if (!(a >= 0 && b >= 0 && c >= 0 && squared <= best->squared)) return;
  best->gap = gap;
  best->squared = squared;
  best->weight[1] = -a;
  best->weight[2] = -b;
  best->weight[3] = -c;
}

/* Seen from face vertex 1: r is where vertex 0 is, e1 and e2 where the face's vertices 2 and 3 are. */
INLINE Closest closest_vertex_face_from(Vec3 r, Vec3 e1, Vec3 e2) {
  Closest best;
  best.weight[0] = 1;
  best.weight[1] = -1;
  best.weight[2] = best.weight[3] = 0;
  best.gap = r;
  best.squared = v3_dot(r, r);
  closest_try_edge(r, vec3(0, 0, 0), e1, 1, 2, &best);
  closest_try_edge(r, vec3(0, 0, 0), e2, 1, 3, &best);
  closest_try_edge(r, e1, e2, 2, 3, &best);
  closest_try_inside(r, e1, e2, &best);
  return best;
}

/* r from the second edge's first vertex to the first edge's; d1 and d2 along the edges.
 * First where the lines are closest, then clamped to one edge and the other [Ericson05 sec. 5.1.9]. Lines: by
 * cross products, because s from dot products is wrong by rounding / angle^2 when edges are almost parallel,
 * and so moves the gap by rounding / angle; from cross products it moves it by rounding alone. */
INLINE Closest closest_edge_edge_from(Vec3 r, Vec3 d1, Vec3 d2) {
  Vec3 n = v3_cross(d1, d2);
  REAL nn = v3_dot(n, n);
  REAL s = nn > 0 ? clamp01(v3_dot(n, v3_cross(d2, r)) / nn) : 0;
  Vec3 from_first = v3_axpy(r, s, d1);
  REAL t = closest_on_edge(from_first, d2);
  if (t <= 0 || t >= 1 || !(nn > 0)) s = closest_on_edge(v3_axpy(v3_scale(-1, r), t, d2), d1);
  Closest best;
  best.weight[0] = 1 - s;
  best.weight[1] = s;
  best.weight[2] = t - 1;
  best.weight[3] = -t;
  best.gap = v3_axpy(v3_axpy(r, s, d1), -t, d2);
  best.squared = v3_dot(best.gap, best.gap);
  return best;
}

INLINE Closest closest_vertex_face(const Vec3 *x) {
  return closest_vertex_face_from(v3_sub(x[0], x[1]), v3_sub(x[2], x[1]), v3_sub(x[3], x[1]));
}

INLINE Closest closest_edge_edge(const Vec3 *x) {
  return closest_edge_edge_from(v3_sub(x[0], x[2]), v3_sub(x[1], x[0]), v3_sub(x[3], x[2]));
}

#endif
