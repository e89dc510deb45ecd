/* Continuous collision: when do vertex and face, or two edges, first come within a gap of each other, while
 * their vertices move along straight lines over t in [0, 1]?
 *
 * The pair is walked through time. At t the closest points give a direction n; along a fixed direction all is
 * linear in t, so how long n keeps the two apart is one division a vertex. How long the four vertices stay
 * out of one plane is read from the Bernstein coefficients of a cubic. The later of both is the next t. Every
 * comparison has a margin above all rounding errors before it, so [0, t) is free of contact at any moment,
 * whatever n was: a contact cannot be missed, nor be found late. The walk ends where it makes no headway,
 * which is at a contact, or closer to one than CCD_NEAR, or after CCD_MOST_STEPS.
 * Proofs of the margins: docs/detection-narrow.md.
 */
#ifndef WEFT_DETECT_CCD_KERNEL_H
#define WEFT_DETECT_CCD_KERNEL_H

#include "detect/distance.kernel.h"

/* The answer when there is no contact in [0, 1]. */
#define CCD_NONE 2.0
#define CCD_MOST_STEPS 128
/* A pair that takes more is worth more work a step. */
#define CCD_STEPS_BEFORE_TURNING 4
/* One rounding, 2^-53 [Higham02 sec. 2.1]. */
#define CCD_U 1.1102230246251565e-16
/* Closer than the gap and this part of the pair's size is a contact: 2^-45. */
#define CCD_NEAR 2.842170943040401e-14
/* More than all that underflow can do to a sum of products. */
#define CCD_TINY 1e-290

/* What showed that there is no contact. */
#define CCD_BY_BOXES 0
#define CCD_BY_PLANE 1
#define CCD_BY_DIRECTION 2
#define CCD_BY_TURNING 3

typedef struct CcdAnswer {
  REAL time; /* in [0, 1], or CCD_NONE */
  int steps; /* of the walk, CCD_MOST_STEPS if it was given up; 0: their boxes never meet */
  int by;    /* when the time is CCD_NONE */
} CcdAnswer;

/* Three difference vectors at both ends of the time interval say all about the pair. Vertex and face: to the
 * vertex, and along two edges, from the face's first vertex. Edges: from the second's first vertex to the
 * first's, and along both. */
typedef struct CcdPair {
  Vec3 r0, r1, u0, u1, v0, v1;
  Vec3 r_most, u_most, v_most; /* largest magnitude of each coordinate */
  REAL size, gap;
  REAL flatness; /* bound of the rounding error of a coefficient of the cubic */
  int is_edges;
} CcdPair;

INLINE REAL ccd_max(REAL a, REAL b) { return a > b ? a : b; }
INLINE REAL ccd_min(REAL a, REAL b) { return a < b ? a : b; }
INLINE Vec3 ccd_most(Vec3 a, Vec3 b) {
  return vec3(ccd_max(fabs(a.x), fabs(b.x)), ccd_max(fabs(a.y), fabs(b.y)), ccd_max(fabs(a.z), fabs(b.z)));
}
INLINE Vec3 ccd_abs(Vec3 a) { return vec3(fabs(a.x), fabs(a.y), fabs(a.z)); }
INLINE Vec3 ccd_at(Vec3 a, Vec3 b, REAL t) {
  REAL s = 1 - t;
  return vec3(s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z);
}

/* Bound of the rounding error of a triple product of vectors whose coordinates are at most these, and are
 * themselves rounded up to six times. */
INLINE REAL ccd_product_error(Vec3 a, Vec3 b, Vec3 c) {
  return 24 * CCD_U *
         (a.x * (b.y * c.z + b.z * c.y) + a.y * (b.z * c.x + b.x * c.z) + a.z * (b.x * c.y + b.y * c.x));
}

/* After going on by the part s of [t, end], rounded down by more than what was rounded up. */
INLINE REAL ccd_later(REAL t, REAL s, REAL end) {
  return (t + (end - t) * (s * (1 - 8 * CCD_U))) * (1 - 4 * CCD_U);
}

