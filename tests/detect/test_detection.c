/* Detection as callers see it: the same sorted lists from every broad phase, threads and device, equal to two
 * plain loops over all features; the public frames; what is refused. */
#include "detect/narrow.h"
#include "detect/surface.h"
#include "device/opencl_case.h"
#include "registry.h"
#include "shared_data.h"
#include "soup.h"

#include <weft/detect.h>
#include <weft/scene.h>

static WeftDetection *open_detection(const Soup *soup, const char *method, const char *device, int threads) {
  WeftDetectDef def = weft_default_detect_def();
  WeftDetection *detection;
  WeftError error;
  def.vertex_count = soup->vertex_count;
  def.triangle_count = soup->triangle_count;
  def.triangles = soup->triangles;
  def.method = method;
  def.device = device;
  def.threads = threads;
  check_ok(weft_detection_create(&def, &detection, &error), error);
  return detection;
}

static double *moved(const Soup *soup) {
  double *x = malloc(3 * (size_t)soup->vertex_count * sizeof *x);
  assert_non_null(x);
  for (int i = 0; i < 3 * soup->vertex_count; i++) x[i] = soup->x[i] + 0.02 * sin(7.0 * i);
  return x;
}

static void check_same(const WeftDetectedPairs *a, const WeftDetectedPairs *b) {
  assert_int_equal(a->count, b->count);
  size_t n = (size_t)a->count;
  if (!n) return;
  assert_memory_equal(a->features, b->features, 2 * n * sizeof(int32_t));
  assert_memory_equal(a->vertices, b->vertices, 4 * n * sizeof(int32_t));
  assert_memory_equal(a->values, b->values, n * sizeof(double));
  assert_true(!a->weights == !b->weights);
  if (a->weights) assert_memory_equal(a->weights, b->weights, 4 * n * sizeof(double));
}

static void check_like(WeftDetection *detection, const Soup *soup, const double *end,
                       const WeftDetected *close, const WeftDetected *impacts) {
  WeftDetected found;
  WeftError error;
  check_ok(weft_detection_close(detection, soup->x, 4e-3, &found, &error), error);
  check_same(&found.vertex_face, &close->vertex_face);
  check_same(&found.edge_edge, &close->edge_edge);
  check_ok(weft_detection_impacts(detection, soup->x, end, 0, &found, &error), error);
  check_same(&found.vertex_face, &impacts->vertex_face);
  check_same(&found.edge_edge, &impacts->edge_edge);
  assert_true(found.first_impact == impacts->first_impact);
  weft_detection_destroy(detection);
}

static void methods_threads_and_devices_agree(void **state) {
  (void)state;
  const int kinds[] = {SOUP_RANDOM, SOUP_CRUMPLED, SOUP_DEGENERATE};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    Soup soup = soup_make(kinds[k]);
    double *end = moved(&soup);
    WeftDetection *brute = open_detection(&soup, "brute", "cpu", 1),
                  *other = open_detection(&soup, "brute", "cpu", 1);
    WeftDetected close, impacts;
    WeftError error;
    check_ok(weft_detection_close(brute, soup.x, 4e-3, &close, &error), error);
    check_ok(weft_detection_impacts(other, soup.x, end, 0, &impacts, &error), error);
    assert_true(close.vertex_face.count + close.edge_edge.count > 10);
    assert_true(impacts.vertex_face.count + impacts.edge_edge.count > 10);
    for (int m = 0; weft_registry_broad_at(m); m++) {
      const char *name = weft_registry_broad_at(m)->name;
      for (int threads = 1; threads <= 3; threads += TEST_IS_SANITIZED ? 2 : 1) {
        check_like(open_detection(&soup, name, "cpu", threads), &soup, end, &close, &impacts);
      }
      if (kinds[k] == SOUP_CRUMPLED && !skip_without_opencl()) {
        check_like(open_detection(&soup, name, "opencl", 0), &soup, end, &close, &impacts);
      }
    }
    weft_detection_destroy(brute);
    weft_detection_destroy(other);
    free(end);
    soup_free(&soup);
  }
}

/* The value of a pair as the narrow phase alone gives it. */
static double value_of(WeftPairKind kind, const int32_t *vertices, const double *x0, const double *x1) {
  double value, weight[4];
  if (x1) {
    weft_narrow_ccd(NULL, kind, 1, vertices, x0, x1, 0, &value);
  } else {
    weft_narrow_distance(NULL, kind, 1, vertices, x0, &value, weight);
  }
  return value;
}

typedef struct Walk {
  const WeftDetectedPairs *pairs;
  int64_t at;
} Walk;

