/* No preconditioner: M = I. The yardstick for the others [Tang16 fig. 6]. */
#include "device/launch.h"
#include "solve/precond.h"
#include "solve/precond_none.kernel.h"

static void update(const WeftBcsr *matrix, const uint8_t *held, double *storage, WeftPrecondParts parts) {
  (void)parts;
  (void)held;
  (void)matrix;
  (void)storage;
}

static void descend(const WeftBcsr *matrix, double *storage, WeftPrecondParts parts, double alpha, double *r,
                    double *qz, double *rr, double *rz) {
  (void)parts;
  int n = matrix->row_count;
  (void)storage;
  LAUNCH(matrix->device, precond_none_descend, weft_row_items(n), WEFT_ROWS_PER_ITEM, n, alpha, r, qz, rr,
         rz);
}

const WeftPrecondOps weft_precond_none = {.name = "none",
                                          .citation = "Tang16 fig. 6",
                                          .summary = "plain conjugate gradients",
                                          .update = update,
                                          .descend = descend};
