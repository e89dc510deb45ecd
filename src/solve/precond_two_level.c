/* Block incomplete Cholesky in domains and a coarse picture of all cloths: additive Schwarz of two levels.
 * The domains do what is near, the coarse picture what is far (solve/coarse.h), so that finer meshes hardly
 * take more iterations. Figures in docs/preconditioners.md. */
#include "device/launch.h"
#include "solve/coarse.h"
#include "solve/ic.h"
#include "solve/precond_two_level.kernel.h"

static void update(const WeftBcsr *matrix, const uint8_t *held, double *storage, WeftPrecondParts parts) {
  weft_precond_block_ic.update(matrix, held, storage, parts);
}

static void descend(const WeftBcsr *matrix, double *storage, WeftPrecondParts parts, double alpha, double *r,
                    double *qz, double *rr, double *rz) {
  weft_precond_block_ic.descend(matrix, storage, parts, alpha, r, qz, rr, rz);
  if (weft_coarse_is_there(parts.coarse)) weft_coarse_add(parts.coarse, r, qz, rz);
}

/* What only one thread can do of the one level is done beside what only one can do of the other. */
static void descend_narrow(const WeftBcsr *matrix, double *storage, WeftPrecondParts parts, double alpha,
                           float *r, float *qz, double *rr, double *rz) {
  WeftIc ic = {matrix, storage, parts.domains};
  const WeftCoarse *coarse = parts.coarse;
  if (!weft_coarse_is_there(coarse)) {
    weft_ic_descend_narrow(ic, alpha, r, qz, rr, rz);
    return;
  }
  const WeftFill *fill = &coarse->fill;
  weft_ic_forward_narrow(ic, alpha, r, qz);
  weft_coarse_restrict_narrow(coarse, r);
  LAUNCH(matrix->device, two_level_between, 2, matrix->row_count, matrix->block_count, storage, qz,
         coarse->node_count, fill->order, fill->start, fill->row, fill->pivot, fill->value, fill->y,
         coarse->r, coarse->narrow_z);
  weft_ic_backward_narrow(ic, qz);
  weft_coarse_prolong_narrow(coarse, r, qz, rr, rz);
}

const WeftPrecondOps weft_precond_two_level = {
    .name = "two_level",
    .citation = "DryjaWidlund94, Shepard68",
    .summary = "block_ic, and a coarse picture of the cloths for what is far: large meshes",
    .values_per_row = WEFT_IC_PER_ROW,
    .values_per_block = WEFT_IC_PER_BLOCK,
    .has_coarse = true,
    .has_domains = true,
    .update = update,
    .descend = descend,
    .descend_narrow = descend_narrow};
