/* Whole meshes: counts against a loop over all edges and triangles, and shapes whose answer is known. */
#include "judge/lattice.h"

#include <float.h>
#include <weft/check.h>

enum { MOST_TRIANGLES = 64, MOST_VERTICES = 64, MOST_HITS = 60000, MOST_PAIRS = 10000 };

typedef struct Soup {
  int mesh_count, vertex_count, triangle_count; /* in all */
  int first_vertex[4], first_triangle[4];
  Point points[MOST_VERTICES];
  double positions[MOST_VERTICES][3];
  int32_t triangles[MOST_TRIANGLES][3]; /* in one numbering */
} Soup;

typedef struct TwinHit {
  int32_t edge[2], triangle, kind;
} TwinHit;

typedef struct Twin {
  int64_t hits, kinds[3], pairs, contours;
} Twin;

static TwinHit hits[MOST_HITS];
static int32_t pair_of[MOST_TRIANGLES][MOST_TRIANGLES]; /* contour of a pair; -1: no pair */

static int mesh_of(const Soup *soup, int triangle) {
  int mesh = 0;
  while (mesh + 1 < soup->mesh_count && triangle >= soup->first_triangle[mesh + 1]) mesh++;
  return mesh;
}

static bool has_vertex(const int32_t *triangle, int32_t vertex) {
  return triangle[0] == vertex || triangle[1] == vertex || triangle[2] == vertex;
}

/* A side of the triangle, not only two of its corners: they are the same for a triangle. */
static bool has_edge(const int32_t *triangle, const int32_t *edge) {
  for (int k = 0; k < 3; k++) {
    int32_t a = triangle[k], b = triangle[(k + 1) % 3];
    if ((a == edge[0] && b == edge[1]) || (a == edge[1] && b == edge[0])) return true;
  }
  return false;
}

static bool is_known_edge(const Soup *soup, int triangle, int side) {
  for (int i = 0; i < 3 * triangle + side; i++) {
    const int32_t *other = soup->triangles[i / 3], *own = soup->triangles[triangle];
    int32_t edge[2] = {own[side], own[(side + 1) % 3]}, a = other[i % 3], b = other[(i % 3 + 1) % 3];
    if ((a == edge[0] && b == edge[1]) || (a == edge[1] && b == edge[0])) return true;
  }
  return false;
}

static void hit_edge(const Soup *soup, int32_t a, int32_t b, Twin *twin) {
  for (int t = 0; t < soup->triangle_count; t++) {
    const int32_t *c = soup->triangles[t];
    if (has_vertex(c, a) || has_vertex(c, b)) continue;
    Point points[5] = {soup->points[a], soup->points[b], soup->points[c[0]], soup->points[c[1]],
                       soup->points[c[2]]};
    if (!twin_meets(points)) continue;
    assert_true(twin->hits < MOST_HITS);
    hits[twin->hits++] = (TwinHit){{a, b}, t, (int32_t)twin_kind(points)};
  }
}

static void join_contours(int32_t from, int32_t to) {
  for (int a = 0; a < MOST_TRIANGLES; a++)
    for (int b = 0; b < MOST_TRIANGLES; b++)
      if (pair_of[a][b] == from) pair_of[a][b] = to;
}

/* All edges, each once, against all triangles; then pairs, joined wherever they share a hit. */
static Twin brute_force(const Soup *soup) {
  Twin twin = {0};
  for (int t = 0; t < soup->triangle_count; t++)
    for (int k = 0; k < 3; k++)
      if (!is_known_edge(soup, t, k))
        hit_edge(soup, soup->triangles[t][k], soup->triangles[t][(k + 1) % 3], &twin);
  memset(pair_of, -1, sizeof pair_of);
  int32_t next = 0;
  for (int64_t i = 0; i < twin.hits; i++) {
    const TwinHit *hit = &hits[i];
    twin.kinds[hit->kind]++;
    int32_t first = -1;
    for (int u = 0; u < soup->triangle_count; u++) {
      if (!has_edge(soup->triangles[u], hit->edge)) continue;
      int32_t *pair = u < hit->triangle ? &pair_of[u][hit->triangle] : &pair_of[hit->triangle][u];
      if (*pair < 0) *pair = next++;
      if (first >= 0 && first != *pair) join_contours(*pair, first);
      first = *pair;
    }
  }
  bool *is_seen = calloc((size_t)next + 1, sizeof *is_seen);
  for (int i = 0; i < MOST_TRIANGLES * MOST_TRIANGLES; i++) {
    int32_t contour = pair_of[i / MOST_TRIANGLES][i % MOST_TRIANGLES];
    if (contour < 0) continue;
    twin.pairs++;
    twin.contours += !is_seen[contour];
    is_seen[contour] = true;
  }
  free(is_seen);
  return twin;
}

