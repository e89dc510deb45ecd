/* Pairs of features against two plain loops over all vertices, faces and edges: each pair once, none with a
 * shared vertex; and the counts of the public frames. */
#include "detect/candidates.h"
#include "device/opencl_case.h"
#include "soup.h"

typedef struct Ends {
  double low[3], high[3];
} Ends;

static Ends ends_of(const double *x0, const double *x1, const int32_t *vertices, int count) {
  Ends e = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      const double p = x0[3 * (size_t)vertices[i] + k], q = x1[3 * (size_t)vertices[i] + k];
      e.low[k] = fmin(e.low[k], fmin(p, q));
      e.high[k] = fmax(e.high[k], fmax(p, q));
    }
  }
  return e;
}

/* Of features with so many vertices each. */
static Ends *all_ends(const double *x0, const double *x1, const int32_t *vertices, int arity, int count) {
  Ends *ends = malloc((size_t)count * sizeof *ends + 1);
  assert_non_null(ends);
  for (int i = 0; i < count; i++) ends[i] = ends_of(x0, x1, vertices + (size_t)arity * (size_t)i, arity);
  return ends;
}

static bool meet(const Ends *a, const Ends *b, double radius) {
  for (int k = 0; k < 3; k++) {
    if (a->low[k] - radius > b->high[k] + radius || b->low[k] - radius > a->high[k] + radius) return false;
  }
  return true;
}

static int compare_pairs(const void *a, const void *b) {
  const int32_t *p = a, *q = b;
  return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

typedef struct Found {
  int count, capacity;
  int32_t *pairs; /* count x 2 */
} Found;

static void add(Found *found, int32_t a, int32_t b) {
  if (found->count == found->capacity) {
    found->capacity = 2 * found->capacity + 64;
    found->pairs = realloc(found->pairs, (size_t)found->capacity * 2 * sizeof(int32_t));
    assert_non_null(found->pairs);
  }
  found->pairs[2 * found->count] = a;
  found->pairs[2 * found->count + 1] = b;
  found->count++;
}

static void all_vertex_face(const WeftSurface *s, const double *x0, const double *x1, double radius,
                            Found *found) {
  uint8_t *is_used = calloc((size_t)s->vertex_count, 1);
  assert_non_null(is_used);
  Ends *faces = all_ends(x0, x1, s->triangles, 3, s->triangle_count);
  for (int i = 0; i < 3 * s->triangle_count; i++) is_used[s->triangles[i]] = 1;
  for (int32_t v = 0; v < s->vertex_count; v++) {
    Ends own = ends_of(x0, x1, &v, 1);
    for (int t = 0; is_used[v] && t < s->triangle_count; t++) {
      const int32_t *f = s->triangles + 3 * (size_t)t;
      if (v == f[0] || v == f[1] || v == f[2]) continue;
      if (meet(&own, &faces[t], radius)) add(found, v, t);
    }
  }
  free(faces);
  free(is_used);
}

static void all_edge_edge(const WeftSurface *s, const double *x0, const double *x1, double radius,
                          Found *found) {
  Ends *ends = all_ends(x0, x1, s->edges, 2, s->edge_count);
  for (int e = 0; e < s->edge_count; e++) {
    const int32_t *p = s->edges + 2 * (size_t)e;
    for (int f = e + 1; f < s->edge_count; f++) {
      const int32_t *q = s->edges + 2 * (size_t)f;
      if (p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1]) continue;
      if (meet(&ends[e], &ends[f], radius)) add(found, e, f);
    }
  }
  free(ends);
}

static void check_equal(WeftDevice *device, WeftFeaturePairs *pairs, Found *twin) {
  assert_int_equal(pairs->count, twin->count);
  size_t n = (size_t)twin->count;
  if (n) {
    assert_true(weft_device_download(device, pairs->features, 2 * n * sizeof(int32_t)));
    qsort(pairs->features, n, 2 * sizeof(int32_t), compare_pairs);
    qsort(twin->pairs, n, 2 * sizeof(int32_t), compare_pairs);
    assert_memory_equal(pairs->features, twin->pairs, 2 * n * sizeof(int32_t));
  }
  free(twin->pairs);
}

static void check_soup(WeftDevice *device, int kind, double radius) {
  Soup soup = soup_make(kind);
  size_t bytes = 3 * (size_t)soup.vertex_count * sizeof(double);
  double *x1 = malloc(bytes);
  assert_non_null(x1);
  for (int i = 0; i < 3 * soup.vertex_count; i++) x1[i] = soup.x[i] + 0.01 * sin(i);
  WeftSurface surface;
  WeftBoxes boxes;
  WeftBroad *broad;
  WeftCandidates candidates;
  WeftError error;
  check_ok(weft_surface_create(&surface, device, soup.vertex_count, soup.triangle_count, soup.triangles, NULL,
                               &error),
           error);
  check_ok(weft_boxes_create(&boxes, &surface, &error), error);
  check_ok(weft_broad_create(&weft_broad_bvh, device, soup.triangle_count, &broad, &error), error);
  weft_candidates_create(&candidates, device);
  check_ok(weft_device_share(device, soup.x, bytes, WEFT_MEMORY_POSITION, &error), error);
  check_ok(weft_device_share(device, x1, bytes, WEFT_MEMORY_POSITION, &error), error);
  weft_boxes_fit(&boxes, &surface, soup.x, x1, radius);
  const WeftBroadQuery query = {.box = boxes.triangle};
  check_ok(weft_broad_find(broad, &query, &error), error);
  check_ok(
      weft_candidates_find(&candidates, &surface, &boxes, NULL, soup.x, x1, radius, &broad->pairs, &error),
      error);
  Found vf = {0}, ee = {0};
  all_vertex_face(&surface, soup.x, x1, radius, &vf);
  all_edge_edge(&surface, soup.x, x1, radius, &ee);
  check_equal(device, &candidates.vertex_face, &vf);
  check_equal(device, &candidates.edge_edge, &ee);
  weft_candidates_destroy(&candidates);
  weft_broad_destroy(broad);
  weft_boxes_destroy(&boxes);
  weft_surface_destroy(&surface);
  weft_device_forget(device, soup.x);
  weft_device_forget(device, x1);
  free(x1);
  soup_free(&soup);
}

static void pairs_are_those_of_plain_loops(void **state) {
  (void)state;
  for (int kind = 0; kind < SOUP_KINDS; kind++) {
    check_soup(NULL, kind, 0);
    check_soup(NULL, kind, 1e-3);
  }
}

static void opencl_gives_the_same(void **state) {
  (void)state;
  if (skip_without_opencl()) skip();
  WeftDevice *device;
  WeftError error;
  check_ok(weft_device_open("opencl", &device, &error), error);
  check_soup(device, SOUP_CRUMPLED, 1e-3);
  check_soup(device, SOUP_DEGENERATE, 0);
  weft_device_close(device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_are_those_of_plain_loops),
      cmocka_unit_test(opencl_gives_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
