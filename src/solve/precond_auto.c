/* A name without functions: the world puts another preconditioner in its place (src/choose_precond.c). */
#include "solve/precond.h"

const WeftPrecondOps weft_precond_auto = {
    .name = "auto",
    .citation = "docs/preconditioners.md",
    .summary = "by iterations expected and fill: block_jacobi, block_ic, two_level or block_cholesky"};
