/* Every preconditioner on an OpenCL device, with a matrix whose extra part (contacts) comes and grows: the
 * storage of a preconditioner grows with it there, and the bits are those of the CPU. */
#include "check.h"
#include "opencl_case.h"
#include "solve/pcg.h"

enum { ROWS = 2500, MOST_EXTRAS = 1500 };

static const WeftPrecondOps *const PRECONDS[] = {&weft_precond_none, &weft_precond_jacobi,
                                                 &weft_precond_block_jacobi, &weft_precond_block_ic,
                                                 &weft_precond_block_cholesky};

typedef struct Case {
  WeftElements base, extra;
  WeftBcsr matrix;
  WeftPcg pcg;
  uint8_t held[ROWS];
  double b[3 * ROWS], x[3 * ROWS];
  WeftDevice *device;
} Case;

static void create(Case *c, const WeftPrecondOps *precond, const char *device) {
  WeftError error;
  static int32_t pair[2 * 2 * ROWS];
  uint64_t seed = 1;
  int count = 0;
  memset(c, 0, sizeof *c);
  for (int i = 0; i + 1 < ROWS; i++) {
    pair[2 * count] = i, pair[2 * count++ + 1] = i + 1;
    if (i + 9 < ROWS) pair[2 * count] = i, pair[2 * count++ + 1] = i + 9;
  }
  for (int i = 0; i < 3 * ROWS; i++) c->b[i] = random_in(&seed, -1, 1);
  c->held[3] = WEFT_AXIS_ALL;
  c->held[1500] = WEFT_AXIS_Y;
  check_ok(weft_elements_create(&c->base, 2, count, pair, ROWS, &error), error);
  check_ok(weft_bcsr_create(&c->matrix, ROWS, (WeftElements *[]){&c->base}, 1, &error), error);
  check_ok(weft_pcg_create(&c->pcg, ROWS, precond, &error), error);
  check_ok(weft_device_open(device, &c->device, &error), error);
  check_ok(weft_device_share(c->device, c->held, sizeof c->held, WEFT_MEMORY_HELD, &error), error);
  check_ok(weft_device_share(c->device, c->b, sizeof c->b, WEFT_MEMORY_SOLVER, &error), error);
  check_ok(weft_device_share(c->device, c->x, sizeof c->x, WEFT_MEMORY_SOLVER, &error), error);
  check_ok(weft_bcsr_share(&c->matrix, c->device, &error), error);
  check_ok(weft_pcg_share(&c->pcg, c->device, &error), error);
}

static void destroy(Case *c) {
  weft_pcg_destroy(&c->pcg);
  weft_device_close(c->device);
  weft_bcsr_destroy(&c->matrix);
  weft_elements_destroy(&c->base);
  weft_elements_destroy(&c->extra);
}

static void fill(Case *c, const WeftElements *set) {
  for (int e = 0; e < set->count; e++) {
    for (int s = 0; s < 4; s++) {
      double *block = c->matrix.value + 9 * (size_t)set->slots[4 * e + s];
      for (int i = 0; i < 9; i++) block[i] += (s == 0 || s == 3 ? 1 : -1) * (i % 4 == 0 ? 5 : 0.5);
    }
  }
}

/* Solves with so many extra couplings; returns the iterations. */
static int solve(Case *c, int extras) {
  WeftError error;
  WeftPcgStats stats;
  static int32_t pair[2 * MOST_EXTRAS];
  for (int i = 0; i < extras; i++) pair[2 * i] = i, pair[2 * i + 1] = ROWS - 1 - i % 700;
  weft_elements_destroy(&c->extra);
  check_ok(weft_elements_create(&c->extra, 2, extras, pair, ROWS, &error), error);
  check_ok(weft_bcsr_set_extra(&c->matrix, (WeftElements *[]){&c->extra}, 1, &error), error);
  memset(c->matrix.value, 0, 9 * ((size_t)c->matrix.block_count + 1) * sizeof(double));
  for (int i = 0; i < ROWS; i++) {
    for (int k = 0; k < 3; k++) c->matrix.value[9 * c->matrix.diagonal[i] + 4 * k] = 0.1;
  }
  fill(c, &c->base);
  fill(c, &c->extra);
  weft_device_upload(c->device, c->matrix.value,
                     9 * ((size_t)c->matrix.block_count + 1) * sizeof *c->matrix.value);
  memset(c->x, 0, sizeof c->x);
  weft_device_upload(c->device, c->x, sizeof c->x);
  check_ok(weft_pcg_solve(&c->pcg, &c->matrix, c->held, c->b, c->x, 1e-8, 5000, &stats, &error), error);
  if (c->device) assert_true(weft_device_download(c->device, c->x, sizeof c->x));
  check_ok(weft_device_check(c->device, &error), error);
  return stats.iterations;
}

static void extra_blocks_give_the_same_bits(void **state) {
  (void)state;
  static Case here, there;
  for (size_t p = 0; p < sizeof PRECONDS / sizeof *PRECONDS; p++) {
    create(&here, PRECONDS[p], "cpu");
    create(&there, PRECONDS[p], "opencl");
    for (int extras = 0; extras <= MOST_EXTRAS; extras += 750) {
      assert_int_equal(solve(&here, extras), solve(&there, extras));
      assert_memory_equal(here.x, there.x, sizeof here.x);
    }
    destroy(&here);
    destroy(&there);
  }
}

int main(void) {
  if (skip_without_opencl()) return SKIPPED;
  const struct CMUnitTest tests[] = {cmocka_unit_test(extra_blocks_give_the_same_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
