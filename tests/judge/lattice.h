/* Slow, obvious twins of the judge, exact on whole numbers.
 *
 * Two convex sets are disjoint exactly when they lie strictly apart along a normal of a face of their
 * difference. For a segment and a triangle, each possibly degenerate, that is one of: a direction of a side;
 * a product of two; a product of such a product with a direction (in-plane normals); and, where both are on
 * parallel lines or points, the step from one to the other and its part across a direction. More directions
 * than needed do no harm: one that parts the sets is a proof by itself. */
#ifndef WEFT_TESTS_LATTICE_H
#define WEFT_TESTS_LATTICE_H

#include "check.h"
#include "judge/meet.h"

__extension__ typedef __int128 Whole;

enum { MOST_DIRECTIONS = 64 };

typedef struct Point {
  Whole x[3];
} Point;

static inline Point step(Point a, Point b) {
  return (Point){{b.x[0] - a.x[0], b.x[1] - a.x[1], b.x[2] - a.x[2]}};
}

static inline Point cross(Point a, Point b) {
  return (Point){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                  a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static inline Whole dot(Point a, Point b) { return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2]; }

static inline bool is_zero(Point a) { return a.x[0] == 0 && a.x[1] == 0 && a.x[2] == 0; }

/* points: p, q, a, b, c */
static inline bool parts_sets(const Point points[5], Point direction) {
  Whole low[2], high[2];
  for (int i = 0; i < 5; i++) {
    int set = i >= 2;
    Whole at = dot(step(points[0], points[i]), direction);
    if (i == 0 || i == 2 || at < low[set]) low[set] = at;
    if (i == 0 || i == 2 || at > high[set]) high[set] = at;
  }
  return high[0] < low[1] || high[1] < low[0];
}

static inline bool twin_meets(const Point points[5]) {
  Point directions[MOST_DIRECTIONS];
  int count = 0;
  Point sides[5] = {step(points[0], points[1]), step(points[2], points[3]), step(points[3], points[4]),
                    step(points[4], points[2]), step(points[0], points[2])}; /* the last: between the sets */
  for (int i = 0; i < 5; i++) directions[count++] = sides[i];
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < i; j++) directions[count++] = cross(sides[i], sides[j]);
  for (int i = 5, end = count; i < end; i++)
    for (int j = 0; j < 4; j++) directions[count++] = cross(directions[i], sides[j]);
  for (int i = 0; i < count; i++)
    if (parts_sets(points, directions[i])) return false;
  return true;
}

static inline int sign_of(Whole a) { return (a > 0) - (a < 0); }

static inline int volume_sign(Point a, Point b, Point c, Point d) {
  return sign_of(dot(step(d, a), cross(step(d, b), step(d, c))));
}

/* By the words of weft/check.h, for sets that meet. */
static inline WeftHitKind twin_kind(const Point points[5]) {
  Point p = points[0], q = points[1], a = points[2], b = points[3], c = points[4];
  if (is_zero(cross(step(a, b), step(a, c)))) return WEFT_HIT_TOUCHING;
  int at_p = volume_sign(a, b, c, p), at_q = volume_sign(a, b, c, q);
  if (at_p == 0 && at_q == 0) return WEFT_HIT_COPLANAR;
  bool is_inside = volume_sign(p, q, a, b) && volume_sign(p, q, b, c) && volume_sign(p, q, c, a);
  return at_p && at_q && is_inside ? WEFT_HIT_CROSSING : WEFT_HIT_TOUCHING;
}

/* Whole numbers below 2^53 times scale, a power of two: the doubles are exact. */
static inline void to_doubles(const Point points[], int count, double scale, double (*doubles)[3]) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) doubles[i][k] = (double)points[i].x[k] * scale;
}

static inline Whole random_whole(uint64_t *seed, int low, int high) {
  return low + (Whole)(random_unit(seed) * (double)(high - low + 1));
}

#endif
