/* Preconditioners side by side: iterations and time of one solve over sizes, stiffness, time step and kinds
 * of mesh, then devices and threads. docs/preconditioners.md draws the conclusions, and the rule of "auto"
 * (src/choose_precond.c) has its numbers from here.
 *
 * Each system is that of a sheet some steps into its fall, solved from zero. Time: processor time of the
 * whole solve on one thread, factorisation included, the least of ROUNDS. auto: what the rule takes, and the
 * iterations of block Jacobi that it expects.
 */
#include "choose_precond.h"
#include "common.h"
#include "device/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 5, SMALL = 100, LARGE = 316, ROUNDS = 3, MOST_DEVICES = 16, SMALL_STEPS = 5 };

typedef struct Case {
  const char *name;
  double stretch, bend; /* factors of the default material's */
  double step;          /* [s] */
  double roughness, width;
} Case;

static const Case CASES[] = {
    {"default", 1, 1, 0.005, 0, 1},
    {"bending x 4", 1, 4, 0.005, 0, 1},
    {"bending x 30", 1, 30, 0.005, 0, 1},
    {"irregular mesh, 0.35 cells", 1, 1, 0.005, 0.35, 1},
    {"cells 4 : 1", 1, 1, 0.005, 0, 4},
    {"stretch and bending x 10", 10, 10, 0.005, 0, 1},
    {"stretch and bending / 10", 0.1, 0.1, 0.005, 0, 1},
    {"stretch and bending / 30", 0.033, 0.033, 0.005, 0, 1},
    {"stretch and bending / 100", 0.01, 0.01, 0.005, 0, 1},
    {"stretch / 100, bending x 100", 0.01, 100, 0.005, 0, 1},
    {"h = 1/1000 s", 1, 1, 0.001, 0, 1},
    {"h = 1/50 s", 1, 1, 0.02, 0, 1},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES, LARGE_CASES = 3 };

typedef struct Solved {
  int iterations;
  double seconds;
} Solved;

static BenchSheet make_sheet(const Case *c, int cells) {
  BenchSheet sheet = bench_sheet(cells, cells);
  WeftMaterial *m = &sheet.material;
  m->stretch_warp *= c->stretch;
  m->stretch_weft *= c->stretch;
  m->shear *= c->stretch;
  m->bend_warp *= c->bend;
  m->bend_weft *= c->bend;
  sheet.def.threads = 1;
  sheet.def.time_step = c->step;
  sheet.roughness = c->roughness;
  sheet.width = c->width;
  return sheet;
}

static double processor_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static Solved solve(WeftWorld *world, const WeftPrecondOps *precond, double tolerance, int rounds) {
  WeftPcg pcg;
  WeftPcgStats stats = {0};
  WeftError error;
  size_t numbers = 3 * (size_t)world->model.vertex_count;
  double *x = bench_alloc(numbers * sizeof *x);
  Solved best = {0, INFINITY};
  bench_require(weft_pcg_create(&pcg, world->model.vertex_count, precond, &error), &error);
  for (int i = 0; i < rounds; i++) {
    memset(x, 0, numbers * sizeof *x);
    double start = processor_seconds();
    bench_require(weft_pcg_solve(&pcg, &world->step.matrix, world->state.held, world->step.b, x, tolerance,
                                 1000000, &stats, &error),
                  &error);
    best.seconds = fmin(best.seconds, processor_seconds() - start);
  }
  best.iterations = stats.iterations;
  weft_pcg_destroy(&pcg);
  free(x);
  return best;
}

static void compare(const Case *c, WeftWorld *world, double tolerance, int rounds) {
  WeftWorldDef def = world->def;
  def.solver_tolerance = tolerance;
  Solved block = solve(world, &weft_precond_block_jacobi, tolerance, rounds);
  Solved ic = solve(world, &weft_precond_block_ic, tolerance, rounds);
  printf("| %-28s | %.0e | %6d | %7.0f | %6d | %7.0f | %10.2f | %5.2f | %8.0f | %-12s |\n", c->name,
         tolerance, block.iterations, 1e3 * block.seconds, ic.iterations, 1e3 * ic.seconds,
         (double)ic.iterations / block.iterations, ic.seconds / block.seconds,
         weft_expected_iterations(&world->model, &def),
         weft_choose_precond(&world->model, &def, false)->name);
}

static void show_cases(int cells, int count, int rounds) {
  printf("\n%d vertices, one thread; times in ms\n\n", (cells + 1) * (cells + 1));
  printf(
      "| case                         | tol.  | block  |    time |     IC |    time | iterations |  time "
      "| expected | auto         |\n"
      "|------------------------------|-------|--------|---------|--------|---------|------------|-------"
      "|----------|--------------|\n");
  for (int i = 0; i < count; i++) {
    BenchSheet sheet = make_sheet(&CASES[i], cells);
    sheet.def.solver_tolerance = 1e-3; /* on the way to the system that is measured */
    WeftWorld *world = bench_hang(&sheet);
    bench_step(world, STEPS);
    int before = weft_threads_use(1);
    compare(&CASES[i], world, 1e-4, rounds);
    compare(&CASES[i], world, 1e-6, rounds);
    weft_threads_use(before);
    weft_world_destroy(world);
  }
}