/* The pair has to come next in the list if its value is wanted, and must not be there otherwise. */
static void visit(Walk *walk, WeftPairKind kind, int32_t a, int32_t b, const int32_t *vertices,
                  const double *x0, const double *x1, double limit) {
  double value = value_of(kind, vertices, x0, x1);
  if (!(value <= limit)) return;
  assert_true(walk->at < walk->pairs->count);
  assert_int_equal(walk->pairs->features[2 * walk->at], a);
  assert_int_equal(walk->pairs->features[2 * walk->at + 1], b);
  assert_memory_equal(walk->pairs->vertices + 4 * walk->at, vertices, 4 * sizeof *vertices);
  assert_true(walk->pairs->values[walk->at] == value);
  walk->at++;
}

static void check_against_loops(const Soup *soup, const WeftDetected *found, const double *x0,
                                const double *x1, double limit) {
  WeftSurface s;
  WeftError error;
  check_ok(
      weft_surface_create(&s, NULL, soup->vertex_count, soup->triangle_count, soup->triangles, NULL, &error),
      error);
  Walk vf = {&found->vertex_face, 0}, ee = {&found->edge_edge, 0};
  for (int32_t v = 0; v < s.vertex_count; v++) {
    for (int32_t t = 0; t < s.triangle_count; t++) {
      const int32_t *f = s.triangles + 3 * (size_t)t, vertices[4] = {v, f[0], f[1], f[2]};
      if (v == f[0] || v == f[1] || v == f[2]) continue;
      visit(&vf, WEFT_PAIR_VERTEX_FACE, v, t, vertices, x0, x1, limit);
    }
  }
  for (int32_t e = 0; e < s.edge_count; e++) {
    for (int32_t f = e + 1; f < s.edge_count; f++) {
      const int32_t *p = s.edges + 2 * (size_t)e, *q = s.edges + 2 * (size_t)f;
      const int32_t vertices[4] = {p[0], p[1], q[0], q[1]};
      if (p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1]) continue;
      visit(&ee, WEFT_PAIR_EDGE_EDGE, e, f, vertices, x0, x1, limit);
    }
  }
  assert_int_equal(vf.at, found->vertex_face.count);
  assert_int_equal(ee.at, found->edge_edge.count);
  assert_true(vf.at + ee.at > 10);
  weft_surface_destroy(&s);
}

static void lists_are_those_of_plain_loops(void **state) {
  (void)state;
  Soup soup = soup_crumpled(16, 5, 9);
  double *end = moved(&soup);
  WeftDetection *detection = open_detection(&soup, "bvh", "cpu", 0);
  WeftDetected found;
  WeftError error;
  check_ok(weft_detection_close(detection, soup.x, 0.02, &found, &error), error);
  check_against_loops(&soup, &found, soup.x, NULL, 0.02);
  check_ok(weft_detection_impacts(detection, soup.x, end, 0, &found, &error), error);
  check_against_loops(&soup, &found, soup.x, end, 1);
  weft_detection_destroy(detection);
  free(end);
  soup_free(&soup);
}

/* Two frames of a public simulation. */
typedef struct Frames {
  WeftMesh a, b;
  Soup soup;
} Frames;

static Frames read_frames(const char *first, const char *second) {
  char path[1024];
  Frames f;
  WeftError error;
  shared_data_path(path, sizeof path, "data/scalable-ccd-sample/%s", first);
  check_ok(weft_mesh_read(path, &f.a, &error), error);
  shared_data_path(path, sizeof path, "data/scalable-ccd-sample/%s", second);
  check_ok(weft_mesh_read(path, &f.b, &error), error);
  f.soup = (Soup){first, f.a.vertex_count, f.a.triangle_count, f.a.positions, f.a.triangles};
  return f;
}

/* Counts in the data's README, and how many of the pairs truly collide; every method finds the same pairs. */
static void check_frames(Frames f, int64_t tests_vf, int64_t tests_ee, int64_t true_vf, int64_t true_ee,
                         bool is_every_method) {
  WeftDetection *first = open_detection(&f.soup, "bvh", "cpu", 0);
  WeftDetected found, again;
  WeftError error;
  check_ok(weft_detection_impacts(first, f.a.positions, f.b.positions, 0, &found, &error), error);
  assert_int_equal(found.tests_vf, tests_vf);
  assert_int_equal(found.tests_ee, tests_ee);
  assert_true(found.vertex_face.count >= true_vf);
  assert_true(found.edge_edge.count >= true_ee);
  for (int m = 0; is_every_method && weft_registry_broad_at(m); m++) {
    WeftDetection *other = open_detection(&f.soup, weft_registry_broad_at(m)->name, "cpu", 0);
    check_ok(weft_detection_impacts(other, f.a.positions, f.b.positions, 0, &again, &error), error);
    assert_int_equal(again.overlaps, found.overlaps);
    assert_int_equal(again.tests_vf, tests_vf);
    assert_int_equal(again.tests_ee, tests_ee);
    check_same(&again.vertex_face, &found.vertex_face);
    check_same(&again.edge_edge, &found.edge_edge);
    weft_detection_destroy(other);
  }
  print_message("%s: %lld of %lld and %lld of %lld collide; true ones %lld and %lld\n", f.soup.name,
                (long long)found.vertex_face.count, (long long)tests_vf, (long long)found.edge_edge.count,
                (long long)tests_ee, (long long)true_vf, (long long)true_ee);
  weft_detection_destroy(first);
  weft_mesh_free(&f.a);
  weft_mesh_free(&f.b);
}