static void to_meshes(const Soup *soup, WeftCheckMesh meshes[4], int32_t triangles[MOST_TRIANGLES][3]) {
  for (int t = 0; t < soup->triangle_count; t++)
    for (int k = 0; k < 3; k++)
      triangles[t][k] = soup->triangles[t][k] - soup->first_vertex[mesh_of(soup, t)];
  for (int m = 0; m < soup->mesh_count; m++) {
    bool is_last = m + 1 == soup->mesh_count;
    int vertex_end = is_last ? soup->vertex_count : soup->first_vertex[m + 1],
        triangle_end = is_last ? soup->triangle_count : soup->first_triangle[m + 1];
    meshes[m] = (WeftCheckMesh){NULL,
                                vertex_end - soup->first_vertex[m],
                                soup->positions[soup->first_vertex[m]],
                                triangle_end - soup->first_triangle[m],
                                triangles[soup->first_triangle[m]],
                                false};
  }
}

static void check_parts(const WeftCheck *check) {
  WeftCheckCounts sum = {0};
  for (int32_t i = 0; i < check->part_count; i++) {
    const WeftCheckPart *part = &check->parts[i];
    assert_true(part->a <= part->b && part->counts.hits > 0);
    if (i > 0) assert_true(part[-1].a < part->a || (part[-1].a == part->a && part[-1].b < part->b));
    assert_int_equal(part->counts.hits,
                     part->counts.crossing + part->counts.touching + part->counts.coplanar);
    sum.hits += part->counts.hits;
    sum.pairs += part->counts.pairs;
    sum.contours += part->counts.contours;
    sum.length += part->counts.length;
  }
  assert_true(sum.hits == check->total.hits && sum.pairs == check->total.pairs &&
              sum.contours == check->total.contours && sum.length == check->total.length);
}

/* Hits of edge mesh and triangle mesh by the twin. */
static int64_t part_hits(const Soup *soup, const Twin *twin, int a, int b) {
  int64_t count = 0;
  for (int64_t i = 0; i < twin->hits; i++) {
    int edge_mesh = 0, mesh = mesh_of(soup, hits[i].triangle);
    while (edge_mesh + 1 < soup->mesh_count && hits[i].edge[0] >= soup->first_vertex[edge_mesh + 1])
      edge_mesh++;
    count += (edge_mesh == a && mesh == b) || (edge_mesh == b && mesh == a);
  }
  return count;
}

static void compare(const Soup *soup, Twin *sum) {
  WeftCheckMesh meshes[4];
  int32_t triangles[MOST_TRIANGLES][3];
  WeftCheck check;
  WeftError error;
  to_meshes(soup, meshes, triangles);
  Twin twin = brute_force(soup);
  check_ok(weft_check_meshes(soup->mesh_count, meshes, &(WeftCheckOptions){.threads = 1, .list = 5}, &check,
                             &error),
           error);
  assert_int_equal(check.total.hits, twin.hits);
  assert_int_equal(check.total.crossing, twin.kinds[WEFT_HIT_CROSSING]);
  assert_int_equal(check.total.touching, twin.kinds[WEFT_HIT_TOUCHING]);
  assert_int_equal(check.total.coplanar, twin.kinds[WEFT_HIT_COPLANAR]);
  assert_int_equal(check.total.pairs, twin.pairs);
  assert_int_equal(check.total.contours, twin.contours);
  assert_int_equal(check.listed_count, twin.hits < 5 ? twin.hits : 5);
  check_parts(&check);
  for (int32_t i = 0; i < check.part_count; i++)
    assert_int_equal(check.parts[i].counts.hits, part_hits(soup, &twin, check.parts[i].a, check.parts[i].b));
  weft_check_free(&check);
  sum->hits += twin.hits;
  sum->contours += twin.contours;
  for (int k = 0; k < 3; k++) sum->kinds[k] += twin.kinds[k];
}

