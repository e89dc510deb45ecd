/* Polygons: the triangles cover the polygon once, keep its sense, and are never flat where that can be
 * avoided. */
#include "mesh/triangulate.h"

#include "mesh/check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 4096 };

static double area_of(const double *xy, int a, int b, int c) {
  return 0.5 * ((xy[2 * b] - xy[2 * a]) * (xy[2 * c + 1] - xy[2 * a + 1]) -
                (xy[2 * b + 1] - xy[2 * a + 1]) * (xy[2 * c] - xy[2 * a]));
}

/* Triangulates one plane polygon, turned into space, and checks: all triangles positive, areas add up to the
 * polygon's (so no overlap), and the areas of all triangles under a weight linear in x add up too (so they
 * are in the right place). */
static void check_polygon(int count, const double *xy) {
  double *positions = malloc(3 * MOST * sizeof(double));
  int32_t *vertices = malloc(MOST * sizeof(int32_t)), *triangles = malloc(3 * MOST * sizeof(int32_t));
  assert_true(positions && vertices && triangles && count <= MOST);
  double area = 0, moment = 0;
  for (int i = 0; i < count; i++) {
    int j = (i + 1) % count;
    double cross = xy[2 * i] * xy[2 * j + 1] - xy[2 * j] * xy[2 * i + 1];
    area += 0.5 * cross;
    moment += cross * (xy[2 * i] + xy[2 * j]) / 6;
    vertices[i] = i;
    positions[3 * i] = 0.6 * xy[2 * i] + 3; /* x along (0.6, 0.8, 0), y along (0, 0, 1) */
    positions[3 * i + 1] = 0.8 * xy[2 * i] - 2;
    positions[3 * i + 2] = xy[2 * i + 1] + 1;
  }
  const int32_t start[2] = {0, count};
  assert_int_equal(weft_triangulate(count, positions, 1, start, vertices, triangles, NULL), WEFT_RESULT_OK);
  double sum = 0, moment_sum = 0;
  for (int t = 0; t < count - 2; t++) {
    const int32_t *v = triangles + 3 * t;
    for (int k = 0; k < 3; k++) assert_in_range(v[k], 0, count - 1);
    double part = area_of(xy, v[0], v[1], v[2]);
    assert_true(part > 0);
    assert_false(weft_triangle_is_degenerate(positions, v));
    sum += part;
    moment_sum += part * (xy[2 * v[0]] + xy[2 * v[1]] + xy[2 * v[2]]) / 3;
  }
  assert_true(fabs(sum - area) < 1e-9 * area);
  assert_true(fabs(moment_sum - moment) < 1e-9 * fmax(area, fabs(moment)));
  free(positions);
  free(vertices);
  free(triangles);
}

static void concave_polygons(void **state) {
  (void)state;
  const double arrow[] = {0, 0, 4, 0, 1, 1, 0, 4}; /* a quad with a dent at (1, 1) */
  const double l_shape[] = {0, 0, 3, 0, 3, 1, 1, 1, 1, 3, 0, 3};
  const double comb[] = {0, 0, 7, 0, 7, 3, 6, 3, 6, 1, 5, 1, 5, 3, 4, 3,
                         4, 1, 3, 1, 3, 3, 2, 3, 2, 1, 1, 1, 1, 3, 0, 3};
  const double with_midpoint[] = {0, 0, 1, 0, 2, 0, 1, 1.7320508075688772, 0.5, 0.8660254037844386};
  const double all_midpoints[] = {0, 0, 1, 0, 2, 0, 2, 1, 2, 2, 1, 2, 0, 2, 0, 1};
  const double hole[] = {0, 0, 3, 0, 3, 3, 0, 3, 0, 0,
                         1, 1, 1, 2, 2, 2, 2, 1, 1, 1}; /* square with a square hole */
  check_polygon(4, arrow);
  for (int shift = 1; shift < 4; shift++) {
    double turned[8];
    for (int i = 0; i < 8; i++) turned[i] = arrow[(i + 2 * shift) % 8];
    check_polygon(4, turned);
  }
  check_polygon(6, l_shape);
  check_polygon(16, comb);
  check_polygon(5, with_midpoint);
  check_polygon(8, all_midpoints);
  check_polygon(10, hole);
}

