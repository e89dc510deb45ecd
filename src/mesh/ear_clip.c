/* Ear clipping, best ear first, in the plane of the polygon's vector area (its mean normal, exact for plane
 * polygons).
 *
 * An ear is a convex corner whose triangle with its two neighbours holds no other corner that is not convex.
 * Straight corners count as not convex: they are never clipped, so a vertex in the middle of a side does not
 * become a flat triangle. The ear nearest to equilateral goes first; only its neighbours have to be looked at
 * again. Cost: corners x (corners + concave corners). A polygon that runs out of ears crosses itself; its
 * rest is cut at the best corners without further questions.
 */
#include "mesh/ear_clip.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative to the longest side of a triangle, squared: less area than this counts as none. */
static const double FLAT = 1e-10;

WeftResult weft_ear_clipper_create(WeftEarClipper *clipper, int capacity, WeftError *error) {
  *clipper = (WeftEarClipper){capacity,
                              WEFT_NEW(double, 2 * (size_t)capacity),
                              WEFT_NEW(double, capacity),
                              WEFT_NEW(int32_t, capacity),
                              WEFT_NEW(int32_t, capacity),
                              WEFT_NEW(uint8_t, capacity)};
  if (clipper->points && clipper->quality && clipper->previous && clipper->next && clipper->blocks) {
    return WEFT_RESULT_OK;
  }
  weft_ear_clipper_destroy(clipper);
  return weft_fail_memory(error, "triangulation of polygons");
}

void weft_ear_clipper_destroy(WeftEarClipper *clipper) {
  free(clipper->points);
  free(clipper->quality);
  free(clipper->previous);
  free(clipper->next);
  free(clipper->blocks);
  memset(clipper, 0, sizeof *clipper);
}

static void normalize(double v[3]) {
  double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int axis = 0; axis < 3 && length > 0; axis++) v[axis] /= length;
}

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int axis = 0; axis < 3; axis++) {
    out[axis] = a[(axis + 1) % 3] * b[(axis + 2) % 3] - a[(axis + 2) % 3] * b[(axis + 1) % 3];
  }
}

/* Coordinates relative to the first vertex, along two axes of the plane, so that the polygon runs
 * counterclockwise. */
static void flatten(WeftEarClipper *c, const double *positions, const int32_t *vertices, int count) {
  const double *origin = positions + 3 * (size_t)vertices[0];
  double normal[3] = {0, 0, 0};
  for (int i = 1; i + 1 < count; i++) {
    double a[3], b[3], area[3];
    for (int axis = 0; axis < 3; axis++) {
      a[axis] = positions[3 * (size_t)vertices[i] + axis] - origin[axis];
      b[axis] = positions[3 * (size_t)vertices[i + 1] + axis] - origin[axis];
    }
    cross(a, b, area);
    for (int axis = 0; axis < 3; axis++) normal[axis] += area[axis];
  }
  normalize(normal);
  int least = 0; /* the axis farthest from the normal gives a well-defined first direction */
  for (int axis = 1; axis < 3; axis++) {
    if (fabs(normal[axis]) < fabs(normal[least])) least = axis;
  }
  double e[3] = {0, 0, 0}, u[3], v[3];
  e[least] = 1;
  cross(e, normal, u);
  normalize(u);
  cross(normal, u, v);
  for (int i = 0; i < count; i++) {
    c->points[2 * i] = c->points[2 * i + 1] = 0;
    for (int axis = 0; axis < 3; axis++) {
      double d = positions[3 * (size_t)vertices[i] + axis] - origin[axis];
      c->points[2 * i] += d * u[axis];
      c->points[2 * i + 1] += d * v[axis];
    }
  }
}

/* Twice the area of a triangle, positive when counterclockwise. */
static double turn(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double distance2(const double *a, const double *b) {
  return (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
}

static bool is_same(const double *a, const double *b) { return a[0] == b[0] && a[1] == b[1]; }

/* Is a corner that blocks in the closed triangle around corner i? Corners at the place of one of the
 * triangle's own do not count: a polygon with a hole passes the bridge to it twice. */
static bool is_blocked(const WeftEarClipper *c, int i, double margin) {
  const double *a = c->points + 2 * c->previous[i], *b = c->points + 2 * i, *d = c->points + 2 * c->next[i];
  for (int k = c->next[c->next[i]]; k != c->previous[i]; k = c->next[k]) {
    const double *p = c->points + 2 * k;
    if (!c->blocks[k] || is_same(p, a) || is_same(p, b) || is_same(p, d)) continue;
    if (turn(a, b, p) >= -margin && turn(b, d, p) >= -margin && turn(d, a, p) >= -margin) return true;
  }
  return false;
}

static void judge_convexity(WeftEarClipper *c, int i) {
  const double *a = c->points + 2 * c->previous[i], *b = c->points + 2 * i, *d = c->points + 2 * c->next[i];
  double longest = fmax(distance2(a, b), fmax(distance2(b, d), distance2(d, a)));
  c->blocks[i] = !(turn(a, b, d) > FLAT * longest);
}

/* Quality of the ear at i, 0 when it is none. An area over the sum of the squared sides: largest when
 * equilateral. */
static void judge_ear(WeftEarClipper *c, int i, bool is_simple) {
  const double *a = c->points + 2 * c->previous[i], *b = c->points + 2 * i, *d = c->points + 2 * c->next[i];
  double ab = distance2(a, b), bd = distance2(b, d), da = distance2(d, a);
  bool is_ear = !c->blocks[i] && !(is_simple && is_blocked(c, i, FLAT * fmax(ab, fmax(bd, da))));
  c->quality[i] = is_ear ? turn(a, b, d) / (ab + bd + da) : 0;
}

static void judge_all(WeftEarClipper *c, int first, bool is_simple) {
  int i = first;
  do {
    judge_ear(c, i, is_simple);
    i = c->next[i];
  } while (i != first);
}

void weft_ear_clip(WeftEarClipper *c, const double *positions, const int32_t *vertices, int count,
                   int32_t *triangles) {
  flatten(c, positions, vertices, count);
  for (int i = 0; i < count; i++) {
    c->previous[i] = i == 0 ? count - 1 : i - 1;
    c->next[i] = i == count - 1 ? 0 : i + 1;
  }
  for (int i = 0; i < count; i++) judge_convexity(c, i);
  bool is_simple = true;
  judge_all(c, 0, is_simple);
  int first = 0;
  for (int left = count; left >= 3; left--) {
    int best = first;
    for (int i = c->next[first]; i != first; i = c->next[i]) {
      if (c->quality[i] > c->quality[best]) best = i;
    }
    if (is_simple && left > 3 && !(c->quality[best] > 0)) {
      is_simple = false;
      judge_all(c, first, is_simple);
      left++;
      continue;
    }
    int before = c->previous[best], after = c->next[best];
    *triangles++ = before;
    *triangles++ = best;
    *triangles++ = after;
    c->next[before] = after;
    c->previous[after] = before;
    first = after;
    judge_convexity(c, before);
    judge_convexity(c, after);
    judge_ear(c, before, is_simple);
    judge_ear(c, after, is_simple);
  }
}
