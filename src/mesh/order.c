/* Vertices along a Hilbert curve through the box of the mesh, 2^21 cells an axis, cubes of the same size
 * along all axes so that a flat sheet is a flat sheet of the curve. Keys have 63 bits and are sorted by six
 * stable passes of 11 bits, so that ties keep the user's order.
 */
#include "mesh/order.h"

#include "base/memory.h"
#include "mesh/hilbert.kernel.h"

#include <math.h>
#include <stdlib.h>

enum { BITS = 21, RADIX_BITS = 11, RADIX = 1 << RADIX_BITS };

typedef struct Item {
  uint64_t key;
  int32_t vertex;
} Item;

typedef struct Box {
  double low[3];
  double extent; /* the longest side; 0 when there is none */
} Box;

static Box find_box(int count, const double *positions) {
  Box box = {{0, 0, 0}, 0};
  for (int axis = 0; axis < 3; axis++) {
    double low = INFINITY, high = -INFINITY;
    for (int v = 0; v < count; v++) {
      double x = positions[3 * (size_t)v + axis];
      if (!isfinite(x)) continue;
      low = fmin(low, x);
      high = fmax(high, x);
    }
    if (low <= high) box.low[axis] = low;
    if (high - low > box.extent) box.extent = high - low;
  }
  return box;
}

/* The axis' cell; a box too large for a double, or of no size, has one cell. */
static int cell(const Box *box, double x, int axis) {
  double at = (x - box->low[axis]) / box->extent * (1 << BITS);
  if (!(at >= 0)) return 0;
  return at < (1 << BITS) ? (int)at : (1 << BITS) - 1;
}

static uint64_t hilbert(int cells[3]) {
  hilbert_place(cells, BITS);
  uint64_t key = 0;
  for (int level = BITS - 1; level >= 0; level--) {
    for (int axis = 0; axis < 3; axis++) key = key << 1 | (uint64_t)(cells[axis] >> level & 1);
  }
  return key;
}

static void sort_items(int count, Item *items, Item *other) {
  for (int shift = 0; shift < 3 * BITS; shift += RADIX_BITS) {
    int32_t start[RADIX + 1] = {0};
    for (int i = 0; i < count; i++) start[(items[i].key >> shift) % RADIX + 1]++;
    for (int digit = 0; digit < RADIX; digit++) start[digit + 1] += start[digit];
    for (int i = 0; i < count; i++) other[start[(items[i].key >> shift) % RADIX]++] = items[i];
    Item *swap = items;
    items = other;
    other = swap;
  }
}

WeftResult weft_order_vertices(int vertex_count, const double *positions, int32_t *internal_of_user,
                               WeftError *error) {
  Item *items = WEFT_NEW(Item, vertex_count), *other = WEFT_NEW(Item, vertex_count);
  if (!items || !other) {
    free(items);
    free(other);
    return weft_fail_memory(error, "order of vertices");
  }
  Box box = find_box(vertex_count, positions);
  for (int v = 0; v < vertex_count; v++) {
    int cells[3];
    for (int axis = 0; axis < 3; axis++) cells[axis] = cell(&box, positions[3 * (size_t)v + axis], axis);
    items[v] = (Item){hilbert(cells), v};
  }
  sort_items(vertex_count, items, other); /* six passes, an even number: the result is in items */
  for (int i = 0; i < vertex_count; i++) internal_of_user[items[i].vertex] = i;
  free(items);
  free(other);
  return WEFT_RESULT_OK;
}
