/* Block incomplete Cholesky: what block_ic is made of, for tests that want domains of their own. */
#ifndef WEFT_SOLVE_IC_H
#define WEFT_SOLVE_IC_H

#include "solve/precond.h"

typedef struct WeftIc {
  const WeftBcsr *matrix;
  double *storage; /* as block_ic has it */
  const WeftDomains *domains;
} WeftIc;

/* As WeftPrecondOps has them. */
void weft_ic_update(WeftIc ic, const uint8_t *held, bool is_near);
void weft_ic_descend(WeftIc ic, double alpha, double *r, double *qz, double *rr, double *rz);
/* The same in single precision, and without late rows (ic_solve_late) what comes before and after them; then
 * the fourth number of a row means nothing. */
void weft_ic_forward_narrow(WeftIc ic, double alpha, float *r, float *qz);
void weft_ic_backward_narrow(WeftIc ic, float *qz);
void weft_ic_descend_narrow(WeftIc ic, double alpha, float *r, float *qz, double *rr, double *rz);

#endif
