/* Conjugate gradients under lambda >= 0, for the multipliers of impacts:
 *
 *   least  1/2 lambda . C M^-1 C^T lambda - b . lambda,  lambda >= 0
 *
 * Rows of C are sparse, four vertices each; the product goes through the vertices, so C M^-1 C^T is never
 * formed. */
#ifndef WEFT_RESPOND_BOUNDED_CG_H
#define WEFT_RESPOND_BOUNDED_CG_H

#include "respond/incidence.h"

typedef struct WeftRows {
  int vertex_count, row_count;
  const double *inverse_mass; /* vertex_count */
  const int32_t *vertices;    /* row_count x 4 */
  const double *row;          /* row_count x 12: C's coefficients, a vector each vertex */
  const WeftIncidence *incidence;
} WeftRows;

/* moved = M^-1 C^T lambda, vertex_count x 3 */
void weft_rows_spread(const WeftRows *rows, const double *lambda, double *moved);
/* out = C moved, row_count */
void weft_rows_gather(const WeftRows *rows, const double *moved, double *out);

/* From lambda = 0, until the projected gradient is at most tolerance |b|, or max_iterations products were
 * taken, or the sum is found to have no least value. The sum never rises on the way. Returns the products in
 * *iterations. */
WeftResult weft_bounded_cg(const WeftRows *rows, const double *b, double tolerance, int max_iterations,
                           double *lambda, int64_t *iterations, WeftError *error);

#endif
