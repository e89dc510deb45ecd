#include "respond/side.h"

/* Edges closer to parallel than this sine, faces with a sharper corner, and pairs whose gap at x0 has a
 * smaller part than the second across them, get directions. */
static const double least_sine = 0.02, least_standing = 1e-5;
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
      sides[count++] = (WeftSide){.is_direction = true,
                                  .is_edges = is_edges,
                                  .vertex = {vertex[a], vertex[b], vertex[a], vertex[b]},
                                  .normal = normal,
                                  .gap = gap};
    }
  }
  return count;
}

int weft_sides_of(const WeftImpacts *impacts, int impact, WeftSide *sides) {
  const int32_t *vertex = impacts->vertices + 4 * impact;
  bool is_edges = impacts->is_edges[impact];
  Vec3 x[4];
  for (int k = 0; k < 4; k++) x[k] = load3(impacts->x0, vertex[k]);
  WeftPairFrame f = weft_pair_frame(is_edges, x);
  Closest at = weft_pair_closest(is_edges, &f);
  double distance = sqrt(at.squared), u = v3_length(f.u), v = v3_length(f.v), longest = u > v ? u : v;
  if (!(distance > 0)) return 0;
  Vec3 n = v3_cross(f.u, f.v);
  double area = v3_length(n), volume = v3_dot(n, f.r);
  if (!(area > least_sine * u * v && weft_pair_standing(&f, &at) > least_standing))
    return directions(is_edges, vertex, v3_scale(1 / distance, at.gap), kept_gap(longest, distance), sides);
  sides[0] = (WeftSide){.is_edges = is_edges,
                        .vertex = {vertex[0], vertex[1], vertex[2], vertex[3]},
                        .scale = (volume < 0 ? -1 : 1) / area,
                        .gap = kept_gap(longest, fabs(volume) / area)};
  return 1;
}

static double direction_value(const WeftSide *side, const double *x, Vec3 *gradient) {
  if (gradient) {
    gradient[0] = side->normal;
    gradient[1] = v3_scale(-1, side->normal);
    gradient[2] = gradient[3] = vec3(0, 0, 0);
  }
  return v3_dot(side->normal, v3_sub(load3(x, side->vertex[0]), load3(x, side->vertex[1]))) - side->gap;
}

double weft_side_value(const WeftSide *side, const double *x, Vec3 *gradient) {
  if (side->is_direction) return direction_value(side, x, gradient);
  Vec3 at[4];
  for (int k = 0; k < 4; k++) at[k] = load3(x, side->vertex[k]);
  WeftPairFrame f = weft_pair_frame(side->is_edges, at);
  Vec3 n = v3_scale(side->scale, v3_cross(f.u, f.v));
  if (gradient) {
    Vec3 by_u = v3_scale(side->scale, v3_cross(f.v, f.r)), by_v = v3_scale(side->scale, v3_cross(f.r, f.u));
    if (side->is_edges) {
      gradient[0] = v3_sub(n, by_u);
      gradient[1] = by_u;
      gradient[2] = v3_scale(-1, v3_add(n, by_v));
      gradient[3] = by_v;
    } else {
      gradient[0] = n;
      gradient[1] = v3_scale(-1, v3_add(n, v3_add(by_u, by_v)));
      gradient[2] = by_u;
      gradient[3] = by_v;
    }
  }
  return v3_dot(n, f.r) - side->gap;
}