/* Triangles between random vertices, also ones that name a vertex twice or thrice. */
static void fill_random(Soup *soup, uint64_t *seed, int reach, int mesh_count) {
  *soup = (Soup){.mesh_count = mesh_count};
  for (int m = 0; m < mesh_count; m++) {
    soup->first_vertex[m] = soup->vertex_count;
    soup->first_triangle[m] = soup->triangle_count;
    int vertices = (int)random_whole(seed, 3, MOST_VERTICES / 4),
        triangles = (int)random_whole(seed, 1, MOST_TRIANGLES / 4);
    for (int i = 0; i < 3 * triangles; i++)
      soup->triangles[soup->triangle_count + i / 3][i % 3] =
          soup->vertex_count + (int32_t)random_whole(seed, 0, vertices - 1);
    soup->vertex_count += vertices;
    soup->triangle_count += triangles;
  }
  for (int i = 0; i < 3 * soup->vertex_count; i++)
    soup->points[i / 3].x[i % 3] = random_whole(seed, -reach, reach);
  to_doubles(soup->points, soup->vertex_count, 0x1p-10, soup->positions);
}

static void random_meshes(void **state) {
  (void)state;
  static const int reach[] = {1, 2, 4, 20, 1000};
  uint64_t seed = 7;
  Soup soup;
  for (int r = 0; r < 5; r++) {
    Twin sum = {0};
    for (int i = 0; i < 60; i++) {
      fill_random(&soup, &seed, reach[r], 1 + i % 4);
      compare(&soup, &sum);
    }
    print_message(
        "coordinates up to %d: 60 soups, %lld cross, %lld touch, %lld in the plane, %lld contours\n",
        reach[r], (long long)sum.kinds[0], (long long)sum.kinds[1], (long long)sum.kinds[2],
        (long long)sum.contours);
  }
}

/* A grid of cells x cells squares; place maps u and v, whole numbers from 0 to cells. */
typedef struct Sheet {
  int cells;
  double *positions;
  int32_t *triangles;
} Sheet;

static Sheet sheet(int cells, void (*place)(double u, double v, double x[3])) {
  int side = cells + 1;
  Sheet made = {cells, calloc((size_t)(3 * side * side), sizeof(double)),
                calloc((size_t)(6 * cells * cells), sizeof(int32_t))};
  for (int i = 0; i < side * side; i++) place(i % side, i / side, made.positions + 3 * i);
  for (int c = 0; c < cells * cells; c++) {
    int32_t a = c / cells * side + c % cells,
            corners[6] = {a, a + 1, a + side + 1, a, a + side + 1, a + side};
    memcpy(made.triangles + 6 * c, corners, sizeof corners);
  }
  return made;
}

static WeftCheckMesh mesh_of_sheet(const Sheet *made) {
  int side = made->cells + 1;
  return (WeftCheckMesh){NULL, side * side, made->positions, 2 * made->cells * made->cells, made->triangles,
                         false};
}

static void free_sheet(Sheet *made) {
  free(made->positions);
  free(made->triangles);
}

static WeftCheck judge(int count, const WeftCheckMesh *meshes) {
  WeftCheck check;
  WeftError error;
  check_ok(weft_check_meshes(count, meshes, &(WeftCheckOptions){.threads = 2, .list = 3}, &check, &error),
           error);
  return check;
}

/* 20 x 20 flat, and one that stands on it upright, at a slant to its lines, from below to above. */
static void lying(double u, double v, double x[3]) {
  x[0] = u;
  x[1] = v;
  x[2] = 0;
}
static void standing(double u, double v, double x[3]) {
  x[0] = 4.3 + 0.61 * u;
  x[1] = 3.1 + 0.57 * u;
  x[2] = v - 9.77;
}
static void on_top(double u, double v, double x[3]) {
  lying(u, v, x);
  x[2] = 1;
}

static void a_sheet_through_a_sheet(void **state) {
  (void)state;
  Sheet a = sheet(20, lying), b = sheet(20, standing);
  WeftCheckMesh meshes[2] = {mesh_of_sheet(&a), mesh_of_sheet(&b)};
  WeftCheck check = judge(2, meshes);
  assert_int_equal(check.total.contours, 1);
  assert_int_equal(check.total.hits, check.total.crossing);
  assert_true(check.total.hits > 40 && check.total.pairs > 40);
  check_relative(check.total.length, 20 * hypot(0.61, 0.57), 1e-12);
  assert_int_equal(check.part_count, 1);
  assert_true(check.parts[0].a == 0 && check.parts[0].b == 1);
  assert_int_equal(check.listed_count, 3);
  for (int i = 0; i < 3; i++) check_near(check.listed[i].place[2], 0, 1e-12);
  weft_check_free(&check);
  check = judge(1, meshes);
  assert_true(check.total.hits == 0 && check.part_count == 0 && check.total.length == 0);
  assert_true(check.edge_count == 20 * 21 * 2 + 400 && check.triangle_count == 800 &&
              check.vertex_count == 441);
  weft_check_free(&check);
  free_sheet(&a);
  free_sheet(&b);
}

