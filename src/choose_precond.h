/* The preconditioner that "auto" stands for. */
#ifndef WEFT_CHOOSE_PRECOND_H
#define WEFT_CHOOSE_PRECOND_H

#include "model.h"
#include "solve/precond.h"

/* Iterations that block Jacobi is expected to need at the definition's time step and tolerance. */
double weft_expected_iterations(const WeftModel *model, const WeftWorldDef *def);

/* Depends on model, definition and the kind of device alone, never on state or timing: a run that is taken up
 * again goes on with the same one. */
const WeftPrecondOps *weft_choose_precond(const WeftModel *model, const WeftWorldDef *def, bool is_gpu);
/* Puts a complete factor in the place of an incomplete one where it hardly fills. matrix: without contacts.
 */
WeftResult weft_choose_factor(const WeftModel *model, const WeftWorldDef *def, const WeftBcsr *matrix,
                              const WeftPrecondOps **precond, WeftError *error);

#endif