/* Which part of the way from a > floor to b stays above the floor; CCD_ALL if all of it. */
#define CCD_ALL 4.0
INLINE REAL ccd_fall(REAL a, REAL b, REAL floor) { return b > floor ? CCD_ALL : (a - floor) / (a - b); }

/* The three vectors of the pair at a time. */
typedef struct CcdFrame {
  Vec3 r, u, v;
} CcdFrame;

INLINE CcdFrame ccd_frame(const CcdPair *pair, REAL t) {
  CcdFrame f;
  f.r = ccd_at(pair->r0, pair->r1, t);
  f.u = ccd_at(pair->u0, pair->u1, t);
  f.v = ccd_at(pair->v0, pair->v1, t);
  return f;
}

/* The lowest of all differences between a vertex of the first feature and one of the second along a
 * direction, from r, u and v along it. */
INLINE REAL ccd_lowest(int is_edges, REAL r, REAL u, REAL v) {
  return is_edges ? r + ccd_min(0, u) - ccd_max(0, v) : r - ccd_max(0, ccd_max(u, v));
}

/* At least the gap times the length of the longest n, from its square, which may have underflowed. */
INLINE REAL ccd_reach(REAL gap, REAL nn) { return gap * (sqrt(nn + CCD_TINY) * (1 + 8 * CCD_U)); }
INLINE REAL ccd_sum(Vec3 a) { return a.x + a.y + a.z; }

/* How far n keeps the pair apart, as part of [t, 1]: more than 1 if all the way, 0 if not at all. */
INLINE REAL ccd_along(const CcdPair *pair, Vec3 n, const CcdFrame *f) {
  Vec3 most = v3_add(pair->r_most, v3_add(pair->u_most, pair->v_most)), size = ccd_abs(n);
  REAL floor =
      10 * CCD_U * v3_dot(size, most) + CCD_TINY * (1 + ccd_sum(size)) + ccd_reach(pair->gap, v3_dot(n, n));
  REAL r0 = v3_dot(n, f->r), u0 = v3_dot(n, f->u), v0 = v3_dot(n, f->v);
  REAL r1 = v3_dot(n, pair->r1), u1 = v3_dot(n, pair->u1), v1 = v3_dot(n, pair->v1);
  if (!(ccd_lowest(pair->is_edges, r0, u0, v0) > floor)) return 0;
  if (pair->is_edges) { /* r, r + u, r - v, r + u - v */
    return ccd_min(ccd_min(ccd_fall(r0, r1, floor), ccd_fall(r0 + u0, r1 + u1, floor)),
                   ccd_min(ccd_fall(r0 - v0, r1 - v1, floor), ccd_fall(r0 + u0 - v0, r1 + u1 - v1, floor)));
  }
  return ccd_min(ccd_fall(r0, r1, floor),
                 ccd_min(ccd_fall(r0 - u0, r1 - u1, floor), ccd_fall(r0 - v0, r1 - v1, floor)));
}

/* Lower bound of where the cubic with these Bernstein coefficients first falls to the floor: where the hull
 * of its control points does. */
INLINE REAL ccd_clip(REAL c0, REAL c1, REAL c2, REAL c3, REAL floor) {
  if (!(c0 > floor)) return 0;
  REAL s =
      ccd_min(ccd_fall(c0, c1, floor), ccd_min(2 * ccd_fall(c0, c2, floor), 3 * ccd_fall(c0, c3, floor)));
  if (c1 > floor) s = ccd_min(s, 1 + ccd_min(ccd_fall(c1, c2, floor), 2 * ccd_fall(c1, c3, floor)));
  if (c2 > floor) s = ccd_min(s, 2 + ccd_fall(c2, c3, floor));
  return s / 3;
}

/* How long from one time to another the four vertices stay out of one plane, or the plane and the vertex, the
 * two lines, further apart than the gap: as ccd_along. The volume r.(u x v) as a cubic; over the gap when it
 * is more than the gap times |u x v|, which is at most the largest of its three Bernstein coefficients. */
