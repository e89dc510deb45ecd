/* One iteration of block-Jacobi conjugate gradients beside what its bytes cost at the bandwidth of the same
 * machine in the same run, and the iterations that preconditioners save [Tang16 fig. 6].
 *
 * Bytes: matrix (values, columns, row starts), preconditioner and the five vectors x, r, z, p, q, each
 * counted as moved once, although an iteration moves eleven vectors. Bandwidth: the best of reading, reading
 * with the solver's prefetches, copying and a = b + s c over arrays of as many bytes in all, by as many
 * threads. Time of an iteration: the difference of solves with 25 and 5 iterations, so that the start is not
 * in it.
 */
#include "common.h"
#include "device/threads.h"
#include "registry.h"
#include "streams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 7, TRIES = 3, FEW = 5, MANY = 25 };

/* Seconds of so many iterations on the system of the world's last step. */
static double solve(WeftWorld *world, WeftPcg *pcg, double *x, int iterations) {
  WeftPcgStats stats;
  WeftError error;
  WeftStep *step = &world->step;
  memset(x, 0, 3 * (size_t)pcg->row_count * sizeof *x);
  double start = weft_seconds();
  weft_pcg_solve(pcg, &step->matrix, world->state.held, step->b, x, 1e-300, iterations, &stats, &error);
  double seconds = weft_seconds() - start;
  if (stats.iterations == iterations) return seconds;
  fprintf(stderr, "the solver ended after %d of %d iterations\n", stats.iterations, iterations);
  exit(1);
}

typedef struct Bytes {
  double matrix, precond, vectors, all;
} Bytes;

static Bytes count_bytes(const WeftBcsr *matrix, const WeftPcg *pcg) {
  Bytes bytes;
  double rows = matrix->row_count, blocks = matrix->block_count;
  bytes.matrix = blocks * (9 * sizeof(double) + sizeof(int32_t)) + 2 * (rows + 1) * sizeof(int32_t);
  bytes.precond = rows * pcg->precond->values_per_row * sizeof(double);
  bytes.vectors = 5 * 3 * rows * sizeof(double);
  bytes.all = bytes.matrix + bytes.precond + bytes.vectors;
  return bytes;
}

/* One line: bandwidths, what the bytes cost at the best of them, an iteration's time, and the ratio of both.
 */
static double measure(WeftWorld *world, WeftPcg *pcg, Streams *streams, double *x, const Bytes *bytes) {
  double rates[STREAM_KINDS][TRIES], seconds[TRIES], best = 0;
  for (int i = 0; i < TRIES; i++) {
    /* as many passes as a solve has iterations: what disturbs one disturbs the other */
    for (int k = 0; k < STREAM_KINDS; k++) rates[k][i] = stream_rate(streams, k, MANY - FEW);
    double few = solve(world, pcg, x, FEW);
    seconds[i] = (solve(world, pcg, x, MANY) - few) / (MANY - FEW);
  }
  for (int k = 0; k < STREAM_KINDS; k++) {
    double rate = bench_median(TRIES, rates[k]);
    if (rate > best) best = rate;
    printf(" %6.1f", 1e-9 * rate);
  }
  double iteration = bench_median(TRIES, seconds), bound = bytes->all / best;
  printf(" %13.2f %9.2f %9.2f\n", 1e3 * bound, 1e3 * iteration, iteration / bound);
  return iteration / bound;
}

