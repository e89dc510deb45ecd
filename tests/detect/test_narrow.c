/* Whole lists of pairs: what the functions for one pair give, with any number of threads, on OpenCL too; and
 * the pairs of two simulations' frames, as their authors listed them [Belgrod23], with the truth that came
 * along. */
#include "ccd_families.h"
#include "detect/ccd.kernel.h"
#include "detect/narrow.h"
#include "device/opencl_case.h"
#include "device/threads.h"
#include "shared_data.h"

#include <weft/scene.h>

enum { PAIRS = 6000 };

typedef struct Batch {
  int32_t pair[4 * PAIRS];
  double x0[12 * PAIRS], x1[12 * PAIRS], time[PAIRS], distance[PAIRS], weight[4 * PAIRS];
} Batch;

/* A pair's vertices are its own, in an order that indices have to undo. */
static void fill(Batch *b, bool is_edges) {
  uint64_t seed = 4;
  for (int i = 0; i < PAIRS; i++) {
    CcdQuery q;
    do {
      ccd_families[i % CCD_FAMILY_COUNT].make(&q, &seed);
    } while (q.is_edges != is_edges);
    for (int k = 0; k < 4; k++) {
      int vertex = (k * PAIRS + i + 7 * k) % (4 * PAIRS);
      b->pair[4 * i + k] = vertex;
      store3(b->x0, vertex, q.x0[k]);
      store3(b->x1, vertex, q.x1[k]);
    }
  }
}

static void run(Batch *b, WeftDevice *device, WeftPairKind kind) {
  const struct {
    void *host;
    size_t bytes;
  } arrays[] = {{b->pair, sizeof b->pair},
                {b->x0, sizeof b->x0},
                {b->x1, sizeof b->x1},
                {b->time, sizeof b->time},
                {b->distance, sizeof b->distance},
                {b->weight, sizeof b->weight}};
  WeftError error;
  memset(b->time, 0, sizeof b->time);
  memset(b->distance, 0, sizeof b->distance);
  memset(b->weight, 0, sizeof b->weight);
  for (int i = 0; i < 6 && device; i++)
    check_ok(weft_device_share(device, arrays[i].host, arrays[i].bytes, WEFT_MEMORY_SMALL, &error), error);
  weft_narrow_distance(device, kind, PAIRS, b->pair, b->x0, b->distance, b->weight);
  weft_narrow_ccd(device, kind, PAIRS, b->pair, b->x0, b->x1, 1e-6, b->time);
  for (int i = 3; i < 6; i++) assert_true(weft_device_download(device, arrays[i].host, arrays[i].bytes));
  check_ok(weft_device_check(device, &error), error);
  for (int i = 0; i < 6 && device; i++) weft_device_forget(device, arrays[i].host);
}

static void check_same(const Batch *a, const Batch *b) {
  assert_memory_equal(a->time, b->time, sizeof a->time);
  assert_memory_equal(a->distance, b->distance, sizeof a->distance);
  assert_memory_equal(a->weight, b->weight, sizeof a->weight);
}

static void batches_and_threads(void **state) {
  (void)state;
  Batch *one = malloc(sizeof *one), *many = malloc(sizeof *many);
  for (int kind = 0; kind < 2; kind++) {
    bool is_edges = kind == WEFT_PAIR_EDGE_EDGE;
    fill(one, is_edges);
    *many = *one;
    int before = weft_threads_use(1);
    run(one, NULL, (WeftPairKind)kind);
    weft_threads_use(3);
    run(many, NULL, (WeftPairKind)kind);
    weft_threads_use(before);
    check_same(one, many);
    int hits = 0;
    for (int i = 0; i < PAIRS; i++) {
      Vec3 x0[4], x1[4];
      for (int k = 0; k < 4; k++) {
        x0[k] = load3(one->x0, one->pair[4 * i + k]);
        x1[k] = load3(one->x1, one->pair[4 * i + k]);
      }
      Closest c = is_edges ? closest_edge_edge(x0) : closest_vertex_face(x0);
      assert_true(one->distance[i] == sqrt(c.squared));
      assert_memory_equal(one->weight + 4 * i, c.weight, sizeof c.weight);
      assert_true(one->time[i] ==
                  (is_edges ? ccd_edge_edge(x0, x1, 1e-6) : ccd_vertex_face(x0, x1, 1e-6)).time);
      hits += one->time[i] <= 1;
    }
    assert_true(hits > 0 && hits < PAIRS);
  }
  free(one);
  free(many);
}

static void opencl_gives_the_same(void **state) {
  (void)state;
  if (skip_without_opencl()) skip();
  WeftError error;
  WeftDevice *device;
  check_ok(weft_device_open("opencl", &device, &error), error);
  Batch *cpu = malloc(sizeof *cpu), *other = malloc(sizeof *other);
  for (int kind = 0; kind < 2; kind++) {
    fill(cpu, kind == WEFT_PAIR_EDGE_EDGE);
    *other = *cpu;
    run(cpu, NULL, (WeftPairKind)kind);
    run(other, device, (WeftPairKind)kind);
    check_same(cpu, other);
  }
  weft_device_close(device);
  free(cpu);
  free(other);
}

