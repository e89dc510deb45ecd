/* What incremental detection saves, as Fig. 9 of [Tang18] has it: a step of a moving sheet is followed by a
 * response of four rounds, after each of which fewer vertices move. Full detection asks about all triangles
 * in every round; incremental detection does so in the first, and then asks about those that moved. The table
 * of docs/detection-incremental.md is what this prints. */
#include "detect/boxes.h"
#include "registry.h"
#include "soup.h"

enum { SIDE = 90, FOLDS = 6, FRAMES = 6, ROUNDS = 4, PATCHES = 8 };

/* A response pulls on patches of vertices: so far [m] from their centres in each round. */
static const double PATCH_RADIUS[ROUNDS] = {0, 0.04, 0.025, 0.015};

typedef struct Sheet {
  Soup soup;
  WeftSurface surface;
  WeftBoxes boxes;
  double *x0, *x1; /* the step's ends */
  int32_t *active; /* of triangles */
  bool *is_moved;  /* of vertices */
} Sheet;

typedef struct Tally {
  /* over all frames: triangles that are active, box tests, pairs found */
  double active[ROUNDS], full[ROUNDS], incremental[ROUNDS], full_pairs[ROUNDS], incremental_pairs[ROUNDS];
} Tally;

static Sheet open_sheet(void) {
  Sheet s = {.soup = soup_crumpled(SIDE, FOLDS, 7)};
  WeftError error;
  size_t bytes = 3 * (size_t)s.soup.vertex_count * sizeof(double);
  check_ok(weft_surface_create(&s.surface, NULL, s.soup.vertex_count, s.soup.triangle_count, s.soup.triangles,
                               NULL, &error),
           error);
  check_ok(weft_boxes_create(&s.boxes, &s.surface, &error), error);
  s.x0 = malloc(bytes);
  s.x1 = malloc(bytes);
  s.active = calloc((size_t)s.soup.triangle_count, sizeof *s.active);
  s.is_moved = calloc((size_t)s.soup.vertex_count, sizeof *s.is_moved);
  assert_true(s.x0 && s.x1 && s.active && s.is_moved);
  return s;
}

static void close_sheet(Sheet *s) {
  weft_boxes_destroy(&s->boxes);
  weft_surface_destroy(&s->surface);
  soup_free(&s->soup);
  free(s->x0);
  free(s->x1);
  free(s->active);
  free(s->is_moved);
}

/* As the crumpled sheet's motion. */
static void pose(const Sheet *s, int frame, double *x) {
  double g = 0.003 * frame;
  for (int i = 0; i < s->soup.vertex_count; i++) {
    const double *q = s->soup.x + 3 * (size_t)i;
    double *p = x + 3 * (size_t)i;
    p[0] = q[0] + g * sin(20 * q[1]);
    p[1] = q[1] + g * sin(17 * q[2]);
    p[2] = q[2] + g * sin(15 * q[0]);
  }
}

/* Pulls the vertices of the round's patches back by a tenth of their way. Returns the triangles at them. */
static int respond(Sheet *s, int frame, int round) {
  int n = s->soup.vertex_count, active = 0;
  for (int i = 0; i < n; i++) {
    double *p = s->x1 + 3 * (size_t)i;
    const double *from = s->x0 + 3 * (size_t)i;
    s->is_moved[i] = false;
    for (int patch = 0; patch < PATCHES && !s->is_moved[i]; patch++) {
      const double *c = s->x0 + 3 * (size_t)((patch * 1009 + frame * 331) % n);
      double x = from[0] - c[0], y = from[1] - c[1], z = from[2] - c[2];
      s->is_moved[i] = x * x + y * y + z * z < PATCH_RADIUS[round] * PATCH_RADIUS[round];
    }
    for (int k = 0; k < 3 && s->is_moved[i]; k++) p[k] += 0.1 * (from[k] - p[k]);
  }
  for (int t = 0; t < s->soup.triangle_count; t++) {
    const int32_t *v = s->soup.triangles + 3 * (size_t)t;
    s->active[t] = s->is_moved[v[0]] || s->is_moved[v[1]] || s->is_moved[v[2]];
    active += s->active[t];
  }
  return active;
}

