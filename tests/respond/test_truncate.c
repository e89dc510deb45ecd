/* The last link: whatever is thrown at it, nothing meets after its rounds; and it does not stop what need
 * not stop. All pairs of small meshes are looked at, and the end is judged once more exactly. */
#include "impact_case.h"
#include "respond/approach.h"
#include "rounds.h"

#include <weft/check.h>

enum { SIDE = 5, PER = SIDE * SIDE, CELLS = (SIDE - 1) * (SIDE - 1) };

/* A mesh with its pairs; what cloths want is in wanted. */
typedef struct Scene {
  ImpactCase c;
  Pairs pairs;
  int triangle_count;
  int32_t *triangles;
  double *wanted;
  uint8_t *times_found[2]; /* of each pair: the list holds it twice at most */
} Scene;

static void scene_close(Scene *s) {
  for (int kind = 0; kind < 2; kind++) free(s->times_found[kind]);
  pairs_free(&s->pairs);
  free(s->triangles);
  free(s->wanted);
  case_free(&s->c);
}

/* Takes the triangles. */
static Scene scene_of(int vertex_count, int triangle_count, int32_t *triangles) {
  Scene s = {.pairs = pairs_of(vertex_count, triangle_count, triangles),
             .triangle_count = triangle_count,
             .triangles = triangles};
  int all = s.pairs.count[0] + s.pairs.count[1];
  s.c = case_new(vertex_count, 2 * all + 1);
  s.wanted = calloc(3 * (size_t)vertex_count, sizeof(double));
  for (int kind = 0; kind < 2; kind++) s.times_found[kind] = calloc((size_t)s.pairs.count[kind] + 1, 1);
  return s;
}

/* Sheets of SIDE x SIDE vertices, a metre wide, one above the other, each turned against the one below. */
static Scene scene_sheets(int sheets, double gap, double turn, uint64_t *seed) {
  int32_t *triangles = malloc((size_t)sheets * CELLS * 6 * sizeof *triangles), *t = triangles;
  for (int s = 0; s < sheets; s++) {
    for (int i = 0; i < CELLS; i++) {
      int32_t a = s * PER + i / (SIDE - 1) * SIDE + i % (SIDE - 1), d = a + SIDE + 1;
      const int32_t cell[6] = {a, a + 1, a + SIDE, a + 1, d, a + SIDE};
      memcpy(t, cell, sizeof cell);
      t += 6;
    }
  }
  Scene s = scene_of(sheets * PER, sheets * 2 * CELLS, triangles);
  for (int v = 0; v < sheets * PER; v++) {
    int layer = v / PER, i = v % PER;
    double u = (double)(i % SIDE) / (SIDE - 1) - 0.5, w = (double)(i / SIDE) / (SIDE - 1) - 0.5;
    double c = cos(turn * layer), n = sin(turn * layer);
    case_vertex(&s.c, v, vec3(c * u - n * w, n * u + c * w, gap * layer), vec3(0, 0, 0),
                random_in(seed, 0.5, 2));
    memcpy(s.wanted + 3 * v, s.c.x0 + 3 * v, 3 * sizeof(double));
  }
  return s;
}

static void want(Scene *s, int v, Vec3 by) { store3(s->wanted, v, v3_add(load3(s->c.x0, v), by)); }

/* Looks at all pairs; the list is that of the chain: sorted, and pairs that were found again twice. */
static int find_impacts(Scene *s) {
  ImpactCase *c = &s->c;
  int found = 0;
  c->impacts.impact_count = 0;
  for (int kind = 0; kind < 2; kind++) {
    weft_narrow_ccd(NULL, (WeftPairKind)kind, s->pairs.count[kind], s->pairs.vertices[kind], c->x0, c->x1, 0,
                    s->pairs.time);
    for (int i = 0; i < s->pairs.count[kind]; i++) {
      const int32_t *v = s->pairs.vertices[kind] + 4 * (size_t)i;
      bool can_move = false;
      for (int k = 0; k < 4; k++) can_move |= !c->is_obstacle[v[k]];
      uint8_t *times = &s->times_found[kind][i];
      if (s->pairs.time[i] <= 1 && can_move) {
        found++;
        if (*times < 2) ++*times;
      }
      for (int k = 0; k < *times; k++) case_add(c, kind, v, s->pairs.time[i]);
    }
  }
  return found;
}

