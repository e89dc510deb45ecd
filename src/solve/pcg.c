/* Preconditioned CG after [BaraffWitkin98 sec. 5.3]: the filter S keeps every direction among the free
 * components.
 *
 * Three passes over memory an iteration: q = A p with p.q; r and z = M^-1 r with r.r and r.z; x and p. x lags
 * one update behind r, because p is at hand when it is turned into the next one; z takes the place of q.
 * Rejected: four passes in the order of the textbook, which moves 13 instead of 11 vectors.
 *
 * An iteration waits for memory, most of it for the matrix. Where the tolerance allows it all of the
 * iteration is in single precision, 40 instead of 76 bytes a block, and finds what x lacks. What that leaves
 * is seen in the residual in double, which is what counts in the end: if it is too large, the iterations
 * begin anew from there, as in iterative refinement [Higham02 ch. 12]. */
#include "solve/pcg.h"

#include "base/memory.h"
#include "device/launch.h"
#include "solve/pcg.kernel.h"

#include <stdlib.h>
#include <string.h>

/* From this tolerance on iterations are in single precision: one or two beginnings are enough. */
static const double NARROW_TOLERANCE = 1e-6;
/* So often they begin so before they go on in double. */
enum { NARROW_STARTS = 4 };
/* After so many iterations with a coarse picture of an earlier solve it is made anew, which takes about as
 * long as these. Where contacts press on each other by the thousand, what it has of them may be far too soft
 * or too stiff by then: fifty sheets of 54K triangles in all took 110 to 180 iterations in later solves of a
 * step, whose first one took 24. */
enum { OLD_ITERATIONS = 30 };

WeftResult weft_pcg_create(WeftPcg *pcg, int row_count, const WeftPrecondOps *precond, WeftError *error) {
  size_t n = (size_t)row_count;
  *pcg = (WeftPcg){.row_count = row_count, .precond = precond};
  int rows = precond->has_domains ? weft_domains_worth(row_count) : WEFT_ROWS_PER_ITEM;
  WeftResult result = weft_domains_create(&pcg->domains, row_count, rows, error);
  if (result) return result;
  pcg->storage_capacity = n * (size_t)precond->values_per_row;
  pcg->storage = WEFT_NEW(double, pcg->storage_capacity);
  pcg->r = WEFT_NEW(double, 3 * n);
  pcg->p = WEFT_NEW(double, 3 * n);
  pcg->q = WEFT_NEW(double, 3 * n);
  pcg->partial = WEFT_NEW(double, weft_row_items(row_count));
  pcg->partial2 = WEFT_NEW(double, weft_row_items(row_count));
  bool has_memory = pcg->storage && pcg->r && pcg->p && pcg->q && pcg->partial && pcg->partial2;
  float **const vectors[] = {&pcg->narrow_r, &pcg->narrow_p, &pcg->narrow_q, &pcg->narrow_x};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors && precond->descend_narrow; i++) {
    *vectors[i] = WEFT_NEW(float, 4 * n);
    has_memory = has_memory && *vectors[i];
  }
  if (has_memory) return WEFT_RESULT_OK;
  weft_pcg_destroy(pcg);
  return weft_fail_memory(error, "vectors of the solver");
}

void weft_pcg_destroy(WeftPcg *pcg) {
  weft_fill_destroy(&pcg->fill);
  weft_coarse_destroy(&pcg->coarse);
  free(pcg->storage);
  weft_single_matrix_destroy(&pcg->single);
  weft_domains_destroy(&pcg->domains);
  free(pcg->narrow_r);
  free(pcg->narrow_p);
  free(pcg->narrow_q);
  free(pcg->narrow_x);
  free(pcg->r);
  free(pcg->p);
  free(pcg->q);
  free(pcg->partial);
  free(pcg->partial2);
  memset(pcg, 0, sizeof *pcg);
}

/* Room for so many numbers in an array that may be on the device, and may move. */
static WeftResult reserve(WeftPcg *pcg, void **array, size_t *capacity, size_t needed, size_t size,
                          WeftError *error) {
  if (needed <= *capacity) return WEFT_RESULT_OK;
  weft_device_forget(pcg->device, *array);
  bool has_grown = weft_grow(array, capacity, needed, size);
  if (pcg->device) { /* where this fails the device has failed */
    weft_device_share(pcg->device, *array, *capacity * size, WEFT_MEMORY_SOLVER, &pcg->device->failure);
  }
  return has_grown ? weft_device_check(pcg->device, error) : weft_fail_memory(error, "solver");
}