static int count_active_pairs(const Sheet *s, const WeftTrianglePairs *pairs) {
  int count = 0;
  for (int i = 0; i < pairs->count; i++) count += s->active[pairs->a[i]] || s->active[pairs->b[i]];
  return count;
}

static void detect(Sheet *s, WeftBroad *full, WeftBroad *incremental, int round, Tally *tally) {
  WeftError error;
  weft_boxes_fit(&s->boxes, &s->surface, s->x0, s->x1, 5e-4);
  const WeftBroadQuery all = {.box = s->boxes.triangle},
                       local = {.box = s->boxes.triangle, .active = s->active, .is_local = true};
  check_ok(weft_broad_find(full, &all, &error), error);
  check_ok(weft_broad_find(incremental, round == 0 ? &all : &local, &error), error);
  assert_int_equal(incremental->pairs.count,
                   round == 0 ? full->pairs.count : count_active_pairs(s, &full->pairs));
  tally->full[round] += full->counts.box_tests;
  tally->incremental[round] += incremental->counts.box_tests;
  tally->full_pairs[round] += full->pairs.count;
  tally->incremental_pairs[round] += incremental->pairs.count;
}

static Tally run_method(Sheet *s, const WeftBroadOps *ops) {
  Tally tally = {0};
  WeftBroad *full, *incremental;
  WeftError error;
  int n = s->soup.triangle_count;
  check_ok(weft_broad_create(ops, NULL, n, &full, &error), error);
  check_ok(weft_broad_create(ops, NULL, n, &incremental, &error), error);
  for (int frame = 1; frame <= FRAMES; frame++) {
    pose(s, frame - 1, s->x0);
    pose(s, frame, s->x1);
    for (int round = 0; round < ROUNDS; round++) {
      tally.active[round] += round == 0 ? n : respond(s, frame, round);
      detect(s, full, incremental, round, &tally);
    }
  }
  weft_broad_destroy(full);
  weft_broad_destroy(incremental);
  return tally;
}

static double sum(const double values[ROUNDS]) {
  double total = 0;
  for (int i = 0; i < ROUNDS; i++) total += values[i];
  return total;
}

static void print_tally(const char *name, const Tally *t) {
  printf("| %-9s |", name);
  for (int i = 0; i < ROUNDS; i++) printf(" %9.0f |", t->full[i] / FRAMES);
  for (int i = 1; i < ROUNDS; i++) printf(" %9.0f |", t->incremental[i] / FRAMES);
  printf(" %5.2f |\n", sum(t->full) / sum(t->incremental));
}

static void incremental_detection_tests_fewer_boxes(void **state) {
  (void)state;
  Sheet s = open_sheet();
  printf(
      "%d triangles, %d frames; box tests of a frame: full in rounds 1 to 4, incremental in 2 to 4, "
      "full over incremental in all\n",
      s.soup.triangle_count, FRAMES);
  for (int m = 0; weft_registry_broad_at(m); m++) {
    const WeftBroadOps *ops = weft_registry_broad_at(m);
    if (ops == &weft_broad_brute) continue; /* always tests all */
    Tally t = run_method(&s, ops);
    if (m == 0) {
      printf("active triangles:");
      for (int i = 0; i < ROUNDS; i++) printf(" %.0f", t.active[i] / FRAMES);
      printf("\npairs found:");
      for (int i = 0; i < ROUNDS; i++) printf(" %.0f", t.incremental_pairs[i] / FRAMES);
      printf("\n");
    }
    print_tally(ops->name, &t);
    for (int i = 1; i < ROUNDS; i++) assert_true(t.incremental[i] < t.full[i]);
    if (ops != &weft_broad_hash) continue;
    /* no work but for what was asked: a pair costs what it costs when all are asked about, or twice that
     * between active and other triangles, where the search goes to all sides and not to half of them */
    for (int i = 1; i < ROUNDS; i++) {
      assert_true(t.incremental[i] / t.incremental_pairs[i] < 2 * t.full[i] / t.full_pairs[i]);
    }
  }
  close_sheet(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(incremental_detection_tests_fewer_boxes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
