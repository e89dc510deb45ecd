/* Which rows of a small problem a vertex occurs in: so that a vertex adds up what its rows give it in one
 * order, whoever computes it. */
#ifndef WEFT_RESPOND_INCIDENCE_H
#define WEFT_RESPOND_INCIDENCE_H

#include "base/error.h"

#include <stdint.h>

typedef struct WeftIncidence {
  int32_t *start;  /* vertex_count + 1 */
  int32_t *corner; /* 4 row + corner, rising within a vertex */
} WeftIncidence;

/* vertices: row_count x 4. */
WeftResult weft_incidence_create(WeftIncidence *incidence, int vertex_count, int row_count,
                                 const int32_t *vertices, WeftError *error);
void weft_incidence_destroy(WeftIncidence *incidence);

#endif
