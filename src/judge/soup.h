/* All meshes in one numbering, with their edges. */
#ifndef WEFT_JUDGE_SOUP_H
#define WEFT_JUDGE_SOUP_H

#include "base/error.h"

#include <weft/check.h>

typedef struct WeftSoup {
  int32_t mesh_count, vertex_count, triangle_count, edge_count;
  int32_t *first_vertex, *first_triangle; /* mesh_count + 1 */
  double *positions;                      /* vertex_count x 3 [m] */
  int32_t *triangles;                     /* triangle_count x 3 */
  int32_t *triangle_mesh;                 /* triangle_count */
  uint8_t *is_obstacle;                   /* vertex_count */
  int32_t *edges;                         /* edge_count x 2: a <= b, each once, by a, then b. a = b is the
                                             edge of a triangle that names a vertex twice */
  int32_t *edge_start, *edge_triangles;   /* the triangles at an edge: edge_count + 1 into 3 triangle_count */
} WeftSoup;

/* Refuses what cannot be judged. Destroy it also after a failure. */
WeftResult weft_soup_create(WeftSoup *soup, int32_t mesh_count, const WeftCheckMesh *meshes,
                            WeftError *error);
void weft_soup_destroy(WeftSoup *soup);

#endif
