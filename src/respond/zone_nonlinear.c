/* Non-linear impact zones [Tang18 sec. 4]: of all states on the right sides, the one nearest to where the
 * vertices wanted to go,
 *
 *   least  1/2 sum m |x - xhat|^2   with  C_i(x) >= 0 for every impact  (eq. 1-3),
 *
 * by an augmented Lagrangian (lagrangian.c). Zones are solved in parallel (alg. 3), each in one order by one
 * thread, so that the number of threads does not matter. */
#include "base/memory.h"
#include "respond/lagrangian.h"

#include <stdlib.h>
#include <string.h>

static void destroy(WeftLagrangian *p) {
  weft_incidence_destroy(&p->incidence);
  weft_zones_destroy(&p->zones);
  free(p->sides);
  free(p->vertices);
  free(p->x);
  free(p->c);
  free(p->iterations);
}

/* An impact, for sorting. */
typedef struct Key {
  int32_t vertex[4], is_edges, impact;
} Key;

static int compare_pairs(const Key *a, const Key *b) {
  if (a->is_edges != b->is_edges) return a->is_edges < b->is_edges ? -1 : 1;
  for (int k = 0; k < 4; k++) {
    if (a->vertex[k] != b->vertex[k]) return a->vertex[k] < b->vertex[k] ? -1 : 1;
  }
  return 0;
}

static int compare_keys(const void *left, const void *right) {
  const Key *a = left, *b = right;
  int order = compare_pairs(a, b);
  return order ? order : (a->impact > b->impact) - (a->impact < b->impact);
}

/* Every pair stays on its side at the end. One that was found again would leave it on the way, and has to
 * stay there all the way: then it is not found a third time. (That does not keep angular momentum, because x0
 * enters.) */
static bool fill_sides(WeftLagrangian *p) {
  const WeftImpacts *impacts = p->impacts;
  int n = impacts->impact_count;
  Key *key = WEFT_NEW(Key, n);
  if (!key) return false;
  for (int i = 0; i < n; i++) {
    memcpy(key[i].vertex, impacts->vertices + 4 * i, sizeof key[i].vertex);
    key[i].is_edges = impacts->is_edges[i];
    key[i].impact = i;
  }
  qsort(key, (size_t)n, sizeof *key, compare_keys);
  for (int i = 0, times = 0; i < n; i++) {
    times = i > 0 && compare_pairs(&key[i - 1], &key[i]) == 0 ? times + 1 : 1;
    if (times > 2) continue;
    p->row_count += weft_sides_of(impacts, key[i].impact, times == 2, p->sides + p->row_count);
  }
  free(key);
  return true;
}

static WeftResult create(WeftLagrangian *p, const WeftImpacts *impacts, const double *wanted,
                         WeftError *error) {
  size_t most = WEFT_SIDES_MOST * (size_t)impacts->impact_count, n = (size_t)impacts->vertex_count;
  *p = (WeftLagrangian){.impacts = impacts, .wanted = wanted};
  p->sides = WEFT_NEW(WeftSide, most);
  p->vertices = WEFT_NEW(int32_t, 4 * most);
  p->x = WEFT_NEW(double, 19 * n);
  p->c = WEFT_NEW(double, 28 * most);
  if (!p->sides || !p->vertices || !p->x || !p->c) return weft_fail_memory(error, "an impact zone");
  p->gradient = p->x + 3 * n;
  p->direction = p->x + 6 * n;
  p->residual = p->x + 9 * n;
  p->search = p->x + 12 * n;
  p->product = p->x + 15 * n;
  p->weight = p->x + 18 * n;
  p->scale = p->c + most;
  p->lambda = p->c + 2 * most;
  p->push = p->c + 3 * most;
  p->row = p->c + 4 * most;
  p->row_product = p->c + 16 * most;
  if (!fill_sides(p)) return weft_fail_memory(error, "an impact zone");
  for (int i = 0; i < p->row_count; i++) memcpy(p->vertices + 4 * i, p->sides[i].vertex, 4 * sizeof(int32_t));
  memcpy(p->x, wanted, 3 * n * sizeof(double));
  WeftResult result =
      weft_incidence_create(&p->incidence, impacts->vertex_count, p->row_count, p->vertices, error);
  if (!result)
    result = weft_zones_create(&p->zones, impacts->vertex_count, impacts->inverse_mass, p->row_count,
                               p->vertices, error);
  if (result) return result;
  p->iterations = WEFT_NEW(int64_t, p->zones.count);
  return p->iterations ? WEFT_RESULT_OK : weft_fail_memory(error, "an impact zone");
}

/* Counts the iterations of the zone that took most: zones run side by side. */
static WeftResult solve(const WeftImpacts *impacts, double *x1, WeftLinkCounts *counts, WeftError *error) {
  WeftLagrangian p;
  WeftResult result = create(&p, impacts, x1, error);
  if (!result) {
    FOR_CHUNKS (z, p.zones.count) {
      weft_lagrangian_solve(&p, z);
    }
    *counts = (WeftLinkCounts){0};
    for (int z = 0; z < p.zones.count; z++) {
      if (p.iterations[z] > counts->iterations) counts->iterations = p.iterations[z];
    }
    for (int v = 0; v < impacts->vertex_count; v++)
      counts->limited += memcmp(x1 + 3 * v, p.x + 3 * v, 3 * sizeof(double)) != 0;
    memcpy(x1, p.x, 3 * (size_t)impacts->vertex_count * sizeof(double));
  }
  destroy(&p);
  return result;
}

/* 10 rounds: [Tang18 sec. 4.4] usually converges within 10. Each begins anew with more impacts, so what does
 * not settle by then is not likely to. */
const WeftLinkOps weft_link_zone_nonlinear = {
    .name = "zone_nonlinear",
    .citation = "Tang18 sec. 4",
    .summary = "non-linear impact zones by augmented Lagrangian, zones in parallel",
    .budget = 10,
    .starts_over = true,
    .solve = solve,
};
