/* The front kept between queries: at every step of long sequences the same pairs as a search from scratch and
 * as brute force, in the same order on any number of threads and on an OpenCL device; it does not grow
 * without bound, and a tidied one is that of a search from the root. */
#include "detect/broad.h"
#include "device/opencl_case.h"
#include "device/threads.h"
#include "soup.h"

typedef struct Case {
  WeftDevice *device;
  Soup soup;
  double *x; /* the soup's positions, moved */
  float *box;
  int32_t *active;
  WeftBroad *front, *brute;
} Case;

static WeftBroad *open_broad(WeftDevice *device, const WeftBroadOps *ops, int count) {
  WeftBroad *broad;
  WeftError error;
  check_ok(weft_broad_create(ops, device, count, &broad, &error), error);
  return broad;
}

static Case open_case(WeftDevice *device, Soup soup) {
  size_t n = (size_t)soup.triangle_count, bytes = 3 * (size_t)soup.vertex_count * sizeof(double);
  Case c = {.device = device, .soup = soup, .x = malloc(bytes)};
  WeftError error;
  c.box = calloc(6 * n, sizeof *c.box);
  c.active = calloc(n, sizeof *c.active);
  assert_true(c.x && c.box && c.active);
  memcpy(c.x, soup.x, bytes);
  check_ok(weft_device_share(device, c.box, 6 * n * sizeof *c.box, WEFT_MEMORY_DETECT, &error), error);
  check_ok(weft_device_share(device, c.active, n * sizeof *c.active, WEFT_MEMORY_DETECT, &error), error);
  c.front = open_broad(device, &weft_broad_front, soup.triangle_count);
  c.brute = open_broad(device, &weft_broad_brute, soup.triangle_count);
  return c;
}

static void close_case(Case *c) {
  weft_broad_destroy(c->front);
  weft_broad_destroy(c->brute);
  weft_device_forget(c->device, c->box);
  weft_device_forget(c->device, c->active);
  free(c->x);
  free(c->box);
  free(c->active);
  soup_free(&c->soup);
}

static void fit(Case *c, double radius) {
  for (int t = 0; t < c->soup.triangle_count; t++) {
    const int32_t *v = c->soup.triangles + 3 * (size_t)t;
    for (int k = 0; k < 3; k++) {
      double p[3] = {c->x[3 * (size_t)v[0] + k], c->x[3 * (size_t)v[1] + k], c->x[3 * (size_t)v[2] + k]};
      c->box[6 * (size_t)t + k] = (float)(fmin(p[0], fmin(p[1], p[2])) - radius);
      c->box[6 * (size_t)t + 3 + k] = (float)(fmax(p[0], fmax(p[1], p[2])) + radius);
    }
  }
  weft_device_upload(c->device, c->box, 6 * (size_t)c->soup.triangle_count * sizeof *c->box);
}

static void ask(Case *c, WeftBroad *broad, bool is_restricted, bool is_local) {
  WeftError error;
  const WeftBroadQuery query = {
      .box = c->box, .active = is_restricted ? c->active : NULL, .is_local = is_local};
  weft_device_upload(c->device, c->active, (size_t)c->soup.triangle_count * sizeof *c->active);
  check_ok(weft_broad_find(broad, &query, &error), error);
}

static void sort(WeftBroad *broad) {
  WeftError error;
  check_ok(weft_broad_sort(broad, &error), error);
}

static void check_same(Case *c, const WeftTrianglePairs *pairs, const WeftTrianglePairs *twin,
                       const char *what, int step) {
  size_t bytes = (size_t)pairs->count * sizeof(int32_t);
  if (twin->count != pairs->count) {
    print_error("%s, step %d: %d pairs, %s %d\n", c->soup.name, step, pairs->count, what, twin->count);
    fail();
  }
  if (!bytes) return;
  assert_true(weft_device_download(c->device, pairs->a, bytes));
  assert_true(weft_device_download(c->device, pairs->b, bytes));
  assert_true(weft_device_download(c->device, twin->a, bytes));
  assert_true(weft_device_download(c->device, twin->b, bytes));
  assert_memory_equal(pairs->a, twin->a, bytes);
  assert_memory_equal(pairs->b, twin->b, bytes);
}

