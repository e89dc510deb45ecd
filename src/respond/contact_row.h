/* An impact as one linear row: along which normal, and with which weights, its four vertices touch. */
#ifndef WEFT_RESPOND_CONTACT_ROW_H
#define WEFT_RESPOND_CONTACT_ROW_H

#include "detect/distance.kernel.h"
#include "respond/link.h"

#include <stdbool.h>

/* A pair's relative position, and its features' edges: for vertex and face from the face's first vertex, for
 * edges from the second's first vertex. r . (u x v) is six times the signed volume of the four vertices. */
typedef struct WeftPairFrame {
  Vec3 r, u, v;
} WeftPairFrame;

static inline WeftPairFrame weft_pair_frame(bool is_edges, const Vec3 *x) {
  if (is_edges) return (WeftPairFrame){v3_sub(x[0], x[2]), v3_sub(x[1], x[0]), v3_sub(x[3], x[2])};
  return (WeftPairFrame){v3_sub(x[0], x[1]), v3_sub(x[2], x[1]), v3_sub(x[3], x[1])};
}

static inline Closest weft_pair_closest(bool is_edges, const WeftPairFrame *f) {
  return is_edges ? closest_edge_edge_from(f->r, f->u, f->v) : closest_vertex_face_from(f->r, f->u, f->v);
}

/* How much of the pair's gap is along u x v, and how far u and v are from parallel: 1 for a vertex over
 * the inside of a right-angled face, 0 where the sign of the volume says nothing about sides: a vertex beside
 * its face, parallel edges, a face without area. */
static inline double weft_pair_standing(const WeftPairFrame *f, const Closest *at) {
  Vec3 n = v3_cross(f->u, f->v);
  double scale = sqrt(at->squared) * v3_length(f->u) * v3_length(f->v);
  return scale > 0 ? fabs(v3_dot(n, f->r)) / scale : 0;
}

typedef struct WeftContactRow {
  Vec3 normal;      /* of length 1, from the second feature to the side from which the first came */
  double weight[4]; /* of the closest points at the impact's time; see detect/distance.kernel.h */
} WeftContactRow;

/* False when no direction can be told: the pair touches all the time, is parallel and does not move. */
bool weft_contact_row(const WeftImpacts *impacts, int impact, const double *x1, WeftContactRow *row);

#endif
