/* The block matrix against a naive collect-and-sort assembly, and its product against a dense one. */
#include "base/memory.h"
#include "check.h"
#include "force/element.kernel.h"
#include "solve/bcsr.h"

#include <omp.h>

/* The twin: every entry of every element as (row, column, block), in order of sets and elements. */
typedef struct Entry {
  int row, column, order;
  double block[9];
} Entry;

static int compare_entries(const void *a, const void *b) {
  const Entry *p = a, *q = b;
  if (p->row != q->row) return p->row < q->row ? -1 : 1;
  if (p->column != q->column) return p->column < q->column ? -1 : 1;
  return p->order < q->order ? -1 : p->order > q->order;
}

/* Block that element e of a set puts at (i, j): anything, but symmetric over the element. */
static void block_of(int set, int e, int i, int j, double block[9]) {
  int low = i < j ? i : j, high = i < j ? j : i;
  uint64_t seed = (uint64_t)(set * 1000003 + e * 97 + low * 11 + high) + 1;
  double m[9];
  for (int k = 0; k < 9; k++) m[k] = random_in(&seed, -1, 1);
  for (int c = 0; c < 3; c++) {
    for (int r = 0; r < 3; r++) {
      double symmetric = m[3 * c + r] + m[3 * r + c];
      block[3 * c + r] = i == j ? symmetric : i < j ? m[3 * c + r] : m[3 * r + c];
    }
  }
}

/* Data filling, owner computes, with the same scatter as the forces. */
static void fill(WeftBcsr *matrix, const WeftElements *set, int id, int rows) {
  double *f = WEFT_NEW(double, 3 * rows), *kxv = WEFT_NEW(double, 3 * rows);
  int n = set->arity;
#pragma omp parallel for
  for (int chunk = 0; chunk < set->chunk_count; chunk++) {
    for (int at = set->chunk_start[chunk]; at < set->chunk_start[chunk + 1]; at++) {
      int e = set->chunk_element[at];
      Vec3 zero[4] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
      Mat3 m[10];
      for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
          double block[9];
          block_of(id, e, i, j, block);
          m[UPPER(n, i, j)] = load_mat3(block, 0);
        }
      }
      element_scatter(n, e, chunk * WEFT_CHUNK_ROWS, (chunk + 1) * WEFT_CHUNK_ROWS, set->vertices, set->slots,
                      WANT_MATRIX, zero, zero, m, f, kxv, matrix->value);
    }
  }
  free(f);
  free(kxv);
}

static void random_set(WeftElements *set, int arity, int count, int rows, uint64_t *seed, bool is_local) {
  int32_t *vertices = WEFT_NEW(int32_t, arity * count);
  for (int e = 0; e < count; e++) {
    int around = (int)(random_unit(seed) * rows);
    for (int i = 0; i < arity; i++) {
      int vertex;
      bool is_new;
      do {
        vertex = is_local ? (around + (int)(random_unit(seed) * 40)) % rows : (int)(random_unit(seed) * rows);
        is_new = true;
        for (int j = 0; j < i; j++) is_new = is_new && vertices[arity * e + j] != vertex;
      } while (!is_new);
      vertices[arity * e + i] = vertex;
    }
  }
  WeftError error;
  check_ok(weft_elements_create(set, arity, count, vertices, rows, &error), error);
  free(vertices);
}

/* Every entry of the twin is in the matrix with the same bits, and there is nothing else but zero diagonals.
 */
static void check_against_twin(const WeftBcsr *matrix, WeftElements *const *sets, int set_count) {
  int total = 0, order = 0;
  for (int s = 0; s < set_count; s++) total += sets[s]->count * sets[s]->arity * sets[s]->arity;
  Entry *entries = WEFT_NEW(Entry, total);
  for (int s = 0; s < set_count; s++) {
    int n = sets[s]->arity;
    for (int e = 0; e < sets[s]->count; e++) {
      for (int k = 0; k < n * n; k++) {
        Entry *entry = &entries[order];
        entry->row = sets[s]->vertices[n * e + k / n];
        entry->column = sets[s]->vertices[n * e + k % n];
        entry->order = order++;
        block_of(s, e, k / n, k % n, entry->block);
      }
    }
  }
  qsort(entries, (size_t)total, sizeof *entries, compare_entries);
  int distinct = 0;
  uint8_t *has_diagonal = WEFT_NEW(uint8_t, matrix->row_count);
  for (int i = 0; i < total;) {
    double sum[9] = {0};
    int row = entries[i].row, column = entries[i].column;
    for (; i < total && entries[i].row == row && entries[i].column == column; i++) {
      for (int k = 0; k < 9; k++) sum[k] += entries[i].block[k];
    }
    int slot = weft_bcsr_slot(matrix, row, column);
    assert_true(slot >= 0);
    assert_memory_equal(sum, matrix->value + 9 * slot, sizeof sum);
    distinct++;
    if (row == column) has_diagonal[row] = 1;
  }
  for (int row = 0; row < matrix->row_count; row++) distinct += !has_diagonal[row];
  assert_int_equal(distinct, matrix->block_count);
  free(has_diagonal);
  free(entries);
}

