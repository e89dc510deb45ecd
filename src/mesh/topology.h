/* Edges, hinges and neighbourhoods of one triangle mesh. */
#ifndef WEFT_MESH_TOPOLOGY_H
#define WEFT_MESH_TOPOLOGY_H

#include "base/error.h"

#include <stdint.h>

typedef struct WeftTopology {
  int vertex_count, triangle_count;
  int edge_count;
  int32_t *edges;            /* edge_count x 2, a < b, sorted by (a, b) */
  int32_t *edge_triangles;   /* edge_count x 2: the first two triangles; second -1 on a border */
  int32_t *edge_uses;        /* edge_count: triangles at the edge; more than 2 is non-manifold */
  int32_t *triangle_edges;   /* triangle_count x 3: edge k joins corners k and k+1 */
  int32_t *vertex_start;     /* vertex_count + 1, into vertex_triangles */
  int32_t *vertex_triangles; /* 3 x triangle_count, ascending for a vertex */
  int hinge_count;           /* edges with exactly two triangles */
  int32_t *hinges;           /* hinge_count x 4: a, b in the first triangle's sense, c and d opposite */
  int32_t *hinge_edge;       /* hinge_count */
  uint8_t *is_border;        /* vertex_count */
  int piece_count;
  int32_t *vertex_piece; /* vertex_count: connected piece, -1 for a vertex without triangle */
} WeftTopology;

/* Indices must be in range (weft_mesh_inspect tells). */
WeftResult weft_topology_create(WeftTopology *topology, int vertex_count, int triangle_count,
                                const int32_t *triangles, WeftError *error);
void weft_topology_destroy(WeftTopology *topology);

#endif
