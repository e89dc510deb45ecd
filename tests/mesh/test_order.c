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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grid_is_walked_step_by_step),
      cmocka_unit_test(equal_positions_keep_their_order),
      cmocka_unit_test(garbage_gives_a_permutation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
