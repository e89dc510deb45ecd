/* Search and link in rounds, as a step does them, on meshes small enough to look at every pair. */
#ifndef WEFT_TESTS_ROUNDS_H
#define WEFT_TESTS_ROUNDS_H

#include "detect/narrow.h"
#include "impact_case.h"

enum { ROUNDS_ROOM = 60000 };

/* All pairs of features that share no vertex. */
typedef struct Pairs {
  int count[2]; /* of vertex and face, edge and edge */
  int32_t *vertices[2];
  double *time;
} Pairs;

static inline bool pair_is_apart(const int32_t *v, int first) {
  for (int a = 0; a < first; a++) {
    for (int b = first; b < 4; b++) {
      if (v[a] == v[b]) return false;
    }
  }
  return true;
}

static inline void pairs_add(Pairs *p, int kind, const int32_t *vertex, size_t *room) {
  if (!pair_is_apart(vertex, kind + 1)) return;
  if ((size_t)p->count[kind] == room[kind]) {
    room[kind] = 2 * room[kind] + 64;
    p->vertices[kind] = realloc(p->vertices[kind], 4 * room[kind] * sizeof(int32_t));
    assert_non_null(p->vertices[kind]);
  }
  memcpy(p->vertices[kind] + 4 * (size_t)p->count[kind]++, vertex, 4 * sizeof *vertex);
}

static inline Pairs pairs_of(int vertex_count, int triangle_count, const int32_t *triangles) {
  Pairs p = {0};
  size_t room[2] = {0, 0};
  int32_t *edge = malloc(6 * (size_t)triangle_count * sizeof *edge);
  int edges = 0;
  for (int t = 0; t < triangle_count; t++) {
    for (int v = 0; v < vertex_count; v++) {
      const int32_t pair[4] = {v, triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]};
      pairs_add(&p, 0, pair, room);
    }
    for (int k = 0; k < 3; k++) {
      int32_t a = triangles[3 * t + k], b = triangles[3 * t + (k + 1) % 3], is_new = 1;
      for (int e = 0; e < edges && is_new; e++) is_new = !(edge[2 * e] == b && edge[2 * e + 1] == a);
      edge[2 * edges] = a;
      edge[2 * edges + 1] = b;
      edges += is_new;
    }
  }
  for (int e = 0; e < edges; e++) {
    for (int f = 0; f < e; f++) {
      const int32_t pair[4] = {edge[2 * e], edge[2 * e + 1], edge[2 * f], edge[2 * f + 1]};
      pairs_add(&p, 1, pair, room);
    }
  }
  free(edge);
  p.time = malloc((size_t)(p.count[0] + p.count[1]) * sizeof *p.time);
  return p;
}

static inline void pairs_free(Pairs *p) {
  free(p->vertices[0]);
  free(p->vertices[1]);
  free(p->time);
}

/* Adds what meets on the way from x0 to x1; returns how many. */
static inline int search(const Pairs *p, ImpactCase *c) {
  int found = 0;
  for (int kind = 0; kind < 2; kind++) {
    weft_narrow_ccd(NULL, (WeftPairKind)kind, p->count[kind], p->vertices[kind], c->x0, c->x1, 0, p->time);
    for (int i = 0; i < p->count[kind]; i++) {
      const int32_t *v = p->vertices[kind] + 4 * (size_t)i;
      bool moves =
          c->inverse_mass[v[0]] + c->inverse_mass[v[1]] + c->inverse_mass[v[2]] + c->inverse_mass[v[3]] > 0;
      if (!(p->time[i] <= 1) || !moves) continue;
      case_add(c, kind, v, p->time[i]);
      found++;
    }
  }
  return found;
}

typedef struct Rounds {
  int rounds, impacts; /* impacts: with those found again */
  int left;            /* impacts after the last round */
  int64_t iterations, limited;
} Rounds;

static inline Rounds run_rounds(const WeftLinkOps *link, const Pairs *p, ImpactCase *c, int most) {
  Rounds r = {0};
  size_t bytes = 3 * (size_t)c->impacts.vertex_count * sizeof(double);
  double *wanted = malloc(bytes);
  memcpy(wanted, c->x1, bytes);
  c->impacts.impact_count = 0;
  while ((r.left = search(p, c)) > 0 && r.rounds < most) {
    WeftLinkCounts counts;
    if (link->starts_over) memcpy(c->x1, wanted, bytes);
    case_solve(link, c, &counts);
    r.rounds++;
    r.iterations += counts.iterations;
    r.limited = counts.limited;
    if (getenv("WEFT_TEST_ROUNDS"))
      print_message("  round %d: %d found, %d in all, %lld iterations\n", r.rounds, r.left,
                    c->impacts.impact_count, (long long)counts.iterations);
  }
  r.impacts = c->impacts.impact_count;
  free(wanted);
  return r;
}

/* Sheets of side x side vertices 1 / (side - 1) apart, one over the other, each turned against the one below;
 * displacements: each sheet towards the middle by speed, each vertex at random by as much as roughness. */
