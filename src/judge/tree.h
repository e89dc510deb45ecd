/* Which triangles can an edge meet? A tree of boxes over the triangles, eight below each node, in single
 * precision and rounded outwards: two closed sets with a common point always have boxes that meet. And of
 * triangles, and of eight neighbours, a slab about their plane, for layers of cloth lie askew in their boxes:
 * an edge on one side of it has no point in common with them. */
#ifndef WEFT_JUDGE_TREE_H
#define WEFT_JUDGE_TREE_H

#include "judge/soup.h"

enum { WEFT_TREE_WIDTH = 8 };

/* One coordinate after the other of all that is below, so that an edge is compared with all of it at once; a
 * place without anything has a box that meets none. */
typedef struct WeftTreeNode {
  float low[3][WEFT_TREE_WIDTH], high[3][WEFT_TREE_WIDTH];
  /* the points x with least <= normal.x <= most hold it, too */
  float normal[3][WEFT_TREE_WIDTH], least[WEFT_TREE_WIDTH], most[WEFT_TREE_WIDTH];
  int32_t below[WEFT_TREE_WIDTH]; /* nodes, or triangles */
  bool has_triangles;
} WeftTreeNode;

typedef struct WeftTree {
  int32_t node_count;
  WeftTreeNode *nodes; /* the root is the first */
} WeftTree;

/* Destroy it also after a failure. */
WeftResult weft_tree_create(WeftTree *tree, const WeftSoup *soup, WeftError *error);
void weft_tree_destroy(WeftTree *tree);

/* A walk past all triangles that an edge can meet, in no order that means anything. */
enum { WEFT_TREE_DEEPEST = 16 };
typedef struct WeftTreeWalk {
  const WeftTree *tree;
  float low[3], high[3];  /* the edge's box */
  float ends[2][3], loss; /* its ends, and more than rounding makes of their heights over a plane */
  int depth;              /* -1: done */
  int32_t node[WEFT_TREE_DEEPEST];
  unsigned left[WEFT_TREE_DEEPEST]; /* places of the node that are to be visited, as bits */
} WeftTreeWalk;
void weft_tree_begin(WeftTreeWalk *walk, const WeftTree *tree, const double *p, const double *q);
/* The next triangle; -1 when there is none. */
int32_t weft_tree_next(WeftTreeWalk *walk);

#endif
