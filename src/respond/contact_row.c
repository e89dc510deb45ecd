/* At the time of impact the gap vanishes and has no direction. So the normal is that of the face, or the
 * cross product of the edges, on the side on which the signed volume is a little earlier. (Not at x0: a
 * vertex may go around its face through the plane, and hit it from behind.)
 *
 * Where that volume says nothing, the direction of the earlier gap does: for every point of the first feature
 * minus any of the second, g . k >= |g|^2 then (they are convex), and k = 0 at the impact; so the impact
 * approaches along g, always. */
#include "respond/contact_row.h"

/* By this part of the time until then. */
static const double earlier = 1.0 / 256;
/* Below this part the earlier volume does not tell sides, or edges at the impact do not span a plane:
 * rounding of 1e-16 then still leaves ten digits of the normal. */
static const double least_standing = 1e-6;

static bool direction(Vec3 n, double sign, Vec3 *normal) {
  double length = v3_length(n);
  if (!(length > 0)) return false;
  *normal = v3_scale(sign / length, n);
  return true;
}

static Vec3 at_time(const WeftImpacts *impacts, const double *x1, int vertex, double t) {
  return v3_axpy(v3_scale(1 - t, load3(impacts->x0, vertex)), t, load3(x1, vertex));
}

bool weft_contact_row(const WeftImpacts *impacts, int impact, const double *x1, WeftContactRow *row) {
  Vec3 then[4], at[4], way = vec3(0, 0, 0);
  double t = impacts->time[impact];
  bool is_edges = impacts->is_edges[impact];
  for (int k = 0; k < 4; k++) {
    int vertex = impacts->vertices[4 * impact + k];
    then[k] = at_time(impacts, x1, vertex, t * (1 - earlier));
    at[k] = at_time(impacts, x1, vertex, t);
  }
  WeftPairFrame start = weft_pair_frame(is_edges, then), touch = weft_pair_frame(is_edges, at);
  Closest before = weft_pair_closest(is_edges, &start), now = weft_pair_closest(is_edges, &touch);
  for (int k = 0; k < 4; k++) row->weight[k] = now.weight[k];
  Vec3 n = v3_cross(touch.u, touch.v);
  bool is_plane = v3_length(n) > least_standing * (v3_length(touch.u) * v3_length(touch.v));
  double side = v3_dot(v3_cross(start.u, start.v), start.r);
  if (is_plane && weft_pair_standing(&start, &before) > least_standing)
    return direction(n, side < 0 ? -1 : 1, &row->normal);
  if (direction(before.gap, 1, &row->normal)) return true;
  /* touched earlier: the plane on the side that the first feature leaves, or just its way back */
  for (int k = 0; k < 4; k++) {
    int vertex = impacts->vertices[4 * impact + k];
    way = v3_axpy(way, row->weight[k], v3_sub(load3(x1, vertex), load3(impacts->x0, vertex)));
  }
  if (is_plane) return direction(n, v3_dot(n, way) > 0 ? -1 : 1, &row->normal);
  return direction(way, -1, &row->normal);
}
