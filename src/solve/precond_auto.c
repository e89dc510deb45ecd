/* A name without functions: the world puts another preconditioner in its place (src/choose_precond.c). */
#include "solve/precond.h"

const WeftPrecondOps weft_precond_auto = {
    .name = "auto",
    .citation = "docs/preconditioners.md",
    .summary = "block_ic where many iterations are expected, else block_jacobi"};
