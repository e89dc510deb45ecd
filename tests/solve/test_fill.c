/* Order and pattern of complete factors against elimination on a dense graph, and the factor against the
 * matrix.
 */
#include "base/memory.h"
#include "check.h"
#include "solve/pcg.h"

enum { MOST = 90 };

typedef struct System {
  WeftElements set, extra;
  WeftBcsr matrix;
  uint8_t held[MOST];
} System;

static void add_springs(System *s, const WeftElements *set, uint64_t *seed) {
  for (int e = 0; e < set->count; e++) {
    double n[3], k = random_in(seed, 1, 1000);
    for (int i = 0; i < 3; i++) n[i] = random_in(seed, -1, 1);
    for (int corner = 0; corner < 4; corner++) {
      int row = set->vertices[2 * e + (corner & 1)], column = set->vertices[2 * e + corner / 2];
      double *block = s->matrix.value + 9 * (size_t)weft_bcsr_slot(&s->matrix, row, column);
      for (int i = 0; i < 9; i++)
        block[i] += (row == column ? 1 : -1) * k * (n[i % 3] * n[i / 3] + 0.1 * (i % 3 == i / 3));
    }
  }
}

/* Springs between random vertices up to `reach` apart, and some anywhere in the extra part; some rows are
 * held. */
static void create(System *s, int rows, int reach, int extras, uint64_t *seed) {
  int32_t pair[2 * 3 * MOST], other[2 * MOST];
  double mass[MOST];
  WeftError error;
  int count = 0;
  memset(s, 0, sizeof *s);
  for (int i = 0; i < rows; i++) {
    mass[i] = random_in(seed, 0.01, 1);
    s->held[i] = random_in(seed, 0, 1) < 0.1 ? (uint8_t)random_in(seed, 1, 7.99) : 0;
    for (int k = 0; k < 3; k++) {
      int j = i + 1 + (int)random_in(seed, 0, reach);
      if (j < rows) pair[2 * count] = i, pair[2 * count++ + 1] = j;
    }
  }
  for (int i = 0; i < extras; i++) {
    other[2 * i] = (int)random_in(seed, 0, rows / 2);
    other[2 * i + 1] = rows / 2 + (int)random_in(seed, 0, rows - rows / 2);
  }
  check_ok(weft_elements_create(&s->set, 2, count, pair, rows, &error), error);
  check_ok(weft_elements_create(&s->extra, 2, extras, other, rows, &error), error);
  check_ok(weft_bcsr_create(&s->matrix, rows, (WeftElements *[]){&s->set}, 1, &error), error);
  if (extras) check_ok(weft_bcsr_set_extra(&s->matrix, (WeftElements *[]){&s->extra}, 1, &error), error);
  weft_bcsr_set_mass(&s->matrix, mass, 1);
  add_springs(s, &s->set, seed);
  add_springs(s, &s->extra, seed);
}

static void destroy(System *s) {
  weft_elements_destroy(&s->set);
  weft_elements_destroy(&s->extra);
  weft_bcsr_destroy(&s->matrix);
}

/* The twin: eliminates on a table of neighbours, in the order that was found, and asks each time whether
 * nobody had fewer. Returns the multiplications. */
static double compare(const System *s, const WeftFill *fill) {
  static bool is_near[MOST][MOST];
  bool is_gone[MOST] = {false};
  int n = s->matrix.row_count;
  double effort = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) is_near[i][j] = i != j && weft_bcsr_slot(&s->matrix, i, j) >= 0;
  }
  for (int k = 0; k < n; k++) {
    int v = fill->order[k], degree[MOST], least = n;
    assert_int_equal(fill->place[v], k);
    assert_false(is_gone[v]);
    for (int i = 0; i < n; i++) {
      degree[i] = 0;
      for (int j = 0; j < n; j++) degree[i] += is_near[i][j];
      if (!is_gone[i] && degree[i] < least) least = degree[i];
    }
    assert_int_equal(degree[v], least);
    assert_int_equal(fill->start[k + 1] - fill->start[k], degree[v]);
    for (int i = fill->start[k]; i < fill->start[k + 1]; i++) {
      assert_true(fill->row[i] > k && fill->row[i] < n);
      assert_true(i == fill->start[k] || fill->row[i] > fill->row[i - 1]);
      assert_true(is_near[v][fill->order[fill->row[i]]]);
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        if (i != j && is_near[v][i] && is_near[v][j]) is_near[i][j] = true;
      }
    }
    for (int i = 0; i < n; i++) is_near[i][v] = is_near[v][i] = false;
    is_gone[v] = true;
    effort += 0.5 * degree[v] * (degree[v] + 1);
  }
  return effort;
}

