/* Disjoint sets in a plain array: parent[i] == i is the root of a set. The smallest member becomes the root,
 * so that the outcome does not depend on the order of the calls. */
#ifndef WEFT_MESH_UNION_FIND_H
#define WEFT_MESH_UNION_FIND_H

#include <stdint.h>

static inline int32_t weft_set_root(int32_t *parent, int32_t i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static inline void weft_set_join(int32_t *parent, int32_t a, int32_t b) {
  a = weft_set_root(parent, a);
  b = weft_set_root(parent, b);
  if (a < b) parent[b] = a;
  if (b < a) parent[a] = b;
}

#endif
