/* Preconditioners of the conjugate gradient method: z = M^-1 r, fused with the residual's update. One method,
 * one file. */
#ifndef WEFT_SOLVE_PRECOND_H
#define WEFT_SOLVE_PRECOND_H

#include "solve/domains.h"
#include "solve/fill.h"

/* Rows a work item of the solver handles. Fixed: partial sums have this shape, so that dot products do not
 * depend on the number of threads. */
enum { WEFT_ROWS_PER_ITEM = 256 };

static inline int weft_row_items(int row_count) {
  return (row_count + WEFT_ROWS_PER_ITEM - 1) / WEFT_ROWS_PER_ITEM;
}

typedef struct WeftCoarse WeftCoarse;

/* What the solver keeps for those that ask for it. */
typedef struct WeftPrecondParts {
  const WeftFill *fill;
  const WeftCoarse *coarse;
  const WeftDomains *domains;
  bool is_near; /* the matrix differs little from that of the last update */
} WeftPrecondParts;

typedef struct WeftPrecondOps {
  const char *name, *citation, *summary;
  int values_per_row;   /* doubles of storage a row */
  int values_per_block; /* and a block of the matrix */
  /* Makes storage (row_count x values_per_row + block_count x values_per_block) from the matrix. held: bits
   * of WEFT_AXIS_* a row; what z is in these components does not matter. */
  void (*update)(const WeftBcsr *matrix, const uint8_t *held, double *storage, WeftPrecondParts parts);
  /* One pass: r -= alpha q, then z = M^-1 r, which overwrites q (the line is at hand, and a vector is saved).
   * rr[item] = r . r and rz[item] = r . z over the item's rows. */
  void (*descend)(const WeftBcsr *matrix, double *storage, WeftPrecondParts parts, double alpha, double *r,
                  double *qz, double *rr, double *rz);
  /* The same with r and q in single precision, four numbers a row (solve/single.kernel.h); NULL: there is
   * none. */
  void (*descend_narrow)(const WeftBcsr *matrix, double *storage, WeftPrecondParts parts, double alpha,
                         float *r, float *qz, double *rr, double *rz);
  bool fills;       /* wants to know how complete factors fill: only then fill is the matrix's */
  bool has_coarse;  /* wants a coarse picture of the cloths (solve/coarse.h): only then there is one */
  bool has_domains; /* wants domains that a factor can be cut into; else they are the rows of work items */
} WeftPrecondOps;

/* Storage of block_ic, for those that may need it in their place. */
enum { WEFT_IC_PER_ROW = 15, WEFT_IC_PER_BLOCK = 5 };

/* Stands for another one, which src/choose_precond.c finds; has no functions. */
extern const WeftPrecondOps weft_precond_auto;
extern const WeftPrecondOps weft_precond_none;
extern const WeftPrecondOps weft_precond_jacobi;
extern const WeftPrecondOps weft_precond_block_jacobi;
extern const WeftPrecondOps weft_precond_block_ic;
extern const WeftPrecondOps weft_precond_block_cholesky;
extern const WeftPrecondOps weft_precond_two_level;

#endif