/* The front's next query against brute force and against a search that knows nothing of the past. */
static int check_step(Case *c, bool is_restricted, bool is_local, int step) {
  WeftBroad *scratch = open_broad(c->device, &weft_broad_front, c->soup.triangle_count);
  ask(c, c->front, is_restricted, is_local);
  ask(c, c->brute, is_restricted, is_local);
  ask(c, scratch, is_restricted, false);
  sort(c->front);
  sort(scratch);
  check_same(c, &c->front->pairs, &c->brute->pairs, "brute force", step);
  check_same(c, &c->front->pairs, &scratch->pairs, "from scratch", step);
  weft_broad_destroy(scratch);
  return c->front->pairs.count;
}

/* What a round of a response does: a few vertices move, and the triangles at them are asked about. */
static void nudge(Case *c, int vertices, double by, uint64_t *seed) {
  memset(c->active, 0, (size_t)c->soup.triangle_count * sizeof *c->active);
  for (int i = 0; i < vertices; i++) {
    int v = (int)random_in(seed, 0, c->soup.vertex_count);
    for (int k = 0; k < 3; k++) c->x[3 * (size_t)v + k] += random_in(seed, -by, by);
    for (int t = 0; t < c->soup.triangle_count; t++) {
      const int32_t *corner = c->soup.triangles + 3 * (size_t)t;
      if (corner[0] == v || corner[1] == v || corner[2] == v) c->active[t] = 1;
    }
  }
}

static void a_long_motion_equals_searches_from_scratch(void **state) {
  (void)state;
  Case c = open_case(NULL, soup_crumpled(28, 6, 7));
  uint64_t seed = 11;
  for (int step = 0; step < 60; step++) {
    /* slow; from 30 to 39 so far that the tree is built anew; and back at once */
    soup_sway(&c.soup, step < 30 || step >= 40 ? 0.5 * step : 40.0 * (step - 29), c.x);
    fit(&c, 2e-3);
    assert_true(check_step(&c, false, false, step) > 100);
    for (int round = 0; round < 3; round++) {
      /* the last one far away: all above it grow */
      nudge(&c, 1 + 5 * round, round < 2 ? 4e-3 : 0.3, &seed);
      fit(&c, 2e-3);
      assert_true(check_step(&c, true, true, step) > 0);
    }
  }
  assert_true(c.front->counts.rebuilds >= 2);
  assert_true(c.front->counts.rebuilds <= 30); /* most steps went on from a front */
  close_case(&c);
}

/* Any order of full, restricted and local queries with any triangles active. */
static void check_mixture(WeftDevice *device, int kind, int steps) {
  Case c = open_case(device, soup_make(kind));
  uint64_t seed = 23 + (uint64_t)kind;
  for (int step = 0; step < steps; step++) {
    double share = random_in(&seed, 0, 1), radius = step % 20 < 10 ? 1e-3 : 1e-2;
    bool is_local = step > 0 && step % 10 != 0 && random_in(&seed, 0, 1) < 0.5;
    share *= share;
    for (int t = 0; t < c.soup.triangle_count; t++) c.active[t] = random_in(&seed, 0, 1) < share;
    if (is_local) {
      nudge(&c, 5, 0.02, &seed);
    } else {
      soup_sway(&c.soup, random_in(&seed, -20, 20), c.x);
    }
    fit(&c, radius);
    check_step(&c, is_local || random_in(&seed, 0, 1) < 0.6, is_local, step);
  }
  close_case(&c);
}

static void queries_of_all_kinds_may_be_mixed(void **state) {
  (void)state;
  for (int kind = 0; kind < SOUP_KINDS; kind++) check_mixture(NULL, kind, TEST_IS_SANITIZED ? 15 : 50);
}

static void it_does_not_grow_without_bound(void **state) {
  (void)state;
  Case c = open_case(NULL, soup_crumpled(40, 6, 7));
  uint64_t seed = 5;
  fit(&c, 1e-3);
  ask(&c, c.front, false, false);
  double fresh = c.front->counts.kept, most = 0;
  assert_true(fresh > 100);
  for (int step = 1; step <= 200; step++) {
    /* back and forth, and in between rounds that throw vertices about */
    soup_sway(&c.soup, 8 * sin(0.7 * step), c.x);
    fit(&c, 1e-3);
    ask(&c, c.front, false, false);
    most = fmax(most, c.front->counts.kept);
    nudge(&c, 5, 0.05, &seed);
    fit(&c, 1e-3);
    ask(&c, c.front, true, true);
    most = fmax(most, c.front->counts.kept);
  }
  assert_true(most < 2.5 * fresh);
  /* at rest again: within so many queries one is a tidying one, and then it is the first front */
  soup_sway(&c.soup, 0, c.x);
  fit(&c, 1e-3);
  for (int i = 0; i < 10; i++) ask(&c, c.front, false, false);
  assert_true(c.front->counts.rebuilds == 1); /* else the trees would differ */
  assert_true(c.front->counts.kept == fresh);
  check_step(&c, false, false, 200);
  close_case(&c);
}

