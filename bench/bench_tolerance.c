/* The study behind the default of solver_tolerance: cost and error from 1e-2 to 1e-11 [Tang16 sec. 5],
 * against a reference of 1e-12. docs/solver-tolerance.md draws the conclusions.
 *
 * Columns: iterations a step; the same when every solve starts from zero instead of from the last step's
 * solution; processor time of the steps beside that of 1e-6, one thread; largest and root-mean-square
 * distance of vertices from the reference after 0.1 and 0.5 s [mm]; total energy beside the reference's, in
 * parts of its kinetic energy; where nothing pushes the sheet, how much its momenta changed. The yardstick is
 * the last line: the same scene with half the time step. A solver's error well below what the time step makes
 * anyway is not worth an iteration.
 */
#include "common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <weft/weft.h>

enum {
  CELLS = 70,
  EARLY = 20,
  LATE = 100,
  LOOSEST = 2,
  TIGHTEST = 11
}; /* steps of 1/200 s; powers of 1/10 */
static const double REFERENCE = 1e-12;

typedef enum Motion { FALL, FLAG, FREE, MOTIONS } Motion;
static const char *const NAMES[MOTIONS] = {"sheet falling from two corners", "flag in gusty wind",
                                           "sheet flying free, without gravity and air"};

typedef struct Run {
  int vertex_count;
  double *early, *late;       /* positions after EARLY and LATE steps */
  double seconds, iterations; /* processor time and iterations a step */
  WeftEnergies energies;
  double momentum,
      spin; /* change of linear and angular momentum, parts of sum m |v| and sum m |x| |v| at the start */
} Run;

static BenchSheet make_sheet(Motion motion, double stiffness) {
  BenchSheet sheet = bench_sheet(CELLS, CELLS);
  WeftMaterial *material = &sheet.material;
  material->stretch_warp *= stiffness;
  material->stretch_weft *= stiffness;
  material->shear *= stiffness;
  material->bend_warp *= stiffness;
  material->bend_weft *= stiffness;
  if (motion == FLAG) {
    WeftWind wind = {{6, 1, 0}, {3, 2, 1}, 2, 0.5, 1.2};
    sheet.def.wind = wind;
  }
  if (motion == FREE) {
    memset(sheet.def.gravity, 0, sizeof sheet.def.gravity);
    sheet.def.wind.air_density = 0;
  }
  return sheet;
}

/* Lets go of all pins; the sheet flies, turns and is crumpled by a wave of 2 m/s. */
static void throw(WeftWorld * world) {
  WeftError error;
  int n = weft_world_vertex_count(world, 0);
  double *x = bench_alloc(3 * (size_t)n * sizeof *x), *v = bench_alloc(3 * (size_t)n * sizeof *v);
  bench_require(weft_world_positions(world, 0, x, &error), &error);
  for (int i = 0; i < n; i++) {
    bench_require(weft_world_pin(world, 0, i, 0, &error), &error);
    double px = x[3 * i], py = x[3 * i + 1];
    v[3 * i] = 1 - 3 * py;
    v[3 * i + 1] = 3 * px;
    v[3 * i + 2] = 2 * sin(12 * px) * cos(9 * py);
  }
  bench_require(weft_world_set_state(world, 0, NULL, v, &error), &error);
  free(x);
  free(v);
}

/* Sums of m |v| and m |x| |v|: what momenta are measured against. */
static void momentum_scales(const WeftWorld *world, double *linear, double *angular) {
  *linear = *angular = 0;
  for (int i = 0; i < world->model.vertex_count; i++) {
    const double *x = world->state.x + 3 * (size_t)i, *v = world->state.v + 3 * (size_t)i;
    double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    *linear += world->model.mass[i] * speed;
    *angular += world->model.mass[i] * speed * sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  }
}

static double distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* steps_per: steps of the world for one of 1/200 s. has_guess false: the last solution is forgotten before
 * each step. */
