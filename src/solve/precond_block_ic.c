/* Block incomplete Cholesky in domains of rows (solve/domains.h); rows on borders of domains come last, so
 * that the domains are factored and solved in parallel and nothing is left out: the same bits for any number
 * of threads, without levels, colours or atomics. Figures in docs/preconditioners.md.
 */
#include "device/launch.h"
#include "solve/ic.h"
#include "solve/precond_block_ic.kernel.h"

_Static_assert((int)WEFT_IC_PER_ROW == IC_VALUES_PER_ROW && (int)WEFT_IC_PER_BLOCK == IC_VALUES_PER_BLOCK,
               "storage as the kernel lays it out");

void weft_ic_update(WeftIc ic, const uint8_t *held, bool is_near) {
  const WeftBcsr *m = ic.matrix;
  const WeftDomains *d = ic.domains;
  LAUNCH(m->device, precond_ic_mark, d->count, d->start, d->order, d->of_row, m->row_count, m->block_count,
         m->base_start, m->extra_start, m->column, m->value, ic.storage);
  LAUNCH(m->device, precond_ic_count, m->row_count, m->block_count, d->of_row, m->base_start, m->extra_start,
         m->column, m->value, held, ic.storage);
  LAUNCH(m->device, precond_ic_place, 1, m->row_count, m->block_count, d->order, ic.storage);
  for (int round = 0; round <= IC_TRIES; round++) {
    LAUNCH(m->device, precond_ic_update, d->count, d->start, d->order, d->of_row, round, (int)is_near,
           m->row_count, m->block_count, m->base_start, m->extra_start, m->column, m->value, m->diagonal,
           held, ic.storage);
    LAUNCH(m->device, precond_ic_update_late, 1, d->count, d->of_row, round, (int)is_near, m->row_count,
           m->block_count, m->base_start, m->extra_start, m->column, m->value, m->diagonal, held, ic.storage);
  }
}

void weft_ic_descend(WeftIc ic, double alpha, double *r, double *qz, double *rr, double *rz) {
  const WeftBcsr *m = ic.matrix;
  const WeftDomains *d = ic.domains;
  int n = m->row_count;
  LAUNCH(m->device, precond_ic_forward, d->count, d->start, d->order, n, m->block_count, ic.storage, alpha, r,
         qz);
  LAUNCH(m->device, precond_ic_solve_late, 1, n, m->block_count, ic.storage, qz);
  LAUNCH(m->device, precond_ic_backward, d->count, d->start, d->order, n, m->block_count, ic.storage, qz);
  LAUNCH(m->device, precond_ic_end, weft_row_items(n), WEFT_ROWS_PER_ITEM, n, m->block_count, ic.storage, r,
         qz, rr, rz);
}

void weft_ic_forward_narrow(WeftIc ic, double alpha, float *r, float *qz) {
  const WeftBcsr *m = ic.matrix;
  const WeftDomains *d = ic.domains;
  LAUNCH(m->device, precond_ic_forward_narrow, d->count, d->start, d->order, m->row_count, m->block_count,
         ic.storage, alpha, r, qz);
}

void weft_ic_backward_narrow(WeftIc ic, float *qz) {
  const WeftBcsr *m = ic.matrix;
  const WeftDomains *d = ic.domains;
  LAUNCH(m->device, precond_ic_backward_narrow, d->count, d->start, d->order, m->row_count, m->block_count,
         ic.storage, qz);
}

void weft_ic_descend_narrow(WeftIc ic, double alpha, float *r, float *qz, double *rr, double *rz) {
  const WeftBcsr *m = ic.matrix;
  int n = m->row_count;
  weft_ic_forward_narrow(ic, alpha, r, qz);
  LAUNCH(m->device, precond_ic_solve_late_narrow, 1, n, m->block_count, ic.storage, qz);
  weft_ic_backward_narrow(ic, qz);
  LAUNCH(m->device, precond_ic_end_narrow, weft_row_items(n), WEFT_ROWS_PER_ITEM, n, r, qz, rr, rz);
}

static void update(const WeftBcsr *matrix, const uint8_t *held, double *storage, WeftPrecondParts parts) {
  weft_ic_update((WeftIc){matrix, storage, parts.domains}, held, parts.is_near);
}

static void descend(const WeftBcsr *matrix, double *storage, WeftPrecondParts parts, double alpha, double *r,
                    double *qz, double *rr, double *rz) {
  weft_ic_descend((WeftIc){matrix, storage, parts.domains}, alpha, r, qz, rr, rz);
}

static void descend_narrow(const WeftBcsr *matrix, double *storage, WeftPrecondParts parts, double alpha,
                           float *r, float *qz, double *rr, double *rz) {
  weft_ic_descend_narrow((WeftIc){matrix, storage, parts.domains}, alpha, r, qz, rr, rz);
}

const WeftPrecondOps weft_precond_block_ic = {.name = "block_ic",
                                              .citation = "MeijerinkVorst77",
                                              .summary = "incomplete Cholesky of the 3x3 blocks",
                                              .values_per_row = WEFT_IC_PER_ROW,
                                              .values_per_block = WEFT_IC_PER_BLOCK,
                                              .has_domains = true,
                                              .update = update,
                                              .descend = descend,
                                              .descend_narrow = descend_narrow};
