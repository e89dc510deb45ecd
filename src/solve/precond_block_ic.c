/* Block incomplete Cholesky in domains of consecutive rows, which stand cloth by cloth and along the mesh
 * (mesh/order.h); rows on borders of domains come last, so that the domains are factored and solved in
 * parallel and next to nothing is left out. Domains depend on the number of rows alone: the same bits for any
 * number of threads, without levels, colours or atomics. Figures in docs/preconditioners.md.
 */
#include "device/launch.h"
#include "solve/ic.h"
#include "solve/precond_block_ic.kernel.h"

_Static_assert((int)WEFT_IC_PER_ROW == IC_VALUES_PER_ROW && (int)WEFT_IC_PER_BLOCK == IC_VALUES_PER_BLOCK,
               "storage as the kernel lays it out");

/* What contacts couple between domains is left out where it is much. So domains are large where that counts,
 * in a few sheets on each other: eight on a ball (13448 vertices) take 15 iterations a solve with 8192 rows a
 * domain, 25 with 2048. Single large sheets take as many with both, and small domains keep more threads busy.
 */
enum { LARGE = 16384, DOMAIN_ROWS = 8192, DOMAIN_ROWS_LARGE = 2048 };

WeftIc weft_ic(const WeftBcsr *matrix, double *storage) {
  int n = matrix->row_count, rows = n <= LARGE ? DOMAIN_ROWS : DOMAIN_ROWS_LARGE;
  return (WeftIc){matrix, storage, rows, (n + rows - 1) / rows, WEFT_ROWS_PER_ITEM};
}

void weft_ic_update(WeftIc ic, const uint8_t *held) {
  const WeftBcsr *m = ic.matrix;
  LAUNCH(m->device, precond_ic_late, 1, ic.domain_rows, m->row_count, m->block_count, m->base_start,
         m->extra_start, m->column, ic.storage);
  for (int round = 0; round <= IC_TRIES; round++) {
    LAUNCH(m->device, precond_ic_update, ic.domain_count, ic.domain_rows, round, m->row_count, m->block_count,
           m->base_start, m->extra_start, m->column, m->value, m->diagonal, held, ic.storage);
    LAUNCH(m->device, precond_ic_update_late, 1, ic.domain_count, ic.domain_rows, round, m->row_count,
           m->block_count, m->base_start, m->extra_start, m->column, m->value, m->diagonal, held, ic.storage);
  }
}

void weft_ic_descend(WeftIc ic, double alpha, double *r, double *qz, double *rr, double *rz) {
  const WeftBcsr *m = ic.matrix;
  LAUNCH(m->device, precond_ic_forward, ic.domain_count, ic.domain_rows, m->row_count, m->block_count,
         ic.storage, alpha, r, qz);
  LAUNCH(m->device, precond_ic_solve_late, 1, m->row_count, m->block_count, ic.storage, qz);
  LAUNCH(m->device, precond_ic_backward, ic.domain_count, ic.domain_rows, ic.rows_per_item, m->row_count,
         m->block_count, ic.storage, r, qz, rr, rz);
}

void weft_ic_forward_narrow(WeftIc ic, double alpha, float *r, float *qz) {
  const WeftBcsr *m = ic.matrix;
  LAUNCH(m->device, precond_ic_forward_narrow, ic.domain_count, ic.domain_rows, m->row_count, m->block_count,
         ic.storage, alpha, r, qz);
}

void weft_ic_backward_narrow(WeftIc ic, const float *r, float *qz, double *rr, double *rz) {
  const WeftBcsr *m = ic.matrix;
  LAUNCH(m->device, precond_ic_backward_narrow, ic.domain_count, ic.domain_rows, ic.rows_per_item,
         m->row_count, m->block_count, ic.storage, r, qz, rr, rz);
}

void weft_ic_descend_narrow(WeftIc ic, double alpha, float *r, float *qz, double *rr, double *rz) {
  const WeftBcsr *m = ic.matrix;
  weft_ic_forward_narrow(ic, alpha, r, qz);
  LAUNCH(m->device, precond_ic_solve_late_narrow, 1, m->row_count, m->block_count, ic.storage, qz);
  weft_ic_backward_narrow(ic, r, qz, rr, rz);
}

static void update(const WeftBcsr *matrix, const uint8_t *held, double *storage, const WeftFill *fill) {
  (void)fill;
  weft_ic_update(weft_ic(matrix, storage), held);
}

static void descend(const WeftBcsr *matrix, double *storage, const WeftFill *fill, const WeftCoarse *coarse,
                    double alpha, double *r, double *qz, double *rr, double *rz) {
  (void)fill;
  (void)coarse;
  weft_ic_descend(weft_ic(matrix, storage), alpha, r, qz, rr, rz);
}

static void descend_narrow(const WeftBcsr *matrix, double *storage, const WeftCoarse *coarse, double alpha,
                           float *r, float *qz, double *rr, double *rz) {
  (void)coarse;
  weft_ic_descend_narrow(weft_ic(matrix, storage), alpha, r, qz, rr, rz);
}

const WeftPrecondOps weft_precond_block_ic = {.name = "block_ic",
                                              .citation = "MeijerinkVorst77",
                                              .summary = "incomplete Cholesky of the 3x3 blocks",
                                              .values_per_row = WEFT_IC_PER_ROW,
                                              .values_per_block = WEFT_IC_PER_BLOCK,
                                              .update = update,
                                              .descend = descend,
                                              .descend_narrow = descend_narrow};
