/* Sums over a run, and the least that its stages could take. */
#include "cli/bench.h"

#include <math.h>
#include <string.h>

const char *const bench_stage_names[WEFT_STAGE_COUNT] = {"prepare", "detect",  "force",
                                                         "solve",   "respond", "accept"};

static void add_step(BenchSums *sums, const BenchStep *step, int32_t index, double share) {
  sums->mean += share * step->seconds;
  sums->worst = fmax(sums->worst, step->seconds);
  for (int s = 0; s < WEFT_STAGE_COUNT; s++) {
    sums->stages[s] += share * step->stages[s];
    sums->worst_stages[s] = fmax(sums->worst_stages[s], step->stages[s]);
  }
  sums->iterations += share * (double)step->iterations;
  sums->contacts += share * (double)step->contacts;
  sums->impacts += share * (double)step->impacts;
  sums->rounds += share * (double)step->rounds;
  sums->limited += share * (double)step->limited;
  if (step->impacts > sums->impacts_most) sums->impacts_most = step->impacts;
  if (step->contacts <= sums->contacts_most) return;
  sums->contacts_most = step->contacts;
  sums->contacts_most_step = index + 1;
}

BenchSums bench_sum(const BenchResult *result) {
  BenchSums sums = {.before = -1};
  if (!result->steps || !result->step_count) return sums;
  for (int32_t i = 0; i < result->step_count; i++)
    add_step(&sums, &result->steps[i], i, 1.0 / result->step_count);
  int judged = 0;
  double before = 0, after = 0;
  for (int32_t i = 0; i < result->state_count; i++) {
    const BenchState *state = &result->states[i];
    sums.hits = state->hits;
    if (state->hits > sums.hits_most) sums.hits_most = state->hits;
    if (state->before < 0) continue;
    judged++;
    before += (double)state->before;
    after += (double)result->steps[state->step].impacts;
  }
  if (judged) {
    sums.before = before / judged;
    sums.after = after / judged;
  }
  return sums;
}

/* Bytes that one iteration of conjugate gradients moves at least, in single precision as at the default
 * tolerance: half of the matrix, which is symmetric, five vectors of four numbers a row, the preconditioner,
 * each once. */
static double iteration_bytes(const WeftReport *r) {
  double rows = r->vertex_count, blocks = (double)r->matrix_blocks;
  double moved = (0.5 * (blocks - rows) + rows) * (9 * 4 + 4) + 2 * (rows + 1) * 4 + 5 * 16 * rows;
  bool has_ic = strcmp(r->preconditioner, "block_ic") == 0 || strcmp(r->preconditioner, "two_level") == 0;
  if (has_ic) return moved + 40 * rows + 2 * 0.5 * (blocks - rows) * 40; /* D, L forwards and backwards */
  return strcmp(r->preconditioner, "block_jacobi") == 0 ? moved + 6 * 8 * rows : moved;
}

/* Assembly: the derivative of each element is a sum of outer products, and their lower halves alone are so
 * many products and sums: of a triangle two stretches and a shear over 9 coordinates, of a hinge one over 12.
 * Or its bytes: every block of the matrix cleared, read and written once. The larger of the two. */
static double force_limit(const WeftReport *r, const Machine *machine) {
  double flops = r->triangle_count * 3.0 * 45 * 2 + r->hinge_count * 78.0 * 2;
  double bytes = 3 * 72.0 * (double)r->matrix_blocks;
  return fmax(flops / machine->flops, bytes / machine->bandwidth);
}

/* Close pairs and collisions, once each: a box of 48 bytes a triangle and its parents (twice as many)
 * written and read again, and the positions read. Pairs are not counted: they are what is to be found. */
static double detect_limit(const WeftReport *r, const Machine *machine) {
  double triangles = (double)r->triangle_count + r->obstacle_triangle_count;
  double vertices = (double)r->vertex_count + r->obstacle_vertex_count;
  double close = triangles * (12 + 2 * 2 * 48) + vertices * 24;
  return (2 * close + vertices * 24) / machine->bandwidth;
}

double bench_limit(const BenchResult *result, const Machine *machine, int stage) {
  const WeftReport *r = &result->report;
  double iterations = bench_sum(result).iterations, vector = 3 * 8.0 * r->vertex_count;
  switch (stage) {
    case WEFT_STAGE_PREPARE: /* positions and velocities read */
      return 2 * vector / machine->bandwidth;
    case WEFT_STAGE_DETECT:
      return detect_limit(r, machine);
    case WEFT_STAGE_FORCE:
      return force_limit(r, machine);
    case WEFT_STAGE_SOLVE:
      return iterations * iteration_bytes(r) / machine->bandwidth;
    case WEFT_STAGE_ACCEPT: /* positions and velocities copied */
      return 4 * vector / machine->bandwidth;
    default: /* how much response there is to do depends on the impacts */
      return 0;
  }
}
