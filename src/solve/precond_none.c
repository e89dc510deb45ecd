/* No preconditioner: M = I. The yardstick for the others [Tang16 fig. 6]. */
#include "device/launch.h"
#include "solve/precond.h"
#include "solve/precond_none.kernel.h"

static void update(const WeftBcsr *matrix, const uint8_t *held, double *storage) {
  (void)held;
  (void)matrix;
  (void)storage;
}

static void descend(WeftDevice *device, int row_count, const double *storage, double alpha, double *r,
                    double *qz, double *rr, double *rz) {
  (void)storage;
  LAUNCH(device, precond_none_descend, weft_row_items(row_count), WEFT_ROWS_PER_ITEM, row_count, alpha, r, qz,
         rr, rz);
}

const WeftPrecondOps weft_precond_none = {"none", "Tang16 fig. 6", "plain conjugate gradients",
                                          0, 0, update,          descend};