WeftResult weft_pcg_reserve(WeftPcg *pcg, int block_count, WeftError *error) {
  size_t needed = (size_t)pcg->row_count * (size_t)pcg->precond->values_per_row +
                  (size_t)block_count * (size_t)pcg->precond->values_per_block;
  WeftResult result =
      reserve(pcg, (void **)&pcg->storage, &pcg->storage_capacity, needed, sizeof *pcg->storage, error);
  if (result || !pcg->precond->descend_narrow) return result;
  return weft_single_matrix_reserve(&pcg->single, pcg->row_count, block_count, error);
}

WeftResult weft_pcg_share(WeftPcg *pcg, WeftDevice *device, WeftError *error) {
  size_t vector = 3 * (size_t)pcg->row_count * sizeof(double);
  size_t items = (size_t)weft_row_items(pcg->row_count) * sizeof(double);
  size_t four = pcg->precond->descend_narrow ? 4 * (size_t)pcg->row_count * sizeof(float) : 0;
  const struct {
    const void *array;
    size_t bytes;
    WeftMemoryKind kind;
  } arrays[] = {{pcg->storage, pcg->storage_capacity * sizeof(double), WEFT_MEMORY_SOLVER},
                {pcg->narrow_r, four, WEFT_MEMORY_SOLVER},
                {pcg->narrow_p, four, WEFT_MEMORY_SOLVER},
                {pcg->narrow_q, four, WEFT_MEMORY_SOLVER},
                {pcg->narrow_x, four, WEFT_MEMORY_SOLVER},
                {pcg->r, vector, WEFT_MEMORY_SOLVER},
                {pcg->p, vector, WEFT_MEMORY_SOLVER},
                {pcg->q, vector, WEFT_MEMORY_SOLVER},
                {pcg->partial, items, WEFT_MEMORY_SMALL},
                {pcg->partial2, items, WEFT_MEMORY_SMALL}};
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    if (arrays[i].bytes)
      result = weft_device_share(device, arrays[i].array, arrays[i].bytes, arrays[i].kind, error);
  }
  if (!result) result = weft_domains_share(&pcg->domains, device, error);
  if (!result) result = weft_coarse_share(&pcg->coarse, device, error);
  if (result) return result;
  weft_fill_destroy(&pcg->fill);
  weft_fill_create(&pcg->fill, device);
  if (device != pcg->single.device) {
    weft_single_matrix_destroy(&pcg->single);
    weft_single_matrix_create(&pcg->single, device);
  }
  pcg->device = device;
  return WEFT_RESULT_OK;
}

/* r = S (b - A x); returns r.r */
static double residual(WeftPcg *pcg, const WeftBcsr *a, const uint8_t *held, const double *b,
                       const double *x) {
  int items = weft_row_items(pcg->row_count);
  LAUNCH(pcg->device, pcg_residual, items, WEFT_ROWS_PER_ITEM, pcg->row_count, a->base_start, a->extra_start,
         a->column, a->value, held, b, x, pcg->r, pcg->partial);
  return weft_device_sum(pcg->device, items, pcg->partial);
}

/* r of x, which is zero on the free components, and is_zero: everywhere; returns r.r */
static double residual_of_none(WeftPcg *pcg, const WeftBcsr *a, const uint8_t *held, const double *b,
                               const double *x, bool is_zero) {
  int items = weft_row_items(pcg->row_count);
  if (!is_zero) return residual(pcg, a, held, b, x);
  LAUNCH(pcg->device, pcg_take, items, WEFT_ROWS_PER_ITEM, pcg->row_count, held, b, pcg->r, pcg->partial);
  return weft_device_sum(pcg->device, items, pcg->partial);
}

/* Leaves r for the better of the guess and zero; returns r.r for x = 0 on the free components, the measure of
 * all. */
static double start(WeftPcg *pcg, const WeftBcsr *a, const uint8_t *held, const double *b, double *x,
                    double *rr) {
  int items = weft_row_items(pcg->row_count);
  LAUNCH(pcg->device, pcg_forget, items, WEFT_ROWS_PER_ITEM, pcg->row_count, held, x, pcg->q, pcg->partial,
         pcg->partial2);
  bool has_guess = weft_device_sum(pcg->device, items, pcg->partial) != 0;
  bool is_zero = weft_device_sum(pcg->device, items, pcg->partial2) == 0;
  double reference = residual_of_none(pcg, a, held, b, x, is_zero);
  *rr = reference;
  if (!has_guess) return reference;
  double guessed = residual(pcg, a, held, b, pcg->q);
  if (guessed < reference) {
    weft_device_copy(pcg->device, x, pcg->q, 3 * (size_t)pcg->row_count * sizeof *x);
    *rr = guessed;
  } else {
    residual_of_none(pcg, a, held, b, x, is_zero);
  }
  return reference;
}

