#include "judge/meet.h"

#include "judge/predicates.h"

#include <math.h>

/* Looking along axis k the coordinates left are k + 1 and k + 2. */
static int first_left(int axis) { return (axis + 1) % 3; }
static int second_left(int axis) { return (axis + 2) % 3; }

static bool boxes_meet(const double *p, const double *q, const double *a, const double *b) {
  for (int k = 0; k < 3; k++)
    if (fmax(p[k], q[k]) < fmin(a[k], b[k]) || fmax(a[k], b[k]) < fmin(p[k], q[k])) return false;
  return true;
}

static bool same_side(double a, double b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

/* The part of pq that lies within the box of ab; both on one line. */
static void clip_on_line(const double *p, const double *q, const double *a, const double *b,
                         WeftMeeting *meeting) {
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(q[k] - p[k]) > fabs(q[axis] - p[axis])) axis = k;
  double run = q[axis] - p[axis];
  meeting->begin = 0;
  meeting->end = 0;
  if (run == 0) return;
  double s = (a[axis] - p[axis]) / run, t = (b[axis] - p[axis]) / run;
  meeting->begin = fmin(fmax(fmin(s, t), 0), 1);
  meeting->end = fmin(fmax(fmax(s, t), 0), 1);
}

/* Segments in one plane, which is seen along the axis without its points falling together. In two dimensions
 * closed segments meet exactly when their boxes do and neither lies strictly on one side of the other; that
 * holds for points and for segments on one line too. */
static bool segments_meet_flat(const double *p, const double *q, const double *a, const double *b, int axis,
                               WeftMeeting *meeting) {
  int u = first_left(axis), v = second_left(axis);
  double ab_p = weft_orient2d(a, b, p, u, v), ab_q = weft_orient2d(a, b, q, u, v);
  if (same_side(ab_p, ab_q) || !boxes_meet(p, q, a, b)) return false;
  if (same_side(weft_orient2d(p, q, a, u, v), weft_orient2d(p, q, b, u, v))) return false;
  if (ab_p == ab_q)
    clip_on_line(p, q, a, b, meeting);
  else
    meeting->begin = meeting->end = ab_p / (ab_p - ab_q);
  return true;
}

/* An axis along which the three points do not fall on a line; -1 when they lie on one. */
static int open_axis(const double *a, const double *b, const double *c) {
  for (int axis = 0; axis < 3; axis++)
    if (weft_orient2d(a, b, c, first_left(axis), second_left(axis)) != 0) return axis;
  return -1;
}

/* Segments in space, each possibly a point. */
static bool segments_meet(const double *p, const double *q, const double *a, const double *b,
                          WeftMeeting *meeting) {
  if (!boxes_meet(p, q, a, b) || weft_orient3d(p, q, a, b) != 0) return false;
  const double *const triples[4][3] = {{p, q, a}, {p, q, b}, {a, b, p}, {a, b, q}};
  for (int i = 0; i < 4; i++) {
    int axis = open_axis(triples[i][0], triples[i][1], triples[i][2]);
    if (axis >= 0) return segments_meet_flat(p, q, a, b, axis, meeting);
  }
  /* all on one line, along which every coordinate rises, falls or rests: there boxes decide */
  clip_on_line(p, q, a, b, meeting);
  return true;
}

/* A triangle on a line is the segment between its outermost corners: those first and last by x, then y, z. */
static bool meets_flat_triangle(const double *p, const double *q, const double *const corners[3],
                                WeftMeeting *meeting) {
  const double *first = corners[0], *last = corners[0];
  for (int i = 1; i < 3; i++) {
    const double *c = corners[i];
    int k = 0;
    while (k < 2 && c[k] == first[k]) k++;
    if (c[k] < first[k]) first = c;
    k = 0;
    while (k < 2 && c[k] == last[k]) k++;
    if (c[k] > last[k]) last = c;
  }
  meeting->kind = WEFT_HIT_TOUCHING;
  return segments_meet(p, q, first, last, meeting);
}

