/* Complete block Cholesky in an order of little fill, where that is cheap (solve/fill.h); block_ic elsewhere.
 * Ribbons, ropes and straps have a long way for an iteration to carry something along, and hardly any fill.
 * Figures in docs/preconditioners.md.
 */
#include "device/launch.h"
#include "solve/precond.h"
#include "solve/precond_block_cholesky.kernel.h"

static void update(const WeftBcsr *matrix, const uint8_t *held, double *storage, WeftPrecondParts parts) {
  const WeftFill *fill = parts.fill;
  if (!fill->is_there) {
    weft_precond_block_ic.update(matrix, held, storage, parts);
    return;
  }
  LAUNCH(matrix->device, cholesky_update, 1, matrix->row_count, matrix->base_start, matrix->extra_start,
         matrix->column, matrix->value, held, fill->order, fill->place, fill->start, fill->row, fill->pivot,
         fill->value, fill->work, fill->scratch);
}

static void descend(const WeftBcsr *matrix, double *storage, WeftPrecondParts parts, double alpha, double *r,
                    double *qz, double *rr, double *rz) {
  int n = matrix->row_count;
  const WeftFill *fill = parts.fill;
  if (!fill->is_there) {
    weft_precond_block_ic.descend(matrix, storage, parts, alpha, r, qz, rr, rz);
    return;
  }
  LAUNCH(matrix->device, cholesky_descend, 1, n, fill->order, fill->start, fill->row, fill->pivot,
         fill->value, fill->y, alpha, r, qz);
  LAUNCH(matrix->device, cholesky_sums, weft_row_items(n), WEFT_ROWS_PER_ITEM, n, r, qz, rr, rz);
}

/* Only asked for where there is no complete factor: that needs an iteration or two, whatever they read. */
static void descend_narrow(const WeftBcsr *matrix, double *storage, WeftPrecondParts parts, double alpha,
                           float *r, float *qz, double *rr, double *rz) {
  weft_precond_block_ic.descend_narrow(matrix, storage, parts, alpha, r, qz, rr, rz);
}

const WeftPrecondOps weft_precond_block_cholesky = {
    .name = "block_cholesky",
    .citation = "GeorgeLiu89",
    .summary = "complete Cholesky of the 3x3 blocks where that is cheap: ribbons; else block_ic",
    .values_per_row = WEFT_IC_PER_ROW, /* for block_ic */
    .values_per_block = WEFT_IC_PER_BLOCK,
    .fills = true,
    .has_domains = true,
    .update = update,
    .descend = descend,
    .descend_narrow = descend_narrow};
