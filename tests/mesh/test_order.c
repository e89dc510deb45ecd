/* The order of vertices is a permutation, deterministic, and a Hilbert curve: on a full grid of 2^k cells an
 * axis the next vertex is always a neighbour. */
#include "mesh/order.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 16, COUNT = SIDE * SIDE * SIDE };

static void grid_is_walked_step_by_step(void **state) {
  (void)state;
  double *positions = malloc(3 * COUNT * sizeof *positions);
  int32_t *place = malloc(COUNT * sizeof *place), *vertex_at = malloc(COUNT * sizeof *vertex_at);
  assert_true(positions && place && vertex_at);
  for (int i = 0; i < COUNT; i++) { /* scrambled, so that the input order is no help */
    int j = (int)((i * 1637LL) % COUNT);
    positions[3 * i] = 0.1 * (j % SIDE) - 3;
    positions[3 * i + 1] = 0.1 * (j / SIDE % SIDE) + 5;
    positions[3 * i + 2] = 0.1 * (j / SIDE / SIDE);
  }
  assert_int_equal(weft_order_vertices(COUNT, positions, place, NULL), WEFT_RESULT_OK);
  for (int i = 0; i < COUNT; i++) vertex_at[i] = -1;
  for (int i = 0; i < COUNT; i++) {
    assert_in_range(place[i], 0, COUNT - 1);
    assert_int_equal(vertex_at[place[i]], -1);
    vertex_at[place[i]] = i;
  }
  for (int i = 1; i < COUNT; i++) {
    double distance = 0;
    for (int axis = 0; axis < 3; axis++) {
      distance += fabs(positions[3 * vertex_at[i] + axis] - positions[3 * vertex_at[i - 1] + axis]);
    }
    assert_true(fabs(distance - 0.1) < 1e-9);
  }
  free(positions);
  free(place);
  free(vertex_at);
}

static void equal_positions_keep_their_order(void **state) {
  (void)state;
  const double positions[5][3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  int32_t place[5];
  assert_int_equal(weft_order_vertices(5, positions[0], place, NULL), WEFT_RESULT_OK);
  for (int i = 0; i < 5; i++) assert_int_equal(place[i], i);
}

static void garbage_gives_a_permutation(void **state) {
  (void)state;
  const double positions[6][3] = {{NAN, 0, 0},       {1e308, -1e308, 0}, {-1e308, 1e308, INFINITY},
                                  {-INFINITY, 0, 1}, {0, 0, 0},          {5e-324, 0, 0}};
  int32_t place[6];
  int seen = 0;
  assert_int_equal(weft_order_vertices(6, positions[0], place, NULL), WEFT_RESULT_OK);
  for (int i = 0; i < 6; i++) seen |= 1 << place[i];
  assert_int_equal(seen, 63);
  assert_int_equal(weft_order_vertices(0, positions[0], place, NULL), WEFT_RESULT_OK);
}

/* The farthest that a triangle's corners are apart in the order. */
static int bandwidth(int triangle_count, const int32_t *triangles, const int32_t *place) {
  int most = 0;
  for (int i = 0; i < 3 * triangle_count; i++) {
    int a = place[triangles[i]], b = place[triangles[i / 3 * 3 + (i + 1) % 3]];
    if (abs(a - b) > most) most = abs(a - b);
  }
  return most;
}

/* A ribbon of a patch and a half: patches keep their vertices, and neighbours come closer. */
static void patches_are_walked_along_the_mesh(void **state) {
  enum { WIDE = 5, LONG = 307, VERTICES = WIDE * LONG, TRIANGLES = 2 * (WIDE - 1) * (LONG - 1) };
  (void)state;
  static double positions[3 * VERTICES];
  static int32_t triangles[3 * TRIANGLES], before[VERTICES], place[VERTICES];
  int32_t *corner = triangles;
  for (int v = 0; v < VERTICES; v++) {
    int i = v / WIDE, j = v % WIDE;
    positions[3 * v] = i;
    positions[3 * v + 1] = j;
    if (i + 1 == LONG || j + 1 == WIDE) continue;
    const int32_t cell[6] = {v, v + 1, v + WIDE, v + 1, v + WIDE + 1, v + WIDE};
    memcpy(corner, cell, sizeof cell);
    corner += 6;
  }
  assert_int_equal(weft_order_vertices(VERTICES, positions, before, NULL), WEFT_RESULT_OK);
  memcpy(place, before, sizeof place);
  assert_int_equal(weft_order_patches(VERTICES, TRIANGLES, triangles, place, NULL), WEFT_RESULT_OK);
  static int seen[VERTICES];
  for (int v = 0; v < VERTICES; v++) {
    assert_in_range(place[v], 0, VERTICES - 1);
    assert_int_equal(seen[place[v]]++, 0);
    assert_int_equal(place[v] / WEFT_PATCH_ROWS, before[v] / WEFT_PATCH_ROWS);
  }
  /* inside the first patch alone: only cells whose corners are all there */
  int32_t *end = triangles;
  for (int t = 0; t < TRIANGLES; t++) {
    int is_inside = 1;
    for (int k = 0; k < 3; k++) is_inside &= place[triangles[3 * t + k]] < WEFT_PATCH_ROWS;
    if (is_inside) memmove(end, triangles + 3 * t, 3 * sizeof *end);
    end += is_inside ? 3 : 0;
  }
  int count = (int)(end - triangles) / 3;
  assert_true(count > 1000);
  assert_true(bandwidth(count, triangles, place) <= 2 * WIDE);
  assert_true(bandwidth(count, triangles, before) > 2 * WIDE);
}

static void vertices_without_triangles_have_a_place(void **state) {
  (void)state;
  const int32_t triangles[3] = {4, 1, 2};
  int32_t place[6] = {0, 1, 2, 3, 4, 5};
  int seen = 0;
  assert_int_equal(weft_order_patches(6, 1, triangles, place, NULL), WEFT_RESULT_OK);
  for (int i = 0; i < 6; i++) seen |= 1 << place[i];
  assert_int_equal(seen, 63);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grid_is_walked_step_by_step),
      cmocka_unit_test(equal_positions_keep_their_order),
      cmocka_unit_test(garbage_gives_a_permutation),
      cmocka_unit_test(patches_are_walked_along_the_mesh),
      cmocka_unit_test(vertices_without_triangles_have_a_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