/* Sheets with a gap of the smallest kind, and with none. */
static void smallest_gaps(void **state) {
  (void)state;
  Sheet a = sheet(6, on_top), b = sheet(6, on_top);
  WeftCheckMesh meshes[2] = {mesh_of_sheet(&a), mesh_of_sheet(&b)};
  WeftCheck check = judge(2, meshes);
  assert_true(check.total.hits > 0 && check.total.crossing == 0 && check.total.length == 0);
  assert_int_equal(check.total.contours, 1); /* one patch */
  weft_check_free(&check);
  for (int i = 0; i < 49; i++) b.positions[3 * i + 2] = 1 + DBL_EPSILON;
  check = judge(2, meshes);
  assert_int_equal(check.total.hits, 0);
  weft_check_free(&check);
  b.positions[3 * 24 + 2] = 1; /* one vertex comes down: its edges and triangles touch what is there */
  check = judge(2, meshes);
  assert_true(check.total.crossing == 0 && check.total.touching > 0 && check.total.length == 0);
  assert_int_equal(check.total.contours, 1);
  weft_check_free(&check);
  b.positions[3 * 24 + 2] = 1 - DBL_EPSILON / 2; /* and goes through, edges exactly over edges */
  check = judge(2, meshes);
  assert_true(check.total.crossing == 0 && check.total.touching > 0 && check.total.length > 0);
  weft_check_free(&check);
  free_sheet(&a);
  free_sheet(&b);
}

static WeftCheckCounts judge_two(const double *positions, int vertex_count, const int32_t *triangles) {
  WeftCheckMesh mesh = {NULL, vertex_count, positions, 2, triangles, false};
  WeftCheck check = judge(1, &mesh);
  WeftCheckCounts counts = check.total;
  weft_check_free(&check);
  return counts;
}

/* What the definition leaves out and what it does not: docs/check.md. */
static void neighbours(void **state) {
  (void)state;
  static const int32_t by_edge[6] = {0, 1, 2, 1, 0, 3}, by_vertex[6] = {0, 1, 2, 0, 3, 4};
  const double folded[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.5, 0};
  assert_int_equal(judge_two(folded, 4, by_edge).hits, 0); /* flat on its neighbour over a common edge */
  const double fan[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, -1, 1, 0};
  WeftCheckCounts counts = judge_two(fan, 5, by_vertex); /* flat on it around a common vertex */
  assert_true(counts.hits == 2 && counts.coplanar == 2 && counts.pairs == 1 && counts.length == 0);
  const double through[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 1, 3, 0.5, 0.5, -1};
  counts = judge_two(through, 5, by_vertex); /* through it, from the common vertex on */
  assert_true(counts.hits == 1 && counts.crossing == 1 && counts.pairs == 1 && counts.contours == 1);
  check_relative(counts.length, hypot(0.625, 0.625), 1e-14);
  const double apart[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 1, 3, 1, 1, 1};
  assert_int_equal(judge_two(apart, 5, by_vertex).hits, 0); /* the common vertex alone does not count */
  static const int32_t twice[6] = {0, 1, 2, 2, 1, 0};
  assert_int_equal(judge_two(folded, 3, twice).hits, 0); /* the same triangle twice */
}

