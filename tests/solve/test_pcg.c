/* Conjugate gradients against a dense factorisation, for every preconditioner. */
#include "base/memory.h"
#include "check.h"
#include "solve/pcg.h"

#include <omp.h>

static const WeftPrecondOps *const PRECONDS[] = {&weft_precond_none, &weft_precond_jacobi,
                                                 &weft_precond_block_jacobi, &weft_precond_block_ic,
                                                 &weft_precond_block_cholesky};
enum { PRECOND_COUNT = sizeof PRECONDS / sizeof *PRECONDS };

enum { ROWS = 60 };

/* A chain of stiff, turned springs with unequal masses: positive definite, badly scaled. */
static void make_matrix(WeftBcsr *matrix, WeftElements *set, double dense[3 * ROWS][3 * ROWS]) {
  int32_t vertices[2 * (ROWS - 1)];
  WeftError error;
  for (int e = 0; e < ROWS - 1; e++) vertices[2 * e] = e, vertices[2 * e + 1] = e + 1;
  check_ok(weft_elements_create(set, 2, ROWS - 1, vertices, ROWS, &error), error);
  check_ok(weft_bcsr_create(matrix, ROWS, (WeftElements *[]){set}, 1, &error), error);
  uint64_t seed = 3;
  double mass[ROWS];
  for (int i = 0; i < ROWS; i++) mass[i] = random_in(&seed, 0.01, 1);
  weft_bcsr_set_mass(matrix, mass, 1);
  for (int e = 0; e < ROWS - 1; e++) {
    double n[3], k = random_in(&seed, 1, 1000);
    for (int i = 0; i < 3; i++) n[i] = random_in(&seed, -1, 1);
    for (int i = 0; i < 9; i++) {
      double value = k * (n[i % 3] * n[i / 3] + 0.1 * (i % 3 == i / 3));
      for (int s = 0; s < 4; s++)
        matrix->value[9 * set->slots[4 * e + s] + i] += s == 0 || s == 3 ? value : -value;
    }
  }
  memset(dense, 0, sizeof(double[3 * ROWS][3 * ROWS]));
  for (int row = 0; row < ROWS; row++) {
    for (int slot = matrix->base_start[row]; slot < matrix->base_start[row + 1]; slot++) {
      for (int k = 0; k < 9; k++) {
        dense[3 * row + k % 3][3 * matrix->column[slot] + k / 3] = matrix->value[9 * slot + k];
      }
    }
  }
}

/* Gauss on the free components; held ones keep their value. */
static void solve_dense(double dense[3 * ROWS][3 * ROWS], const uint8_t *held, const double *b, double *x) {
  enum { N = 3 * ROWS };
  static double a[N][N + 1];
  for (int i = 0; i < N; i++) {
    bool is_held = (held[i / 3] >> (i % 3)) & 1;
    for (int j = 0; j < N; j++) a[i][j] = is_held ? i == j : dense[i][j];
    a[i][N] = is_held ? x[i] : b[i];
  }
  for (int i = 0; i < N; i++) {
    int pivot = i;
    for (int r = i; r < N; r++) {
      if (fabs(a[r][i]) > fabs(a[pivot][i])) pivot = r;
    }
    for (int j = 0; j <= N; j++) {
      double swapped = a[i][j];
      a[i][j] = a[pivot][j];
      a[pivot][j] = swapped;
    }
    for (int r = 0; r < N; r++) {
      double factor = r == i ? 0 : a[r][i] / a[i][i];
      for (int j = i; j <= N && factor != 0; j++) a[r][j] -= factor * a[i][j];
    }
  }
  for (int i = 0; i < N; i++) x[i] = a[i][N] / a[i][i];
}

static void every_preconditioner_finds_the_dense_solution(void **state) {
  (void)state;
  static double dense[3 * ROWS][3 * ROWS];
  WeftBcsr matrix;
  WeftElements set;
  make_matrix(&matrix, &set, dense);
  uint8_t held[ROWS] = {0};
  held[0] = WEFT_AXIS_ALL;
  held[20] = WEFT_AXIS_X | WEFT_AXIS_Z;
  held[59] = WEFT_AXIS_Y;
  uint64_t seed = 9;
  double b[3 * ROWS], expected[3 * ROWS];
  for (int i = 0; i < 3 * ROWS; i++) {
    b[i] = random_in(&seed, -1, 1);
    expected[i] = (held[i / 3] >> (i % 3)) & 1 ? random_in(&seed, -1, 1) : 0;
  }
  double given[3 * ROWS];
  memcpy(given, expected, sizeof given);
  solve_dense(dense, held, b, expected);
  int iterations[PRECOND_COUNT];
  for (int p = 0; p < PRECOND_COUNT; p++) {
    WeftPcg pcg;
    WeftPcgStats stats, again;
    WeftError error;
    double x[3 * ROWS];
    memcpy(x, given, sizeof x);
    check_ok(weft_pcg_create(&pcg, ROWS, PRECONDS[p], &error), error);
    check_ok(weft_pcg_solve(&pcg, &matrix, held, b, x, 1e-12, 5000, &stats, &error), error);
    for (int i = 0; i < 3 * ROWS; i++) check_near(x[i], expected[i], 1e-9);
    assert_true(stats.residual <= 1e-12);
    iterations[p] = stats.iterations;
    /* the solution as a guess needs nothing more */
    check_ok(weft_pcg_solve(&pcg, &matrix, held, b, x, 1e-9, 5000, &again, &error), error);
    assert_int_equal(again.iterations, 0);
    weft_pcg_destroy(&pcg);
  }
  assert_true(iterations[2] < iterations[0]);
  assert_true(iterations[3] < iterations[2]);
  weft_elements_destroy(&set);
  weft_bcsr_destroy(&matrix);
}

