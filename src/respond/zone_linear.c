/* Linear inelastic impact zones [Harmon08], all impacts in one system without grouping [Tang16 sec. 4.2]:
 *
 *   v' = v - M^-1 C^T (C M^-1 C^T)^-1 C v
 *
 * on displacements, x1 - x0 = h v: no impact approaches any more, with the least change of kinetic energy.
 * What separates is not pulled: that is the same with multipliers >= 0, found by conjugate gradients with
 * bounds.
 *
 * Momentum is kept whatever the accuracy of the solve, because a row's weights add up to zero. Kinetic energy
 * does not rise, because what the solver lowers is its change. */
#include "base/memory.h"
#include "respond/bounded_cg.h"
#include "respond/contact_row.h"

#include <stdlib.h>

/* Of the relative displacements along the normals. Below it a pair approaches by less than 1e-10 of what it
 * would have: gaps of cloth are wider than that. */
static const double tolerance = 1e-10;
/* Bound of the products when a pair cannot be parted, as between two obstacles that close; others converge in
 * far fewer. */
static const int most_products = 5000;

typedef struct Zone {
  double *row;   /* impact_count x 12 */
  double *moved; /* vertex_count x 3: displacements, then what is added to them */
  double *approach, *lambda;
  WeftIncidence incidence;
} Zone;

static void destroy(Zone *zone) {
  free(zone->row);
  free(zone->moved);
  free(zone->approach);
  free(zone->lambda);
  weft_incidence_destroy(&zone->incidence);
}

static WeftResult create(Zone *zone, const WeftImpacts *impacts, WeftError *error) {
  size_t n = (size_t)impacts->impact_count;
  *zone = (Zone){.row = WEFT_NEW(double, 12 * n),
                 .moved = WEFT_NEW(double, 3 * (size_t)impacts->vertex_count),
                 .approach = WEFT_NEW(double, n),
                 .lambda = WEFT_NEW(double, n)};
  if (!zone->row || !zone->moved || !zone->approach || !zone->lambda)
    return weft_fail_memory(error, "an impact zone");
  return weft_incidence_create(&zone->incidence, impacts->vertex_count, impacts->impact_count,
                               impacts->vertices, error);
}

/* Impacts without a direction keep a row of zeros, which takes no part. */
static void fill(Zone *zone, const WeftImpacts *impacts, const double *x1) {
  FOR_ITEMS (i, impacts->impact_count) {
    WeftContactRow row;
    if (!weft_contact_row(impacts, i, x1, &row)) continue;
    for (int k = 0; k < 4; k++) store3(zone->row, 4 * i + k, v3_scale(row.weight[k], row.normal));
  }
  for (int i = 0; i < 3 * impacts->vertex_count; i++) zone->moved[i] = x1[i] - impacts->x0[i];
}

static WeftResult solve(const WeftImpacts *impacts, double *x1, WeftLinkCounts *counts, WeftError *error) {
  Zone zone;
  WeftResult result = create(&zone, impacts, error);
  if (!result) {
    WeftRows rows = {
        impacts->vertex_count, impacts->impact_count, impacts->inverse_mass, impacts->vertices, zone.row,
        &zone.incidence};
    fill(&zone, impacts, x1);
    weft_rows_gather(&rows, zone.moved, zone.approach);
    for (int i = 0; i < impacts->impact_count; i++) zone.approach[i] = -zone.approach[i];
    result = weft_bounded_cg(&rows, zone.approach, tolerance, most_products, zone.lambda, &counts->iterations,
                             error);
    if (!result) {
      weft_rows_spread(&rows, zone.lambda, zone.moved);
      counts->limited = 0;
      for (int v = 0; v < impacts->vertex_count; v++) {
        Vec3 by = load3(zone.moved, v);
        counts->limited += by.x != 0 || by.y != 0 || by.z != 0;
        add3(x1, v, by);
      }
    }
  }
  destroy(&zone);
  return result;
}

/* 20 rounds: a round that resolves its impacts finds fewer new ones further out; what turns too fast for
 * normals of the moment of impact is better left to the next link. */
const WeftLinkOps weft_link_zone_linear = {
    .name = "zone_linear",
    .citation = "Harmon08; Tang16 sec. 4.2",
    .summary = "linear inelastic impact zones, all impacts in one sparse system",
    .budget = 20,
    .starts_over = false,
    .solve = solve,
};
