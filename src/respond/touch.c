#include "respond/touch.h"

#include "detect/ccd.kernel.h"

/* Below this part of the gap the features meet edge-on and their normal says nothing about sides. */
#define EDGE_ON 1e-6

static Vec3 combine(const double weight[4], const Vec3 x[4]) {
  Vec3 sum = v3_scale(weight[0], x[0]);
  for (int k = 1; k < 4; k++) sum = v3_axpy(sum, weight[k], x[k]);
  return sum;
}

/* Zero stays zero. Scaled first: the square of a short vector may underflow. */
static Vec3 unit(Vec3 a) {
  double most = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
  if (!(most > 0) || !isfinite(1 / most)) return vec3(0, 0, 0);
  a = v3_scale(1 / most, a);
  return v3_scale(1 / v3_length(a), a);
}

static Closest closest(bool is_edges, const Vec3 x[4]) {
  return is_edges ? closest_edge_edge(x) : closest_vertex_face(x);
}

/* The normal of the face, or across both edges. */
static Vec3 across(bool is_edges, const Vec3 x[4]) {
  return is_edges ? v3_cross(v3_sub(x[1], x[0]), v3_sub(x[3], x[2]))
                  : v3_cross(v3_sub(x[2], x[1]), v3_sub(x[3], x[1]));
}

/* When it meets; above 1 when it does not. */
static double load_pair(const WeftImpacts *impacts, int impact, const double *x1, Vec3 from[4], Vec3 to[4]) {
  const int32_t *vertex = impacts->vertices + 4 * (size_t)impact;
  for (int k = 0; k < 4; k++) {
    from[k] = load3(impacts->x0, vertex[k]);
    to[k] = load3(x1, vertex[k]);
  }
  return (impacts->is_edges[impact] ? ccd_edge_edge(from, to, 0) : ccd_vertex_face(from, to, 0)).time;
}

bool weft_meets(const WeftImpacts *impacts, int impact, const double *x1) {
  Vec3 from[4], to[4];
  return load_pair(impacts, impact, x1, from, to) <= 1;
}

WeftTouch weft_touch(const WeftImpacts *impacts, int impact, const double *x1) {
  bool is_edges = impacts->is_edges[impact];
  Vec3 from[4], to[4], at[4];
  double time = load_pair(impacts, impact, x1, from, to);
  if (time > 1) time = impacts->time[impact];
  for (int k = 0; k < 4; k++) at[k] = ccd_at(from[k], to[k], time);

  WeftTouch touch;
  Closest there = closest(is_edges, at);
  for (int k = 0; k < 4; k++) touch.weight[k] = there.weight[k];
  /* The points that touch are this far apart at x0, so they approach by all of it until then. */
  Vec3 apart = combine(touch.weight, from);
  touch.normal = unit(across(is_edges, at));
  touch.gap = v3_dot(touch.normal, apart);
  if (touch.gap < 0) {
    touch.normal = v3_scale(-1, touch.normal);
    touch.gap = -touch.gap;
  }
  if (touch.gap > EDGE_ON * v3_length(apart)) return touch;
  /* Along the shortest way at x0 any two points of the features are at least as far apart as the gap. */
  touch.normal = unit(closest(is_edges, from).gap);
  touch.gap = fmax(v3_dot(touch.normal, apart), 0);
  return touch;
}
