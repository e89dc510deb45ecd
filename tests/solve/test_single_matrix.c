/* Products in single precision, with what couples a domain stored once, against those of the matrix; the same
 * bits for any number of threads. */
#include "base/memory.h"
#include "check.h"
#include "solve/precond.h"
#include "solve/single_matrix.h"

#include <omp.h>

enum { ROWS = 700, EXTRAS = 300 };

typedef struct System {
  WeftElements set, extra;
  WeftBcsr matrix;
  uint8_t held[ROWS];
  double x[3 * ROWS];
} System;

/* Random symmetric blocks between rows some way ahead, and between any two; every third of these is zero. */
static void make_system(System *s) {
  static const int AHEAD[] = {1, 2, 30, 31};
  int32_t pair[8 * ROWS], extra[2 * EXTRAS], count = 0;
  uint64_t seed = 4;
  WeftError error;
  for (int i = 0; i < ROWS; i++) {
    for (int k = 0; k < 4; k++) {
      if (i + AHEAD[k] >= ROWS) continue;
      pair[2 * count] = i;
      pair[2 * count++ + 1] = i + AHEAD[k];
    }
  }
  for (int i = 0; i < 2 * EXTRAS; i++)
    extra[i] = i % 2 ? (int32_t)random_in(&seed, ROWS / 2, ROWS) : (int32_t)random_in(&seed, 0, ROWS / 2);
  check_ok(weft_elements_create(&s->set, 2, count, pair, ROWS, &error), error);
  check_ok(weft_elements_create(&s->extra, 2, EXTRAS, extra, ROWS, &error), error);
  check_ok(weft_bcsr_create(&s->matrix, ROWS, (WeftElements *[]){&s->set}, 1, &error), error);
  check_ok(weft_bcsr_set_extra(&s->matrix, (WeftElements *[]){&s->extra}, 1, &error), error);
  for (int row = 0; row < ROWS; row++) {
    for (int column = 0; column <= row; column++) {
      int slot = weft_bcsr_slot(&s->matrix, row, column), mirror = weft_bcsr_slot(&s->matrix, column, row);
      bool is_zero = slot >= s->matrix.base_start[ROWS] && (row + column) % 3 == 0;
      for (int k = 0; k < 9 && slot >= 0; k++) {
        double number = is_zero ? 0 : random_in(&seed, -1, 1);
        s->matrix.value[9 * slot + k] = number;
        s->matrix.value[9 * mirror + k % 3 * 3 + k / 3] = number;
      }
    }
    s->held[row] = row % 50 == 7 ? WEFT_AXIS_ALL : row % 50 == 20 ? WEFT_AXIS_Y : 0;
    for (int k = 0; k < 3; k++) s->x[3 * row + k] = k == 0 ? row % (ROWS / 2) : random_in(&seed, 0, 1);
  }
}

static void destroy(System *s) {
  weft_elements_destroy(&s->set);
  weft_elements_destroy(&s->extra);
  weft_bcsr_destroy(&s->matrix);
}

/* The product of p, and what the domains' sums of p.q say. */
static double multiply(const System *s, const WeftDomains *domains, const float *p, float *q, int *blocks) {
  WeftSingleMatrix single;
  WeftError error;
  double partial[ROWS], sum = 0;
  weft_single_matrix_create(&single, NULL);
  check_ok(weft_single_matrix_reserve(&single, ROWS, s->matrix.block_count, &error), error);
  weft_single_matrix_make(&single, domains, &s->matrix);
  weft_single_matrix_multiply(&single, domains, s->held, p, q, partial);
  *blocks = 0;
  for (int i = 0; i < ROWS; i++) *blocks += single.row_start[3 * i + 2] - single.row_start[3 * i];
  for (int i = 0; i < domains->count; i++) sum += partial[i];
  weft_single_matrix_destroy(&single);
  return sum;
}

static void it_is_the_matrixs_product(void **state) {
  (void)state;
  static System s;
  static double wide[3 * ROWS], expected[3 * ROWS];
  static float p[4 * ROWS], q[4 * ROWS];
  WeftError error;
  uint64_t seed = 9;
  make_system(&s);
  for (int i = 0; i < 4 * ROWS; i++) p[i] = i % 4 < 3 ? (float)random_in(&seed, -1, 1) : 0;
  for (int i = 0; i < 3 * ROWS; i++) wide[i] = p[4 * (i / 3) + i % 3];
  weft_bcsr_multiply(&s.matrix, wide, expected);
  for (int boxes = 0; boxes < 2; boxes++) {
    int blocks[3], rows[3] = {ROWS, 100, 1};
    for (int c = 0; c < 3; c++) {
      WeftDomains domains;
      check_ok(weft_domains_create(&domains, ROWS, rows[c], &error), error);
      if (boxes) check_ok(weft_domains_update(&domains, &s.matrix, s.x, &error), error);
      double pq = multiply(&s, &domains, p, q, &blocks[c]), sum = 0;
      for (int i = 0; i < 3 * ROWS; i++) {
        bool is_held = s.held[i / 3] >> (i % 3) & 1;
        check_near(q[4 * (i / 3) + i % 3], is_held ? 0 : expected[i], 1e-5);
        sum += is_held ? 0 : wide[i] * expected[i];
      }
      for (int i = 0; i < ROWS; i++) assert_true(q[4 * i + 3] == 0);
      check_near(pq, sum, 1e-4);
      weft_domains_destroy(&domains);
    }
    /* once in one domain, twice where each row is one; what is zero not at all */
    assert_int_equal(blocks[2] - ROWS, 2 * (blocks[0] - ROWS));
    assert_true(blocks[1] > blocks[0] && blocks[1] < blocks[2]);
    assert_true(blocks[2] < s.matrix.block_count - EXTRAS / 3);
  }
  destroy(&s);
}

static void threads_do_not_change_the_bits(void **state) {
  (void)state;
  static System s;
  static float p[4 * ROWS], q[3][4 * ROWS];
  WeftDomains domains;
  WeftError error;
  uint64_t seed = 9;
  int before = omp_get_max_threads(), blocks;
  double pq[3];
  make_system(&s);
  for (int i = 0; i < 4 * ROWS; i++) p[i] = i % 4 < 3 ? (float)random_in(&seed, -1, 1) : 0;
  check_ok(weft_domains_create(&domains, ROWS, 100, &error), error);
  for (int i = 0; i < 3; i++) {
    omp_set_num_threads(i + 1);
    pq[i] = multiply(&s, &domains, p, q[i], &blocks);
    assert_memory_equal(q[i], q[0], sizeof q[0]);
    assert_true(pq[i] == pq[0]);
  }
  omp_set_num_threads(before);
  weft_domains_destroy(&domains);
  destroy(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_the_matrixs_product),
      cmocka_unit_test(threads_do_not_change_the_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