/* Strips of 400 cells in length and few in width, and sheets: where a complete factor pays. */
static void show_strips(void) {
  static const int CELLS[][2] = {{400, 2}, {400, 4}, {400, 8}, {400, 16}, {400, 32}, {20, 20}, {40, 40}};
  printf(
      "\nstrips and small sheets of the default material, cells of 1 cm, h = 1/60 s, one thread, tolerance "
      "1e-4; "
      "times in ms\n\n"
      "| cells    | block  |    time |     IC |    time | complete |    time | products a block | auto       "
      "    |\n"
      "|----------|--------|---------|--------|---------|----------|---------|------------------|------------"
      "----|\n");
  for (size_t i = 0; i < sizeof CELLS / sizeof *CELLS; i++) {
    BenchSheet sheet = bench_sheet(CELLS[i][0], CELLS[i][1]);
    WeftError error;
    WeftFill fill;
    sheet.width = 0.01 * sheet.columns;
    sheet.height = 0.01 * sheet.rows;
    sheet.def.threads = 1;
    sheet.def.time_step = 1.0 / 60;
    WeftWorld *world = bench_hang(&sheet);
    bench_step(world, STEPS);
    int before = weft_threads_use(1);
    Solved block = solve(world, &weft_precond_block_jacobi, 1e-4, ROUNDS);
    Solved ic = solve(world, &weft_precond_block_ic, 1e-4, ROUNDS);
    Solved complete = solve(world, &weft_precond_block_cholesky, 1e-4, ROUNDS);
    weft_fill_create(&fill, NULL);
    bench_require(weft_fill_find(&fill, &world->step.matrix, WEFT_FILL_WORTH, &error), &error);
    printf("| %3d x %2d | %6d | %7.2f | %6d | %7.2f | %8d | %7.2f | %15.1f%s | %-14s |\n", sheet.columns,
           sheet.rows, block.iterations, 1e3 * block.seconds, ic.iterations, 1e3 * ic.seconds,
           complete.iterations, 1e3 * complete.seconds, fill.effort / world->step.matrix.block_count,
           fill.is_there ? " " : "+", world->precond->name);
    weft_fill_destroy(&fill);
    weft_threads_use(before);
    weft_world_destroy(world);
  }
}

/* Whole steps: their processor time, all threads together, and the state they end in. */
static void run_steps(const char *precond, const char *device, int threads, int cells, int steps) {
  WeftError error;
  WeftReport report;
  BenchSheet sheet = make_sheet(&CASES[0], cells);
  sheet.def.preconditioner = precond;
  sheet.def.threads = threads;
  WeftWorld *world = bench_hang(&sheet);
  bench_require(weft_world_use_device(world, device, &error), &error);
  bench_step(world, 1); /* warm */
  int64_t before = world->report.solver_iterations;
  double start = processor_seconds();
  bench_step(world, steps);
  double seconds = processor_seconds() - start;
  bench_require(weft_world_report(world, &report, &error), &error);
  printf("| %-12s | %8d | %-8s | %7d | %10lld | %9.1f | %016llx |\n", precond, report.vertex_count, device,
         threads, (long long)(report.solver_iterations - before) / steps, 1e3 * seconds / steps,
         (unsigned long long)report.state_hash);
  weft_world_destroy(world);
}

static void show_steps(void) {
  static const char *const NAMES[] = {"block_jacobi", "block_ic"};
  WeftDeviceInfo devices[MOST_DEVICES];
  int count = (int)weft_list_devices(devices, MOST_DEVICES);
  printf(
      "\nsteps of the default sheet at the default tolerance: a step's iterations and processor time [ms], "
      "the "
      "state\n\n"
      "| method       | vertices | device   | threads | iterations |      time | state            |\n"
      "|--------------|----------|----------|---------|------------|-----------|------------------|\n");
  for (int cells = 20; cells <= SMALL; cells += SMALL - 20) {
    for (int i = 0; i < count && i < MOST_DEVICES; i++) {
      if (!devices[i].is_usable) continue;
      for (int k = 0; k < 2; k++) run_steps(NAMES[k], devices[i].name, 1, cells, SMALL_STEPS);
    }
  }
  for (int threads = 1; threads <= 3; threads++) run_steps("block_ic", "cpu", threads, LARGE, 1);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0); /* lines appear as they are measured, also in a pipe */
  bench_print_machine();
  show_strips();
  show_cases(LARGE, LARGE_CASES, 1);
  show_steps();
  show_cases(SMALL, CASE_COUNT, ROUNDS);
  return 0;
}