static void show_iteration(WeftWorld *world, int threads) {
  WeftPcg pcg;
  WeftError error;
  int rows = world->model.vertex_count;
  bench_require(weft_pcg_create(&pcg, rows, &weft_precond_block_jacobi, &error), &error);
  Bytes bytes = count_bytes(&world->step.matrix, &pcg);
  Streams streams = {.count = (size_t)(bytes.all / 8) / STREAM_UNIT * STREAM_UNIT};
  double *x = bench_alloc(3 * (size_t)rows * sizeof *x), ratios[ROUNDS];
  int before = weft_threads_use(threads);
  streams.numbers = bench_alloc(streams.count * sizeof(double));
  for (size_t i = 0; i < streams.count; i++) streams.numbers[i] = 1; /* pages never written to are one page */
  printf("\n%d vertices, %d blocks, %d thread%s: matrix %.1f MB, preconditioner %.1f MB, vectors %.1f MB\n",
         rows, world->step.matrix.block_count, threads, threads > 1 ? "s" : "", 1e-6 * bytes.matrix,
         1e-6 * bytes.precond, 1e-6 * bytes.vectors);
  printf("   read  ahead   copy  triad [GB/s]  bytes iteration [ms] ratio\n");
  for (int i = 0; i < ROUNDS; i++) ratios[i] = measure(world, &pcg, &streams, x, &bytes);
  printf(
      "one block-Jacobi iteration takes %.2f times what moving its bytes takes (median of %d; at most 1.6 "
      "wanted)\n",
      bench_median(ROUNDS, ratios), ROUNDS);
  weft_threads_use(before);
  free(streams.numbers);
  free(x);
  weft_pcg_destroy(&pcg);
}

/* Iterations of one solve at the tolerance on the world's last system, from zero. */
static int count_iterations(WeftWorld *world, const char *name, double tolerance) {
  WeftPcg pcg;
  WeftPcgStats stats;
  WeftError error;
  int rows = world->model.vertex_count;
  double *x = bench_alloc(3 * (size_t)rows * sizeof *x);
  bench_require(weft_pcg_create(&pcg, rows, weft_registry_precond(name), &error), &error);
  int before = weft_threads_use(world->threads);
  bench_require(weft_pcg_solve(&pcg, &world->step.matrix, world->state.held, world->step.b, x, tolerance,
                               100000, &stats, &error),
                &error);
  weft_threads_use(before);
  weft_pcg_destroy(&pcg);
  free(x);
  return stats.iterations;
}

static void show_saving(const char *what, WeftWorld *world) {
  static const double TOLERANCES[] = {1e-3, 1e-6, 1e-9};
  for (int i = 0; i < 3; i++) {
    int none = count_iterations(world, "none", TOLERANCES[i]),
        jacobi = count_iterations(world, "jacobi", TOLERANCES[i]),
        block = count_iterations(world, "block_jacobi", TOLERANCES[i]);
    printf("%-52s %7.0e %6d %6d %5.0f%% %6d %5.0f%%\n", i ? "" : what, TOLERANCES[i], none, jacobi,
           100 * (1 - (double)jacobi / none), block, 100 * (1 - (double)block / none));
  }
}

/* The sheets of the second part, each a quarter of a second into its fall. */
static void show_savings(void) {
  enum { CELLS = 100, STEPS = 50 };
  printf(
      "\niterations from a guess of zero, and what is saved beside none (CAMA Fig. 6: Jacobi 32 %% on its "
      "Funnel)\n");
  printf("%-52s %7s %6s %6s %6s %6s %6s\n", "", "toler.", "none", "jacobi", "saved", "block", "saved");
  BenchSheet sheet = bench_sheet(CELLS, CELLS);
  WeftWorld *world = bench_hang(&sheet);
  bench_step(world, STEPS);
  show_saving("regular sheet, 100 x 100 cells", world);
  weft_world_destroy(world);

  sheet.roughness = 0.35;
  world = bench_hang(&sheet);
  bench_step(world, STEPS);
  show_saving("irregular mesh: vertices moved by up to 0.35 cells", world);
  weft_world_destroy(world);

  sheet = bench_sheet(CELLS, CELLS);
  sheet.width = 4;
  sheet.material.stretch_warp = 5000;
  sheet.material.stretch_weft = 50;
  world = bench_hang(&sheet);
  bench_step(world, STEPS);
  show_saving("cells 4 : 1, warp 5000 N/m, weft 50 N/m", world);
  weft_world_destroy(world);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0); /* lines appear as they are measured, also in a pipe */
  bench_print_machine();
  BenchSheet sheet = bench_sheet(316, 316);
  sheet.def.solver_tolerance = 1e-3; /* on the way to the system that is measured */
  WeftWorld *world = bench_hang(&sheet);
  bench_step(world, 10);
  show_iteration(world, 1);
  if (world->threads > 1) show_iteration(world, world->threads);
  weft_world_destroy(world);
  show_savings();
  return 0;
}
