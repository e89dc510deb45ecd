#include "judge/tree.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF_SIZE = 4 };

/* A triangle while the tree is made. */
typedef struct Item {
  double middle[3];
  int32_t triangle;
} Item;

/* Nothing here is NaN: these are one instruction, fmin and fmax are calls. */
static double lesser(double a, double b) { return a < b ? a : b; }
static double greater(double a, double b) { return a < b ? b : a; }

static WeftBox box_of(const WeftSoup *soup, int32_t triangle) {
  const int32_t *corners = soup->triangles + 3 * (size_t)triangle;
  WeftBox box;
  for (int k = 0; k < 3; k++) {
    double a = soup->positions[3 * (size_t)corners[0] + (size_t)k],
           b = soup->positions[3 * (size_t)corners[1] + (size_t)k],
           c = soup->positions[3 * (size_t)corners[2] + (size_t)k];
    box.low[k] = lesser(a, lesser(b, c));
    box.high[k] = greater(a, greater(b, c));
  }
  return box;
}

static int widest_axis(const Item *items, int32_t count) {
  double low[3], high[3];
  memcpy(low, items[0].middle, sizeof low);
  memcpy(high, items[0].middle, sizeof high);
  for (int32_t i = 1; i < count; i++)
    for (int k = 0; k < 3; k++) {
      low[k] = lesser(low[k], items[i].middle[k]);
      high[k] = greater(high[k], items[i].middle[k]);
    }
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
  return axis;
}

/* Afterwards no item before place `middle` lies above one behind it (Hoare's selection). */
static void select_middle(Item *items, int32_t count, int32_t middle, int axis) {
  int32_t first = 0, last = count - 1;
  while (first < last) {
    double pivot = items[first + (last - first) / 2].middle[axis];
    int32_t i = first, j = last;
    while (i <= j) {
      while (items[i].middle[axis] < pivot) i++;
      while (pivot < items[j].middle[axis]) j--;
      if (i > j) break;
      Item moved = items[i];
      items[i++] = items[j];
      items[j--] = moved;
    }
    if (middle <= j)
      last = j;
    else if (middle >= i)
      first = i;
    else
      return;
  }
}

static void widen(WeftBox *box, const WeftBox *other) {
  for (int k = 0; k < 3; k++) {
    box->low[k] = lesser(box->low[k], other->low[k]);
    box->high[k] = greater(box->high[k], other->high[k]);
  }
}

static void make_leaf(WeftTree *tree, const WeftSoup *soup, const Item *items, int32_t first, int32_t count,
                      WeftTreeNode *node) {
  for (int32_t i = first; i < first + count; i++) {
    tree->order[i] = items[i].triangle;
    tree->boxes[i] = box_of(soup, items[i].triangle);
    if (i == first) node->box = tree->boxes[i];
    widen(&node->box, &tree->boxes[i]);
  }
  node->first = first;
  node->count = count;
}

/* Halves it at every node, so it is as deep as the logarithm of the count. */
static void make_node(WeftTree *tree, const WeftSoup *soup, Item *items, int32_t first, int32_t count) {
  WeftTreeNode *node = &tree->nodes[tree->node_count++];
  if (count <= LEAF_SIZE) {
    make_leaf(tree, soup, items, first, count, node);
  } else {
    int32_t half = count / 2;
    select_middle(items + first, count, half, widest_axis(items + first, count));
    const WeftTreeNode *below = &tree->nodes[tree->node_count];
    make_node(tree, soup, items, first, half);
    node->box = below->box;
    below = &tree->nodes[tree->node_count];
    make_node(tree, soup, items, first + half, count - half);
    widen(&node->box, &below->box);
  }
  node->skip = tree->node_count;
}

WeftResult weft_tree_create(WeftTree *tree, const WeftSoup *soup, WeftError *error) {
  memset(tree, 0, sizeof *tree);
  int32_t count = soup->triangle_count;
  Item *items = WEFT_NEW(Item, count);
  tree->nodes =
      WEFT_NEW(WeftTreeNode, (size_t)count + 1); /* leaves hold two triangles or more, but one alone */
  tree->order = WEFT_NEW(int32_t, count);
  tree->boxes = WEFT_NEW(WeftBox, count);
  bool has_memory = items && tree->nodes && tree->order && tree->boxes;
  for (int32_t t = 0; has_memory && t < count; t++) {
    WeftBox box = box_of(soup, t);
    for (int k = 0; k < 3; k++) items[t].middle[k] = 0.5 * (box.low[k] + box.high[k]);
    items[t].triangle = t;
  }
  if (has_memory && count) make_node(tree, soup, items, 0, count);
  free(items);
  return has_memory ? WEFT_RESULT_OK : weft_fail_memory(error, "check of meshes");
}

void weft_tree_destroy(WeftTree *tree) {
  free(tree->nodes);
  free(tree->order);
  free(tree->boxes);
}