static inline ImpactCase sheets_new(int sheets, int side, double gap, double speed, double roughness,
                                    uint64_t seed, Pairs *pairs) {
  int n = side * side, cells = (side - 1) * (side - 1);
  ImpactCase c = case_new(sheets * n, ROUNDS_ROOM);
  int32_t *triangles = malloc((size_t)sheets * (size_t)cells * 6 * sizeof *triangles), *t = triangles;
  for (int s = 0; s < sheets; s++) {
    double turn = 0.3 * s, middle = (sheets - 1) / 2.0;
    for (int i = 0; i < n; i++) {
      double u = (double)(i % side) / (side - 1) - 0.5, v = (double)(i / side) / (side - 1) - 0.5;
      Vec3 at = vec3(cos(turn) * u - sin(turn) * v, sin(turn) * u + cos(turn) * v, gap * s);
      Vec3 by = v3_add(vec3(0, 0, speed * (middle - s)), random_vector(&seed, roughness));
      case_vertex(&c, s * n + i, at, by, random_in(&seed, 0.5, 2));
    }
    for (int i = 0; i < cells; i++) {
      int32_t a = s * n + i / (side - 1) * side + i % (side - 1), d = a + side + 1;
      const int32_t cell[6] = {a, a + 1, a + side, a + 1, d, a + side};
      memcpy(t, cell, sizeof cell);
      t += 6;
    }
  }
  *pairs = pairs_of(sheets * n, sheets * 2 * cells, triangles);
  free(triangles);
  return c;
}

/* Meshes that would pass through themselves and each other: two to four sheets, lightly and violently; a
 * sheet on a floor that rises; a sheet held at a border. The link has to leave them clean within its budget.
 */
static const struct {
  const char *name;
  int sheets, side;
  double gap, speed, roughness;
  bool has_floor, is_held;
} rounds_cases[] = {
    {"two sheets", 2, 5, 0.02, 0.05, 0.02, false, false},
    {"two sheets, fast", 2, 5, 0.02, 0.3, 0.05, false, false},
    {"three sheets, rough", 3, 4, 0.01, 0.06, 0.05, false, false},
    {"four sheets, close", 4, 4, 0.005, 0.02, 0.05, false, false},
    {"floor that rises", 2, 5, 0.01, 0.1, 0.02, true, false},
    {"held border", 2, 5, 0.01, 0.05, 0.02, false, true},
};

static inline void check_rounds(const WeftLinkOps *link) {
  for (size_t i = 0; i < sizeof rounds_cases / sizeof *rounds_cases; i++) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
      Pairs pairs;
      int side = rounds_cases[i].side, n = side * side;
      ImpactCase c = sheets_new(rounds_cases[i].sheets, side, rounds_cases[i].gap, rounds_cases[i].speed,
                                rounds_cases[i].roughness, seed, &pairs);
      int fixed = rounds_cases[i].has_floor ? n : rounds_cases[i].is_held ? side : 0;
      for (int v = 0; v < fixed; v++) { /* these go up together, or stay */
        c.inverse_mass[v] = 0;
        c.is_obstacle[v] = rounds_cases[i].has_floor;
        store3(c.x1, v,
               v3_add(load3(c.x0, v), vec3(0, 0, rounds_cases[i].has_floor ? rounds_cases[i].speed : 0)));
      }
      size_t bytes = 3 * (size_t)c.impacts.vertex_count * sizeof(double);
      double *wanted = memcpy(malloc(bytes), c.x1, bytes);
      Rounds r = run_rounds(link, &pairs, &c, link->budget);
      Motion a = case_motion(&c, c.x0, wanted, c.x0), b = case_motion(&c, c.x0, c.x1, c.x0);
      print_message("%-20s seed %d: %d rounds, %d impacts, %lld iterations, energy %.4f of before\n",
                    rounds_cases[i].name, (int)seed, r.rounds, r.impacts, (long long)r.iterations,
                    b.energy / a.energy);
      assert_int_equal(r.left, 0);
      assert_true(r.rounds > 0);
      assert_memory_equal(c.x1, wanted, (size_t)fixed * 3 * sizeof(double));
      if (fixed == 0) {
        assert_true(v3_length(v3_sub(a.momentum, b.momentum)) <=
                    (link->starts_over ? 1e-8 : 1e-12) * a.magnitude);
        assert_true(b.energy <= a.energy);
      }
      free(wanted);
      case_free(&c);
      pairs_free(&pairs);
    }
  }
}

/* Single pairs that meet on long ways, some of them turning around each other. */
static inline void check_random_pairs(const WeftLinkOps *link) {
  static const int32_t four[4] = {0, 1, 2, 3};
  uint64_t seed = 77;
  int pairs = 0, rounds = 0, most = 0;
  int64_t iterations = 0;
  for (int i = 0; pairs < 600; i++) {
    ImpactCase c = case_new(4, 64);
    bool is_edges = i % 2;
    double size = random_in(&seed, 0.2, 1), wanted[12];
    for (int v = 0; v < 4; v++) {
      Vec3 at = random_vector(&seed, 1);
      case_vertex(&c, v, at, random_vector(&seed, size), random_in(&seed, 0.1, 3));
    }
    memcpy(wanted, c.x1, sizeof wanted);
    double time = case_time(&c, is_edges, four, c.x1);
    pairs += time <= 1;
    int round = 0;
    for (; time <= 1; round++) {
      WeftLinkCounts counts;
      assert_true(round < link->budget);
      case_add(&c, is_edges, four, time);
      if (link->starts_over) memcpy(c.x1, wanted, sizeof wanted);
      case_solve(link, &c, &counts);
      iterations += counts.iterations;
      time = case_time(&c, is_edges, four, c.x1);
    }
    rounds += round;
    most = round > most ? round : most;
    Motion a = case_motion(&c, c.x0, wanted, c.x0), b = case_motion(&c, c.x0, c.x1, c.x0);
    double tolerance = link->starts_over ? 1e-8 : 1e-12;
    assert_true(v3_length(v3_sub(a.momentum, b.momentum)) <= tolerance * a.magnitude);
    case_free(&c);
  }
  print_message("%d pairs: %d rounds, %d at most, %lld iterations\n", pairs, rounds, most,
                (long long)iterations);
}

#endif
