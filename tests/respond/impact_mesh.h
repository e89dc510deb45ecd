/* Problems for links of the response chain: random sets of impacts, and meshes on whose way from x0 to x1 all
 * pairs are looked at. */
#ifndef WEFT_TESTS_IMPACT_MESH_H
#define WEFT_TESTS_IMPACT_MESH_H

#include "check.h"
#include "detect/ccd.kernel.h"
#include "respond/link.h"

enum { CASE_VERTICES = 320, CASE_IMPACTS = 20000 };

typedef struct ImpactCase {
  WeftImpacts impacts;
  double x0[3 * CASE_VERTICES], wanted[3 * CASE_VERTICES], x1[3 * CASE_VERTICES];
  double inverse_mass[CASE_VERTICES];
  uint8_t is_obstacle[CASE_VERTICES];
  int32_t vertices[4 * CASE_IMPACTS];
  uint8_t is_edges[CASE_IMPACTS];
  double time[CASE_IMPACTS];
} ImpactCase;

static inline void case_point_to_itself(ImpactCase *c, int vertex_count) {
  c->impacts = (WeftImpacts){.h = 0.01,
                             .vertex_count = vertex_count,
                             .x0 = c->x0,
                             .inverse_mass = c->inverse_mass,
                             .is_obstacle = c->is_obstacle,
                             .vertices = c->vertices,
                             .is_edges = c->is_edges,
                             .time = c->time};
}

static inline double case_time(const ImpactCase *c, bool is_edges, const int32_t vertex[4],
                               const double *x1) {
  Vec3 from[4], to[4];
  for (int k = 0; k < 4; k++) {
    from[k] = load3(c->x0, vertex[k]);
    to[k] = load3(x1, vertex[k]);
  }
  return (is_edges ? ccd_edge_edge(from, to, 0) : ccd_vertex_face(from, to, 0)).time;
}

/* Adds the pair if it meets and is not there yet; true if it was added. */
static inline bool case_add(ImpactCase *c, bool is_edges, const int32_t vertex[4], const double *x1) {
  double time = case_time(c, is_edges, vertex, x1);
  if (time > 1) return false;
  int count = c->impacts.impact_count;
  for (int i = 0; i < count; i++) {
    if (c->is_edges[i] == is_edges && memcmp(c->vertices + 4 * i, vertex, 4 * sizeof *vertex) == 0)
      return false;
  }
  assert_true(count < CASE_IMPACTS);
  memcpy(c->vertices + 4 * count, vertex, 4 * sizeof *vertex);
  c->is_edges[count] = is_edges;
  c->time[count] = time;
  c->impacts.impact_count++;
  return true;
}

/* Impacts of random vertices, masses over two decades. The last fixed vertices are an obstacle's or held;
 * where they move it is by one translation. */
static inline ImpactCase *case_random(int vertex_count, int impact_count, int fixed, double fixed_shift,
                                      uint64_t seed) {
  ImpactCase *c = calloc(1, sizeof *c);
  assert_non_null(c);
  case_point_to_itself(c, vertex_count);
  for (int i = 0; i < 3 * vertex_count; i++) {
    c->x0[i] = random_in(&seed, -1, 1);
    c->wanted[i] = c->x0[i] + random_in(&seed, -1, 1);
  }
  for (int v = 0; v < vertex_count; v++) {
    bool is_fixed = v >= vertex_count - fixed;
    c->inverse_mass[v] = is_fixed ? 0 : pow(10, random_in(&seed, 1, 3));
    c->is_obstacle[v] = is_fixed && v % 2;
    for (int k = 0; k < 3 && is_fixed; k++) c->wanted[3 * v + k] = c->x0[3 * v + k] + fixed_shift * (k + 1);
  }
  while (c->impacts.impact_count < impact_count) {
    int32_t vertex[4];
    for (int k = 0; k < 4; k++) vertex[k] = (int32_t)random_in(&seed, 0, vertex_count);
    bool is_own = true;
    for (int k = 0; k < 4; k++) {
      for (int l = 0; l < k; l++) is_own &= vertex[k] != vertex[l];
    }
    if (is_own) case_add(c, random_unit(&seed) < 0.5, vertex, c->wanted);
  }
  memcpy(c->x1, c->wanted, sizeof c->x1);
  return c;
}

/* Momentum and kinetic energy, displacements for velocities, of what moves freely from x0 to x1. */
typedef struct Moving {
  Vec3 momentum;
  double size, energy; /* sum m |d|, sum m |d|^2 / 2 */
} Moving;

static inline Moving case_moving(const ImpactCase *c, const double *x1) {
  Moving sum = {vec3(0, 0, 0), 0, 0};
  for (int v = 0; v < c->impacts.vertex_count; v++) {
    if (c->inverse_mass[v] == 0) continue;
    double mass = 1 / c->inverse_mass[v];
    Vec3 moved = v3_sub(load3(x1, v), load3(c->x0, v));
    sum.momentum = v3_axpy(sum.momentum, mass, moved);
    sum.size += mass * v3_length(moved);
    sum.energy += mass * v3_dot(moved, moved) / 2;
  }
  return sum;
}