static void check_product(const WeftBcsr *matrix) {
  int n = matrix->row_count;
  uint64_t seed = 5;
  double *x = WEFT_NEW(double, 3 * n), *y = WEFT_NEW(double, 3 * n), *expected = WEFT_NEW(double, 3 * n);
  for (int i = 0; i < 3 * n; i++) x[i] = random_in(&seed, -1, 1);
  weft_bcsr_multiply(matrix, x, y);
  for (int row = 0; row < n; row++) {
    for (int part = 0; part < 2; part++) {
      const int32_t *start = part ? matrix->extra_start : matrix->base_start;
      for (int slot = start[row]; slot < start[row + 1]; slot++) {
        for (int k = 0; k < 9; k++) {
          expected[3 * row + k % 3] += matrix->value[9 * slot + k] * x[3 * matrix->column[slot] + k / 3];
        }
      }
    }
  }
  for (int i = 0; i < 3 * n; i++) check_near(y[i], expected[i], 1e-12);
  free(x);
  free(y);
  free(expected);
}

static void pattern_and_values_equal_the_naive_assembly(void **state) {
  (void)state;
  enum { ROWS = 3000, SETS = 4 };
  uint64_t seed = 1;
  WeftElements sets[SETS];
  WeftElements *all[SETS] = {&sets[0], &sets[1], &sets[2], &sets[3]};
  random_set(&sets[0], 3, 5000, ROWS, &seed, true);
  random_set(&sets[1], 4, 4000, ROWS, &seed, true);
  random_set(&sets[2], 2, 500, ROWS, &seed, false);
  random_set(&sets[3], 4, 700, ROWS, &seed, false);
  WeftError error;
  WeftBcsr matrix;
  double *mass = WEFT_NEW(double, ROWS); /* zero: only the elements count */
  check_ok(weft_bcsr_create(&matrix, ROWS, all, 2, &error), error);
  int32_t *slots = weft_copy(sets[1].slots, 4000 * 16, sizeof *slots);
  double *first = NULL;
  for (int threads = 1; threads <= 3; threads++) {
    omp_set_num_threads(threads);
    /* lasting elements alone, then with those of a step, then alone again */
    check_ok(weft_bcsr_set_extra(&matrix, NULL, 0, &error), error);
    weft_bcsr_set_mass(&matrix, mass, 1);
    for (int s = 0; s < 2; s++) fill(&matrix, &sets[s], s, ROWS);
    check_against_twin(&matrix, all, 2);
    check_ok(weft_bcsr_set_extra(&matrix, all + 2, 2, &error), error);
    assert_memory_equal(slots, sets[1].slots, 4000 * 16 * sizeof *slots); /* lasting slots do not move */
    weft_bcsr_set_mass(&matrix, mass, 1);
    for (int s = 0; s < SETS; s++) fill(&matrix, &sets[s], s, ROWS);
    check_against_twin(&matrix, all, SETS);
    check_product(&matrix);
    if (!first) first = weft_copy(matrix.value, 9 * (size_t)matrix.block_count, sizeof *first);
    assert_memory_equal(first, matrix.value, 9 * (size_t)matrix.block_count * sizeof *first);
  }
  free(first);
  free(slots);
  free(mass);
  for (int s = 0; s < SETS; s++) weft_elements_destroy(&sets[s]);
  weft_bcsr_destroy(&matrix);
}

static void a_matrix_without_elements_is_its_diagonal(void **state) {
  (void)state;
  WeftError error;
  WeftBcsr matrix;
  double mass[2] = {2, 3}, x[6] = {1, 2, 3, 4, 5, 6}, y[6];
  check_ok(weft_bcsr_create(&matrix, 2, NULL, 0, &error), error);
  assert_int_equal(matrix.block_count, 2);
  weft_bcsr_set_mass(&matrix, mass, 10);
  weft_bcsr_multiply(&matrix, x, y);
  for (int i = 0; i < 6; i++) check_near(y[i], (i < 3 ? 20 : 30) * x[i], 0);
  assert_int_equal(weft_bcsr_slot(&matrix, 0, 1), -1);
  weft_bcsr_destroy(&matrix);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pattern_and_values_equal_the_naive_assembly),
      cmocka_unit_test(a_matrix_without_elements_is_its_diagonal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