/* As the chain does it. Returns what is left. */
static Rounds resolve(Scene *s) {
  Rounds r = {0};
  ImpactCase *c = &s->c;
  size_t bytes = 3 * (size_t)c->impacts.vertex_count * sizeof(double);
  for (int kind = 0; kind < 2; kind++) memset(s->times_found[kind], 0, (size_t)s->pairs.count[kind]);
  memcpy(c->x1, s->wanted, bytes);
  c->impacts.impact_count = c->impacts.round = 0;
  for (; (r.left = find_impacts(s)) > 0 && r.rounds < weft_link_truncate.budget; c->impacts.round++) {
    WeftLinkCounts counts;
    memcpy(c->x1, s->wanted, bytes);
    case_solve(&weft_link_truncate, c, &counts);
    r.rounds++;
    r.iterations += counts.iterations;
    r.limited = counts.limited;
    for (int v = 0; v < c->impacts.vertex_count; v++) {
      if (c->is_obstacle[v]) assert_memory_equal(c->x1 + 3 * v, s->wanted + 3 * v, 3 * sizeof(double));
    }
  }
  r.impacts = c->impacts.impact_count;
  return r;
}

static int64_t judge(const Scene *s, const double *x) {
  WeftError error;
  WeftCheck check;
  const WeftCheckMesh mesh = {"all", s->c.impacts.vertex_count, x, s->triangle_count, s->triangles, false};
  check_ok(weft_check_meshes(1, &mesh, &(WeftCheckOptions){.threads = 1}, &check, &error), error);
  int64_t hits = check.total.hits;
  weft_check_free(&check);
  return hits;
}

typedef struct Kind {
  const char *name;
  int sheets;
  double speed, roughness, turn;
  enum { FREE, STANDS, SHIFTS, ROTATES, SCREWS, HELD } lowest;
} Kind;

/* Where an obstacle's vertex goes. */
static Vec3 obstacle_goes(const Kind *kind, Vec3 at) {
  if (kind->lowest == SHIFTS) return vec3(0.02, -0.01, kind->speed);
  double angle = kind->lowest == ROTATES ? 0.1 : kind->lowest == SCREWS ? 0.5 : 0;
  double c = cos(angle), n = sin(angle), grown = kind->lowest == SCREWS ? 1.05 : 1;
  Vec3 to = vec3(c * at.x - n * at.z, grown * at.y, n * at.x + c * at.z);
  return v3_add(v3_sub(to, at), vec3(0, 0, kind->lowest == SCREWS ? 0.1 : 0));
}

/* Sheets go towards their middle, and each vertex its own way besides. */
static void prepare(Scene *s, const Kind *kind, uint64_t *seed) {
  double middle = (kind->sheets - 1) / 2.0;
  for (int v = 0; v < s->c.impacts.vertex_count; v++) {
    int layer = v / PER;
    want(s, v, v3_add(vec3(0, 0, kind->speed * (middle - layer)), random_vector(seed, kind->roughness)));
    if (layer || kind->lowest == FREE) continue;
    if (kind->lowest == HELD) {
      if (v < SIDE) s->c.inverse_mass[v] = 0;
      continue;
    }
    s->c.is_obstacle[v] = 1;
    s->c.inverse_mass[v] = 0;
    want(s, v, obstacle_goes(kind, load3(s->c.x0, v)));
  }
}

typedef struct Tally {
  int scenes, most_rounds, impacts;
} Tally;

