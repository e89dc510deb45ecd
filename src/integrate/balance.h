#ifndef WEFT_INTEGRATE_BALANCE_H
#define WEFT_INTEGRATE_BALANCE_H

#include "integrate/integrate.h"

/* After weft_pcg_solve, which leaves its residual: corrects solution so that no free cloth gains momentum by
 * the solver's tolerance. */
void weft_step_balance(WeftStep *step, double *solution);

#endif