/* q = S A p; returns p.q */
static double multiply(WeftPcg *pcg, const WeftBcsr *a, const uint8_t *held, bool is_narrow) {
  int n = pcg->row_count, items = weft_row_items(n);
  if (is_narrow) {
    weft_single_matrix_multiply(&pcg->single, &pcg->domains, held, pcg->narrow_p, pcg->narrow_q,
                                pcg->partial);
    return weft_device_sum(pcg->device, pcg->domains.count, pcg->partial);
  }
  LAUNCH(pcg->device, pcg_multiply, items, WEFT_ROWS_PER_ITEM, n, a->base_start, a->extra_start, a->column,
         a->value, held, pcg->p, pcg->q, pcg->partial);
  return weft_device_sum(pcg->device, items, pcg->partial);
}

static WeftPrecondParts parts_of(const WeftPcg *pcg) {
  return (WeftPrecondParts){&pcg->fill, &pcg->coarse, &pcg->domains, false};
}

/* r -= alpha q, z = M^-1 r, r.r and r.z */
static void descend(WeftPcg *pcg, const WeftBcsr *a, double alpha, bool is_narrow) {
  if (is_narrow) {
    pcg->precond->descend_narrow(a, pcg->storage, parts_of(pcg), alpha, pcg->narrow_r, pcg->narrow_q,
                                 pcg->partial, pcg->partial2);
  } else {
    pcg->precond->descend(a, pcg->storage, parts_of(pcg), alpha, pcg->r, pcg->q, pcg->partial, pcg->partial2);
  }
}

/* x += alpha p, p = S z + beta p */
static void advance(WeftPcg *pcg, const uint8_t *held, double alpha, double beta, double *x, bool is_narrow) {
  int n = pcg->row_count, items = weft_row_items(n);
  if (is_narrow) {
    LAUNCH(pcg->device, pcg_advance_narrow, items, WEFT_ROWS_PER_ITEM, n, held, alpha, beta, pcg->narrow_q,
           pcg->narrow_p, pcg->narrow_x);
  } else {
    LAUNCH(pcg->device, pcg_advance, items, WEFT_ROWS_PER_ITEM, n, held, alpha, beta, pcg->q, pcg->p, x);
  }
}

/* So many iterations say together how far the solution is. */
enum { STILL_ITERATIONS = 10 };

/* What is enough: r.r, or what the error's square in the norm of A becomes less by in STILL_ITERATIONS. An
 * iteration takes alpha r.z from it, and what is left is hardly more than the next ones take
 * [StrakosTichy02]. Rejected: r.z itself, which a weak preconditioner makes too small by the condition of
 * what it leaves. */
typedef struct Enough {
  double rr, energy;
} Enough;

/* Iterations from x and its residual r on, until r, which they follow, is small enough: is it? *rr: r.r. In
 * single precision r begins as one, so that no square is too small for it. */
static bool iterate(WeftPcg *pcg, const WeftBcsr *a, const uint8_t *held, double *x, double *rr,
                    Enough enough, int max_iterations, bool is_narrow, int *iterations) {
  int n = pcg->row_count, items = weft_row_items(n), since = 0;
  WeftDevice *device = pcg->device;
  double scale = is_narrow ? 1 / sqrt(*rr) : 1, unit = scale * scale;
  if (is_narrow) {
    LAUNCH(device, pcg_begin_narrow, n, scale, pcg->r, pcg->narrow_r, pcg->narrow_p, pcg->narrow_q,
           pcg->narrow_x);
  } else {
    LAUNCH(device, pcg_clear, n, pcg->p, pcg->q);
  }
  double alpha = 0, rz = 0, less = 0;
  bool is_still = false;
  descend(pcg, a, alpha, is_narrow); /* z = M^-1 r */
  for (bool is_first = true; *rr > enough.rr && !is_still && *iterations < max_iterations; is_first = false) {
    double rz_before = rz;
    rz = weft_device_sum(device, items, pcg->partial2);
    double beta = is_first ? 0 : rz / rz_before;
    advance(pcg, held, alpha, beta, x, is_narrow); /* x += alpha p, p = S z + beta p */
    alpha = 0;
    double pq = multiply(pcg, a, held, is_narrow);
    if (!(pq > 0)) break; /* not positive definite, or not a number: this direction would lead nowhere */
    alpha = rz / pq;
    descend(pcg, a, alpha, is_narrow); /* r -= alpha q, z */
    *rr = weft_device_sum(device, items, pcg->partial) / unit;
    ++*iterations;
    less += alpha * rz / unit;
    if (++since == STILL_ITERATIONS) {
      is_still = less <= enough.energy;
      less = since = 0;
    }
  }
  if (alpha != 0) advance(pcg, held, alpha, 0, x, is_narrow); /* what x still lacks */
  if (is_narrow) LAUNCH(device, pcg_end_narrow, n, scale, pcg->narrow_x, x);
  return is_still || *rr <= enough.rr;
}