/* A heap of triangles that all overlap has a front with all pairs of leaves. */
static void one_too_large_is_done_without(void **state) {
  (void)state;
  enum { COUNT = 3600 };
  Case c = open_case(NULL, soup_random(COUNT, 0.01, 9));
  fit(&c, 2);
  ask(&c, c.front, false, false);
  assert_int_equal(c.front->pairs.count, COUNT * (COUNT - 1) / 2);
  assert_true(c.front->counts.kept == 0);
  fit(&c, 0);
  for (int i = 0; i < 17; i++) ask(&c, c.front, false, false);
  check_step(&c, false, false, 17);
  assert_true(c.front->counts.kept > 0); /* tried again */
  close_case(&c);
}

static void local_queries_compare_fewer_boxes(void **state) {
  (void)state;
  Case c = open_case(NULL, soup_crumpled(60, 6, 7));
  uint64_t seed = 3;
  fit(&c, 1e-3);
  ask(&c, c.front, false, false);
  double from_root = c.front->counts.box_tests;
  soup_sway(&c.soup, 0.1, c.x);
  fit(&c, 1e-3);
  ask(&c, c.front, false, false);
  double full = c.front->counts.box_tests;
  nudge(&c, 5, 1e-3, &seed);
  fit(&c, 1e-3);
  ask(&c, c.front, true, true);
  assert_true(full < from_root);
  assert_true(c.front->counts.box_tests < 0.1 * full);
  assert_true(c.front->counts.box_tests > 0);
  close_case(&c);
}

/* The same sequence in two ways, pairs as they come. */
static void check_same_order(int threads) {
  Case c = open_case(NULL, soup_crumpled(60, 6, 7)), d = open_case(NULL, soup_crumpled(60, 6, 7));
  uint64_t seed = 3, same = 3;
  for (int step = 0; step < 24; step++) {
    bool is_local = step % 3 == 2;
    if (is_local) {
      nudge(&c, 5, 0.02, &seed);
      nudge(&d, 5, 0.02, &same);
    } else {
      soup_sway(&c.soup, 3 * step, c.x);
      soup_sway(&d.soup, 3 * step, d.x);
    }
    fit(&c, 1e-3);
    fit(&d, 1e-3);
    ask(&c, c.front, is_local, is_local);
    int before = weft_threads_use(threads);
    ask(&d, d.front, is_local, is_local);
    weft_threads_use(before);
    assert_true(c.front->counts.box_tests == d.front->counts.box_tests);
    assert_true(c.front->counts.kept == d.front->counts.kept);
    check_same(&d, &d.front->pairs, &c.front->pairs, "one thread", step);
  }
  close_case(&c);
  close_case(&d);
}

static void any_number_of_threads_gives_the_same_order(void **state) {
  (void)state;
  int before = weft_threads_use(1);
  check_same_order(2);
  check_same_order(3);
  weft_threads_use(before);
}

static void opencl_gives_the_same(void **state) {
  (void)state;
  if (skip_without_opencl()) skip();
  WeftDevice *device;
  WeftError error;
  check_ok(weft_device_open("opencl", &device, &error), error);
  check_mixture(device, SOUP_CRUMPLED, 20);
  check_mixture(device, SOUP_ONE, 3);
  weft_device_close(device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_long_motion_equals_searches_from_scratch),
      cmocka_unit_test(queries_of_all_kinds_may_be_mixed),
      cmocka_unit_test(it_does_not_grow_without_bound),
      cmocka_unit_test(one_too_large_is_done_without),
      cmocka_unit_test(local_queries_compare_fewer_boxes),
      cmocka_unit_test(any_number_of_threads_gives_the_same_order),
      cmocka_unit_test(opencl_gives_the_same),
  };
  weft_threads_use(1); /* many small queries: waking threads would take most of the time on a busy machine */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