INLINE REAL ccd_out_of_plane(const CcdPair *pair, const CcdFrame *from, const CcdFrame *to) {
  Vec3 n0 = v3_cross(from->u, from->v), n2 = v3_cross(to->u, to->v);
  Vec3 n1 = v3_add(v3_cross(from->u, to->v), v3_cross(to->u, from->v));
  REAL c0 = v3_dot(from->r, n0), c1 = (v3_dot(to->r, n0) + v3_dot(from->r, n1)) / 3;
  REAL c2 = (v3_dot(to->r, n1) + v3_dot(from->r, n2)) / 3, c3 = v3_dot(to->r, n2);
  REAL floor = pair->flatness;
  if (pair->gap > 0) {
    REAL nn = ccd_max(v3_dot(n0, n0), ccd_max(v3_dot(n1, n1) / 4, v3_dot(n2, n2)));
    floor += ccd_reach(pair->gap, nn);
  }
  return c0 > 0 ? ccd_clip(c0, c1, c2, c3, floor) : ccd_clip(-c0, -c1, -c2, -c3, floor);
}

/* n without its part along e. */
INLINE Vec3 ccd_across(Vec3 n, Vec3 e) {
  REAL ee = v3_dot(e, e);
  return ee > 0 ? v3_axpy(n, -v3_dot(n, e) / ee, e) : n;
}

/* u x v, so exactly across both that, at a small distance, rounding in it does not let one end of a feature
 * reach the other: corrected once. Towards r. */
INLINE Vec3 ccd_normal(Vec3 u, Vec3 v, Vec3 r) {
  Vec3 n = v3_cross(u, v);
  REAL nn = v3_dot(n, n);
  if (!(nn > 0)) return n;
  n = v3_axpy(n, -v3_dot(n, u) / nn, v3_cross(v, n));
  n = v3_axpy(n, -v3_dot(n, v) / nn, v3_cross(n, u));
  return v3_dot(n, r) < 0 ? v3_scale(-1, n) : n;
}

/* What the closest points lie inside of: no edge, edge u, edge v, edge from u to v of a face, or the face or
 * both edges. */
#define CCD_ON_VERTICES 0
#define CCD_ON_U 1
#define CCD_ON_V 2
#define CCD_ON_OPPOSITE 3
#define CCD_ON_BOTH 4
INLINE int ccd_closest_on(const CcdPair *pair, const Closest *at) {
  if (pair->is_edges) {
    return (at->weight[0] > 0 && at->weight[1] > 0 ? CCD_ON_U : 0) +
           (at->weight[2] < 0 && at->weight[3] < 0 ? CCD_ON_V : 0) +
           (at->weight[0] > 0 && at->weight[1] > 0 && at->weight[2] < 0 && at->weight[3] < 0);
  }
  int on1 = at->weight[1] < 0, on2 = at->weight[2] < 0, on3 = at->weight[3] < 0;
  if (on1 + on2 + on3 != 2) return on1 + on2 + on3 == 3 ? CCD_ON_BOTH : CCD_ON_VERTICES;
  return on1 && on2 ? CCD_ON_U : on1 ? CCD_ON_V : CCD_ON_OPPOSITE;
}

INLINE Vec3 ccd_edge(int on, Vec3 u, Vec3 v) {
  return on == CCD_ON_U ? u : on == CCD_ON_V ? v : v3_sub(v, u);
}

/* The direction that keeps the pair apart at this moment: across what the closest points lie inside of. The
 * gap itself is not across it exactly enough when it is short. */
INLINE Vec3 ccd_direction(int on, const Closest *at, const CcdFrame *f) {
  if (on == CCD_ON_VERTICES) return at->gap;
  if (on != CCD_ON_BOTH) return ccd_across(at->gap, ccd_edge(on, f->u, f->v));
  Vec3 n = ccd_normal(f->u, f->v, f->r);
  return v3_dot(n, n) > 0 ? n : ccd_across(at->gap, f->u); /* parallel edges */
}