/* Is the factor complete? Then one iteration is left, in double. */
static bool is_complete(const WeftPcg *pcg) { return pcg->precond->fills && pcg->fill.is_there; }

/* Takes over the matrix. Where cloths press on each other, which is where domains are boxes, contacts that
 * change between the solves of a step change what is far, too: there the coarse picture is made anew when
 * many did. */
static WeftResult prepare(WeftPcg *pcg, const WeftBcsr *a, const uint8_t *held, bool is_narrow,
                          WeftError *error) {
  WeftResult result = WEFT_RESULT_OK;
  bool is_new = !pcg->is_placed || !(pcg->is_nearest || pcg->domains.are_runs);
  WeftPrecondParts parts = parts_of(pcg);
  parts.is_near = pcg->is_placed && !is_complete(pcg);
  pcg->is_old = !is_new && weft_coarse_is_there(&pcg->coarse);
  if (pcg->precond->fills) result = weft_fill_find(&pcg->fill, a, WEFT_FILL_WORTH, error);
  if (!result && pcg->coarse.node_count > 0 && is_new)
    result = weft_coarse_update(&pcg->coarse, a, held, error);
  if (!result && pcg->precond->has_domains && !pcg->is_placed)
    result = weft_domains_update(&pcg->domains, a, pcg->place, error);
  if (result) return result;
  pcg->is_placed = true;
  pcg->precond->update(a, held, pcg->storage, parts);
  if (is_narrow && !is_complete(pcg)) weft_single_matrix_make(&pcg->single, &pcg->domains, a);
  return WEFT_RESULT_OK;
}

WeftResult weft_pcg_solve(WeftPcg *pcg, const WeftBcsr *a, const uint8_t *held, const double *b, double *x,
                          double tolerance, int max_iterations, WeftPcgStats *stats, WeftError *error) {
  *stats = (WeftPcgStats){0};
  pcg->is_placed = pcg->is_placed && pcg->is_near;
  double rr;
  double rr0 = start(pcg, a, held, b, x, &rr); /* r = S(b - A x) */
  const Enough enough = {tolerance * tolerance * rr0, tolerance * tolerance * pcg->still};
  if (!isfinite(rr)) return weft_fail(error, WEFT_RESULT_NOT_FINITE, "the linear system is not finite");
  if (rr0 == 0) return WEFT_RESULT_OK;
  WeftResult result = weft_pcg_reserve(pcg, a->block_count, error);
  if (result) return result;
  bool is_narrow = tolerance >= NARROW_TOLERANCE && pcg->precond->descend_narrow;
  if (!pcg->is_prepared) result = prepare(pcg, a, held, is_narrow, error);
  is_narrow = is_narrow && !is_complete(pcg);
  bool is_enough = rr <= enough.rr;
  for (int starts = 0; !is_enough && !result;) {
    int before = stats->iterations, most = max_iterations;
    if (pcg->is_old && before + OLD_ITERATIONS < most) most = before + OLD_ITERATIONS;
    is_narrow = is_narrow && starts < NARROW_STARTS;
    is_enough = iterate(pcg, a, held, x, &rr, enough, most, is_narrow, &stats->iterations);
    bool is_still = is_enough && rr > enough.rr;
    if (is_narrow) rr = residual(pcg, a, held, b, x);
    is_enough = is_still || rr <= enough.rr;
    if (!is_enough && pcg->is_old && stats->iterations == most) {
      pcg->is_old = false;
      result = weft_coarse_update(&pcg->coarse, a, held, error);
      continue;
    }
    if (!is_narrow || stats->iterations == before) break;
    starts++;
  }
  if (result) return result;
  stats->residual = sqrt(rr / rr0);
  if (is_enough) return WEFT_RESULT_OK;
  if (!isfinite(rr))
    return weft_fail(error, WEFT_RESULT_NOT_FINITE, "the solver met a value that is not finite");
  return weft_fail(
      error, WEFT_RESULT_NOT_CONVERGED,
      "the linear solver stopped after %d iterations at a relative residual of %.3g, wanted %.3g; use a "
      "smaller time_step, softer materials, a larger solver.tolerance or more solver.max_iterations",
      stats->iterations, stats->residual, tolerance);
}
