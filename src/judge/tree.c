#include "judge/tree.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Box {
  float low[3], high[3];
} Box;

/* A triangle while the tree is made. */
typedef struct Item {
  double middle[3];
  int32_t triangle;
} Item;

/* Nothing here is NaN: these are one instruction, fmin and fmax are calls. */
static double lesser(double a, double b) { return a < b ? a : b; }
static double greater(double a, double b) { return a < b ? b : a; }

/* A float at or below x, and one at or above it. */
static float float_below(double x) {
  if (x > FLT_MAX) return FLT_MAX;
  if (x < -FLT_MAX) return -INFINITY;
  float near = (float)x;
  return (double)near > x ? nextafterf(near, -INFINITY) : near;
}
static float float_above(double x) { return -float_below(-x); }

static const double *corner(const WeftSoup *soup, int32_t triangle, int i) {
  return soup->positions + 3 * (size_t)soup->triangles[3 * (size_t)triangle + (size_t)i];
}

static double least_of(const WeftSoup *soup, int32_t triangle, int axis) {
  return lesser(corner(soup, triangle, 0)[axis],
                lesser(corner(soup, triangle, 1)[axis], corner(soup, triangle, 2)[axis]));
}

static double most_of(const WeftSoup *soup, int32_t triangle, int axis) {
  return greater(corner(soup, triangle, 0)[axis],
                 greater(corner(soup, triangle, 1)[axis], corner(soup, triangle, 2)[axis]));
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

/* The slab of some triangles. Any direction will do: what counts is that no corner is outside. In doubles a
 * height, of a float and a double each, is rounded by less than four units in the last place of its largest
 * part. */
static void set_slab(WeftTreeNode *node, int place, const WeftSoup *soup, const Item *items, int32_t count) {
  double n[3] = {0, 0, 0}, length = 0, least = INFINITY, most = -INFINITY;
  for (int32_t i = 0; i < count; i++) {
    const double *a = corner(soup, items[i].triangle, 0), *b = corner(soup, items[i].triangle, 1),
                 *c = corner(soup, items[i].triangle, 2);
    for (int k = 0; k < 3; k++) {
      int u = (k + 1) % 3, v = (k + 2) % 3;
      n[k] += (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
    }
  }
  for (int k = 0; k < 3; k++) length = greater(length, fabs(n[k]));
  for (int k = 0; k < 3; k++) node->normal[k][place] = length > 0 ? (float)(n[k] / length) : 0;
  for (int32_t i = 0; i < 3 * count; i++) {
    const double *at = corner(soup, items[i / 3].triangle, i % 3);
    double height = 0, size = 0;
    for (int k = 0; k < 3; k++) {
      double part = (double)node->normal[k][place] * at[k];
      height += part;
      size += fabs(part);
    }
    least = lesser(least, height - 4 * DBL_EPSILON * size);
    most = greater(most, height + 4 * DBL_EPSILON * size);
  }
  node->least[place] = float_below(least);
  node->most[place] = float_above(most);
}

/* One that holds everything. */
static void set_no_slab(WeftTreeNode *node, int place) {
  for (int k = 0; k < 3; k++) node->normal[k][place] = 0;
  node->least[place] = -INFINITY;
  node->most[place] = INFINITY;
}

static Box box_of(const WeftSoup *soup, int32_t triangle) {
  Box box;
  for (int k = 0; k < 3; k++) {
    box.low[k] = float_below(least_of(soup, triangle, k));
    box.high[k] = float_above(most_of(soup, triangle, k));
  }
  return box;
}

static void set_place(WeftTreeNode *node, int place, const Box *box, int32_t below) {
  for (int k = 0; k < 3; k++) {
    node->low[k][place] = box->low[k];
    node->high[k][place] = box->high[k];
  }
  node->below[place] = below;
}

static void widen(Box *box, const Box *other) {
  for (int k = 0; k < 3; k++) {
    if (other->low[k] < box->low[k]) box->low[k] = other->low[k];
    if (other->high[k] > box->high[k]) box->high[k] = other->high[k];
  }
}

/* Parts of so many items, but for the last, each on one side of the next along some axis. */
static void cut(Item *items, int32_t count, int32_t part) {
  int32_t parts = (count + part - 1) / part, middle = parts / 2 * part;
  if (parts == 1) return;
  select_middle(items, count, middle, widest_axis(items, count));
  cut(items, middle, part);
  cut(items + middle, count - middle, part);
}

/* A few items, those of a mesh in the order they had: where sheets lie on each other, a slab of eight
 * triangles of one sheet is thin. */
static void order_by_mesh(Item *items, int32_t count, const int32_t *mesh) {
  for (int32_t i = 1; i < count; i++) {
    Item item = items[i];
    int32_t place = i;
    for (; place > 0 && mesh[items[place - 1].triangle] > mesh[item.triangle]; place--)
      items[place] = items[place - 1];
    items[place] = item;
  }
}

static const Box NOTHING = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* All nodes are full but for the last of each level; returns the box of all. */
static Box make_node(WeftTree *tree, const WeftSoup *soup, Item *items, int32_t count) {
  int32_t own = tree->node_count++, part = 1;
  while (part < (count + WEFT_TREE_WIDTH - 1) / WEFT_TREE_WIDTH) part *= WEFT_TREE_WIDTH;
  if (part == WEFT_TREE_WIDTH)
    order_by_mesh(items, count, soup->triangle_mesh);
  else
    cut(items, count, part);
  Box all = NOTHING;
  for (int i = 0; i < WEFT_TREE_WIDTH; i++) {
    int32_t first = (int32_t)i * part, left = first < count ? count - first : 0, below = 0;
    int32_t held = left < part ? left : part;
    Box box = NOTHING;
    if (held > 0 && part == 1) {
      below = items[first].triangle;
      box = box_of(soup, below);
    } else if (held > 0) {
      below = tree->node_count;
      box = make_node(tree, soup, items + first, held);
    }
    set_place(&tree->nodes[own], i, &box, below);
    if (held > 0 && part <= WEFT_TREE_WIDTH) /* of more a slab would be about as thick as the box */
      set_slab(&tree->nodes[own], i, soup, items + first, held);
    else
      set_no_slab(&tree->nodes[own], i);
    widen(&all, &box);
  }
  tree->nodes[own].has_triangles = part == 1;
  return all;
}

/* Of so many triangles. */
static size_t count_nodes(int32_t count) {
  size_t nodes = 1;
  for (size_t level = (size_t)count; level > WEFT_TREE_WIDTH; nodes += level)
    level = (level + WEFT_TREE_WIDTH - 1) / WEFT_TREE_WIDTH;
  return nodes;
}

WeftResult weft_tree_create(WeftTree *tree, const WeftSoup *soup, WeftError *error) {
  memset(tree, 0, sizeof *tree);
  int32_t count = soup->triangle_count;
  Item *items = WEFT_NEW(Item, count);
  tree->nodes = WEFT_NEW(WeftTreeNode, count_nodes(count));
  bool has_memory = items && tree->nodes;
  for (int32_t t = 0; has_memory && t < count; t++) {
    for (int k = 0; k < 3; k++) items[t].middle[k] = 0.5 * least_of(soup, t, k) + 0.5 * most_of(soup, t, k);
    items[t].triangle = t;
  }
  if (has_memory && count) make_node(tree, soup, items, count);
  free(items);
  return has_memory ? WEFT_RESULT_OK : weft_fail_memory(error, "check of meshes");
}

void weft_tree_destroy(WeftTree *tree) { free(tree->nodes); }

/* The places of a node that the edge can meet, as bits. */
static unsigned meeting(const WeftTreeWalk *w, const WeftTreeNode *node) {
  unsigned bits = 0;
#ifndef __clang__ /* which needs no word, and warns where sanitizers keep it from following */
#pragma omp simd reduction(| : bits)
#endif
  for (unsigned i = 0; i < WEFT_TREE_WIDTH; i++) {
    unsigned box = (node->low[0][i] <= w->high[0]) & (w->low[0] <= node->high[0][i]) &
                   (node->low[1][i] <= w->high[1]) & (w->low[1] <= node->high[1][i]) &
                   (node->low[2][i] <= w->high[2]) & (w->low[2] <= node->high[2][i]);
    float p = node->normal[0][i] * w->ends[0][0] + node->normal[1][i] * w->ends[0][1] +
              node->normal[2][i] * w->ends[0][2];
    float q = node->normal[0][i] * w->ends[1][0] + node->normal[1][i] * w->ends[1][1] +
              node->normal[2][i] * w->ends[1][2];
    float above = node->most[i] + w->loss, below = node->least[i] - w->loss;
    unsigned slab = !(((p > above) & (q > above)) | ((p < below) & (q < below)));
    bits |= (box & slab) << i;
  }
  return bits;
}

void weft_tree_begin(WeftTreeWalk *walk, const WeftTree *tree, const double *p, const double *q) {
  double size = 0;
  walk->tree = tree;
  for (int k = 0; k < 3; k++) {
    walk->low[k] = float_below(lesser(p[k], q[k]));
    walk->high[k] = float_above(greater(p[k], q[k]));
    walk->ends[0][k] = (float)p[k];
    walk->ends[1][k] = (float)q[k];
    size += greater(fabs(p[k]), fabs(q[k]));
  }
  /* no component of a normal is larger than 1; four roundings by 2^-24 each, of the ends, the products and
   * two sums, and those of `above` and `below`, which are about as large where it matters: 16 leaves room */
  walk->loss = float_above(16 * 0x1p-24 * size) + FLT_MIN;
  walk->depth = tree->node_count ? 0 : -1;
  walk->node[0] = 0;
  walk->left[0] = tree->node_count ? meeting(walk, tree->nodes) : 0;
}

static int lowest_bit(unsigned bits) {
#ifdef __GNUC__
  return __builtin_ctz(bits);
#else
  int place = 0;
  while (!(bits >> place & 1)) place++;
  return place;
#endif
}

int32_t weft_tree_next(WeftTreeWalk *walk) {
  while (walk->depth >= 0) {
    unsigned *left = &walk->left[walk->depth];
    if (!*left) {
      walk->depth--;
      continue;
    }
    int place = lowest_bit(*left);
    *left &= *left - 1;
    const WeftTreeNode *node = &walk->tree->nodes[walk->node[walk->depth]];
    if (node->has_triangles) return node->below[place];
    walk->depth++;
    walk->node[walk->depth] = node->below[place];
    walk->left[walk->depth] = meeting(walk, &walk->tree->nodes[node->below[place]]);
  }
  return -1;
}
