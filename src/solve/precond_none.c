/* No preconditioner: M = I. The yardstick for the others [Tang16 fig. 6]. */
#include "solve/precond.h"
#include "solve/precond_none.kernel.h"

static void update(const WeftBcsr *matrix, double *storage) {
  (void)matrix;
  (void)storage;
}

static void apply(int row_count, const double *storage, const double *r, double *z, double *partial) {
  (void)storage;
  precond_copy(weft_row_items(row_count), WEFT_ROWS_PER_ITEM, row_count, r, z, partial);
}

const WeftPrecondOps weft_precond_none = {"none", "Tang16 fig. 6", "plain conjugate gradients", 0, update, apply};
