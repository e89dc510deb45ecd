/* Preconditioners side by side: iterations and time of one solve, over sizes, stiffness, time step and kinds
 * of mesh. docs/preconditioners.md draws the conclusions; the rule of "auto" (src/choose_precond.c) has its
 * limits from here.
 *
 * Each case is the system of a sheet some steps into its fall, solved from zero. Time: processor time of the
 * whole solve on one thread, factorisation included, the least of ROUNDS, beside that of block Jacobi. Other
 * programs on the machine disturb it by some percent.
 */
#include "choose_precond.h"
#include "common.h"
#include "device/threads.h"
#include "registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 10 };

typedef struct Solved {
  int iterations;
  double seconds;
} Solved;

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Solved solve(WeftWorld *world, const WeftPrecondOps *precond, double tolerance, int rounds) {
  WeftPcg pcg;
  WeftPcgStats stats;
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

static void compare(const char *what, WeftWorld *world, double tolerance, int rounds) {
  Solved block = solve(world, weft_registry_precond("block_jacobi"), tolerance, rounds);
  Solved ic = solve(world, weft_registry_precond("block_ic"), tolerance, rounds);
  printf("| %-44s | %7d | %5.0e | %6d | %8.1f | %6d | %8.1f | %5.2f | %5.2f | %6.0f\n", what,
         world->model.vertex_count, tolerance, block.iterations, 1e3 * block.seconds, ic.iterations,
         1e3 * ic.seconds, (double)ic.iterations / block.iterations, ic.seconds / block.seconds, ({WeftWorldDef d=world->def; d.solver_tolerance=tolerance; weft_expected_iterations(&world->model,&d);}));
}

static void stiffen(WeftMaterial *m, double stretch, double bend) {
  m->stretch_warp *= stretch;
  m->stretch_weft *= stretch;
  m->shear *= stretch;
  m->bend_warp *= bend;
  m->bend_weft *= bend;
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  int cells = argc > 1 ? atoi(argv[1]) : 100, rounds = argc > 2 ? atoi(argv[2]) : 3;
  weft_threads_use(1);
  static const struct { const char *name; double stretch, bend, h, rough, width; } cases[] = {
    {"base", 1, 1, 1.0/200, 0, 1},
    {"bend x4", 1, 4, 1.0/200, 0, 1},
    {"bend x30", 1, 30, 1.0/200, 0, 1},
    {"rough", 1, 1, 1.0/200, 0.35, 1},
    {"aniso 4:1", 1, 1, 1.0/200, 0, 4},
    {"all x10", 10, 10, 1.0/200, 0, 1},
    {"all /10", 0.1, 0.1, 1.0/200, 0, 1},
    {"all /100", 0.01, 0.01, 1.0/200, 0, 1},
    {"h 1/1000", 1, 1, 1.0/1000, 0, 1},
    {"bend rules", 0.01, 100, 1.0/200, 0, 1},
    {"all /30", 0.03, 0.03, 1.0/200, 0, 1},
    {"h 1/50", 1, 1, 1.0/50, 0, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (argc > 3 && (int)i >= atoi(argv[3])) break;
    BenchSheet sheet = bench_sheet(cells, cells);
    sheet.def.threads = 1; sheet.def.solver_tolerance=1e-3;
    sheet.def.preconditioner="block_ic";
    sheet.def.time_step = cases[i].h;
    sheet.roughness = cases[i].rough;
    sheet.width = cases[i].width;
    stiffen(&sheet.material, cases[i].stretch, cases[i].bend);
    WeftWorld *world = bench_hang(&sheet);
    bench_step(world, STEPS);
    compare(cases[i].name, world, 1e-4, rounds);
    compare(cases[i].name, world, 1e-6, rounds);
    weft_world_destroy(world);
  }
  return 0;
}
