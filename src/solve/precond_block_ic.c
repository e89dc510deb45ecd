/* Block incomplete Cholesky in domains of consecutive rows, couplings between domains left out: additive
 * Schwarz without overlap. Rows stand patch by patch (mesh/order.h), each of which is a domain. Domains
 * depend on the number of rows alone and are one work item each: the same bits for any number of threads,
 * without levels, colours or atomics. Figures in docs/preconditioners.md.
 */
#include "device/launch.h"
#include "mesh/order.h"
#include "solve/precond.h"
#include "solve/precond_block_ic.kernel.h"

/* A multiple of WEFT_ROWS_PER_ITEM. More rows take fewer iterations, since less is left out, contacts between
 * layers above all: 1024, 2048, 4096, 8192 rows take 26, 22, 19, 16 a solve for eight sheets on a ball (13448
 * vertices, the first 56 steps), 41, 37, 33, 24 for the funnel's sheet (4225). Fewer keep more threads busy.
 */
enum { DOMAIN_ROWS = WEFT_PATCH_ROWS };

_Static_assert((int)WEFT_IC_PER_ROW == IC_VALUES_PER_ROW && (int)WEFT_IC_PER_BLOCK == IC_VALUES_PER_BLOCK,
               "storage as the kernel lays it out");

static int count_domains(int row_count) { return (row_count + DOMAIN_ROWS - 1) / DOMAIN_ROWS; }

static void update(const WeftBcsr *matrix, const uint8_t *held, double *storage, const WeftFill *fill) {
  (void)fill;
  int n = matrix->row_count;
  LAUNCH(matrix->device, precond_ic_update, count_domains(n), DOMAIN_ROWS, n, matrix->block_count,
         matrix->base_start, matrix->extra_start, matrix->column, matrix->value, matrix->diagonal, held,
         storage);
}

static void descend(const WeftBcsr *matrix, double *storage, const WeftFill *fill, double alpha, double *r,
                    double *qz, double *rr, double *rz) {
  (void)fill;
  int n = matrix->row_count;
  LAUNCH(matrix->device, precond_ic_descend, count_domains(n), DOMAIN_ROWS, WEFT_ROWS_PER_ITEM, n,
         matrix->block_count, storage, alpha, r, qz, rr, rz);
}

const WeftPrecondOps weft_precond_block_ic = {
    .name = "block_ic",
    .citation = "MeijerinkVorst77",
    .summary = "incomplete Cholesky of the 3x3 blocks, in patches of 8192 vertices",
    .values_per_row = WEFT_IC_PER_ROW,
    .values_per_block = WEFT_IC_PER_BLOCK,
    .update = update,
    .descend = descend};
