/* Breadth first over the triangles of a piece: each neighbour across a manifold edge gets the side that makes
 * the two agree; meeting a triangle that already has the other side means that the piece has but one side. */
#include "mesh/orient.h"

#include "base/memory.h"

#include <stdlib.h>

enum { UNSEEN = 0, AS_IT_IS = 1, TURNED = 2 };

/* Fills queue with the piece of the seed and side with its sides; returns the number of triangles. */
static int walk_piece(const WeftTopology *m, const int32_t *triangles, int32_t seed, uint8_t *side,
                      int32_t *queue, bool *is_orientable) {
  int count = 1;
  queue[0] = seed;
  side[seed] = AS_IT_IS;
  *is_orientable = true;
  for (int at = 0; at < count; at++) {
    int32_t t = queue[at];
    for (int k = 0; k < 3; k++) {
      int edge = m->triangle_edges[3 * t + k];
      if (m->edge_uses[edge] != 2) continue;
      int32_t other =
          m->edge_triangles[2 * edge] == t ? m->edge_triangles[2 * edge + 1] : m->edge_triangles[2 * edge];
      bool agree = weft_runs_upward(m, triangles, t, edge) != weft_runs_upward(m, triangles, other, edge);
      uint8_t wanted = agree ? side[t] : (uint8_t)(AS_IT_IS + TURNED - side[t]);
      if (side[other] == UNSEEN) {
        side[other] = wanted;
        queue[count++] = other;
      } else if (side[other] != wanted) {
        *is_orientable = false;
      }
    }
  }
  return count;
}

WeftResult weft_orient(const WeftTopology *topology, const int32_t *triangles, WeftOrientation *orientation,
                       WeftError *error) {
  int count = topology->triangle_count;
  *orientation = (WeftOrientation){WEFT_NEW(uint8_t, count), 0, -1, 0, -1};
  uint8_t *side = WEFT_NEW(uint8_t, count);
  int32_t *queue = WEFT_NEW(int32_t, count);
  if (!orientation->is_turned || !side || !queue) {
    free(orientation->is_turned);
    free(side);
    free(queue);
    return weft_fail_memory(error, "orientation of a mesh");
  }
  for (int32_t seed = 0; seed < count; seed++) {
    if (side[seed] != UNSEEN) continue;
    bool is_orientable;
    int size = walk_piece(topology, triangles, seed, side, queue, &is_orientable);
    if (!is_orientable) {
      if (orientation->not_orientable_count++ == 0) orientation->first_unorientable = seed;
      continue;
    }
    int turned = 0;
    for (int i = 0; i < size; i++) turned += side[queue[i]] == TURNED;
    uint8_t minority = 2 * turned > size ? AS_IT_IS : TURNED;
    for (int i = 0; i < size; i++) orientation->is_turned[queue[i]] = side[queue[i]] == minority;
  }
  for (int t = 0; t < count; t++) {
    if (orientation->is_turned[t] && orientation->turned_count++ == 0) orientation->first_turned = t;
  }
  free(side);
  free(queue);
  return WEFT_RESULT_OK;
}