static void star_and_spiral(void **state) {
  (void)state;
  static double xy[2 * MOST];
  for (int count = 5; count <= 400; count += 3) { /* star with random reach: always simple */
    uint64_t random = (uint64_t)count;
    for (int i = 0; i < count; i++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      double r = 0.2 + (double)(random >> 40) / (1 << 24), angle = 6.283185307179586 * i / count;
      xy[2 * i] = r * cos(angle);
      xy[2 * i + 1] = r * sin(angle);
    }
    check_polygon(count, xy);
  }
  const int half = 600; /* a band wound up several times */
  for (int i = 0; i < half; i++) {
    double angle = 0.06 * i, r = 1 + 0.1 * angle;
    xy[2 * i] = (r + 0.2) * cos(angle);
    xy[2 * i + 1] = (r + 0.2) * sin(angle);
    xy[2 * (2 * half - 1 - i)] = r * cos(angle);
    xy[2 * (2 * half - 1 - i) + 1] = r * sin(angle);
  }
  check_polygon(2 * half, xy);
  for (int i = 0; i < MOST; i++) {
    xy[2 * i] = cos(6.283185307179586 * i / MOST);
    xy[2 * i + 1] = sin(6.283185307179586 * i / MOST);
  }
  check_polygon(MOST, xy);
}

static void quad_takes_the_shorter_diagonal(void **state) {
  (void)state;
  const double positions[4][3] = {{0, 0, 0}, {1, 0, 0}, {1.5, 1, 0}, {0.5, 1, 0}};
  const int32_t start[2] = {0, 4}, quad[4] = {0, 1, 2, 3}, turned[4] = {1, 2, 3, 0};
  const int32_t expected[6] = {1, 2, 3, 1, 3, 0}, expected_turned[6] = {0, 1, 2, 0, 2, 3};
  int32_t triangles[6];
  assert_int_equal(weft_triangulate(4, positions[0], 1, start, quad, triangles, NULL), WEFT_RESULT_OK);
  assert_memory_equal(triangles, expected, sizeof expected);
  assert_int_equal(weft_triangulate(4, positions[0], 1, start, turned, triangles, NULL), WEFT_RESULT_OK);
  assert_memory_equal(triangles, expected_turned, sizeof expected_turned);
}

/* Rounded to 6 digits as in files, the quads starting at any of their corners: neighbours still lean
 * different ways. */
static void grid_of_quads_gets_alternating_diagonals(void **state) {
  (void)state;
  enum { N = 9 };
  double positions[(N + 1) * (N + 1)][3];
  int32_t start[N * N + 1], corners[4 * N * N], triangles[6 * N * N];
  for (int i = 0; i < (N + 1) * (N + 1); i++) {
    positions[i][0] = round(1e6 * (i % (N + 1)) / 7.0) / 1e6;
    positions[i][1] = round(1e6 * (i / (N + 1)) / 11.0) / 1e6;
    positions[i][2] = 0;
  }
  for (int q = 0; q <= N * N; q++) start[q] = 4 * q;
  for (int q = 0; q < N * N; q++) {
    int32_t a = q / N * (N + 1) + q % N, around[4] = {a, a + 1, a + N + 2, a + N + 1};
    for (int k = 0; k < 4; k++) corners[4 * q + k] = around[(k + 3 * q) % 4];
  }
  assert_int_equal(weft_triangulate((N + 1) * (N + 1), positions[0], N * N, start, corners, triangles, NULL),
                   WEFT_RESULT_OK);
  for (int q = 0; q < N * N; q++) { /* the cut joins the first corner of the first triangle with its third */
    int32_t a = corners[triangles[6 * q]], c = corners[triangles[6 * q + 2]];
    bool is_rising = abs(a - c) == N + 2;
    assert_true(is_rising || abs(a - c) == N);
    assert_int_equal(is_rising, (q / N + q % N) % 2 == 0);
  }
}

static void garbage_polygons_end(void **state) {
  (void)state;
  enum { N = 200 };
  static double positions[N][3];
  int32_t start[2] = {0, N}, vertices[N], triangles[3 * N];
  for (int kind = 0; kind < 4; kind++) {
    for (int i = 0; i < N; i++) {
      vertices[i] = kind == 0 ? 0 : i;
      double angle = kind == 1 ? 2.5 * i : 0;
      positions[i][0] = kind == 2 ? NAN : kind == 3 ? (i % 3) * 1e300 : cos(angle);
      positions[i][1] = kind == 3 ? (i % 2) * -1e300 : sin(angle);
    }
    assert_int_equal(weft_triangulate(N, positions[0], 1, start, vertices, triangles, NULL), WEFT_RESULT_OK);
    for (int i = 0; i < 3 * (N - 2); i++) assert_in_range(triangles[i], 0, N - 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(concave_polygons),
      cmocka_unit_test(star_and_spiral),
      cmocka_unit_test(quad_takes_the_shorter_diagonal),
      cmocka_unit_test(grid_of_quads_gets_alternating_diagonals),
      cmocka_unit_test(garbage_polygons_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
