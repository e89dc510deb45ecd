#include "respond/approach.h"

#include "detect/distance.kernel.h"

/* Impacts share vertices: stopping one may start another again. What is left after so many sweeps is small,
 * and met in the next step. */
enum { SWEEPS = 4 };

static void stop(const WeftImpacts *impacts, int impact, double *v) {
  const int32_t *vertices = impacts->vertices + 4 * (size_t)impact;
  Vec3 at[4];
  for (int k = 0; k < 4; k++) at[k] = load3(impacts->x0, vertices[k]);
  Closest closest = impacts->is_edges[impact] ? closest_edge_edge(at) : closest_vertex_face(at);
  double distance = sqrt(closest.squared), approach = 0, compliance = 0;
  if (!(distance > 0)) return;
  Vec3 n = v3_scale(1 / distance, closest.gap);
  for (int k = 0; k < 4; k++) {
    double w = closest.weight[k];
    approach -= w * v3_dot(n, load3(v, vertices[k]));
    compliance += w * w * impacts->inverse_mass[vertices[k]];
  }
  if (!(approach > 0 && compliance > 0)) return;
  double impulse = approach / compliance;
  for (int k = 0; k < 4; k++) {
    double change = impulse * closest.weight[k] * impacts->inverse_mass[vertices[k]];
    store3(v, vertices[k], v3_axpy(load3(v, vertices[k]), change, n));
  }
}

void weft_stop_approach(const WeftImpacts *impacts, double *v) {
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    for (int i = 0; i < impacts->impact_count; i++) stop(impacts, i, v);
  }
}