/* ---- frames ---- */

typedef struct Edge {
  int32_t low, high;
} Edge;

/* By the higher vertex, then the lower one: the order of the list's numbers. */
static int compare_edges(const void *a, const void *b) {
  const Edge *left = a, *right = b;
  if (left->high != right->high) return left->high < right->high ? -1 : 1;
  return (left->low > right->low) - (left->low < right->low);
}

static Edge *edges_of(const WeftMesh *mesh, int *count) {
  int sides = 3 * mesh->triangle_count, kept = 0;
  Edge *edge = malloc((size_t)sides * sizeof *edge);
  for (int i = 0; i < sides; i++) {
    int32_t a = mesh->triangles[i], b = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
    edge[i] = (Edge){a < b ? a : b, a < b ? b : a};
  }
  qsort(edge, (size_t)sides, sizeof *edge, compare_edges);
  for (int i = 0; i < sides; i++) {
    if (kept == 0 || compare_edges(&edge[kept - 1], &edge[i]) != 0) edge[kept++] = edge[i];
  }
  *count = kept;
  return edge;
}

/* Every number in a file of [[a,b],[c,d],...] */
static int read_numbers(const char *path, int32_t *number, int room) {
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  int count = 0, letter;
  while ((letter = fgetc(file)) != EOF) {
    if (letter < '0' || letter > '9') continue;
    ungetc(letter, file);
    assert_true(count < room);
    assert_int_equal(fscanf(file, "%d", &number[count++]), 1);
  }
  fclose(file);
  return count;
}

static void check_frames(const char *scene, int frame, bool is_edges) {
  static int32_t id[2 * PAIRS], pair[4 * PAIRS];
  static double time[PAIRS];
  char path[1024];
  WeftMesh from, to;
  WeftError error;
  const char *kind = is_edges ? "ee" : "vf";
  shared_data_path(path, sizeof path, "data/scalable-ccd-sample/%s/frames/%d.ply", scene, frame);
  check_ok(weft_mesh_read(path, &from, &error), error);
  shared_data_path(path, sizeof path, "data/scalable-ccd-sample/%s/frames/%d.ply", scene, frame + 1);
  check_ok(weft_mesh_read(path, &to, &error), error);
  shared_data_path(path, sizeof path, "data/scalable-ccd-sample/%s/boxes/%d%s.json", scene, frame, kind);
  int edge_count, count = read_numbers(path, id, 2 * PAIRS) / 2;
  Edge *edge = edges_of(&from, &edge_count);
  for (int i = 0; i < count; i++) {
    int32_t a = id[2 * i], b = id[2 * i + 1], *out = pair + 4 * i;
    if (is_edges) {
      const Edge *first = &edge[a - from.vertex_count], *second = &edge[b - from.vertex_count];
      out[0] = first->low, out[1] = first->high, out[2] = second->low, out[3] = second->high;
    } else {
      const int32_t *face = from.triangles + 3 * (b - from.vertex_count - edge_count);
      out[0] = a, out[1] = face[0], out[2] = face[1], out[3] = face[2];
    }
  }
  weft_narrow_ccd(NULL, is_edges ? WEFT_PAIR_EDGE_EDGE : WEFT_PAIR_VERTEX_FACE, count, pair, from.positions,
                  to.positions, 0, time);
  shared_data_path(path, sizeof path, "data/scalable-ccd-sample/%s/mma_bool/%d%s_mma_bool.json", scene, frame,
                   kind);
  FILE *truth = fopen(path, "r");
  assert_non_null(truth);
  int hits = 0, missed = 0, false_hits = 0;
  for (int i = 0, letter; i < count; i++) {
    while ((letter = fgetc(truth)) != 't' && letter != 'f') assert_true(letter != EOF);
    hits += letter == 't';
    missed += letter == 't' && time[i] > 1;
    false_hits += letter == 'f' && time[i] <= 1;
    while ((letter = fgetc(truth)) >= 'a' && letter <= 'z') continue;
  }
  fclose(truth);
  print_message("%s %s: %d pairs, %d hits, %d missed, %d false hits\n", scene, kind, count, hits, missed,
                false_hits);
  assert_true(hits > 0);
  assert_int_equal(missed, 0);
  assert_true(20 * false_hits <= count - hits);
  free(edge);
  weft_mesh_free(&from);
  weft_mesh_free(&to);
}

static void frames_of_simulations(void **state) {
  (void)state;
  if (!shared_data_is_here()) {
    print_message("skipped: the shared data is not here (WEFT_SHARED, or ../shared beside the source)\n");
    skip();
  }
  for (int is_edges = 0; is_edges < 2; is_edges++) {
    check_frames("cloth-funnel", 227, is_edges);
    check_frames("rod-twist", 3036, is_edges);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(batches_and_threads),
                                     cmocka_unit_test(opencl_gives_the_same),
                                     cmocka_unit_test(frames_of_simulations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
