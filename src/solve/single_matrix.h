/* The matrix as iterations in single precision read it.
 *
 * An iteration waits for memory, most of it for the matrix. So what couples two rows of a domain
 * (solve/domains.h) is stored once, with the later one, and serves both: a little more than half of the
 * blocks is read. Blocks that are zero, as those of contacts that do nothing, are left out. What couples
 * domains is stored with both, so that a domain's rows are computed by one work item and bits do not depend
 * on threads.
 *
 * Neighbours move alike and stiff blocks of a row add up to next to nothing: what they do would be lost in
 * rounding. So a row has the sum of its blocks, made in double, in place of the diagonal one, and its product
 * is (sum of A_ij) p_i + sum of A_ij (p_j - p_i). */
#ifndef WEFT_SOLVE_SINGLE_MATRIX_H
#define WEFT_SOLVE_SINGLE_MATRIX_H

#include "solve/domains.h"

typedef struct WeftSingleMatrix {
  int32_t *row_start; /* 3 a row, in the order of the domains: where it begins, with the sum of its blocks;
                         where what couples it to other domains does; where it ends */
  int32_t *column;
  float *value;       /* 9 a block by rows, and three numbers more */
  size_t capacity[3]; /* of these arrays */
  WeftDevice *device; /* that has its arrays; NULL: the CPU */
} WeftSingleMatrix;

void weft_single_matrix_create(WeftSingleMatrix *single, WeftDevice *device);
void weft_single_matrix_destroy(WeftSingleMatrix *single);
/* Room for matrices of so many blocks. */
WeftResult weft_single_matrix_reserve(WeftSingleMatrix *single, int row_count, int block_count,
                                      WeftError *error);
/* Takes over a matrix for which there is room. */
void weft_single_matrix_make(WeftSingleMatrix *single, const WeftDomains *domains, const WeftBcsr *matrix);
/* q = S A p, four numbers a row (solve/single.kernel.h), with the domains it was made with; partial: p . q of
 * each. held: bits of WEFT_AXIS_* a row. */
void weft_single_matrix_multiply(const WeftSingleMatrix *single, const WeftDomains *domains,
                                 const uint8_t *held, const float *p, float *q, double *partial);

#endif