static void order_and_pattern_are_those_of_elimination(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int trial = 0; trial < 60; trial++) {
    System s;
    WeftFill fill;
    WeftError error;
    int rows = 1 + (int)random_in(&seed, 0, MOST);
    create(&s, rows, 1 + (int)random_in(&seed, 0, 12), rows > 1 ? (int)random_in(&seed, 0, rows / 4) : 0,
           &seed);
    weft_fill_create(&fill, NULL);
    check_ok(weft_fill_find(&fill, &s.matrix, WEFT_FILL_WORTH, &error), error);
    if (fill.is_there) assert_true(compare(&s, &fill) == fill.effort);
    assert_true(fill.is_there == (fill.effort <= (double)WEFT_FILL_WORTH * s.matrix.block_count));
    weft_fill_destroy(&fill);
    destroy(&s);
  }
}

/* |A x - b| over |b| on the free components after so many iterations. */
static double rest_after(const System *s, int iterations, const double *b) {
  double x[3 * MOST] = {0}, ax[3 * MOST], rest = 0, all = 0;
  int n = s->matrix.row_count;
  WeftPcg pcg;
  WeftPcgStats stats;
  WeftError error;
  check_ok(weft_pcg_create(&pcg, n, &weft_precond_block_cholesky, &error), error);
  weft_pcg_solve(&pcg, &s->matrix, s->held, b, x, 1e-14, iterations, &stats, &error);
  assert_true(pcg.fill.is_there);
  weft_bcsr_multiply(&s->matrix, x, ax);
  for (int i = 0; i < 3 * n; i++) {
    if (s->held[i / 3] >> (i % 3) & 1) continue;
    rest += (ax[i] - b[i]) * (ax[i] - b[i]);
    all += b[i] * b[i];
  }
  weft_pcg_destroy(&pcg);
  return sqrt(rest / all);
}

/* A complete factor solves at once, but for what single precision leaves; a second iteration takes that, too.
 */
static void one_iteration_solves(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int trial = 0; trial < 40; trial++) {
    System s;
    double b[3 * MOST];
    create(&s, MOST, 6, 20, &seed);
    for (int i = 0; i < 3 * MOST; i++) b[i] = random_in(&seed, -1, 1);
    assert_true(rest_after(&s, 1, b) < 1e-4);
    assert_true(rest_after(&s, 3, b) < 1e-10);
    destroy(&s);
  }
}

/* Springs a hundred thousand million times as stiff as their masses over h^2: what is left for the last
 * pivots is far below what single precision loses on the way. M stays positive definite, and the solve comes
 * to its end. */
static void what_single_precision_breaks_is_solved_all_the_same(void **state) {
  (void)state;
  uint64_t seed = 9;
  for (int trial = 0; trial < 20; trial++) {
    System s;
    double light = pow(10, -2 - trial / 3.0);
    double b[3 * MOST], x[3 * MOST] = {0};
    WeftPcg pcg;
    WeftPcgStats stats;
    WeftError error;
    create(&s, MOST, 4, 10, &seed);
    memset(s.held, 0, sizeof s.held);
    double mass[MOST];
    for (int i = 0; i < MOST; i++) mass[i] = light;
    weft_bcsr_set_mass(&s.matrix, mass, 1);
    add_springs(&s, &s.set, &seed);
    add_springs(&s, &s.extra, &seed);
    for (int i = 0; i < 3 * MOST; i++) b[i] = random_in(&seed, -1, 1);
    check_ok(weft_pcg_create(&pcg, MOST, &weft_precond_block_cholesky, &error), error);
    WeftResult result = weft_pcg_solve(&pcg, &s.matrix, s.held, b, x, 1e-6, 3000, &stats, &error);
    assert_true(pcg.fill.is_there);
    print_message("mass %.1e: %d iterations, residual %.1e\n", light, stats.iterations, stats.residual);
    check_ok(result, error);
    weft_pcg_destroy(&pcg);
    destroy(&s);
  }
}

