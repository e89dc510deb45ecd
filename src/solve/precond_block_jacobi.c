/* M = the 3x3 diagonal blocks: costs three doubles a row more than Jacobi and turns with the cloth. */
#include "device/launch.h"
#include "solve/precond.h"
#include "solve/precond_block_jacobi.kernel.h"

static void update(const WeftBcsr *matrix, const uint8_t *held, double *storage, WeftPrecondParts parts) {
  (void)parts;
  (void)held;
  LAUNCH(matrix->device, precond_block_update, matrix->row_count, matrix->diagonal, matrix->value, storage);
}

static void descend(const WeftBcsr *matrix, double *storage, WeftPrecondParts parts, double alpha, double *r,
                    double *qz, double *rr, double *rz) {
  (void)parts;
  int n = matrix->row_count;
  LAUNCH(matrix->device, precond_block_descend, weft_row_items(n), WEFT_ROWS_PER_ITEM, n, storage, alpha, r,
         qz, rr, rz);
}

static void descend_narrow(const WeftBcsr *matrix, double *storage, WeftPrecondParts parts, double alpha,
                           float *r, float *qz, double *rr, double *rz) {
  (void)parts;
  int n = matrix->row_count;
  LAUNCH(matrix->device, precond_block_descend_narrow, weft_row_items(n), WEFT_ROWS_PER_ITEM, n, storage,
         alpha, r, qz, rr, rz);
}

const WeftPrecondOps weft_precond_block_jacobi = {.name = "block_jacobi",
                                                  .citation = "Tang16 sec. 3.3",
                                                  .summary = "inverse of the 3x3 blocks on the diagonal",
                                                  .values_per_row = 6,
                                                  .update = update,
                                                  .descend = descend,
                                                  .descend_narrow = descend_narrow};
