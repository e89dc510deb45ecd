/* A sheet folded over random planes, and its motion: single precision, as a probe built it. */
#ifndef WEFT_BENCH_CRUMPLED_H
#define WEFT_BENCH_CRUMPLED_H

#include <stdint.h>

typedef struct Crumpled {
  int vertex_count, triangle_count;
  float *rest, *x;    /* vertex_count x 3 [m] */
  int32_t *triangles; /* triangle_count x 3 */
  float *box;         /* triangle_count x 6 */
  float radius;       /* by which boxes are inflated [m] */
} Crumpled;

/* side x side vertices on a square metre. */
Crumpled crumpled_new(int side, int folds, float radius);
void crumpled_free(Crumpled *sheet);
/* x and box at a frame of its motion. */
void crumpled_move(Crumpled *sheet, int frame);

#endif
