/* Neighbours that run round in opposite senses. */
#ifndef WEFT_MESH_ORIENT_H
#define WEFT_MESH_ORIENT_H

#include "mesh/topology.h"

/* Does the triangle run along its edge from its smaller to its larger vertex? */
static inline bool weft_runs_upward(const WeftTopology *m, const int32_t *triangles, int32_t triangle,
                                    int edge) {
  int k = 0;
  while (m->triangle_edges[3 * triangle + k] != edge) k++;
  return triangles[3 * triangle + k] == m->edges[2 * edge];
}

typedef struct WeftOrientation {
  uint8_t *is_turned;             /* triangle_count: 1 where the triangle has to be turned round */
  int turned_count, first_turned; /* -1 where there is none */
  int not_orientable_count,
      first_unorientable; /* pieces like a Moebius strip; a triangle of the first, or -1 */
} WeftOrientation;

/* Triangles that share a manifold edge shall run along it in opposite directions. Per piece that hangs
 * together by such edges the smaller part is turned (the part without the first triangle when equal); a piece
 * where that cannot be done is left as it is. Triangles have three different vertices. */
WeftResult weft_orient(const WeftTopology *topology, const int32_t *triangles, WeftOrientation *orientation,
                       WeftError *error);

#endif
