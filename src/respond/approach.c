#include "respond/approach.h"

#include "respond/touch.h"

/* Impacts share vertices: stopping one may start another again. What is left after so many sweeps is small,
 * and met in the next step. */
enum { SWEEPS = 4 };

/* A pair that meets no more, because others were stopped, is let alone: a sheet whose vertices slide over a
 * meshed floor does not stumble over the floor's edges, along whatever normal it would have met those.
 * Returns whether it was stopped. */
static bool stop(const WeftImpacts *impacts, int impact, double *x1) {
  if (!weft_meets(impacts, impact, x1)) return false;
  WeftTouch touch = weft_touch(impacts, impact, x1);
  const int32_t *vertices = impacts->vertices + 4 * (size_t)impact;
  double approach = 0, compliance = 0;
  for (int k = 0; k < 4; k++) {
    double w = touch.weight[k];
    Vec3 moved = v3_sub(load3(x1, vertices[k]), load3(impacts->x0, vertices[k]));
    approach -= w * v3_dot(touch.normal, moved);
    compliance += w * w * impacts->inverse_mass[vertices[k]];
  }
  if (!(approach > 0 && compliance > 0)) return false;
  double impulse = approach / compliance;
  for (int k = 0; k < 4; k++) {
    double change = impulse * touch.weight[k] * impacts->inverse_mass[vertices[k]];
    if (change != 0) add3(x1, vertices[k], v3_scale(change, touch.normal));
  }
  return true;
}

void weft_stop_approach(const WeftImpacts *impacts, double *x1) {
  bool was_stopped = true;
  for (int sweep = 0; sweep < SWEEPS && was_stopped; sweep++) {
    was_stopped = false;
    for (int i = 0; i < impacts->impact_count; i++) was_stopped |= stop(impacts, i, x1);
  }
}
