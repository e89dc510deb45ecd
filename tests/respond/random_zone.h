/* Zones without a geometry behind them: any four vertices, any time. What is linear algebra has to hold for
 * them, too. */
#ifndef WEFT_TESTS_RANDOM_ZONE_H
#define WEFT_TESTS_RANDOM_ZONE_H

#include "impact_case.h"

static inline ImpactCase random_zone(int vertices, int impacts, uint64_t seed) {
  ImpactCase c = case_new(vertices, 2 * impacts);
  for (int v = 0; v < vertices; v++)
    case_vertex(&c, v, random_vector(&seed, 1), random_vector(&seed, 0.3), random_in(&seed, 0.1, 3));
  for (int i = 0; i < impacts; i++) {
    int32_t pick[4];
    for (int k = 0; k < 4; k++) {
      bool is_new = false;
      while (!is_new) {
        pick[k] = (int32_t)random_in(&seed, 0, vertices);
        is_new = true;
        for (int j = 0; j < k; j++) is_new = is_new && pick[j] != pick[k];
      }
    }
    case_add(&c, i % 2, pick, random_unit(&seed));
  }
  return c;
}

/* lambda >= 0 that minimises 1/2 lambda.A lambda - b.lambda, A = C M^-1 C^T dense, by sweeps of one
 * multiplier after the other: slow and plain. row: n x 12. Returns C^T lambda in push (vertices x 3). */
static inline void dense_multipliers(const ImpactCase *c, int n, const int32_t *vertices, const double *row,
                                     const double *b, int sweeps, double *push) {
  size_t m = (size_t)n, wide = 3 * (size_t)c->impacts.vertex_count;
  double *full = calloc(m * wide + 1, sizeof *full), *a = calloc(m * m + 1, sizeof *a);
  double *lambda = calloc(m + 1, sizeof *lambda);
  for (size_t i = 0; i < m; i++) {
    for (int k = 0; k < 12; k++)
      full[i * wide + 3 * (size_t)vertices[4 * i + (size_t)k / 3] + (size_t)k % 3] += row[12 * i + (size_t)k];
  }
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < m; j++) {
      for (size_t k = 0; k < wide; k++)
        a[i * m + j] += full[i * wide + k] * full[j * wide + k] * c->inverse_mass[k / 3];
    }
  }
  for (int sweep = 0; sweep < sweeps; sweep++) {
    for (size_t i = 0; i < m; i++) {
      double g = b[i];
      for (size_t j = 0; j < m; j++) g -= a[i * m + j] * lambda[j];
      if (a[i * m + i] > 0) lambda[i] = fmax(0, lambda[i] + g / a[i * m + i]);
    }
  }
  memset(push, 0, wide * sizeof *push);
  for (size_t i = 0; i < m; i++) {
    for (size_t k = 0; k < wide; k++) push[k] += lambda[i] * full[i * wide + k];
  }
  free(full);
  free(a);
  free(lambda);
}

/* Features on a lattice: parallel, collinear, coincident. Nothing there has a good normal, or any solution;
 * all of it has to end with numbers, and what is prescribed stays. keeps: momentum to rounding, however far
 * from a solution. */
static inline void check_lattice(const WeftLinkOps *link, bool keeps) {
  uint64_t seed = 5;
  for (int kind = 0; kind < 200; kind++) {
    ImpactCase c = case_new(6, 6);
    for (int v = 0; v < 6; v++) {
      double at[3], by[3];
      for (int k = 0; k < 3; k++) at[k] = floor(random_in(&seed, 0, 2));
      for (int k = 0; k < 3; k++) by[k] = floor(random_in(&seed, -1, 2));
      double mass = kind % 3 ? 1 : floor(random_in(&seed, 0, 2));
      case_vertex(&c, v, vec3(at[0], at[1], at[2]), vec3(by[0], by[1], by[2]), mass);
    }
    for (int i = 0; i < 6; i++)
      case_add(&c, i % 2, (const int32_t[]){i % 6, (i + 1) % 6, (i + 2) % 6, (i + 3) % 6},
               floor(random_in(&seed, 0, 3)) / 2);
    double *before = copy_ends(&c);
    WeftLinkCounts counts;
    case_solve(link, &c, &counts);
    for (int v = 0; v < 6; v++) {
      if (c.inverse_mass[v] == 0) assert_memory_equal(c.x1 + 3 * v, before + 3 * v, 3 * sizeof(double));
    }
    if (kind % 3 && keeps) check_kept(&c, before);
    free(before);
    case_free(&c);
  }
}

#endif
