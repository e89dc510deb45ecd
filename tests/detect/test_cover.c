/* Queries that go on from one another find what queries that begin anew find, whatever moved in between, with
 * every broad phase: ends that stay within the margin, a few that leave it, all that leave it, rounds of a
 * response in between, and a new start. */
#include "detect/detector.h"
#include "registry.h"
#include "soup.h"

enum { ROUNDS = 5, STARTS = 2 };
static const double DISTANCE = 4e-3; /* of the first query of a start [m] */

typedef struct Pair {
  Soup soup;
  WeftSurface surface;
  WeftDetector going_on;
  double *x0, *x1;
  int32_t *active;
  uint64_t random;
} Pair;

static double next(Pair *p) {
  p->random = p->random * 6364136223846793005u + 1442695040888963407u;
  return (double)(p->random >> 11) / 9007199254740992.0 - 0.5;
}

static void open_pair(Pair *p, int kind, const WeftBroadOps *broad) {
  WeftError error;
  *p = (Pair){.soup = soup_make(kind), .random = 3};
  size_t bytes = 3 * (size_t)p->soup.vertex_count * sizeof(double);
  check_ok(weft_surface_create(&p->surface, NULL, p->soup.vertex_count, p->soup.triangle_count,
                               p->soup.triangles, NULL, &error),
           error);
  check_ok(weft_detector_create(&p->going_on, &p->surface, broad, &error), error);
  p->x0 = malloc(bytes);
  p->x1 = malloc(bytes);
  p->active = calloc((size_t)p->soup.triangle_count, sizeof *p->active);
  assert_true(p->x0 && p->x1 && p->active);
  memcpy(p->x0, p->soup.x, bytes);
  memcpy(p->x1, p->soup.x, bytes);
}

static void close_pair(Pair *p) {
  weft_detector_destroy(&p->going_on);
  weft_surface_destroy(&p->surface);
  soup_free(&p->soup);
  free(p->x0);
  free(p->x1);
  free(p->active);
}

/* Moves every so many-th vertex's end; marks the triangles at them. */
static void move(Pair *p, int every, double by) {
  int n = p->soup.vertex_count, shift = (int)((next(p) + 0.5) * every);
  for (int v = 0; v < n; v++) {
    for (int k = 0; k < 3 && (v + shift) % every == 0; k++) p->x1[3 * v + k] += by * next(p);
  }
  for (int t = 0; t < p->soup.triangle_count; t++) {
    p->active[t] = 0;
    for (int k = 0; k < 3; k++) p->active[t] |= (p->soup.triangles[3 * t + k] + shift) % every == 0;
  }
}

static void check_found(const WeftFound *a, const WeftFound *b) {
  assert_int_equal(a->count, b->count);
  if (!a->count) return;
  size_t n = (size_t)a->count;
  assert_memory_equal(a->features, b->features, 2 * n * sizeof(int32_t));
  assert_memory_equal(a->vertices, b->vertices, 4 * n * sizeof(int32_t));
  assert_memory_equal(a->value, b->value, n * sizeof(double));
}

typedef WeftResult Ask(WeftDetector *detector, const WeftDetectQuery *query, WeftError *error);

/* Returns how many pairs both found. */
static int ask_both(Pair *p, Ask *ask, WeftDetectQuery query) {
  WeftDetector anew;
  WeftError error;
  query.x0 = p->x0;
  query.x1 = p->x1;
  check_ok(ask(&p->going_on, &query, &error), error);
  query.goes_on = query.is_local = query.prunes = false;
  query.margin = 0;
  check_ok(weft_detector_create(&anew, &p->surface, &weft_broad_bvh, &error), error);
  check_ok(ask(&anew, &query, &error), error);
  check_found(&p->going_on.vertex_face, &anew.vertex_face);
  check_found(&p->going_on.edge_edge, &anew.edge_edge);
  int count = anew.vertex_face.count + anew.edge_edge.count;
  weft_detector_destroy(&anew);
  return count;
}

/* Ends every so many-th vertex somewhere in the box of its way, mostly off the way itself. */
static void shorten(Pair *p, int every) {
  int n = p->soup.vertex_count;
  for (int v = 0; v < n; v += every) {
    for (int k = 3 * v; k < 3 * v + 3; k++) p->x1[k] = p->x0[k] + (next(p) + 0.5) * (p->x1[k] - p->x0[k]);
  }
}

