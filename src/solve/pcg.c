/* Preconditioned CG after [BaraffWitkin98 sec. 5.3]: the filter S keeps every direction among the free
 * components.
 *
 * Three passes over memory an iteration: q = A p with p.q; r and z = M^-1 r with r.r and r.z; x and p. x lags
 * one update behind r, because p is at hand when it is turned into the next one; z takes the place of q.
 * Rejected: four passes in the order of the textbook, which moves 13 instead of 11 vectors. */
#include "solve/pcg.h"

#include "base/memory.h"
#include "solve/pcg.kernel.h"

#include <stdlib.h>
#include <string.h>

WeftResult weft_pcg_create(WeftPcg *pcg, int row_count, const WeftPrecondOps *precond, WeftError *error) {
  size_t n = (size_t)row_count;
  *pcg = (WeftPcg){.row_count = row_count, .precond = precond};
  pcg->storage = WEFT_NEW(double, n *(size_t)precond->values_per_row);
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

/* Adds the items' sums in order: the same bits whoever computed them. */
static double sum(int n, const double *partial) {
  double total = 0;
  for (int i = 0; i < n; i++) total += partial[i];
  return total;
}

/* r = S (b - A x); returns r.r */
static double residual(WeftPcg *pcg, const WeftBcsr *a, const uint8_t *held, const double *b,
                       const double *x) {
  int items = weft_row_items(pcg->row_count);
  pcg_residual(items, WEFT_ROWS_PER_ITEM, pcg->row_count, a->base_start, a->extra_start, a->column, a->value,
               held, b, x, pcg->r, pcg->partial);
  return sum(items, pcg->partial);
}

static bool is_zero(const double *x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] != 0) return false;
  }
  return true;
}

/* Leaves r for the better of the guess and zero; returns r.r for x = 0 on the free components, the measure of
 * all. */
static double start(WeftPcg *pcg, const WeftBcsr *a, const uint8_t *held, const double *b, double *x,
                    double *rr) {
  bool has_guess = !is_zero(x, 3 * pcg->row_count);
  if (has_guess) {
    memcpy(pcg->q, x, 3 * (size_t)pcg->row_count * sizeof *x);
    pcg_forget(pcg->row_count, held, x);
  }
  double reference = residual(pcg, a, held, b, x);
  *rr = reference;
  if (!has_guess || memcmp(pcg->q, x, 3 * (size_t)pcg->row_count * sizeof *x) == 0) return reference;
  double guessed = residual(pcg, a, held, b, pcg->q);
  if (guessed < reference) {
    memcpy(x, pcg->q, 3 * (size_t)pcg->row_count * sizeof *x);
    *rr = guessed;
  } else {
    residual(pcg, a, held, b, x);
  }
  return reference;
}

WeftResult weft_pcg_solve(WeftPcg *pcg, const WeftBcsr *a, const uint8_t *held, const double *b, double *x,
                          double tolerance, int max_iterations, WeftPcgStats *stats, WeftError *error) {
  int n = pcg->row_count, items = weft_row_items(n);
  *stats = (WeftPcgStats){0};
  double rr;
  double rr0 = start(pcg, a, held, b, x, &rr); /* r = S(b - A x) */
  double enough = tolerance * tolerance * rr0;
  if (!isfinite(rr)) return weft_fail(error, WEFT_RESULT_NOT_FINITE, "the linear system is not finite");
  if (rr0 == 0) return WEFT_RESULT_OK;
  pcg->precond->update(a, pcg->storage);
  pcg_clear(n, pcg->p, pcg->q);
  double alpha = 0, rz = 0;
  pcg->precond->descend(n, pcg->storage, alpha, pcg->r, pcg->q, pcg->partial, pcg->partial2); /* z = M^-1 r */
  while (rr > enough && stats->iterations < max_iterations) {
    double rz_before = rz;
    rz = sum(items, pcg->partial2);
    double beta = stats->iterations ? rz / rz_before : 0;
    /* x += alpha p, p = S z + beta p */
    pcg_advance(items, WEFT_ROWS_PER_ITEM, n, held, alpha, beta, pcg->q, pcg->p, x);
    alpha = 0;
    pcg_multiply(items, WEFT_ROWS_PER_ITEM, n, a->base_start, a->extra_start, a->column, a->value, held,
                 pcg->p, pcg->q, pcg->partial); /* q = S A p */
    double pq = sum(items, pcg->partial);
    if (!(pq > 0)) break; /* not positive definite, or not a number: this direction would lead nowhere */
    alpha = rz / pq;
    pcg->precond->descend(n, pcg->storage, alpha, pcg->r, pcg->q, pcg->partial,
                          pcg->partial2); /* r -= alpha q, z */
    rr = sum(items, pcg->partial);
    stats->iterations++;
  }
  if (alpha != 0)
    pcg_advance(items, WEFT_ROWS_PER_ITEM, n, held, alpha, 0, pcg->q, pcg->p, x); /* what x still lacks */
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
