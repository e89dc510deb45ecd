/* From pairs of triangles to pairs of features: a vertex and a face, or two edges, whose own boxes overlap.
 * Each pair occurs once, in the pair of the triangles that own its features; features that share a vertex are
 * left out. */
#ifndef WEFT_DETECT_CANDIDATES_H
#define WEFT_DETECT_CANDIDATES_H

#include "detect/boxes.h"
#include "detect/broad.h"
#include "detect/slabs.h"

/* Pairs of one kind. */
typedef struct WeftFeaturePairs {
  int count;
  size_t capacity_features, capacity_vertices;
  int32_t *features; /* count x 2: vertex and triangle, or edge and edge */
  int32_t *vertices; /* count x 4: the vertex and the triangle's, or both edges' */
} WeftFeaturePairs;

typedef struct WeftCandidates {
  WeftDevice *device;
  WeftFeaturePairs vertex_face, edge_edge;
  size_t capacity_mask, capacity_count, capacity_start_vf, capacity_start_ee;
  int32_t *mask;                /* of each pair of triangles: which of their features meet */
  int32_t *count;               /* scratch */
  int32_t *start_vf, *start_ee; /* where a pair of triangles writes */
  WeftPrimitives primitives;
} WeftCandidates;

void weft_candidates_create(WeftCandidates *candidates, WeftDevice *device);
void weft_candidates_destroy(WeftCandidates *candidates);

/* Of the pairs that the broad phase found. The boxes are those it was given; their floats only cull: what
 * remains are the pairs whose boxes of doubles, swept from x0 to x1 and grown by radius, overlap, and
 * with slabs (NULL: all) of these only those that the slabs do not tell apart. */
WeftResult weft_candidates_find(WeftCandidates *candidates, const WeftSurface *surface,
                                const WeftBoxes *boxes, const WeftSlabs *slabs, const double *x0,
                                const double *x1, double radius, const WeftTrianglePairs *pairs,
                                WeftError *error);

#endif
