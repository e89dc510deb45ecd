/* Elements: groups of 2, 3 or 4 vertices that put blocks into the matrix, and which chunk of rows computes
 * them. force/element.kernel.h explains chunks. */
#ifndef WEFT_SOLVE_ELEMENTS_H
#define WEFT_SOLVE_ELEMENTS_H

#include "device/device.h"

#include <stdint.h>

/* Rows a chunk. It shapes no sum. A smaller one computes more elements twice: on a grid of 100K vertices 23,
 * 12, 8, 6 % of the triangles and 31, 16, 11, 8 % of the hinges for 128, 512, 1024, 2048 rows. That costs
 * little, scattering being most of the work (assembly takes 8 % longer with 128 than with 512 rows, 2 % less
 * with 2048); a larger one leaves threads without work on small meshes. */
enum { WEFT_CHUNK_ROWS = 512 };

typedef struct WeftElements {
  int count, arity;
  int32_t *vertices; /* count x arity, internal numbering */
  int chunk_count;
  int32_t *chunk_start;   /* chunk_count + 1 */
  int32_t *chunk_element; /* ascending inside a chunk */
  int32_t *
      slots; /* count x arity x arity, block of (vertex i, vertex j); NULL until the matrix has its pattern */
} WeftElements;

/* Takes a copy of vertices. row_count: number of vertices in the model. */
WeftResult weft_elements_create(WeftElements *elements, int arity, int count, const int32_t *vertices,
                                int row_count, WeftError *error);
void weft_elements_destroy(WeftElements *elements);
WeftResult weft_elements_share(const WeftElements *elements, WeftDevice *device, WeftError *error);

#endif