/* One start: what is ahead, then rounds that look, now and then only next to what moved. */
static int run_start(Pair *p, double flight) {
  const WeftDetectQuery ahead = {
      .distance = DISTANCE, .margin_at_rest = DISTANCE / 2, .prunes = true, .goes_on = true};
  const WeftDetectQuery look = {.margin = DISTANCE / 2, .prunes = true, .goes_on = true};
  const WeftDetectQuery near = {.active = p->active, .is_local = true, .prunes = true, .goes_on = true};
  const int every[] = {1, 50, 7, 3, 1, 200};
  const double by[] = {0.5e-3, 20e-3, 5e-3, 1e-3, 40e-3, 100e-3};
  /* all of it flies: only what moves against each other may count */
  for (int i = 0; i < 3 * p->soup.vertex_count; i++) p->x1[i] += flight * (i % 3 - 1.5);
  int found = ask_both(p, weft_detector_ahead, ahead);
  for (int round = 0; round < ROUNDS; round++) {
    move(p, every[round % 6], by[round % 6]);
    found += ask_both(p, weft_detector_impacts, look);
    if (round % 2) {
      shorten(p, round % 4 == 1 ? 1 : 16);
      found += ask_both(p, weft_detector_impacts, look);
    }
    if (round % 5 != 4) continue;
    for (int i = 0; i < 2; i++) {
      move(p, 40, 10e-3);
      found += ask_both(p, weft_detector_impacts, near);
    }
  }
  return found;
}

/* Pairs up to a distance, of which the farthest are just within what pruning has to leave; at the origin, and
 * so far from it [m] that single precision knows places to a quarter of a millimetre. */
static void pruning_loses_nothing(void **state) {
  (void)state;
  const int kinds[] = {SOUP_RANDOM, SOUP_CRUMPLED, SOUP_DEGENERATE};
  for (size_t k = 0; k < 2 * sizeof kinds / sizeof *kinds; k++) {
    Pair p;
    int close = 0, meeting = 0;
    open_pair(&p, kinds[k / 2], &weft_broad_bvh);
    for (int i = 0; i < 3 * p.soup.vertex_count; i++) p.x1[i] = p.x0[i] += k % 2 ? 3000 : 0;
    for (double distance = 1e-3; distance < 20e-3; distance *= 4) {
      const WeftDetectQuery query = {.distance = distance, .prunes = true};
      close += ask_both(&p, weft_detector_close, query);
      move(&p, 1, 5e-3);
      meeting += ask_both(&p, weft_detector_impacts, query);
    }
    assert_true(close > 100 && meeting > 100);
    close_pair(&p);
  }
}

/* The tree leaves out what is not neighbours of the triangles whose boxes overlap. */
static void the_tree_leaves_pairs_out(void **state) {
  (void)state;
  Pair p;
  WeftError error;
  int pairs[2];
  open_pair(&p, SOUP_CRUMPLED, &weft_broad_bvh);
  for (int prunes = 0; prunes < 2; prunes++) {
    const WeftDetectQuery query = {.x0 = p.x0, .x1 = p.x1, .distance = DISTANCE, .prunes = prunes};
    check_ok(weft_detector_impacts(&p.going_on, &query, &error), error);
    pairs[prunes] = p.going_on.broad->pairs.count;
  }
  print_message("%d pairs, %d with shapes\n", pairs[0], pairs[1]);
  assert_true(pairs[1] > 0 && 5 * pairs[1] < 4 * pairs[0]);
  close_pair(&p);
}

static void going_on_finds_what_beginning_anew_finds(void **state) {
  (void)state;
  const int kinds[] = {SOUP_RANDOM, SOUP_CRUMPLED, SOUP_DEGENERATE};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    for (int m = 0; weft_registry_broad_at(m); m += TEST_IS_SANITIZED ? 3 : 1) {
      Pair p;
      int found = 0;
      open_pair(&p, kinds[k], weft_registry_broad_at(m));
      for (int start = 0; start < STARTS; start++) {
        found += run_start(&p, start && m == 0 ? 6e-3 : 0); /* the broad phase does not see it */
        for (int i = 0; i < 3 * p.soup.vertex_count; i++) p.x0[i] = p.x1[i] + 2e-3 * next(&p);
      }
      assert_true(found > 100);
      close_pair(&p);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pruning_loses_nothing),
                                     cmocka_unit_test(the_tree_leaves_pairs_out),
                                     cmocka_unit_test(going_on_finds_what_beginning_anew_finds)};
  return cmocka_run_group_tests_name("candidates that serve several queries", tests, NULL, NULL);
}