static void public_frames_have_the_counts_given(void **state) {
  (void)state;
  if (!shared_data_is_here()) {
    print_message("skipped: the shared data is not here (WEFT_SHARED, or ../shared beside the source)\n");
    skip();
  }
  check_frames(read_frames("cloth-funnel/frames/227.ply", "cloth-funnel/frames/228.ply"), 7319, 33770, 27,
               107, true);
  check_frames(read_frames("rod-twist/frames/3036.ply", "rod-twist/frames/3037.ply"), 448270, 2041334, 765,
               4179, getenv("WEFT_LONG") != NULL);
}

static void obstacles_do_not_meet_each_other(void **state) {
  (void)state;
  Soup soup = soup_make(SOUP_RANDOM);
  uint8_t *is_obstacle = malloc((size_t)soup.triangle_count);
  assert_non_null(is_obstacle);
  for (int t = 0; t < soup.triangle_count; t++) is_obstacle[t] = t % 2;
  WeftDetectDef def = weft_default_detect_def();
  WeftDetection *detection, *all = open_detection(&soup, "bvh", "cpu", 0);
  WeftDetected found, everything;
  WeftError error;
  def.vertex_count = soup.vertex_count;
  def.triangle_count = soup.triangle_count;
  def.triangles = soup.triangles;
  def.is_obstacle = is_obstacle;
  check_ok(weft_detection_create(&def, &detection, &error), error);
  check_ok(weft_detection_close(detection, soup.x, 0.01, &found, &error), error);
  check_ok(weft_detection_close(all, soup.x, 0.01, &everything, &error), error);
  int64_t wanted = 0;
  for (int64_t i = 0; i < everything.vertex_face.count; i++) {
    const int32_t *f = everything.vertex_face.features + 2 * i; /* triangle t has vertices 3 t .. 3 t + 2 */
    if (!is_obstacle[f[0] / 3] || !is_obstacle[f[1]]) wanted++;
  }
  assert_int_equal(found.vertex_face.count, wanted);
  assert_true(wanted > 0 && wanted < everything.vertex_face.count);
  weft_detection_destroy(detection);
  weft_detection_destroy(all);
  free(is_obstacle);
  soup_free(&soup);
}

static void bad_input_is_refused(void **state) {
  (void)state;
  Soup soup = soup_make(SOUP_ONE);
  WeftDetectDef def = {0};
  WeftDetection *detection = NULL;
  WeftDetected found;
  WeftError error;
  int32_t ends[2];
  check_refused(weft_detection_create(&def, &detection, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "weft_default_detect_def", error);
  def = weft_default_detect_def();
  def.triangle_count = 1;
  check_refused(weft_detection_create(&def, &detection, &error), WEFT_RESULT_INVALID_ARGUMENT, "arrays",
                error);
  def.triangles = soup.triangles;
  def.vertex_count = 2;
  check_refused(weft_detection_create(&def, &detection, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "triangle 0 has vertex 2", error);
  def.vertex_count = 3;
  def.method = "brut";
  check_refused(weft_detection_create(&def, &detection, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "did you mean \"brute\"", error);
  def.method = "bvh";
  def.device = "opencl:99";
  check_refused(weft_detection_create(&def, &detection, &error), WEFT_RESULT_DEVICE, "", error);
  def.device = "cpu";
  check_ok(weft_detection_create(&def, &detection, &error), error);
  check_refused(weft_detection_close(detection, soup.x, -1, &found, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "not -1", error);
  soup.x[4] = NAN;
  check_refused(weft_detection_close(detection, soup.x, 0, &found, &error), WEFT_RESULT_INVALID_DATA,
                "vertex 1", error);
  soup.x[4] = 1e31;
  check_refused(weft_detection_impacts(detection, soup.x, soup.x, 0, &found, &error),
                WEFT_RESULT_INVALID_DATA, "vertex 1", error);
  check_refused(weft_detection_edge(detection, 3, ends, &error), WEFT_RESULT_INVALID_ARGUMENT, "no edge 3",
                error);
  check_ok(weft_detection_edge(detection, 2, ends, &error), error);
  assert_true(ends[0] == 1 && ends[1] == 2);
  weft_detection_destroy(detection);
  soup_free(&soup);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(methods_threads_and_devices_agree),
      cmocka_unit_test(lists_are_those_of_plain_loops),
      cmocka_unit_test(public_frames_have_the_counts_given),
      cmocka_unit_test(obstacles_do_not_meet_each_other),
      cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