/* As ccd_along, with a direction that turns with the edge: side x edge, side fixed. For a vertex beside an
 * edge that turns about a point near it, within a plane that the face or other edge lies in, where the cubic
 * is zero. What is linear in t there is of degree 2 here. */
INLINE REAL ccd_turning(const CcdPair *pair, int on, Vec3 gap, const CcdFrame *from, const CcdFrame *to) {
  Vec3 e0 = ccd_edge(on, from->u, from->v), e1 = ccd_edge(on, to->u, to->v);
  Vec3 side = v3_cross(e0, gap);
  Vec3 n0 = v3_cross(side, e0), n1 = v3_cross(side, e1);
  Vec3 edge_most = v3_add(pair->u_most, pair->v_most);
  REAL floor = ccd_product_error(ccd_abs(side), edge_most, v3_add(pair->r_most, edge_most)) +
               CCD_TINY * (1 + pair->size) * (1 + ccd_sum(ccd_abs(side)));
  if (pair->gap > 0) floor += ccd_reach(pair->gap, ccd_max(v3_dot(n0, n0), v3_dot(n1, n1)));
  REAL c0 = ccd_lowest(pair->is_edges, v3_dot(n0, from->r), v3_dot(n0, from->u), v3_dot(n0, from->v));
  REAL c1 = ccd_lowest(pair->is_edges, v3_dot(n0, to->r) + v3_dot(n1, from->r),
                       v3_dot(n0, to->u) + v3_dot(n1, from->u), v3_dot(n0, to->v) + v3_dot(n1, from->v)) /
            2;
  REAL c2 = ccd_lowest(pair->is_edges, v3_dot(n1, to->r), v3_dot(n1, to->u), v3_dot(n1, to->v));
  if (!(c0 > floor)) return 0;
  REAL s = ccd_min(ccd_fall(c0, c1, floor), 2 * ccd_fall(c0, c2, floor));
  if (c1 > floor) s = ccd_min(s, 1 + ccd_fall(c1, c2, floor));
  return s / 2;
}

INLINE CcdAnswer ccd_none(int steps, int by) {
  CcdAnswer none;
  none.time = CCD_NONE;
  none.steps = steps;
  none.by = by;
  return none;
}

INLINE CcdAnswer ccd_walk(const CcdPair *pair) {
  CcdAnswer answer = ccd_none(1, CCD_BY_BOXES);
  REAL near = pair->gap + CCD_NEAR * pair->size;
  REAL end = 1; /* how far ahead polynomials are looked at: close to a root, not far */
  for (answer.time = 0; answer.steps < CCD_MOST_STEPS; answer.steps++) {
    REAL t = answer.time;
    CcdFrame from = ccd_frame(pair, t), to = ccd_frame(pair, end);
    REAL part = ccd_out_of_plane(pair, &from, &to);
    if (part > 1 && end == 1) return ccd_none(answer.steps, CCD_BY_PLANE);
    Closest at = pair->is_edges ? closest_edge_edge_from(from.r, from.u, from.v)
                                : closest_vertex_face_from(from.r, from.u, from.v);
    int on = ccd_closest_on(pair, &at);
    REAL along = ccd_along(pair, ccd_direction(on, &at, &from), &from);
    if (along > 1) return ccd_none(answer.steps, CCD_BY_DIRECTION);
    if (answer.steps > CCD_STEPS_BEFORE_TURNING && on != CCD_ON_VERTICES && on != CCD_ON_BOTH)
      part = ccd_max(part, ccd_turning(pair, on, at.gap, &from, &to));
    if (part > 1 && end == 1) return ccd_none(answer.steps, CCD_BY_TURNING);
    REAL later = ccd_max(part > 1 ? end : ccd_later(t, part, end), ccd_later(t, along, 1));
    if (!(later > t) || at.squared <= near * near) return answer;
    answer.time = later;
    end = ccd_min(1, later + 4 * (later - t));
  }
  return answer;
}

