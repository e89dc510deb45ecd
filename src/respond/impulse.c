/* Impulses [Wong14 sec. 3.3.2; Bridson02 sec. 7.2-7.4], pair after pair.
 *
 * Every pair that approaches gets an inelastic impulse, which takes the approach away, and an elastic one,
 * which lets it part by a tenth of the depth it would have reached. Displacements x1 - x0 stand for
 * velocities times h.
 *
 * Differs: [Wong14 eq. 3.39, 3.40] are for equal masses, and divide what a vertex gets by the number of its
 * contacts, which gives the vertices of a pair different shares and so loses momentum. Here pairs follow each
 * other in their order, each with what the ones before it left (Gauss-Seidel): nothing is divided, every
 * single impulse keeps momentum and takes energy, and the outcome knows no threads. Scaling each pair by its
 * busiest vertex (Jacobi) would keep momentum as well, but most of a crowded pair's approach would be left
 * for later rounds. The depth of [Wong14 eq. 3.34] is into a thickness, which is the contact force's work;
 * here it is how far past each other the pair would be at x1. It is less than the approach, so the elastic
 * part never adds energy. */
#include "respond/impulse.h"

#include "base/memory.h"
#include "respond/touch.h"

#include <stdlib.h>
#include <string.h>

/* Of the depth [Bridson02 sec. 7.2]. */
#define ELASTIC 0.1
/* An approach by less than this part of the gap at x0 is left alone: it ends the sweeps. */
#define HARMLESS 1e-3
#define MOST_SWEEPS 50
/* A vertex is not moved by more than so many times what the pair approaches: else a pair of prescribed
 * vertices that meet would fling away the one light vertex beside them. */
#define MOST_LEVER 10.0

double weft_impulse(const double weight[4], const double inverse_mass[4], double before, double after,
                    double change[4]) {
  double mobility = 0, most = 0;
  for (int k = 0; k < 4; k++) {
    change[k] = weight[k] * inverse_mass[k];
    mobility += weight[k] * change[k];
    most = fmax(most, fabs(change[k]));
  }
  double j = mobility > 0 && most <= MOST_LEVER * mobility ? (after - before) / mobility
             : most > 0                                    ? MOST_LEVER * (after - before) / most
                                                           : 0;
  for (int k = 0; k < 4; k++) change[k] *= j;
  return j;
}

/* One pair, if it approaches; true if it was not harmless. */
static bool push(const WeftImpacts *impacts, int impact, const WeftTouch *touch, double *x1) {
  const int32_t *vertex = impacts->vertices + 4 * (size_t)impact;
  double inverse_mass[4], change[4];
  Vec3 relative = vec3(0, 0, 0), normal = touch->normal;
  for (int k = 0; k < 4; k++) {
    Vec3 moved = v3_sub(load3(x1, vertex[k]), load3(impacts->x0, vertex[k]));
    relative = v3_axpy(relative, touch->weight[k], moved);
    inverse_mass[k] = impacts->inverse_mass[vertex[k]];
  }
  if (!(v3_dot(normal, normal) >
        0)) { /* they touch at x0: there are no sides, so all motion between them ends */
    double speed = v3_length(relative);
    if (!(speed > 0) || !isfinite(1 / speed)) return false;
    normal = v3_scale(-1 / speed, relative);
  }
  double approach = v3_dot(normal, relative);
  if (!(approach < -HARMLESS * touch->gap)) return false;
  double depth = fmax(0, -approach - touch->gap);
  if (weft_impulse(touch->weight, inverse_mass, approach, ELASTIC * depth, change) == 0) return false;
  for (int k = 0; k < 4; k++) add3(x1, vertex[k], v3_scale(change[k], normal));
  return true;
}

static WeftResult solve(const WeftImpacts *impacts, double *x1, WeftLinkCounts *counts, WeftError *error) {
  size_t numbers = 3 * (size_t)impacts->vertex_count;
  WeftTouch *touch = WEFT_NEW(WeftTouch, impacts->impact_count);
  double *wanted = weft_copy(x1, numbers, sizeof *x1);
  WeftResult result = WEFT_RESULT_OK;
  *counts = (WeftLinkCounts){0};
  if (!touch || !wanted) {
    result = weft_fail_memory(error, "impulses");
    goto done;
  }
  for (int i = 0; i < impacts->impact_count; i++) touch[i] = weft_touch(impacts, i, x1);
  for (bool pushed = true; pushed && counts->iterations < MOST_SWEEPS; counts->iterations++) {
    pushed = false;
    for (int i = 0; i < impacts->impact_count; i++) pushed |= push(impacts, i, &touch[i], x1);
  }
  for (size_t i = 0; i < numbers; i += 3) counts->limited += memcmp(x1 + i, wanted + i, 3 * sizeof *x1) != 0;
done:
  free(touch);
  free(wanted);
  return result;
}

const WeftLinkOps weft_link_impulse = {
    .name = "impulse",
    .citation = "Wong14 sec. 3.3.2; Bridson02 sec. 7",
    .summary = "impulses, pair after pair: inelastic, with a small push apart",
    .budget = 10,
    .starts_over = false,
    .solve = solve};