/* A right-hand side that moves next to nothing takes few iterations, and the error's square in the norm of A
 * is what was said not to count. */
static void what_is_still_takes_few_iterations(void **state) {
  (void)state;
  static double dense[3 * ROWS][3 * ROWS];
  WeftBcsr matrix;
  WeftElements set;
  make_matrix(&matrix, &set, dense);
  uint8_t held[ROWS] = {0};
  uint64_t seed = 11;
  double b[3 * ROWS], expected[3 * ROWS];
  for (int i = 0; i < 3 * ROWS; i++) {
    b[i] = random_in(&seed, -1, 1);
    expected[i] = 0;
  }
  solve_dense(dense, held, b, expected);
  double all = 0, tolerance = 1e-8;
  for (int i = 0; i < 3 * ROWS; i++) all += b[i] * expected[i];
  for (int p = 0; p < PRECOND_COUNT; p++) {
    int iterations[2];
    for (int k = 0; k < 2; k++) {
      WeftPcg pcg;
      WeftPcgStats stats;
      WeftError error;
      double x[3 * ROWS] = {0}, left = 0;
      check_ok(weft_pcg_create(&pcg, ROWS, PRECONDS[p], &error), error);
      pcg.still = k ? 1e-6 * all / (tolerance * tolerance) : 0;
      check_ok(weft_pcg_solve(&pcg, &matrix, held, b, x, tolerance, 5000, &stats, &error), error);
      iterations[k] = stats.iterations;
      for (int i = 0; i < 3 * ROWS; i++) {
        for (int j = 0; j < 3 * ROWS; j++) left += (x[i] - expected[i]) * dense[i][j] * (x[j] - expected[j]);
      }
      print_message("preconditioner %d: %d iterations, %.1e of the energy left\n", p, stats.iterations,
                    left / all);
      assert_true(left <= 1e-6 * all);
      weft_pcg_destroy(&pcg);
    }
    bool is_complete = PRECONDS[p] == &weft_precond_block_cholesky; /* solves at once */
    assert_true(is_complete ? iterations[0] <= 3 : iterations[1] < iterations[0]);
  }
  weft_elements_destroy(&set);
  weft_bcsr_destroy(&matrix);
}

static void what_cannot_be_solved_is_told(void **state) {
  (void)state;
  WeftBcsr matrix;
  WeftPcg pcg;
  WeftPcgStats stats;
  WeftError error;
  double mass[2] = {1, 1}, b[6] = {1, 0, 0, 2, 0, 0}, x[6] = {0};
  uint8_t held[2] = {0};
  check_ok(weft_bcsr_create(&matrix, 2, NULL, 0, &error), error);
  check_ok(weft_pcg_create(&pcg, 2, &weft_precond_none, &error), error);
  weft_bcsr_set_mass(&matrix, mass, -1); /* not positive definite */
  check_refused(weft_pcg_solve(&pcg, &matrix, held, b, x, 1e-6, 10, &stats, &error),
                WEFT_RESULT_NOT_CONVERGED, "relative residual of 1", error);
  mass[1] = 100;
  weft_bcsr_set_mass(&matrix, mass, 1);
  check_refused(weft_pcg_solve(&pcg, &matrix, held, b, x, 1e-6, 1, &stats, &error), WEFT_RESULT_NOT_CONVERGED,
                "after 1 iterations", error);
  memset(x, 0, sizeof x);
  b[0] = NAN;
  check_refused(weft_pcg_solve(&pcg, &matrix, held, b, x, 1e-6, 10, &stats, &error), WEFT_RESULT_NOT_FINITE,
                "not finite", error);
  b[0] = b[3] = 0;
  memset(x, 0, sizeof x);
  check_ok(weft_pcg_solve(&pcg, &matrix, held, b, x, 1e-6, 10, &stats, &error), error);
  assert_int_equal(stats.iterations, 0);
  weft_pcg_destroy(&pcg);
  weft_bcsr_destroy(&matrix);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_preconditioner_finds_the_dense_solution),
      cmocka_unit_test(what_is_still_takes_few_iterations),
      cmocka_unit_test(what_cannot_be_solved_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
