/* Impact problems for the links of the response chain, and what every link has to keep. */
#ifndef WEFT_TESTS_IMPACT_CASE_H
#define WEFT_TESTS_IMPACT_CASE_H

#include "check.h"
#include "detect/ccd.kernel.h"
#include "respond/contact_row.h"
#include "respond/link.h"

typedef struct ImpactCase {
  WeftImpacts impacts;
  int capacity;
  double *x0, *x1, *inverse_mass, *time;
  uint8_t *is_obstacle, *is_edges;
  int32_t *vertices;
} ImpactCase;

static inline ImpactCase case_new(int vertex_count, int capacity) {
  size_t n = (size_t)vertex_count, m = (size_t)capacity;
  ImpactCase c = {.capacity = capacity,
                  .x0 = calloc(3 * n, sizeof(double)),
                  .x1 = calloc(3 * n, sizeof(double)),
                  .inverse_mass = calloc(n, sizeof(double)),
                  .time = calloc(m, sizeof(double)),
                  .is_obstacle = calloc(n, 1),
                  .is_edges = calloc(m, 1),
                  .vertices = calloc(4 * m, sizeof(int32_t))};
  c.impacts = (WeftImpacts){.h = 1,
                            .vertex_count = vertex_count,
                            .x0 = c.x0,
                            .inverse_mass = c.inverse_mass,
                            .is_obstacle = c.is_obstacle,
                            .vertices = c.vertices,
                            .is_edges = c.is_edges,
                            .time = c.time};
  return c;
}

static inline void case_free(ImpactCase *c) {
  free(c->x0);
  free(c->x1);
  free(c->inverse_mass);
  free(c->time);
  free(c->is_obstacle);
  free(c->is_edges);
  free(c->vertices);
}

/* mass 0: one that does not move by itself. */
static inline void case_vertex(ImpactCase *c, int v, Vec3 at, Vec3 by, double mass) {
  store3(c->x0, v, at);
  store3(c->x1, v, v3_add(at, by));
  c->inverse_mass[v] = mass > 0 ? 1 / mass : 0;
}

static inline void case_add(ImpactCase *c, bool is_edges, const int32_t *vertex, double time) {
  int i = c->impacts.impact_count++;
  assert_true(i < c->capacity);
  memcpy(c->vertices + 4 * i, vertex, 4 * sizeof *vertex);
  c->is_edges[i] = is_edges;
  c->time[i] = time;
}

/* When the pair meets on the way from x0 to x1, or CCD_NONE. */
static inline double case_time(const ImpactCase *c, bool is_edges, const int32_t *vertex, const double *x1) {
  Vec3 a[4], b[4];
  for (int k = 0; k < 4; k++) {
    a[k] = load3(c->x0, vertex[k]);
    b[k] = load3(x1, vertex[k]);
  }
  return (is_edges ? ccd_edge_edge(a, b, 0) : ccd_vertex_face(a, b, 0)).time;
}

/* Sums over the vertices that can move, of displacements: linear momentum, the sum of its terms' magnitudes,
 * kinetic energy, and angular momentum about the given positions. */
typedef struct Motion {
  Vec3 momentum, angular;
  double magnitude, energy, angular_magnitude;
} Motion;

static inline Motion case_motion(const ImpactCase *c, const double *from, const double *to,
                                 const double *about) {
  Motion m = {0};
  for (int v = 0; v < c->impacts.vertex_count; v++) {
    if (c->inverse_mass[v] == 0) continue;
    double mass = 1 / c->inverse_mass[v];
    Vec3 d = v3_sub(load3(to, v), load3(from, v)), x = load3(about, v);
    m.momentum = v3_axpy(m.momentum, mass, d);
    m.angular = v3_axpy(m.angular, mass, v3_cross(x, d));
    m.magnitude += mass * v3_length(d);
    m.angular_magnitude += mass * v3_length(d) * v3_length(x);
    m.energy += mass * v3_dot(d, d) / 2;
  }
  return m;
}

static inline void case_solve(const WeftLinkOps *link, ImpactCase *c, WeftLinkCounts *counts) {
  WeftError error;
  *counts = (WeftLinkCounts){0};
  check_ok(link->solve(&c->impacts, c->x1, counts, &error), error);
  for (int i = 0; i < 3 * c->impacts.vertex_count; i++) assert_true(isfinite(c->x1[i]));
}

static inline double *copy_ends(const ImpactCase *c) {
  size_t bytes = 3 * (size_t)c->impacts.vertex_count * sizeof(double);
  return memcpy(malloc(bytes), c->x1, bytes);
}

/* Momentum to rounding, and no more energy than before. */
static inline void check_kept(const ImpactCase *c, const double *before) {
  Motion a = case_motion(c, c->x0, before, c->x0), b = case_motion(c, c->x0, c->x1, c->x0);
  assert_true(v3_length(v3_sub(a.momentum, b.momentum)) <= 1e-12 * a.magnitude);
  assert_true(b.energy <= a.energy * (1 + 1e-14));
}

static inline Vec3 random_vector(uint64_t *seed, double size) {
  double x = random_in(seed, -size, size), y = random_in(seed, -size, size);
  return vec3(x, y, random_in(seed, -size, size));
}

#endif
