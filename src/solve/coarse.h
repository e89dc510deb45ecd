/* A coarse picture of the cloths, which carries what a preconditioner of patches cannot: an iteration takes
 * news a few cells on, and a fine sheet is hundreds of cells long.
 *
 * Nodes stand along the cloth so far apart that each has some WEFT_COARSE_ROWS vertices of its own. A vertex
 * moves with up to three nodes near it, the more the nearer they are; P is that matrix, and its rows add up
 * to one [Shepard68]. Once a step A_c = Pt A P is factored completely (solve/fill.h), and z gets P A_c^-1
 * Pt r besides what the preconditioner makes of r: additive Schwarz of two levels [DryjaWidlund94]. Where the
 * factor would fill too much, as between many layers, the solve does without.
 *
 * Distances are those along edges in the rest shape, so that sides of a tube, or cloths that touch, do not
 * share nodes unless the cloth leads from one to the other.
 */
#ifndef WEFT_SOLVE_COARSE_H
#define WEFT_SOLVE_COARSE_H

#include "model.h"
#include "solve/fill.h"

/* Vertices a node: 250, 70, 46 and 32 take 70, 59, 54 and 51 iterations on the drape of 20164 vertices, 113
 * without. And so many nodes at most, about, up to ROWS_MOST vertices a node, then up to NODES_MOST: the
 * factor's cost grows with more than their number, and contacts between layers add to it. Three sheets of
 * 101568 vertices that a ball presses on each other (sphere, steps 161 to 172) take 305, 288 and 311
 * iterations a step with 1659, 1000 and 600 nodes, and 1.63, 1.49 and 1.52 s. */
enum { WEFT_COARSE_ROWS = 64, WEFT_COARSE_ROWS_MOST = 250 };
enum { WEFT_COARSE_NODES_LARGE = 1000, WEFT_COARSE_NODES_MOST = 2000 };
/* Nodes that a vertex moves with. Four take 62 instead of 67 iterations a step on the same drape, and A_c
 * nearly twice as long to make: 133 and 128 ms a step. */
enum { WEFT_COARSE_NODES = 3 };

typedef struct WeftCoarse {
  int row_count, node_count; /* 0: there is no coarse picture */
  int32_t *node;             /* row_count x WEFT_COARSE_NODES */
  float *weight;             /* the same; 0 where there are fewer */
  int32_t *start, *row;      /* node_count + 1: the rows that move with a node, ascending */
  float *share;              /* of each such row: its weight */
  WeftBcsr matrix;           /* Pt A P */
  WeftFill fill;             /* its factor */
  bool has_pattern;          /* the matrix's is that for this one of the fine matrix: */
  int64_t pattern;
  uint8_t *held;                /* node_count: none is */
  double *r, *z;                /* node_count x 3 */
  float *narrow_z;              /* node_count x 4 */
  double *sums;                 /* scratch: one a work item */
  int32_t *extra_start, *extra; /* columns that contacts add to each row of the matrix */
  int32_t *position;            /* scratch: node_count a work item */
  int32_t *mark;                /* scratch: node_count */
  size_t extra_capacity;
  WeftPrimitives primitives;
  WeftDevice *device; /* that has its arrays; NULL: the CPU */
} WeftCoarse;

/* For the model's cloths and the lasting part of the matrix. */
WeftResult weft_coarse_create(WeftCoarse *coarse, const WeftModel *model, const WeftBcsr *fine,
                              WeftError *error);
void weft_coarse_destroy(WeftCoarse *coarse);
WeftResult weft_coarse_share(WeftCoarse *coarse, WeftDevice *device, WeftError *error);
/* Takes over a matrix; held as for preconditioners. */
WeftResult weft_coarse_update(WeftCoarse *coarse, const WeftBcsr *fine, const uint8_t *held,
                              WeftError *error);
/* Is there one, and was its factor worth making? */
static inline bool weft_coarse_is_there(const WeftCoarse *coarse) {
  return coarse->node_count > 0 && coarse->fill.is_there;
}
/* z += P A_c^-1 Pt r; rz: r.z anew, over the rows of each work item. */
void weft_coarse_add(const WeftCoarse *coarse, const double *r, double *z, double *rz);
/* The same in single precision, in parts: r of the nodes; and z += P of narrow_z, with r.r, too. */
void weft_coarse_restrict_narrow(const WeftCoarse *coarse, const float *r);
void weft_coarse_prolong_narrow(const WeftCoarse *coarse, const float *r, float *z, double *rr, double *rz);

#endif
