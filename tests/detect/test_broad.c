/* Every broad phase returns exactly brute force's pairs: on meshes of many kinds, at every step of a sequence
 * that moves, for restricted and for local queries, on threads and on an OpenCL device. */
#include "detect/boxes.h"
#include "device/opencl_case.h"
#include "device/threads.h"
#include "registry.h"
#include "soup.h"

/* All but the twin itself, which is registered last. */
static const WeftBroadOps *method_at(int index) {
  const WeftBroadOps *ops = weft_registry_broad_at(index);
  return ops == &weft_broad_brute ? NULL : ops;
}

enum { METHODS_MOST = 8 };

/* All methods look at the same, and brute force once for all of them. */
typedef struct Case {
  WeftDevice *device;
  Soup soup;
  WeftSurface surface;
  WeftBoxes boxes;
  WeftBroad *brute;
  int method_count;
  WeftBroad *broad[METHODS_MOST];
  double *x;       /* the soup's positions, moved */
  int32_t *active; /* triangle_count */
} Case;

static Case open_case(WeftDevice *device, int kind) {
  Case c = {.device = device, .soup = soup_make(kind)};
  WeftError error;
  int n = c.soup.triangle_count;
  size_t bytes = 3 * (size_t)c.soup.vertex_count * sizeof(double);
  check_ok(weft_surface_create(&c.surface, device, c.soup.vertex_count, n, c.soup.triangles, NULL, &error),
           error);
  check_ok(weft_boxes_create(&c.boxes, &c.surface, &error), error);
  check_ok(weft_broad_create(&weft_broad_brute, device, n, &c.brute, &error), error);
  for (; method_at(c.method_count); c.method_count++) {
    assert_true(c.method_count < METHODS_MOST);
    check_ok(weft_broad_create(method_at(c.method_count), device, n, &c.broad[c.method_count], &error),
             error);
  }
  c.x = malloc(bytes);
  c.active = calloc((size_t)n, sizeof *c.active);
  assert_true(c.x && c.active);
  memcpy(c.x, c.soup.x, bytes);
  check_ok(weft_device_share(device, c.x, bytes, WEFT_MEMORY_POSITION, &error), error);
  check_ok(weft_device_share(device, c.active, (size_t)n * sizeof *c.active, WEFT_MEMORY_DETECT, &error),
           error);
  return c;
}

static void close_case(Case *c) {
  weft_broad_destroy(c->brute);
  for (int m = 0; m < c->method_count; m++) weft_broad_destroy(c->broad[m]);
  weft_boxes_destroy(&c->boxes);
  weft_surface_destroy(&c->surface);
  weft_device_forget(c->device, c->x);
  weft_device_forget(c->device, c->active);
  free(c->x);
  free(c->active);
  soup_free(&c->soup);
}

static void fit(Case *c, double radius) {
  weft_device_upload(c->device, c->x, 3 * (size_t)c->soup.vertex_count * sizeof(double));
  weft_boxes_fit(&c->boxes, &c->surface, c->x, c->x, radius);
}

static void fetch(Case *c, WeftBroad *broad) {
  size_t bytes = (size_t)broad->pairs.count * sizeof(int32_t);
  if (!bytes) return;
  assert_true(weft_device_download(c->device, broad->pairs.a, bytes));
  assert_true(weft_device_download(c->device, broad->pairs.b, bytes));
}

static int compare(Case *c, bool is_restricted, bool is_local, const char *what) {
  WeftError error;
  const WeftBroadQuery query = {
      .box = c->boxes.triangle, .active = is_restricted ? c->active : NULL, .is_local = is_local};
  weft_device_upload(c->device, c->active, (size_t)c->soup.triangle_count * sizeof *c->active);
  check_ok(weft_broad_find(c->brute, &query, &error), error);
  fetch(c, c->brute);
  const WeftTrianglePairs *twin = &c->brute->pairs;
  for (int m = 0; m < c->method_count; m++) {
    WeftBroad *broad = c->broad[m];
    check_ok(weft_broad_find(broad, &query, &error), error);
    check_ok(weft_broad_sort(broad, &error), error);
    fetch(c, broad);
    if (twin->count != broad->pairs.count) {
      print_error("%s, %s, %s: %d pairs, brute force %d\n", broad->ops->name, c->soup.name, what,
                  broad->pairs.count, twin->count);
      fail();
    }
    if (!twin->count) continue;
    assert_memory_equal(broad->pairs.a, twin->a, (size_t)twin->count * sizeof(int32_t));
    assert_memory_equal(broad->pairs.b, twin->b, (size_t)twin->count * sizeof(int32_t));
  }
  return twin->count;
}

