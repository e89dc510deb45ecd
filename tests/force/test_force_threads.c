/* The same bits for any number of threads, on a mesh of several chunks; and the same forces however the
 * vertices are numbered, so that chunks with their seams add up to what elements alone give. */
#include "force/dense.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { CELLS = 40, SIDE = CELLS + 1, COUNT = SIDE * SIDE };

static const WeftForceOps *const methods[] = {
    &weft_force_stretch_baraff_witkin,
    &weft_force_stretch_springs,
    &weft_force_stretch_measured,
    &weft_force_bend_dihedral,
    &weft_force_bend_springs,
    &weft_force_bend_measured,
    &weft_force_air_wind,
};

/* number[i]: where vertex i of the grid is kept. */
static void make_grid(ForceCase *c, const int32_t *number, double *x, double *v) {
  static double uv[2 * COUNT];
  static int32_t triangles[6 * CELLS * CELLS];
  uint64_t seed = 3;
  for (int i = 0; i < COUNT; i++) {
    uv[2 * number[i]] = 0.01 * (i % SIDE);
    uv[2 * number[i] + 1] = 0.01 * (i / SIDE);
    for (int k = 0; k < 3; k++) {
      double flat = k < 2 ? uv[2 * number[i] + k] : 0;
      x[3 * number[i] + k] = flat + 0.002 * random_number(&seed);
      v[3 * number[i] + k] = random_number(&seed);
    }
  }
  for (int i = 0; i < CELLS * CELLS; i++) {
    int a = i / CELLS * SIDE + i % CELLS, b = a + 1, d = a + SIDE, e = d + 1;
    int both[2][6] = {{a, b, e, a, e, d}, {a, b, d, b, e, d}};
    for (int k = 0; k < 6; k++) triangles[6 * i + k] = number[both[(i + i / CELLS) % 2][k]];
  }
  case_make(c, COUNT, uv, 2 * CELLS * CELLS, triangles);
}

static void threads_do_not_matter(void **state) {
  (void)state;
  static int32_t number[COUNT];
  static double x[3 * COUNT], v[3 * COUNT];
  ForceCase c;
  for (int i = 0; i < COUNT; i++) number[i] = i;
  make_grid(&c, number, x, v);
  int before = omp_get_max_threads();
  for (size_t method = 0; method < sizeof methods / sizeof *methods; method++) {
    assert_true(case_use(&c, methods[method]));
    assert_true(c.force->elements.chunk_count >= 3);
    double *f = NULL, *kxv = NULL, *a = NULL, *energy = NULL, *first = NULL;
    size_t values = 9 * (size_t)c.block_count;
    for (int threads = 1; threads <= 3; threads++) {
      omp_set_num_threads(threads);
      case_add(&c, x, v, WANT_MATRIX, -1e-4, -1e-2);
      energy = WEFT_NEW(double, c.force->elements.count);
      if (c.ops->energies) c.ops->energies(c.force, x, energy);
      if (threads == 1) {
        f = weft_copy(c.f, 3 * COUNT, sizeof *f);
        kxv = weft_copy(c.kxv, 3 * COUNT, sizeof *kxv);
        a = weft_copy(c.a, values, sizeof *a);
        first = energy;
        continue;
      }
      assert_memory_equal(f, c.f, 3 * COUNT * sizeof *f);
      assert_memory_equal(kxv, c.kxv, 3 * COUNT * sizeof *kxv);
      assert_memory_equal(a, c.a, values * sizeof *a);
      assert_memory_equal(first, energy, (size_t)c.force->elements.count * sizeof *first);
      free(energy);
    }
    free(f);
    free(kxv);
    free(a);
    free(first);
  }
  omp_set_num_threads(before);
  case_free(&c);
}

static void numbering_does_not_matter(void **state) {
  (void)state;
  static int32_t plain[COUNT], mixed[COUNT];
  static double x[2][3 * COUNT], v[2][3 * COUNT];
  ForceCase c[2];
  for (int i = 0; i < COUNT; i++) plain[i] = mixed[i] = i;
  uint32_t seed = 5;
  for (int i = COUNT - 1; i > 0; i--) {
    seed = seed * 1664525u + 1013904223u;
    int other = (int)((seed >> 8) % (uint32_t)(i + 1));
    int32_t swap = mixed[i];
    mixed[i] = mixed[other];
    mixed[other] = swap;
  }
  make_grid(&c[0], plain, x[0], v[0]);
  make_grid(&c[1], mixed, x[1], v[1]);
  for (size_t method = 0; method < sizeof methods / sizeof *methods; method++) {
    for (int k = 0; k < 2; k++) {
      assert_true(case_use(&c[k], methods[method]));
      case_add(&c[k], x[k], v[k], WANT_MATRIX, -1e-4, -1e-2);
    }
    assert_int_equal(c[0].block_count, c[1].block_count);
    double scale = largest(c[0].f, 3 * COUNT), scale_a = largest(c[0].a, 9 * c[0].block_count);
    for (int i = 0; i < 3 * COUNT; i++) {
      assert_true(fabs(c[0].f[i] - c[1].f[3 * mixed[i / 3] + i % 3]) < 1e-12 * scale);
    }
    for (int s = 0; s < c[0].block_count; s++) {
      int row = (int)(c[0].blocks[s] / COUNT), column = (int)(c[0].blocks[s] % COUNT);
      int slot = case_slot(&c[1], mixed[row], mixed[column]);
      assert_true(slot >= 0);
      assert_true(difference(c[0].a + 9 * s, c[1].a + 9 * slot, 9, scale_a) < 1e-12);
    }
  }
  case_free(&c[0]);
  case_free(&c[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_matter),
                                     cmocka_unit_test(numbering_does_not_matter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