static Run simulate(Motion motion, double stiffness, double tolerance, int steps_per, bool has_guess) {
  WeftError error;
  WeftMomenta before, after;
  WeftReport report;
  BenchSheet sheet = make_sheet(motion, stiffness);
  sheet.def.solver_tolerance = tolerance;
  sheet.def.preconditioner = "block_jacobi"; /* as in the tables of the document */
  sheet.def.threads = 1;                     /* so that processor time is the time of the work */
  sheet.def.time_step /= steps_per;
  WeftWorld *world = motion == FLAG ? bench_flag(&sheet) : bench_hang(&sheet);
  if (motion == FREE) throw(world);
  Run run = {.vertex_count = weft_world_vertex_count(world, 0)};
  size_t bytes = 3 * (size_t)run.vertex_count * sizeof(double);
  run.early = bench_alloc(bytes);
  run.late = bench_alloc(bytes);
  double linear, angular;
  momentum_scales(world, &linear, &angular);
  bench_require(weft_world_momenta(world, &before, &error), &error);
  clock_t start = clock();
  for (int i = 0; i < LATE; i++) {
    for (int k = 0; k < steps_per; k++) {
      if (!has_guess) memset(world->state.dv, 0, bytes);
      bench_step(world, 1);
    }
    if (i + 1 == EARLY) bench_require(weft_world_positions(world, 0, run.early, &error), &error);
  }
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  bench_require(weft_world_positions(world, 0, run.late, &error), &error);
  bench_require(weft_world_momenta(world, &after, &error), &error);
  bench_require(weft_world_report(world, &report, &error), &error);
  run.momentum = linear > 0 ? distance(before.linear, after.linear) / linear : 0;
  run.spin = angular > 0 ? distance(before.angular, after.angular) / angular : 0;
  run.energies = report.energies;
  run.seconds = seconds / (double)report.steps;
  run.iterations = (double)report.solver_iterations / (double)report.steps;
  weft_world_destroy(world);
  return run;
}

static void free_run(Run *run) {
  free(run->early);
  free(run->late);
}

/* Largest distance of vertices, and the root of the mean of its square [m]. */
static void compare(int count, const double *a, const double *b, double *largest, double *rms) {
  double sum = 0;
  *largest = 0;
  for (int i = 0; i < count; i++) {
    double d = distance(a + 3 * (size_t)i, b + 3 * (size_t)i);
    sum += d * d;
    *largest = fmax(*largest, d);
  }
  *rms = sqrt(sum / count);
}

static void print_run(const char *label, const Run *run, const Run *reference, const Run *unit,
                      double from_zero, bool is_free) {
  double largest[2], rms[2];
  compare(run->vertex_count, run->early, reference->early, &largest[0], &rms[0]);
  compare(run->vertex_count, run->late, reference->late, &largest[1], &rms[1]);
  double energy = (run->energies.total - reference->energies.total) / reference->energies.kinetic;
  printf("| %-6s | %10.0f |", label, run->iterations);
  if (from_zero > 0) {
    printf(" %9.0f |", from_zero);
  } else {
    printf("           |");
  }
  printf(" %4.2f | %7.1e | %7.1e | %7.1e | %7.1e | %8.1e |", run->seconds / unit->seconds, 1e3 * largest[0],
         1e3 * rms[0], 1e3 * largest[1], 1e3 * rms[1], energy);
  if (is_free) printf(" %7.1e | %7.1e |", run->momentum, run->spin);
  printf("\n");
}

static void study(Motion motion, double stiffness) {
  Run reference = simulate(motion, stiffness, REFERENCE, 1, true), runs[TIGHTEST + 1];
  double from_zero[TIGHTEST + 1] = {0};
  for (int power = LOOSEST; power <= TIGHTEST; power++) {
    runs[power] = simulate(motion, stiffness, pow(10, -power), 1, true);
    if (power % 2 || power > 6) continue;
    Run zero = simulate(motion, stiffness, pow(10, -power), 1, false);
    from_zero[power] = zero.iterations;
    free_run(&zero);
  }
  Run halved = simulate(motion, stiffness, 1e-9, 2, true);
  printf("\n%s, %d vertices, stretch %g N/m\n\n", NAMES[motion], reference.vertex_count, stiffness * 1000);
  printf("| toler. | iterations | from zero | time | max 0.1 | rms 0.1 | max 0.5 | rms 0.5 | energy   |%s\n",
         motion == FREE ? " linear  | angular |" : "");
  printf("|--------|------------|-----------|------|---------|---------|---------|---------|----------|%s\n",
         motion == FREE ? "---------|---------|" : "");
  for (int power = LOOSEST; power <= TIGHTEST; power++) {
    char label[16];
    snprintf(label, sizeof label, "1e-%d", power);
    print_run(label, &runs[power], &reference, &runs[6], from_zero[power], motion == FREE);
    free_run(&runs[power]);
  }
  print_run("h/2", &halved, &reference, &halved, 0, motion == FREE);
  free_run(&halved);
  free_run(&reference);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  bench_print_machine();
  for (int motion = 0; motion < MOTIONS; motion++) {
    study(motion, 1);
    if (motion != FREE) study(motion, 10);
  }
  return 0;
}