/* Clean on the way, and at its end by the exact judge. */
static void check_resolve(Scene *s, const char *name, int number, double gap, Tally *tally) {
  Rounds r = resolve(s);
  int64_t hits = judge(s, s->c.x1);
  if (r.left || hits)
    fail_msg("%s, number %d, gap %g: %d left after %d rounds, %d hits", name, number, gap, r.left, r.rounds,
             (int)hits);
  tally->scenes++;
  tally->impacts += r.impacts;
  tally->most_rounds = r.rounds > tally->most_rounds ? r.rounds : tally->most_rounds;
}

static void tell(const char *name, const Tally *tally) {
  print_message("%-16s %3d scenes, %6d impacts, at most %d rounds\n", name, tally->scenes, tally->impacts,
                tally->most_rounds);
}

static void sheets_through_each_other(void **state) {
  (void)state;
  static const Kind kinds[] = {{"two", 2, 0.1, 0.02, 0.3, FREE},
                               {"two, aligned", 2, 0.1, 0.02, 0, FREE},
                               {"two, wild", 2, 0.5, 0.3, 0.3, FREE},
                               {"three", 3, 0.1, 0.1, 0.3, FREE},
                               {"floor", 2, 0.1, 0.05, 0.3, STANDS},
                               {"floor, three", 3, 0.1, 0.05, 0.3, STANDS},
                               {"rising floor", 3, 0.1, 0.02, 0.3, SHIFTS},
                               {"turning floor", 2, 0.05, 0.02, 0.3, ROTATES},
                               {"screwed floor", 3, 0.05, 0.1, 0.3, SCREWS},
                               {"held", 2, 0.1, 0.05, 0.3, HELD}};
  static const double gaps[] = {1e-2, 1e-3, 1e-5, 1e-7, 1e-9};
  const char *more = getenv("WEFT_TEST_SEEDS");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    Tally tally = {0};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
      for (int n = 1; n <= (more ? atoi(more) : 3); n++) {
        uint64_t seed = (uint64_t)n * 1000 + k;
        Scene s = scene_sheets(kinds[k].sheets, gaps[g], kinds[k].turn, &seed);
        prepare(&s, &kinds[k], &seed);
        check_resolve(&s, kinds[k].name, n, gaps[g], &tally);
        scene_close(&s);
      }
    }
    tell(kinds[k].name, &tally);
    assert_true(tally.impacts > 0);
  }
}

/* Triangles anywhere, which do not meet at x0; some are obstacles, which all turn and shift as one. */
static Scene scene_soup(int count, bool has_obstacles, uint64_t *seed) {
  int32_t *triangles = malloc(3 * (size_t)count * sizeof *triangles);
  for (int i = 0; i < 3 * count; i++) triangles[i] = i;
  Scene s = scene_of(3 * count, count, triangles);
  const Kind obstacle = {.lowest = SCREWS};
  for (int i = 0; i < count;) {
    Vec3 middle = random_vector(seed, 0.6);
    bool is_obstacle = has_obstacles && i % 4 == 0;
    for (int v = 3 * i; v < 3 * i + 3; v++) {
      case_vertex(&s.c, v, v3_add(middle, random_vector(seed, 0.5)), vec3(0, 0, 0), random_in(seed, 0.01, 2));
      want(&s, v, random_vector(seed, 0.5));
      s.c.is_obstacle[v] = is_obstacle;
      if (is_obstacle) {
        s.c.inverse_mass[v] = 0;
        want(&s, v, obstacle_goes(&obstacle, load3(s.c.x0, v)));
      }
    }
    s.triangle_count = s.c.impacts.vertex_count = ++i;
    s.c.impacts.vertex_count *= 3;
    if (judge(&s, s.c.x0)) i--;
  }
  return s;
}

static void triangles_through_each_other(void **state) {
  (void)state;
  const char *more = getenv("WEFT_TEST_SEEDS");
  for (int has_obstacles = 0; has_obstacles < 2; has_obstacles++) {
    Tally tally = {0};
    for (int n = 1; n <= (more ? 10 * atoi(more) : 30); n++) {
      uint64_t seed = (uint64_t)n;
      Scene s = scene_soup(8 + n % 24, has_obstacles, &seed);
      check_resolve(&s, "soup", n, 0, &tally);
      scene_close(&s);
    }
    tell(has_obstacles ? "soup, obstacles" : "soup", &tally);
    assert_true(tally.impacts > 0);
  }
}

