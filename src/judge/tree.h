/* Which triangles can an edge meet? A tree of boxes over the triangles. Boxes are the least and largest of
 * doubles, and are compared as they are: two closed sets with a common point always have boxes that meet. */
#ifndef WEFT_JUDGE_TREE_H
#define WEFT_JUDGE_TREE_H

#include "judge/soup.h"

typedef struct WeftBox {
  double low[3], high[3];
} WeftBox;

typedef struct WeftTreeNode {
  WeftBox box;
  int32_t skip;         /* the node after all that are below this one */
  int32_t first, count; /* leaves: triangles of the tree's order; count 0 inside */
} WeftTreeNode;

typedef struct WeftTree {
  int32_t node_count;
  WeftTreeNode *nodes; /* a node stands before those below it: a search only ever goes forward */
  int32_t *order;      /* triangles, leaf after leaf */
  WeftBox *boxes;      /* of the triangles in that order */
} WeftTree;

static inline bool weft_boxes_meet(const WeftBox *a, const WeftBox *b) {
  return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
         b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

/* Destroy it also after a failure. */
WeftResult weft_tree_create(WeftTree *tree, const WeftSoup *soup, WeftError *error);
void weft_tree_destroy(WeftTree *tree);

#endif
