#ifndef WEFT_STEP_H
#define WEFT_STEP_H

#include "handle.h"
#include "integrate/integrate.h"

/* One step of the world's time_step. On failure the state is as it was. */
WeftResult weft_step(WeftStep *step, const WeftIntegratorOps *integrator, const WeftHandle *handles,
                     int handle_count, WeftLog log, WeftError *error);

#endif
