/* The impacts of one link in one step and the small problem they make. A pair that is found again stands
 * there twice: so a link knows that what it did the first time was not enough. On the host. */
#ifndef WEFT_RESPOND_IMPACT_LIST_H
#define WEFT_RESPOND_IMPACT_LIST_H

#include "detect/found.h"
#include "respond/link.h"

typedef struct WeftImpactList {
  int count;
  int32_t *key;      /* count x 3: 0 for vertex-face and 1 for edge-edge, then the features; sorted */
  int32_t *vertices; /* count x 4, of the surface */
  double *time;      /* count */
  size_t key_capacity, vertices_capacity, time_capacity;
  /* The problem: its vertices are numbered in the order of the surface's. */
  int vertex_count;
  int32_t *vertex; /* vertex_count: which of the surface's */
  int32_t *local;  /* count x 4: vertices by their place in vertex */
  uint8_t *is_edges;
  double *x0, *x1, *inverse_mass; /* of vertex_count; the caller fills them in */
  uint8_t *is_obstacle;
  size_t vertex_capacity, local_capacity, is_edges_capacity, x0_capacity, x1_capacity, inverse_mass_capacity,
      is_obstacle_capacity;
} WeftImpactList;

void weft_impact_list_destroy(WeftImpactList *list);
void weft_impact_list_clear(WeftImpactList *list);
/* Takes in what was found (its arrays are on the host) and is not there twice. *added: how many. */
WeftResult weft_impact_list_add(WeftImpactList *list, const WeftFound *vertex_face,
                                const WeftFound *edge_edge, int *added, WeftError *error);
/* vertex, local, is_edges, and room for the rest. */
WeftResult weft_impact_list_number(WeftImpactList *list, WeftError *error);

#endif