static bool is_inside(const double *point, const double *const corners[3], double sense, int u, int v) {
  for (int i = 0; i < 3; i++) {
    double side = weft_orient2d(corners[i], corners[(i + 1) % 3], point, u, v);
    if ((sense > 0 && side < 0) || (sense < 0 && side > 0)) return false;
  }
  return true;
}

/* The edge lies in the plane of the triangle, which is not degenerate. What they have in common is a segment
 * from the first to the last of: ends of the edge inside, places where the edge meets a side. */
static bool meets_in_plane(const double *p, const double *q, const double *const corners[3], int axis,
                           WeftMeeting *meeting) {
  int u = first_left(axis), v = second_left(axis);
  double sense = weft_orient2d(corners[0], corners[1], corners[2], u, v);
  double begin = INFINITY, end = -INFINITY;
  if (is_inside(p, corners, sense, u, v)) begin = end = 0;
  if (is_inside(q, corners, sense, u, v)) {
    begin = fmin(begin, 1);
    end = 1;
  }
  for (int i = 0; i < 3; i++) {
    WeftMeeting side;
    if (!segments_meet_flat(p, q, corners[i], corners[(i + 1) % 3], axis, &side)) continue;
    begin = fmin(begin, side.begin);
    end = fmax(end, side.end);
  }
  *meeting = (WeftMeeting){WEFT_HIT_COPLANAR, begin, end};
  return begin <= end;
}

/* Doubles see that the two are apart when looked at along an axis: one lies strictly on a side of the other
 * away from it. Neighbours in a flat piece of cloth, for which no side of their common plane can be told
 * without exact sums, are told apart this way. */
static bool are_apart_quick(const double *p, const double *q, const double *const corners[3], int axis) {
  int u = first_left(axis), v = second_left(axis);
  double a = weft_orient2d_quick(p, q, corners[0], u, v);
  if (same_side(a, weft_orient2d_quick(p, q, corners[1], u, v)) &&
      same_side(a, weft_orient2d_quick(p, q, corners[2], u, v)))
    return true;
  double sense = weft_orient2d_quick(corners[0], corners[1], corners[2], u, v);
  for (int i = 0; i < 3 && sense != 0; i++) {
    const double *from = corners[i], *to = corners[(i + 1) % 3];
    if (same_side(-sense, weft_orient2d_quick(from, to, p, u, v)) &&
        same_side(-sense, weft_orient2d_quick(from, to, q, u, v)))
      return true;
  }
  return false;
}

bool weft_edge_meets_triangle(const double *p, const double *q, const double *const corners[3],
                              WeftMeeting *meeting) {
  const double *a = corners[0], *b = corners[1], *c = corners[2];
  double side_p = weft_orient3d_quick(a, b, c, p), side_q = weft_orient3d_quick(a, b, c, q);
  if (same_side(side_p, side_q)) return false;
  if (side_p == 0 || side_q == 0) {
    for (int axis = 0; axis < 3; axis++)
      if (are_apart_quick(p, q, corners, axis)) return false;
    side_p = weft_orient3d(a, b, c, p);
    side_q = weft_orient3d(a, b, c, q);
    if (same_side(side_p, side_q)) return false;
  }
  if (side_p == 0 && side_q == 0) {
    int axis = open_axis(a, b, c);
    return axis < 0 ? meets_flat_triangle(p, q, corners, meeting)
                    : meets_in_plane(p, q, corners, axis, meeting);
  }
  /* the line through the edge leaves the plane: it meets the triangle when no side is passed on the outside
   */
  double ab = weft_orient3d(p, q, a, b), bc = weft_orient3d(p, q, b, c), ca = weft_orient3d(p, q, c, a);
  bool is_left = ab >= 0 && bc >= 0 && ca >= 0, is_right = ab <= 0 && bc <= 0 && ca <= 0;
  if (!is_left && !is_right) return false;
  bool is_proper = side_p != 0 && side_q != 0 && ab != 0 && bc != 0 && ca != 0;
  meeting->kind = is_proper ? WEFT_HIT_CROSSING : WEFT_HIT_TOUCHING;
  meeting->begin = meeting->end = side_p / (side_p - side_q);
  return true;
}
