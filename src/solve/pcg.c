/* Preconditioned CG after [BaraffWitkin98 sec. 5.3]: the filter S keeps every direction among the free
 * components.
 *
 * Three passes over memory an iteration: q = A p with p.q; r and z = M^-1 r with r.r and r.z; x and p. x lags
 * one update behind r, because p is at hand when it is turned into the next one; z takes the place of q.
 * Rejected: four passes in the order of the textbook, which moves 13 instead of 11 vectors. */
#include "solve/pcg.h"

#include "base/memory.h"
#include "device/launch.h"
#include "solve/pcg.kernel.h"

#include <stdlib.h>
#include <string.h>

WeftResult weft_pcg_create(WeftPcg *pcg, int row_count, const WeftPrecondOps *precond, WeftError *error) {
  size_t n = (size_t)row_count;
  *pcg = (WeftPcg){.row_count = row_count, .precond = precond};
  pcg->storage_capacity = n * (size_t)precond->values_per_row;
  pcg->storage = WEFT_NEW(double, pcg->storage_capacity);
  pcg->r = WEFT_NEW(double, 3 * n);
  pcg->p = WEFT_NEW(double, 3 * n);
  pcg->q = WEFT_NEW(double, 3 * n);
  pcg->partial = WEFT_NEW(double, weft_row_items(row_count));
  pcg->partial2 = WEFT_NEW(double, weft_row_items(row_count));
  if (pcg->storage && pcg->r && pcg->p && pcg->q && pcg->partial && pcg->partial2) return WEFT_RESULT_OK;
  weft_pcg_destroy(pcg);
  return weft_fail_memory(error, "vectors of the solver");
}

void weft_pcg_destroy(WeftPcg *pcg) {
  free(pcg->storage);
  free(pcg->r);
  free(pcg->p);
  free(pcg->q);
  free(pcg->partial);
  free(pcg->partial2);
  memset(pcg, 0, sizeof *pcg);
}

WeftResult weft_pcg_reserve(WeftPcg *pcg, int block_count, WeftError *error) {
  size_t needed = (size_t)pcg->row_count * (size_t)pcg->precond->values_per_row +
                  (size_t)block_count * (size_t)pcg->precond->values_per_block;
  if (needed <= pcg->storage_capacity) return WEFT_RESULT_OK;
  weft_device_forget(pcg->device, pcg->storage); /* it may move */
  bool has_grown = weft_grow((void **)&pcg->storage, &pcg->storage_capacity, needed, sizeof *pcg->storage);
  if (pcg->device) { /* where this fails the device has failed */
    weft_device_share(pcg->device, pcg->storage, pcg->storage_capacity * sizeof *pcg->storage,
                      WEFT_MEMORY_SOLVER, &pcg->device->failure);
  }
  return has_grown ? weft_device_check(pcg->device, error) : weft_fail_memory(error, "preconditioner");
}

WeftResult weft_pcg_share(WeftPcg *pcg, WeftDevice *device, WeftError *error) {
  size_t n = (size_t)pcg->row_count, items = (size_t)weft_row_items(pcg->row_count);
  const struct {
    const double *array;
    size_t count;
    WeftMemoryKind kind;
  } arrays[] = {{pcg->storage, pcg->storage_capacity, WEFT_MEMORY_SOLVER},
                {pcg->r, 3 * n, WEFT_MEMORY_SOLVER},
                {pcg->p, 3 * n, WEFT_MEMORY_SOLVER},
                {pcg->q, 3 * n, WEFT_MEMORY_SOLVER},
                {pcg->partial, items, WEFT_MEMORY_SMALL},
                {pcg->partial2, items, WEFT_MEMORY_SMALL}};
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    result =
        weft_device_share(device, arrays[i].array, arrays[i].count * sizeof(double), arrays[i].kind, error);
  }
  if (!result) pcg->device = device;
  return result;
}

/* r = S (b - A x); returns r.r */
static double residual(WeftPcg *pcg, const WeftBcsr *a, const uint8_t *held, const double *b,
                       const double *x) {
  int items = weft_row_items(pcg->row_count);
  LAUNCH(pcg->device, pcg_residual, items, WEFT_ROWS_PER_ITEM, pcg->row_count, a->base_start, a->extra_start,
         a->column, a->value, held, b, x, pcg->r, pcg->partial);
  return weft_device_sum(pcg->device, items, pcg->partial);
}