INLINE CcdPair ccd_pair(Vec3 r0, Vec3 r1, Vec3 u0, Vec3 u1, Vec3 v0, Vec3 v1, REAL gap, int is_edges) {
  CcdPair p;
  p.r0 = r0;
  p.r1 = r1;
  p.u0 = u0;
  p.u1 = u1;
  p.v0 = v0;
  p.v1 = v1;
  p.gap = gap;
  p.is_edges = is_edges;
  Vec3 a = p.r_most = ccd_most(r0, r1), b = p.u_most = ccd_most(u0, u1), c = p.v_most = ccd_most(v0, v1);
  p.size =
      ccd_max(a.x, ccd_max(a.y, a.z)) + ccd_max(b.x, ccd_max(b.y, b.z)) + ccd_max(c.x, ccd_max(c.y, c.z));
  p.flatness = ccd_product_error(a, b, c) + CCD_TINY * (1 + p.size) * (1 + p.size);
  return p;
}

/* The box of the vertices from first to last over all of [0, 1]. */
INLINE void ccd_box(const Vec3 *x0, const Vec3 *x1, int first, int last, Vec3 *low, Vec3 *high) {
  Vec3 l = x0[first], h = x0[first];
  for (int i = first; i <= last; i++) {
    l = vec3(ccd_min(l.x, ccd_min(x0[i].x, x1[i].x)), ccd_min(l.y, ccd_min(x0[i].y, x1[i].y)),
             ccd_min(l.z, ccd_min(x0[i].z, x1[i].z)));
    h = vec3(ccd_max(h.x, ccd_max(x0[i].x, x1[i].x)), ccd_max(h.y, ccd_max(x0[i].y, x1[i].y)),
             ccd_max(h.z, ccd_max(x0[i].z, x1[i].z)));
  }
  *low = l;
  *high = h;
}

/* The first feature has so many vertices. A difference of two numbers is rounded by CCD_U of itself. */
INLINE int ccd_is_apart(const Vec3 *x0, const Vec3 *x1, int count, REAL gap) {
  Vec3 low1, high1, low2, high2;
  REAL reach = gap * (1 + 4 * CCD_U);
  ccd_box(x0, x1, 0, count - 1, &low1, &high1);
  ccd_box(x0, x1, count, 3, &low2, &high2);
  return low1.x - high2.x > reach || low2.x - high1.x > reach || low1.y - high2.y > reach ||
         low2.y - high1.y > reach || low1.z - high2.z > reach || low2.z - high1.z > reach;
}

/* Vertex 0 and face 1 2 3 from x0 to x1: the first time in [0, 1] at which they are no further apart than
 * gap >= 0 [m], or a little before; or CCD_NONE. */
INLINE CcdAnswer ccd_vertex_face(const Vec3 *x0, const Vec3 *x1, REAL gap) {
  if (ccd_is_apart(x0, x1, 1, gap)) return ccd_none(0, CCD_BY_BOXES);
  CcdPair pair = ccd_pair(v3_sub(x0[0], x0[1]), v3_sub(x1[0], x1[1]), v3_sub(x0[2], x0[1]),
                          v3_sub(x1[2], x1[1]), v3_sub(x0[3], x0[1]), v3_sub(x1[3], x1[1]), gap, 0);
  return ccd_walk(&pair);
}

/* Edges 0 1 and 2 3. */
INLINE CcdAnswer ccd_edge_edge(const Vec3 *x0, const Vec3 *x1, REAL gap) {
  if (ccd_is_apart(x0, x1, 2, gap)) return ccd_none(0, CCD_BY_BOXES);
  CcdPair pair = ccd_pair(v3_sub(x0[0], x0[2]), v3_sub(x1[0], x1[2]), v3_sub(x0[1], x0[0]),
                          v3_sub(x1[1], x1[0]), v3_sub(x0[3], x0[2]), v3_sub(x1[3], x1[2]), gap, 1);
  return ccd_walk(&pair);
}

#endif
