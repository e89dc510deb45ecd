/* Block incomplete Cholesky in patches and a coarse picture of all cloths: additive Schwarz of two levels.
 * The patches do what is near, the coarse picture what is far (solve/coarse.h), so that finer meshes hardly
 * take more iterations. Figures in docs/preconditioners.md. */
#include "solve/precond.h"

static void update(const WeftBcsr *matrix, const uint8_t *held, double *storage, const WeftFill *fill) {
  weft_precond_block_ic.update(matrix, held, storage, fill);
}

static void descend(const WeftBcsr *matrix, double *storage, const WeftFill *fill, double alpha, double *r,
                    double *qz, double *rr, double *rz) {
  weft_precond_block_ic.descend(matrix, storage, fill, alpha, r, qz, rr, rz);
}

static void descend_narrow(const WeftBcsr *matrix, double *storage, double alpha, float *r, float *qz,
                           double *rr, double *rz) {
  weft_precond_block_ic.descend_narrow(matrix, storage, alpha, r, qz, rr, rz);
}

const WeftPrecondOps weft_precond_two_level = {
    .name = "two_level",
    .citation = "DryjaWidlund94, Shepard68",
    .summary = "block_ic, and a coarse picture of the cloths for what is far: large meshes",
    .values_per_row = WEFT_IC_PER_ROW,
    .values_per_block = WEFT_IC_PER_BLOCK,
    .has_coarse = true,
    .update = update,
    .descend = descend,
    .descend_narrow = descend_narrow};
