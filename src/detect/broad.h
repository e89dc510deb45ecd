/* The broad phase: which triangles' boxes overlap. One method, one file and one line in registry.c; all
 * return the same pairs.
 *
 * A query may be restricted: pairs in which no triangle is active are left out. That one rule serves three
 * needs: obstacles do not meet each other (cloth is active); after a response that moved a few vertices only
 * the triangles at them are asked again (I-Cloth's dynamic and static sets, [Tang18] Algorithm 1); and a
 * method that remembers its last search continues it next to them (CAMA's localised propagation, [Tang16]
 * sec. 4.1).
 */
#ifndef WEFT_DETECT_BROAD_H
#define WEFT_DETECT_BROAD_H

#include "detect/slabs.h"
#include "device/primitives.h"

typedef struct WeftBroad WeftBroad;

typedef struct WeftBroadQuery {
  const float *box;       /* triangle_count x 6: low x y z, high x y z; finite */
  const int32_t *active;  /* triangle_count: 1 or 0; NULL: all are active */
  bool is_local;          /* boxes of triangles that are not active are those of the last query */
  const WeftSlabs *slabs; /* NULL, or a method may leave out triangles that these tell apart */
  double distance;        /* by more than this [m] */
} WeftBroadQuery;

typedef struct WeftTrianglePairs {
  int count;
  size_t capacity_a, capacity_b;
  int32_t *a, *b; /* count, a[i] < b[i] */
} WeftTrianglePairs;

/* Of the last query. */
typedef struct WeftBroadCounts {
  double box_tests; /* pairs of boxes compared, those of nodes or cells among them */
  double rebuilds;  /* of the search structure since creation */
  double kept;      /* items of the search kept for the next one: of a front, the pairs it went below */
} WeftBroadCounts;

typedef struct WeftBroadOps {
  const char *name, *citation, *summary;
  size_t size; /* of the method's own struct, which begins with a WeftBroad */
  WeftResult (*create)(WeftBroad *broad, WeftError *error);
  void (*destroy)(WeftBroad *broad);
  /* Fills broad->pairs, in an order that is the same for any number of threads, and broad->counts. */
  WeftResult (*find)(WeftBroad *broad, const WeftBroadQuery *query, WeftError *error);
} WeftBroadOps;

struct WeftBroad {
  const WeftBroadOps *ops;
  WeftDevice *device;
  int triangle_count;
  WeftTrianglePairs pairs;
  WeftBroadCounts counts;
  WeftPrimitives primitives; /* grows with what is sorted */
  size_t item_capacity_count, item_capacity_start, item_capacity_tests;
  int32_t *item_count, *item_start; /* of work items: pairs found, and where they go */
  double *item_tests;               /* of work items: boxes tested */
};

WeftResult weft_broad_create(const WeftBroadOps *ops, WeftDevice *device, int triangle_count,
                             WeftBroad **broad, WeftError *error);
void weft_broad_destroy(WeftBroad *broad);

/* All overlapping pairs with an active triangle, in the method's own order. */
WeftResult weft_broad_find(WeftBroad *broad, const WeftBroadQuery *query, WeftError *error);
/* Sorts the pairs by a, then by b: then all methods give the same arrays. */
WeftResult weft_broad_sort(WeftBroad *broad, WeftError *error);

/* For methods. */

/* item_count, item_start and item_tests for so many work items. */
WeftResult weft_broad_reserve_items(WeftBroad *broad, int item_count, WeftError *error);
/* item_start from item_count; pairs get room for all, and their count. Writes over item_tests. */
WeftResult weft_broad_place_items(WeftBroad *broad, int item_count, WeftError *error);
/* counts.box_tests = sum of item_tests. */
void weft_broad_sum_tests(WeftBroad *broad, int item_count);
/* primitives for arrays of that size. */
WeftResult weft_broad_reserve_primitives(WeftBroad *broad, int capacity, WeftError *error);

extern const WeftBroadOps weft_broad_bvh;
extern const WeftBroadOps weft_broad_front;
extern const WeftBroadOps weft_broad_grid;
extern const WeftBroadOps weft_broad_hash;
extern const WeftBroadOps weft_broad_brute;

#endif