/* A sheet's factor fills: it is not worth it, and block_ic stands in, to the last bit. */
static void what_fills_is_left_to_block_ic(void **state) {
  (void)state;
  enum { SIDE = 60, ROWS = SIDE * SIDE };
  static const WeftPrecondOps *const PRECONDS[2] = {&weft_precond_block_cholesky, &weft_precond_block_ic};
  int32_t *pair = WEFT_NEW(int32_t, 6 * ROWS);
  double *x[2], *b = WEFT_NEW(double, 3 * ROWS), *mass = WEFT_NEW(double, ROWS);
  uint8_t *held = WEFT_NEW(uint8_t, ROWS);
  uint64_t seed = 1;
  System s = {0};
  WeftError error;
  int count = 0;
  for (int i = 0; i < ROWS; i++) {
    const int ahead[3] = {(i + 1) % SIDE ? 1 : 0, SIDE, (i + 1) % SIDE ? SIDE + 1 : 0};
    mass[i] = 1;
    for (int k = 0; k < 3; k++) {
      if (ahead[k] && i + ahead[k] < ROWS) pair[2 * count] = i, pair[2 * count++ + 1] = i + ahead[k];
    }
  }
  for (int i = 0; i < 3 * ROWS; i++) b[i] = random_in(&seed, -1, 1);
  check_ok(weft_elements_create(&s.set, 2, count, pair, ROWS, &error), error);
  check_ok(weft_bcsr_create(&s.matrix, ROWS, (WeftElements *[]){&s.set}, 1, &error), error);
  weft_bcsr_set_mass(&s.matrix, mass, 1);
  add_springs(&s, &s.set, &seed);
  for (int i = 0; i < 2; i++) {
    WeftPcg pcg;
    WeftPcgStats stats;
    x[i] = WEFT_NEW(double, 3 * ROWS);
    check_ok(weft_pcg_create(&pcg, ROWS, PRECONDS[i], &error), error);
    check_ok(weft_pcg_solve(&pcg, &s.matrix, held, b, x[i], 1e-6, 1000, &stats, &error), error);
    assert_false(pcg.fill.is_there);
    weft_pcg_destroy(&pcg);
  }
  assert_memory_equal(x[0], x[1], 3 * ROWS * sizeof(double));
  destroy(&s);
  free(pair), free(b), free(mass), free(held), free(x[0]), free(x[1]);
}

/* Nobody searches twice for one pattern, and whenever the extra part is another one somebody does. */
static void a_pattern_is_searched_once(void **state) {
  (void)state;
  System s;
  WeftFill fill;
  WeftError error;
  uint64_t seed = 12;
  create(&s, 60, 3, 10, &seed);
  weft_fill_create(&fill, NULL);
  check_ok(weft_fill_find(&fill, &s.matrix, WEFT_FILL_WORTH, &error), error);
  double with = fill.effort;
  fill.effort = -1;
  check_ok(weft_fill_find(&fill, &s.matrix, WEFT_FILL_WORTH, &error), error);
  assert_true(fill.effort == -1);
  check_ok(weft_bcsr_set_extra(&s.matrix, NULL, 0, &error), error);
  check_ok(weft_fill_find(&fill, &s.matrix, WEFT_FILL_WORTH, &error), error);
  assert_true(fill.effort > 0 && fill.effort < with);
  check_ok(weft_bcsr_set_extra(&s.matrix, (WeftElements *[]){&s.extra}, 1, &error), error);
  check_ok(weft_fill_find(&fill, &s.matrix, WEFT_FILL_WORTH, &error), error);
  assert_true(fill.effort == with);
  weft_fill_destroy(&fill);
  destroy(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_and_pattern_are_those_of_elimination),
      cmocka_unit_test(a_pattern_is_searched_once),
      cmocka_unit_test(one_iteration_solves),
      cmocka_unit_test(what_single_precision_breaks_is_solved_all_the_same),
      cmocka_unit_test(what_fills_is_left_to_block_ic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