/* The triangles at every step-th vertex from first on, which move. */
static void nudge(Case *c, int first, int step, double by) {
  memset(c->active, 0, (size_t)c->soup.triangle_count * sizeof *c->active);
  for (int i = first; i < c->soup.vertex_count; i += step) c->x[3 * (size_t)i] += by;
  for (int t = 0; t < c->soup.triangle_count; t++) {
    for (int k = 0; k < 3; k++) {
      int v = c->soup.triangles[3 * (size_t)t + k];
      if (v >= first && (v - first) % step == 0) c->active[t] = 1;
    }
  }
}

static void check_methods(WeftDevice *device, int kind) {
  Case c = open_case(device, kind);
  fit(&c, 0);
  int found = compare(&c, false, false, "at rest");
  if (kind != SOUP_ONE) assert_true(found > 100);
  for (int frame = 1; frame <= (TEST_IS_SANITIZED ? 1 : 4); frame++) {
    soup_sway(&c.soup, 8 * frame, c.x);
    fit(&c, 1e-3);
    compare(&c, false, false, "moving");
    /* what a response does: a few vertices move, and only they are asked about */
    for (int round = 0; round < 3; round++) {
      nudge(&c, 3 * round + frame, 97 * (round + 1), 4e-3);
      fit(&c, 1e-3);
      compare(&c, true, true, "local");
    }
  }
  memset(c.active, 0, (size_t)c.soup.triangle_count * sizeof *c.active);
  assert_int_equal(compare(&c, true, true, "nothing active"), 0);
  for (int t = 0; t < c.soup.triangle_count; t++) c.active[t] = t % 3 == 0; /* as obstacles would be */
  compare(&c, true, false, "restricted");
  soup_sway(&c.soup, -200, c.x); /* far from where it was built */
  fit(&c, 0.02);
  compare(&c, false, false, "far away");
  close_case(&c);
}

static void every_method_gives_brute_forces_pairs(void **state) {
  (void)state;
  for (int kind = 0; kind < SOUP_KINDS; kind++) check_methods(NULL, kind);
}

static void positions_beyond_floats_are_fine(void **state) {
  (void)state;
  Case c = open_case(NULL, SOUP_CRUMPLED);
  for (int i = 0; i < c.soup.vertex_count; i += 397) c.x[3 * (size_t)i + i % 3] *= i % 2 ? 1e200 : -1e45;
  fit(&c, 0.02);
  compare(&c, false, false, "beyond what a float holds");
  close_case(&c);
}

static void any_number_of_threads_gives_the_same(void **state) {
  (void)state;
  for (int threads = 1; threads <= 3; threads++) {
    int before = weft_threads_use(threads);
    check_methods(NULL, SOUP_CRUMPLED);
    weft_threads_use(before);
  }
}

static void opencl_gives_the_same(void **state) {
  (void)state;
  if (skip_without_opencl()) skip();
  WeftDevice *device;
  WeftError error;
  check_ok(weft_device_open("opencl", &device, &error), error);
  check_methods(device, SOUP_CRUMPLED);
  check_methods(device, SOUP_DEGENERATE);
  check_methods(device, SOUP_UNEVEN);
  weft_device_close(device);
}

static void nothing_is_fine(void **state) {
  (void)state;
  WeftError error;
  for (int m = 0; method_at(m); m++) {
    WeftBroad *broad;
    check_ok(weft_broad_create(method_at(m), NULL, 0, &broad, &error), error);
    const WeftBroadQuery query = {.box = NULL};
    check_ok(weft_broad_find(broad, &query, &error), error);
    check_ok(weft_broad_sort(broad, &error), error);
    assert_int_equal(broad->pairs.count, 0);
    weft_broad_destroy(broad);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_gives_brute_forces_pairs),
      cmocka_unit_test(positions_beyond_floats_are_fine),
      cmocka_unit_test(any_number_of_threads_gives_the_same),
      cmocka_unit_test(opencl_gives_the_same),
      cmocka_unit_test(nothing_is_fine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