/* Leaves r for the better of the guess and zero; returns r.r for x = 0 on the free components, the measure of
 * all. */
static double start(WeftPcg *pcg, const WeftBcsr *a, const uint8_t *held, const double *b, double *x,
                    double *rr) {
  int items = weft_row_items(pcg->row_count);
  LAUNCH(pcg->device, pcg_forget, items, WEFT_ROWS_PER_ITEM, pcg->row_count, held, x, pcg->q, pcg->partial);
  bool has_guess = weft_device_sum(pcg->device, items, pcg->partial) != 0;
  double reference = residual(pcg, a, held, b, x);
  *rr = reference;
  if (!has_guess) return reference;
  double guessed = residual(pcg, a, held, b, pcg->q);
  if (guessed < reference) {
    weft_device_copy(pcg->device, x, pcg->q, 3 * (size_t)pcg->row_count * sizeof *x);
    *rr = guessed;
  } else {
    residual(pcg, a, held, b, x);
  }
  return reference;
}

WeftResult weft_pcg_solve(WeftPcg *pcg, const WeftBcsr *a, const uint8_t *held, const double *b, double *x,
                          double tolerance, int max_iterations, WeftPcgStats *stats, WeftError *error) {
  int n = pcg->row_count, items = weft_row_items(n);
  WeftDevice *device = pcg->device;
  *stats = (WeftPcgStats){0};
  double rr;
  double rr0 = start(pcg, a, held, b, x, &rr); /* r = S(b - A x) */
  double enough = tolerance * tolerance * rr0;
  if (!isfinite(rr)) return weft_fail(error, WEFT_RESULT_NOT_FINITE, "the linear system is not finite");
  if (rr0 == 0) return WEFT_RESULT_OK;
  WeftResult result = weft_pcg_reserve(pcg, a->block_count, error);
  if (result) return result;
  if (!pcg->is_prepared) pcg->precond->update(a, held, pcg->storage);
  LAUNCH(device, pcg_clear, n, pcg->p, pcg->q);
  double alpha = 0, rz = 0;
  pcg->precond->descend(a, pcg->storage, alpha, pcg->r, pcg->q, pcg->partial, pcg->partial2); /* z = M^-1 r */
  while (rr > enough && stats->iterations < max_iterations) {
    double rz_before = rz;
    rz = weft_device_sum(device, items, pcg->partial2);
    double beta = stats->iterations ? rz / rz_before : 0;
    /* x += alpha p, p = S z + beta p */
    LAUNCH(device, pcg_advance, items, WEFT_ROWS_PER_ITEM, n, held, alpha, beta, pcg->q, pcg->p, x);
    alpha = 0;
    LAUNCH(device, pcg_multiply, items, WEFT_ROWS_PER_ITEM, n, a->base_start, a->extra_start, a->column,
           a->value, held, pcg->p, pcg->q, pcg->partial); /* q = S A p */
    double pq = weft_device_sum(device, items, pcg->partial);
    if (!(pq > 0)) break; /* not positive definite, or not a number: this direction would lead nowhere */
    alpha = rz / pq;
    pcg->precond->descend(a, pcg->storage, alpha, pcg->r, pcg->q, pcg->partial,
                          pcg->partial2); /* r -= alpha q, z */
    rr = weft_device_sum(device, items, pcg->partial);
    stats->iterations++;
  }
  if (alpha != 0)
    LAUNCH(device, pcg_advance, items, WEFT_ROWS_PER_ITEM, n, held, alpha, 0.0, pcg->q, pcg->p,
           x); /* what x still lacks */
  stats->residual = sqrt(rr / rr0);
  if (rr <= enough) return WEFT_RESULT_OK;
  if (!isfinite(rr))
    return weft_fail(error, WEFT_RESULT_NOT_FINITE, "the solver met a value that is not finite");
  return weft_fail(
      error, WEFT_RESULT_NOT_CONVERGED,
      "the linear solver stopped after %d iterations at a relative residual of %.3g, wanted %.3g; use a "
      "smaller time_step, softer materials, a larger solver.tolerance or more solver.max_iterations",
      stats->iterations, stats->residual, tolerance);
}