static void same_vertex_of_two_meshes(void **state) {
  (void)state;
  const double a[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, b[] = {0, 0, 0, -1, 0, 1, 0, -1, 1};
  static const int32_t corners[3] = {0, 1, 2};
  const WeftCheckMesh meshes[2] = {{"a", 3, a, 1, corners, false}, {"b", 3, b, 1, corners, false}};
  WeftCheck check = judge(2, meshes); /* two edges of each end at the common place */
  assert_true(check.total.hits == 4 && check.total.touching == 4 && check.total.pairs == 1);
  weft_check_free(&check);
}

/* A sheet that is pleated through itself. */
static void pleated(double u, double v, double x[3]) {
  x[0] = 0.2 * u + sin(0.7 * u + 0.1 * v);
  x[1] = v + 0.3 * cos(1.3 * u);
  x[2] = cos(0.9 * u + 0.03 * v) + 0.1 * sin(v);
}

static void threads_do_not_matter(void **state) {
  (void)state;
  Sheet a = sheet(80, pleated);
  WeftCheckMesh mesh = mesh_of_sheet(&a);
  WeftCheck one, several;
  WeftError error;
  const int list = 1 << 20;
  check_ok(weft_check_meshes(1, &mesh, &(WeftCheckOptions){.threads = 1, .list = list}, &one, &error), error);
  print_message("%lld hits in %lld contours\n", (long long)one.total.hits, (long long)one.total.contours);
  assert_true(one.total.crossing > 100);
  for (int threads = 2; threads <= 3; threads++) {
    check_ok(
        weft_check_meshes(1, &mesh, &(WeftCheckOptions){.threads = threads, .list = list}, &several, &error),
        error);
    assert_memory_equal(&one.total, &several.total, sizeof one.total);
    assert_int_equal(one.listed_count, several.listed_count);
    for (int i = 0; i < one.listed_count; i++) {
      const WeftHit *p = &one.listed[i], *q = &several.listed[i];
      assert_true(p->edge[0] == q->edge[0] && p->edge[1] == q->edge[1] && p->triangle == q->triangle);
      assert_memory_equal(p->place, q->place, sizeof p->place);
    }
    weft_check_free(&several);
  }
  weft_check_free(&one);
  free_sheet(&a);
}

static void refusals(void **state) {
  (void)state;
  double x[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  int32_t corners[3] = {0, 1, 2};
  WeftCheckMesh mesh = {"shirt", 3, x, 1, corners, false}, nameless = {NULL, 3, x, 1, corners, false};
  WeftCheck check;
  WeftError error;
  x[4] = NAN;
  check_refused(weft_check_meshes(1, &mesh, NULL, &check, &error), WEFT_RESULT_INVALID_DATA,
                "shirt: vertex 1 is not finite", error);
  x[4] = -INFINITY;
  check_refused(weft_check_meshes(1, &nameless, NULL, &check, &error), WEFT_RESULT_INVALID_DATA,
                "mesh 0: vertex 1", error);
  x[4] = 1e-100;
  check_refused(weft_check_meshes(1, &mesh, NULL, &check, &error), WEFT_RESULT_INVALID_DATA,
                "must be 0, or 1e-80", error);
  x[4] = 1e90;
  check_refused(weft_check_meshes(1, &mesh, NULL, &check, &error), WEFT_RESULT_INVALID_DATA, "y = 1e+90",
                error);
  x[4] = 0;
  corners[2] = 3;
  check_refused(weft_check_meshes(1, &mesh, NULL, &check, &error), WEFT_RESULT_INVALID_DATA,
                "triangle 0 names vertex 3; vertices are 0 to 2", error);
  corners[2] = -1;
  check_refused(weft_check_meshes(1, &mesh, NULL, &check, &error), WEFT_RESULT_INVALID_DATA, "vertex -1",
                error);
  mesh.positions = NULL;
  check_refused(weft_check_meshes(1, &mesh, NULL, &check, &error), WEFT_RESULT_INVALID_ARGUMENT, "array",
                error);
  check_refused(weft_check_meshes(1, NULL, NULL, &check, &error), WEFT_RESULT_INVALID_ARGUMENT, "missing",
                error);
  check_refused(weft_check_meshes(1, &mesh, NULL, NULL, &error), WEFT_RESULT_INVALID_ARGUMENT, "NULL", error);
  check_refused(weft_check_world(NULL, NULL, &check, &error), WEFT_RESULT_INVALID_ARGUMENT, "no world",
                error);
  weft_check_free(&check);
  weft_check_free(NULL);
  check_ok(weft_check_meshes(0, NULL, NULL, &check, &error), error);
  assert_int_equal(check.total.hits, 0);
  weft_check_free(&check);
  WeftCheckMesh empty = {"empty", 0, NULL, 0, NULL, false};
  check_ok(weft_check_meshes(1, &empty, NULL, &check, &error), error);
  weft_check_free(&check);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_meshes),
                                     cmocka_unit_test(a_sheet_through_a_sheet),
                                     cmocka_unit_test(smallest_gaps),
                                     cmocka_unit_test(neighbours),
                                     cmocka_unit_test(same_vertex_of_two_meshes),
                                     cmocka_unit_test(threads_do_not_matter),
                                     cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
