/* M = the diagonal [Tang16 sec. 3.3]. */
#include "solve/precond.h"
#include "solve/precond_jacobi.kernel.h"

static void update(const WeftBcsr *matrix, double *storage) {
  precond_jacobi_update(matrix->row_count, matrix->diagonal, matrix->value, storage);
}

static void apply(int row_count, const double *storage, const double *r, double *z, double *partial) {
  precond_jacobi_apply(weft_row_items(row_count), WEFT_ROWS_PER_ITEM, row_count, storage, r, z, partial);
}

const WeftPrecondOps weft_precond_jacobi = {"jacobi", "Tang16 sec. 3.3", "inverse of the diagonal", 3, update, apply};
