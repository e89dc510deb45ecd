/* Preconditioned conjugate gradients on the block matrix, with held vertices filtered out.
 *
 * Solves A x = b for the free components; held components of x are given and stay [BaraffWitkin98 sec. 5.3].
 */
#ifndef WEFT_SOLVE_PCG_H
#define WEFT_SOLVE_PCG_H

#include "solve/coarse.h"
#include "solve/precond.h"
#include "solve/single_matrix.h"

typedef struct WeftPcg {
  int row_count;
  const WeftPrecondOps *precond;
  double *storage;         /* of the preconditioner */
  WeftFill fill;           /* for preconditioners that ask for it */
  WeftCoarse coarse;       /* the same; made by whoever knows the model, else without nodes */
  bool is_prepared;        /* storage, fill and single are the matrix's already; the caller says so */
  bool is_near;            /* the matrix is nearly the last one: domains stay */
  bool is_nearest;         /* so nearly that the coarse picture does, too */
  bool is_placed;          /* both were made since a solve that was not near */
  bool is_old;             /* the coarse picture was made for an earlier matrix */
  size_t storage_capacity; /* doubles; grows with the blocks of the matrix */
  WeftDomains domains;     /* rows of work items of the product in single precision, and of factors */
  double *place;           /* where the rows are: row_count x 3, also on the device [m]; NULL: not known */
  WeftSingleMatrix single; /* the matrix in single precision, where the preconditioner can do with it */
  float *narrow_r, *narrow_p, *narrow_q, *narrow_x; /* row_count x 4, the same */
  double *r, *p, *q;                                /* row_count x 3; q is A p and M^-1 r in turn */
  double *partial, *partial2;                       /* one a work item */
  WeftDevice *device;                               /* that has its arrays; NULL: the CPU */
  double still; /* a square of the error in the norm of A that does not count, over the tolerance's; 0 unless
                   set */
} WeftPcg;

typedef struct WeftPcgStats {
  int iterations;
  double residual; /* |r| / |r at x = 0 on the free components| */
} WeftPcgStats;

WeftResult weft_pcg_create(WeftPcg *pcg, int row_count, const WeftPrecondOps *precond, WeftError *error);
void weft_pcg_destroy(WeftPcg *pcg);
/* Room for preconditioner and single precision of a matrix with so many blocks. A solve sees to it itself;
 * done before, the memory is there, or the failure told, before there is work to lose. */
WeftResult weft_pcg_reserve(WeftPcg *pcg, int block_count, WeftError *error);
/* From then on matrix, held, b and x of a solve have to be on that device, too. */
WeftResult weft_pcg_share(WeftPcg *pcg, WeftDevice *device, WeftError *error);

/* x: held components as prescribed, free ones a guess; the guess is dropped when zero is nearer. held: bits
 * of WEFT_AXIS_* a row. Ends when |r| <= tolerance |r0|, or when iterations no longer take more than
 * tolerance^2 still from the error's square in the norm of A. NOT_CONVERGED
 * after max_iterations, NOT_FINITE on breakdown: x is then the last iterate. */
WeftResult weft_pcg_solve(WeftPcg *pcg, const WeftBcsr *matrix, const uint8_t *held, const double *b,
                          double *x, double tolerance, int max_iterations, WeftPcgStats *stats,
                          WeftError *error);

#endif
