#include "respond/side.h"

/* Edges closer to parallel than this sine, faces with a sharper corner, and pairs whose gap at x0 has a
 * smaller part than the second across them, get directions. */
static const double least_sine = 0.02, least_standing = 1e-5;
/* A gap below this part of the features' size is rounding, and has no direction. */
static const double touching = 1e-13;
/* The gap that is kept, as parts of the features' size: a thousandth, so that the next search does not find
 * the pair again because it turned a little; at most half the gap at x0, so that x0 itself is free and zones
 * can always be solved; but a millionth at least, or gaps would halve from step to step down to nothing. */
static const double gap_most = 1e-3, gap_least = 1e-6;

static double kept_gap(double size, double gap0) {
  double gap = gap0 / 2 < gap_most * size ? gap0 / 2 : gap_most * size;
  return gap > gap_least * size ? gap : gap_least * size;
}

/* Each vertex of the first feature against each of the second: along a fixed direction differences are linear
 * in time, so the pair is apart all the way when it is at both ends. */
static int directions(bool is_edges, const int32_t *vertex, Vec3 normal, double gap, WeftSide *sides) {
  int firsts = is_edges ? 2 : 1, count = 0;
  for (int a = 0; a < firsts; a++) {
    for (int b = firsts; b < 4; b++) {
      sides[count++] = (WeftSide){.kind = WEFT_SIDE_DIRECTION,
                                  .is_edges = is_edges,
                                  .vertex = {vertex[a], vertex[b], vertex[a], vertex[b]},
                                  .normal = normal,
                                  .gap = gap};
    }
  }
  return count;
}

int weft_sides_of(const WeftImpacts *impacts, int impact, bool is_again, WeftSide *sides) {
  const int32_t *vertex = impacts->vertices + 4 * impact;
  bool is_edges = impacts->is_edges[impact];
  Vec3 x[4];
  for (int k = 0; k < 4; k++) x[k] = load3(impacts->x0, vertex[k]);
  WeftPairFrame f = weft_pair_frame(is_edges, x);
  Closest at = weft_pair_closest(is_edges, &f);
  double distance = sqrt(at.squared), u = v3_length(f.u), v = v3_length(f.v), longest = u > v ? u : v;
  if (!(distance > touching * longest)) return 0;
  Vec3 n = v3_cross(f.u, f.v);
  double area = v3_length(n), volume = v3_dot(n, f.r);
  if (!(area > least_sine * u * v && weft_pair_standing(&f, &at) > least_standing))
    return directions(is_edges, vertex, v3_scale(1 / distance, at.gap), kept_gap(longest, distance), sides);
  sides[0] = (WeftSide){.kind = is_again ? WEFT_SIDE_SECOND : WEFT_SIDE_END,
                        .is_edges = is_edges,
                        .vertex = {vertex[0], vertex[1], vertex[2], vertex[3]},
                        .scale = (volume < 0 ? -1 : 1) / area,
                        .gap = kept_gap(longest, fabs(volume) / area)};
  if (!is_again) return 1;
  sides[1] = sides[0];
  sides[1].kind = WEFT_SIDE_THIRD;
  return 2;
}

/* Across fixed directions all of the way is on the side when the end is: these look at the end. */
static double direction_value(const WeftSide *side, const double *x, Vec3 *gradient) {
  gradient[0] = side->normal;
  gradient[1] = v3_scale(-1, side->normal);
  gradient[2] = gradient[3] = vec3(0, 0, 0);
  return v3_dot(side->normal, v3_sub(load3(x, side->vertex[0]), load3(x, side->vertex[1]))) - side->gap;
}

static WeftPairFrame frame(const WeftSide *side, const double *x) {
  Vec3 at[4];
  for (int k = 0; k < 4; k++) at[k] = load3(x, side->vertex[k]);
  return weft_pair_frame(side->is_edges, at);
}

/* From derivatives after r, u and v to those after the vertices. */
static void spread(bool is_edges, Vec3 by_r, Vec3 by_u, Vec3 by_v, Vec3 *out) {
  if (is_edges) {
    out[0] = v3_sub(by_r, by_u);
    out[1] = by_u;
    out[2] = v3_scale(-1, v3_add(by_r, by_v));
  } else {
    out[0] = by_r;
    out[1] = v3_scale(-1, v3_add(by_r, v3_add(by_u, by_v)));
    out[2] = by_u;
  }
  out[3] = by_v;
}

/* The volume r . (u x v) and its derivatives after r, u and v. */
static double volume_of(const WeftPairFrame *f, WeftPairFrame *by) {
  *by = (WeftPairFrame){v3_cross(f->u, f->v), v3_cross(f->v, f->r), v3_cross(f->r, f->u)};
  return v3_dot(by->r, f->r);
}

/* How these derivatives change when a frame goes by d. */
static WeftPairFrame turned(const WeftPairFrame *f, const WeftPairFrame *d) {
  return (WeftPairFrame){v3_add(v3_cross(d->u, f->v), v3_cross(f->u, d->v)),
                         v3_add(v3_cross(d->v, f->r), v3_cross(f->v, d->r)),
                         v3_add(v3_cross(d->r, f->u), v3_cross(f->r, d->u))};
}

static double product(const WeftPairFrame *a, const WeftPairFrame *b) {
  return v3_dot(a->r, b->r) + v3_dot(a->u, b->u) + v3_dot(a->v, b->v);
}

/* The second coefficient is linear in the end: what x0's derivatives make of it. The third is the same with
 * the two exchanged: the end's derivatives on x0. */
double weft_side_value(const WeftSide *side, const double *x0, const double *x, Vec3 *gradient) {
  if (side->kind == WEFT_SIDE_DIRECTION) return direction_value(side, x, gradient);
  WeftPairFrame start = frame(side, x0), end = frame(side, x), by;
  double value, scale = side->scale;
  if (side->kind == WEFT_SIDE_END) {
    value = volume_of(&end, &by);
  } else if (side->kind == WEFT_SIDE_SECOND) {
    volume_of(&start, &by);
    value = product(&by, &end) / 3;
    scale /= 3;
  } else {
    WeftPairFrame at_end;
    volume_of(&end, &at_end);
    value = product(&at_end, &start) / 3;
    by = turned(&start, &end);
    scale /= 3;
  }
  spread(side->is_edges, v3_scale(scale, by.r), v3_scale(scale, by.u), v3_scale(scale, by.v), gradient);
  return side->scale * value - side->gap;
}

void weft_side_curvature(const WeftSide *side, const double *x0, const double *x, const double *d,
                         Vec3 *change) {
  if (side->kind == WEFT_SIDE_DIRECTION || side->kind == WEFT_SIDE_SECOND) {
    for (int k = 0; k < 4; k++) change[k] = vec3(0, 0, 0);
    return;
  }
  bool is_end = side->kind == WEFT_SIDE_END;
  WeftPairFrame f = frame(side, is_end ? x : x0), by = frame(side, d), turn = turned(&f, &by);
  double scale = is_end ? side->scale : side->scale / 3;
  spread(side->is_edges, v3_scale(scale, turn.r), v3_scale(scale, turn.u), v3_scale(scale, turn.v), change);
}
