#include "respond/apart.h"

#include "respond/contact_row.h"

/* As parts of the features' size. A distance across them below the first is rounding; edges closer to
 * parallel than this sine, and faces with a sharper corner, have no such direction. */
static const double ROUNDING = 1e-12, PARALLEL = 1e-3;

int weft_apart(const WeftImpacts *impacts, int impact, Closest *closest, WeftApart way[2]) {
  Vec3 at[4];
  for (int k = 0; k < 4; k++) at[k] = load3(impacts->x0, impacts->vertices[4 * (size_t)impact + k]);
  bool is_edges = impacts->is_edges[impact];
  WeftPairFrame f = weft_pair_frame(is_edges, at);
  *closest = weft_pair_closest(is_edges, &f);
  double distance = sqrt(closest->squared), u = v3_length(f.u), v = v3_length(f.v);
  if (!(distance > 0)) return 0;
  int count = 0;
  Vec3 across = v3_cross(f.u, f.v);
  double area = v3_length(across), height = area > 0 ? v3_dot(across, f.r) / area : 0;
  if (area > PARALLEL * u * v && fabs(height) > ROUNDING * fmax(u, v))
    way[count++] = (WeftApart){v3_scale((height < 0 ? -1 : 1) / area, across), fabs(height)};
  way[count++] = (WeftApart){v3_scale(1 / distance, closest->gap), distance};
  return count;
}
