/* M = the diagonal [Tang16 sec. 3.3]. */
#include "device/launch.h"
#include "solve/precond.h"
#include "solve/precond_jacobi.kernel.h"

static void update(const WeftBcsr *matrix, const uint8_t *held, double *storage, WeftPrecondParts parts) {
  (void)parts;
  (void)held;
  LAUNCH(matrix->device, precond_jacobi_update, matrix->row_count, matrix->diagonal, matrix->value, storage);
}

static void descend(const WeftBcsr *matrix, double *storage, WeftPrecondParts parts, double alpha, double *r,
                    double *qz, double *rr, double *rz) {
  (void)parts;
  int n = matrix->row_count;
  LAUNCH(matrix->device, precond_jacobi_descend, weft_row_items(n), WEFT_ROWS_PER_ITEM, n, storage, alpha, r,
         qz, rr, rz);
}

const WeftPrecondOps weft_precond_jacobi = {.name = "jacobi",
                                            .citation = "Tang16 sec. 3.3",
                                            .summary = "inverse of the diagonal",
                                            .values_per_row = 3,
                                            .update = update,
                                            .descend = descend};