/* Steps that begin where the one before ended, as near as that is: sheets are pressed together and shaken,
 * over an obstacle that turns on. */
static void steps_after_steps(void **state) {
  (void)state;
  for (int has_obstacle = 0; has_obstacle < 2; has_obstacle++) {
    const Kind kind = {"pressed", 3, 0.03, 0.03, 0.3, has_obstacle ? ROTATES : FREE};
    Tally tally = {0};
    uint64_t seed = 5;
    Scene s = scene_sheets(3, 0.01, 0.3, &seed);
    for (int step = 0; step < 40; step++) {
      prepare(&s, &kind, &seed);
      check_resolve(&s, kind.name, step, 0, &tally);
      memcpy(s.c.x0, s.c.x1, 3 * (size_t)s.c.impacts.vertex_count * sizeof(double));
    }
    tell(has_obstacle ? "steps, obstacle" : "steps", &tally);
    scene_close(&s);
  }
}

/* What moves together is not stopped, nor looked at. */
static void flies_together(void **state) {
  (void)state;
  uint64_t seed = 1;
  Scene s = scene_sheets(4, 1e-3, 0, &seed);
  int n = s.c.impacts.vertex_count;
  for (int v = 0; v < n; v++) want(&s, v, vec3(0.08, 0.01, -0.02));
  Rounds r = resolve(&s);
  assert_true(r.rounds == 0 && r.limited == 0);
  /* nor when some of them touch on the way */
  for (int v = 0; v < n; v++) want(&s, v, v3_add(vec3(0.08, 0.01, -0.02), random_vector(&seed, 2e-3)));
  Motion a = case_motion(&s.c, s.c.x0, s.wanted, s.c.x0);
  r = resolve(&s);
  Motion b = case_motion(&s.c, s.c.x0, s.c.x1, s.c.x0);
  print_message("together: %d rounds, %d impacts, %d limited, %.5f of the way\n", r.rounds, r.impacts,
                (int)r.limited, v3_length(b.momentum) / v3_length(a.momentum));
  assert_int_equal(r.left, 0);
  assert_true(r.impacts > 0);
  check_near(v3_length(v3_sub(a.momentum, b.momentum)), 0, 0.01 * v3_length(a.momentum));
  scene_close(&s);
}

/* A sheet that slides over a floor and is pressed on it keeps its way along the floor. */
static void slides_over_a_floor(void **state) {
  (void)state;
  static const double gaps[] = {1e-2, 1e-4, 1e-6, 1e-8};
  for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
    uint64_t seed = 1;
    Scene s = scene_sheets(2, gaps[g], 0.3, &seed);
    for (int v = 0; v < PER; v++) { /* the floor is wider than the sheet */
      case_vertex(&s.c, v, v3_scale(2, load3(s.c.x0, v)), vec3(0, 0, 0), 0);
      s.c.is_obstacle[v] = 1;
      want(&s, v, vec3(0, 0, 0));
    }
    for (int v = PER; v < 2 * PER; v++) want(&s, v, vec3(0.03, 0, -0.02));
    Rounds r = resolve(&s);
    assert_int_equal(r.left, 0);
    assert_true(r.impacts > 0);
    double slowest = 1, mean = 0;
    for (int v = PER; v < 2 * PER; v++) {
      double part = (s.c.x1[3 * v] - s.c.x0[3 * v]) / 0.03;
      slowest = fmin(slowest, part);
      mean += part / PER;
    }
    print_message("sliding, gap %g: %d rounds, %.6f of the way at least, %.6f mean, %d limited\n", gaps[g],
                  r.rounds, slowest, mean, (int)r.limited);
    assert_true(slowest > 0.99);
    scene_close(&s);
  }
}

/* ---- velocities ---- */