static inline void check_fixed_unmoved(const ImpactCase *c) {
  for (int v = 0; v < c->impacts.vertex_count; v++) {
    if (c->inverse_mass[v] > 0 && !c->is_obstacle[v]) continue;
    assert_memory_equal(c->x1 + 3 * v, c->wanted + 3 * v, 3 * sizeof(double));
  }
}

static inline void check_finite(const ImpactCase *c) {
  for (int i = 0; i < 3 * c->impacts.vertex_count; i++) assert_true(isfinite(c->x1[i]));
}

/* ---- sheets over each other, thrown together ---- */

enum {
  SHEET_SIDE = 6,
  SHEET_EDGES = 2 * SHEET_SIDE * (SHEET_SIDE - 1) + (SHEET_SIDE - 1) * (SHEET_SIDE - 1)
};

typedef struct Sheets {
  int count, triangle_count, edge_count;
  int32_t triangles[8 * 2 * (SHEET_SIDE - 1) * (SHEET_SIDE - 1) * 3], edges[8 * SHEET_EDGES * 2];
} Sheets;

static inline void sheets_topology(Sheets *s, int count) {
  int32_t *t = s->triangles, *e = s->edges;
  s->count = count;
  for (int i = 0; i < count * SHEET_SIDE * SHEET_SIDE; i++) {
    int32_t right = i + 1, up = i + SHEET_SIDE;
    bool has_right = i % SHEET_SIDE < SHEET_SIDE - 1;
    bool has_up = i / SHEET_SIDE % SHEET_SIDE < SHEET_SIDE - 1;
    if (has_right) *e++ = i, *e++ = right;
    if (has_up) *e++ = i, *e++ = up;
    if (has_right && has_up) {
      *e++ = right, *e++ = up;
      *t++ = i, *t++ = right, *t++ = up;
      *t++ = right, *t++ = up + 1, *t++ = up;
    }
  }
  s->triangle_count = (int)(t - s->triangles) / 3;
  s->edge_count = (int)(e - s->edges) / 2;
}

/* Sheets 0.2 m wide, so far apart [m]; they approach their middle by squeeze of their height, each vertex
 * with noise [m] of its own, all with a common motion. The lowest one may be an obstacle, or held. */
static inline ImpactCase *case_sheets(Sheets *s, int count, double apart, double squeeze, double noise,
                                      bool is_on_obstacle, uint64_t seed) {
  ImpactCase *c = calloc(1, sizeof *c);
  assert_non_null(c);
  sheets_topology(s, count);
  int per = SHEET_SIDE * SHEET_SIDE;
  case_point_to_itself(c, count * per);
  for (int v = 0; v < count * per; v++) {
    int layer = v / per, i = v % per;
    double turn = 0.3 * layer, u = 0.04 * (i % SHEET_SIDE) - 0.1,
           w = 0.04 * (i / SHEET_SIDE % SHEET_SIDE) - 0.1;
    bool is_fixed = is_on_obstacle && layer == 0;
    double height = apart * (layer - (count - 1) / 2.0);
    double x[3] = {cos(turn) * u - sin(turn) * w, sin(turn) * u + cos(turn) * w, height};
    const double common[3] = {0.01, 0.02, 0.01};
    c->inverse_mass[v] = is_fixed ? 0 : pow(10, random_in(&seed, 3, 4));
    c->is_obstacle[v] = is_fixed;
    for (int k = 0; k < 3; k++) {
      c->x0[3 * v + k] = x[k];
      c->wanted[3 * v + k] = x[k] + common[k];
      if (!is_fixed)
        c->wanted[3 * v + k] += random_in(&seed, -noise, noise) - (k == 2 ? squeeze * height : 0);
    }
  }
  memcpy(c->x1, c->wanted, sizeof c->x1);
  return c;
}

static inline bool have_common(const int32_t *a, int a_count, const int32_t *b, int b_count) {
  for (int i = 0; i < a_count; i++) {
    for (int j = 0; j < b_count; j++) {
      if (a[i] == b[j]) return true;
    }
  }
  return false;
}

/* Looks at all pairs from x0 to x1; returns how many meet, and adds those that are new. */
static inline int sheets_look(const Sheets *s, ImpactCase *c) {
  int hits = 0;
  for (int32_t v = 0; v < c->impacts.vertex_count; v++) {
    for (int t = 0; t < s->triangle_count; t++) {
      const int32_t *face = s->triangles + 3 * t;
      const int32_t vertex[4] = {v, face[0], face[1], face[2]};
      if (have_common(&v, 1, face, 3) || case_time(c, false, vertex, c->x1) > 1) continue;
      hits++;
      case_add(c, false, vertex, c->x1);
    }
  }
  for (int i = 0; i < s->edge_count; i++) {
    for (int j = 0; j < i; j++) {
      const int32_t *a = s->edges + 2 * i, *b = s->edges + 2 * j;
      const int32_t vertex[4] = {a[0], a[1], b[0], b[1]};
      if (have_common(a, 2, b, 2) || case_time(c, true, vertex, c->x1) > 1) continue;
      hits++;
      case_add(c, true, vertex, c->x1);
    }
  }
  return hits;
}

