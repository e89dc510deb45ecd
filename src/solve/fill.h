/* Order and pattern of the complete Cholesky factor of a block matrix: which vertices are eliminated first,
 * so that little comes to be between the others, and what does.
 *
 * Vertices of least degree first [GeorgeLiu89], on the graph of what is left itself. On ribbons, ropes and
 * small meshes the factor is hardly larger than the matrix. On sheets it is: the search ends as soon as the
 * factorisation would cost more than it is worth, and the caller does something else.
 */
#ifndef WEFT_SOLVE_FILL_H
#define WEFT_SOLVE_FILL_H

#include "solve/bcsr.h"

typedef struct WeftFill {
  bool is_known; /* the rest is what was found for this pattern of the matrix: */
  int64_t pattern;
  bool is_there; /* order and pattern are those of the matrix; otherwise it is too expensive */
  double
      effort; /* multiplications of blocks that the factorisation takes; of a search that ended early, more */
  int row_count;
  int block_count;        /* of the factor, below its diagonal */
  int column_most;        /* of any column */
  int32_t *order, *place; /* the vertex that is eliminated as k-th, and k of a vertex */
  int32_t *start;         /* row_count + 1: columns of the factor */
  int32_t *row;           /* of each block: ascending in a column */
  double *pivot;          /* row_count x 12: blocks on the diagonal, and their inverses */
  float *value;           /* 9 a block, by columns, and one column more */
  double *work;           /* 12 a block of the longest column */
  float *y;               /* row_count x 4 */
  int32_t *scratch;       /* row_count x 4 */
  size_t capacity[9];     /* of these arrays */
  WeftDevice *device;     /* that has its arrays; NULL: the CPU */
} WeftFill;

void weft_fill_create(WeftFill *fill, WeftDevice *device);
void weft_fill_destroy(WeftFill *fill);
/* Finds them for this matrix, always the same one, unless it has the pattern of the last time; fill->is_there
 * tells whether they take no more multiplications of blocks than worth times the blocks of the matrix. */
WeftResult weft_fill_find(WeftFill *fill, const WeftBcsr *matrix, double worth, WeftError *error);

/* Multiplications of blocks that a complete factorisation may take in place of iterations, for each block of
 * the matrix. */
enum { WEFT_FILL_WORTH = 25 };

#endif