static void known_velocities(void **state) {
  (void)state;
  static const struct {
    bool is_edges;
    double x0[12], mass[4], before[4], after[4];
  } known[] = {{false,
                {0, 0, 1e-12, -1, -1, 0, 1, -1, 0, 0, 2, 0},
                {1, 1, 1, 1},
                {-1, 0, 0, 0},
                {-.25, -.25, -.25, -.25}},
               {false, /* above the place 0.5 a + 0.3 b + 0.2 c */
                {0.3, 0.2, 1e-12, 0, 0, 0, 1, 0, 0, 0, 1, 0},
                {2e-3, 1e-3, 3e-3, 4e-3},
                {-1, .2, -.1, 0},
                {-.322784810, -.477215190, -.235443038, -.067721519}},
               {true,
                {-0.25, 0, 1e-12, 0.75, 0, 1e-12, 0, -0.5, 0, 0, 0.5, 0},
                {1, 2, 1, 3},
                {-1, -1, 0, .5},
                {.011235955, -.831460674, -.674157303, .275280899}}};
  static const int32_t four[4] = {0, 1, 2, 3};
  for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
    ImpactCase c = case_new(4, 1);
    const double h = 1e-3; /* they meet at once, as they lie at x0 */
    for (int k = 0; k < 4; k++) {
      const double *x = known[n].x0 + 3 * k; /* 0.7 across: kept */
      case_vertex(&c, k, vec3(x[0], x[1], x[2]), vec3(0.7 * h, 0, h * known[n].before[k]), known[n].mass[k]);
    }
    case_add(&c, known[n].is_edges, four, 0);
    weft_stop_approach(&c.impacts, c.x1);
    for (int k = 0; k < 4; k++) {
      Vec3 v = v3_scale(1 / h, v3_sub(load3(c.x1, k), load3(c.x0, k)));
      check_near(v.z, known[n].after[k], 1e-9);
      check_near(v.x, 0.7, 1e-12);
      check_near(v.y, 0, 1e-12);
    }
    case_free(&c);
  }
}

static void velocities_keep_momentum(void **state) {
  (void)state;
  for (uint64_t n = 1; n <= 300; n++) {
    uint64_t seed = n;
    int vertices = 8 + (int)n % 50, impacts = 1 + (int)n % 80;
    ImpactCase c = case_new(vertices, impacts);
    for (int v = 0; v < vertices; v++) {
      Vec3 at = random_vector(&seed, 1);
      case_vertex(&c, v, at, random_vector(&seed, 5), pow(10, random_in(&seed, -5, -2)));
      if (n % 2 == 0 && v % 5 == 0) c.inverse_mass[v] = 0;
    }
    for (int i = 0; i < impacts; i++) {
      int32_t pick[4], first = (int32_t)random_in(&seed, 0, vertices);
      for (int k = 0; k < 4; k++) pick[k] = (first + k * (1 + i % 2)) % vertices;
      case_add(&c, i % 3 == 0, pick, 0.5);
    }
    double before[3 * 60];
    memcpy(before, c.x1, 3 * (size_t)vertices * sizeof(double));
    weft_stop_approach(&c.impacts, c.x1);
    Motion a = case_motion(&c, c.x0, before, c.x0), b = case_motion(&c, c.x0, c.x1, c.x0);
    if (n % 2) assert_true(b.energy <= a.energy * (1 + 1e-14)); /* what moves by itself may push */
    for (int v = 0; v < vertices; v++) {
      if (c.inverse_mass[v] == 0) assert_memory_equal(c.x1 + 3 * v, before + 3 * v, 3 * sizeof(double));
    }
    if (n % 2) check_near(v3_length(v3_sub(a.momentum, b.momentum)), 0, 1e-12 * a.magnitude);
    case_free(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sheets_through_each_other), cmocka_unit_test(triangles_through_each_other),
      cmocka_unit_test(steps_after_steps),         cmocka_unit_test(flies_together),
      cmocka_unit_test(slides_over_a_floor),       cmocka_unit_test(known_velocities),
      cmocka_unit_test(velocities_keep_momentum)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
