/* The whole implicit step of sheets of 20K, 50K and 200K triangles (h = 1/200 s): stages, iterations, memory;
 * what the second thread gains; and what the elements cost in assembly. */
#include "base/timer.h"
#include "common.h"
#include "device/threads.h"
#include "force/element.kernel.h"
#include "force/force.h"

#include <string.h>
#include <weft/weft.h>

enum { SIZES = 3, WARM_UP = 2, STEPS = 3, TRIES = 7 };
static const int CELLS[SIZES] = {100, 158, 316};

static BenchSheet make_sheet(int cells, int threads) {
  BenchSheet sheet = bench_sheet(cells, cells);
  sheet.width = sheet.height = 2;
  sheet.def.threads = threads;
  return sheet;
}

/* Mean of the steps after the warm-up, which fills memory and brings the sheet into motion. Returns seconds a
 * step. */
static double show_steps(int cells, int threads, double alone) {
  WeftError error;
  WeftReport before, after;
  BenchSheet sheet = make_sheet(cells, threads);
  double start = weft_seconds();
  WeftWorld *world = bench_hang(&sheet);
  bench_require(weft_world_report(world, &before, &error), &error); /* builds the world */
  double built = weft_seconds() - start;
  bench_step(world, WARM_UP);
  bench_require(weft_world_report(world, &before, &error), &error);
  bench_step(world, STEPS);
  bench_require(weft_world_report(world, &after, &error), &error);
  double seconds = (after.seconds - before.seconds) / STEPS;
  printf("%9d %7d %9.0f %9.0f", after.triangle_count, threads, 1e3 * built, 1e3 * seconds);
  for (int i = 0; i < WEFT_STAGE_COUNT; i++) {
    printf(" %8.1f", 1e3 * (after.stage_seconds[i] - before.stage_seconds[i]) / STEPS);
  }
  printf(" %8lld %7.2f %8.0f %016llx\n",
         (long long)(after.solver_iterations - before.solver_iterations) / STEPS,
         alone > 0 ? alone / seconds : 1, 1e-6 * (double)after.peak_memory,
         (unsigned long long)after.state_hash);
  weft_world_destroy(world);
  return seconds;
}

/* Nanoseconds an element, of forces and matrix together, and how many are computed by more than one chunk of
 * rows. */
static void show_force(WeftWorld *world, const WeftForce *force, int threads) {
  WeftStep *step = &world->step;
  const WeftElements *elements = &force->elements;
  WeftForceRequest request = {.x = world->state.x,
                              .v = world->state.v,
                              .wind = &world->state.wind,
                              .wants = WANT_MATRIX,
                              .ax = -2.5e-5,
                              .av = -5e-3,
                              .f = step->f,
                              .kxv = step->kxv,
                              .a = step->matrix.value};
  double seconds[TRIES];
  for (int i = 0; i < TRIES; i++) {
    double start = weft_seconds();
    force->ops->add(force, &request);
    seconds[i] = weft_seconds() - start;
  }
  double median = bench_median(TRIES, seconds), walked = elements->chunk_start[elements->chunk_count];
  printf("%-8s %-16s %9d %7d %9.2f %9.0f %9.1f %%\n", force->ops->family, force->ops->name, elements->count,
         threads, 1e3 * median, 1e9 * median / elements->count, 100 * (walked / elements->count - 1));
}

static void show_assembly(int cells, int threads) {
  BenchSheet sheet = make_sheet(cells, threads);
  sheet.def.solver_tolerance = 1e-2;
  WeftWorld *world = bench_hang(&sheet);
  bench_step(world, 1);
  double seconds[TRIES];
  int before = weft_threads_use(threads);
  for (int i = 0; i < world->model.force_count; i++) show_force(world, world->model.forces[i], threads);
  for (int i = 0; i < TRIES; i++) {
    double start = weft_seconds();
    weft_bcsr_set_mass(&world->step.matrix, world->model.mass, 1);
    seconds[i] = weft_seconds() - start;
  }
  printf("%-8s %-16s %9d %7d %9.2f\n", "clear", "and masses", world->step.matrix.block_count, threads,
         1e3 * bench_median(TRIES, seconds));
  weft_threads_use(before);
  weft_world_destroy(world);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  bench_print_machine();
  int most = weft_threads_available();
  printf(
      "\na step of a sheet of 2 m x 2 m hanging from two corners, mean of %d; times in ms, memory of the "
      "process in MB\n",
      STEPS);
  printf(
      "triangles threads     build      step  prepare    force    solve   accept iterat. speedup   memory "
      "state\n");
  for (int i = 0; i < SIZES; i++) {
    double alone = show_steps(CELLS[i], 1, 0);
    if (most > 1) show_steps(CELLS[i], most, alone);
  }
  printf("\nassembly of forces and matrix, 200K triangles\n");
  printf("%-8s %-16s %9s %7s %9s %9s %11s\n", "family", "method", "elements", "threads", "ms", "ns each",
         "done twice");
  show_assembly(CELLS[SIZES - 1], 1);
  if (most > 1) show_assembly(CELLS[SIZES - 1], most);
  return 0;
}