/* What the chain does with one link alone. Returns the rounds until nothing met, or -1 when they were not
 * enough. */
static inline int sheets_resolve(const Sheets *s, ImpactCase *c, const WeftLinkOps *link, int budget,
                                 int *first_hits, int *last_hits) {
  WeftError error;
  WeftLinkCounts counts;
  *first_hits = *last_hits = sheets_look(s, c);
  for (int round = 0; round <= budget; round++) {
    if (*last_hits == 0) return round;
    if (round == budget) break;
    if (link->starts_over) memcpy(c->x1, c->wanted, sizeof c->x1);
    check_ok(link->solve(&c->impacts, c->x1, &counts, &error), error);
    check_finite(c);
    check_fixed_unmoved(c);
    *last_hits = sheets_look(s, c);
  }
  return -1;
}

/* Sheets that would pass through each other come apart within the link's budget; momentum is kept and energy
 * does not rise where nothing is prescribed. */
static inline void check_sheets_come_apart(const WeftLinkOps *link) {
  static Sheets sheets;
  static const struct {
    int count;
    double squeeze, noise;
    bool is_on_obstacle;
  } cases[] = {{2, 1.2, 0, false},    {2, 1.5, 1e-3, false}, {3, 1.2, 1e-3, false}, {3, 2, 5e-3, true},
               {4, 1.5, 5e-3, false}, {4, 2, 2e-2, true},    {6, 2, 4e-2, false}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    ImpactCase *c = case_sheets(&sheets, cases[n].count, 0.01, cases[n].squeeze, cases[n].noise,
                                cases[n].is_on_obstacle, n);
    int first, last, rounds = sheets_resolve(&sheets, c, link, 60, &first, &last);
    Moving before = case_moving(c, c->wanted), after = case_moving(c, c->x1);
    print_message("%d sheets%s, squeeze %.1f, noise %.0f mm: %d meet, %d rounds, %d impacts, %d left\n",
                  cases[n].count, cases[n].is_on_obstacle ? " on an obstacle" : "", cases[n].squeeze,
                  1e3 * cases[n].noise, first, rounds, c->impacts.impact_count, last);
    assert_true(first > 0 && rounds >= 1 && rounds <= link->budget);
    if (!cases[n].is_on_obstacle) {
      assert_true(after.energy < before.energy);
      check_near(v3_length(v3_sub(after.momentum, before.momentum)), 0, 1e-12 * before.size);
    }
    free(c);
  }
}

/* Step after step: four sheets that fall on the lowest, an obstacle which rises and tilts, or that are
 * pressed together; every vertex is shaken by up to 0.1 m/s a step. Returns the most rounds that a step took;
 * -1 when 60 were not enough. */
static inline int sheets_many_steps(const WeftLinkOps *link, bool is_on_obstacle, int steps) {
  static Sheets sheets;
  static double velocity[3 * CASE_VERTICES];
  const double h = 0.01, turn = 0.01;
  ImpactCase *c = case_sheets(&sheets, 4, 0.01, 0, 0, is_on_obstacle, 3);
  uint64_t seed = 9;
  int most = 0, count = 3 * c->impacts.vertex_count, first, last;
  memset(velocity, 0, sizeof velocity);
  for (int step = 0; step < steps && most >= 0; step++) {
    for (int i = 0; i < count; i++) {
      bool is_up = i % 3 == 2;
      double pull = is_on_obstacle || c->x0[i] > 0 ? -9.81 : 9.81;
      velocity[i] += (is_up ? h * pull : 0) + random_in(&seed, -0.1, 0.1);
      c->wanted[i] = c->x0[i] + h * velocity[i];
    }
    for (int i = 0; i < count && is_on_obstacle; i += 3) {
      const double *x = c->x0 + i;
      if (c->inverse_mass[i / 3] > 0) continue;
      c->wanted[i] = cos(turn) * x[0] - sin(turn) * x[2];
      c->wanted[i + 1] = x[1];
      c->wanted[i + 2] = sin(turn) * x[0] + cos(turn) * x[2] + 1e-3;
    }
    memcpy(c->x1, c->wanted, sizeof c->x1);
    c->impacts.impact_count = 0;
    int rounds = sheets_resolve(&sheets, c, link, 60, &first, &last);
    most = rounds < 0 ? -1 : rounds > most ? rounds : most;
    for (int i = 0; i < count; i++) velocity[i] = (c->x1[i] - c->x0[i]) / h;
    memcpy(c->x0, c->x1, sizeof c->x0);
  }
  free(c);
  return most;
}

static inline void check_many_steps(const WeftLinkOps *link) {
  for (int is_on_obstacle = 0; is_on_obstacle < 2; is_on_obstacle++) {
    int most = sheets_many_steps(link, is_on_obstacle, 20);
    print_message("20 steps of four sheets %s: at most %d rounds\n",
                  is_on_obstacle ? "on an obstacle" : "pressed together", most);
    assert_true(most > 0 && most <= link->budget);
  }
}

#endif
