/* A uniform grid with control bits [Wong14 sec. 3.3.1, Fig. 3.3-3.4; Grand07]: a triangle has an entry in
 * every cell it touches, and pairs are sought among the entries of a cell. Cells are larger than one and a
 * half times the largest box, so that a box touches at most two along an axis, which have different parities.
 * A pair that shares several cells is tested in one: eleven control bits for each triangle tell which.
 *
 * The thesis assigns spheres to cells and tests a pair where at least one of the two is at home, in the cell
 * of the lowest type. Boxes are tighter, but two that overlap next to an edge of four cells may share only a
 * third cell, in which neither is at home. So the rule is taken axis by axis here: where the homes of both
 * have the same parity the cell has it too, and of the cells that are left the pair takes the lowest type
 * that both touch. For boxes a and b that overlap exactly one cell passes, with s the size of a cell and d
 * that of the largest box, s > 1.5 d: along each axis
 * - the homes are equal or neighbours, since the centres are no further apart than d;
 * - if equal, both touch the home, and no other cell of its parity, which would be two away;
 * - if neighbours h and h + 1, a does not touch h - 1: it would end below h s + d, while b, with its centre
 *   beyond (h + 1) s, begins beyond (h + 1) s - d/2 > h s + d. So both touch nothing but h and h + 1, of
 *   different parity, and as the cell function is monotone they share at least one.
 * What does not overlap is left to the box test.
 *
 * One large triangle would make all cells large, and a floor often is two of them: the method's known
 * weakness. Differs: triangles many times larger than the mean of the others, as long as they are few, are
 * not entered, and each is compared with all. */
#include "detect/broad_grid.kernel.h"
#include "detect/run_pool.h"
#include "detect/spread.h"
#include "device/launch.h"
#include "device/shared.h"

#include <math.h>

typedef struct GridPhase {
  WeftBroad broad;
  WeftSpread spread;
  WeftRunPool pool;
  double *grid;             /* 6, see load_grid */
  int32_t *control, *start; /* triangle_count: control bits; first entry */
  int32_t *large_start;     /* triangle_count: place among the large ones */
  int32_t *large;           /* MOST_LARGE: the triangles that are not entered */
  size_t capacity_key, capacity_value, capacity_blocks, capacity_filter;
  int32_t *key, *value; /* of entries: see grid_enter */
  float *blocks;
  uint32_t *filter;
} GridPhase;

/* 1.5 and more than rounding may take away, which is less than 2^-22 of a cell with 2^29 of them. */
static const double CELL_SIZE = 1.5 * (1 + 1e-4);
/* So that a key, which is twice a cell, is a positive int. */
static const double LARGEST_CELL_COUNT = 1 << 29;

/* A triangle is large if its box is so many times the mean of those that are not. */
static const double LARGE = 8;
enum { MOST_LARGE = 256 };

static WeftResult create(WeftBroad *broad, WeftError *error) {
  GridPhase *self = (GridPhase *)broad;
  size_t n = (size_t)broad->triangle_count;
  int32_t **arrays[] = {&self->control, &self->start, &self->large_start};
  WeftResult result = weft_spread_create(&self->spread, broad->device, broad->triangle_count, error);
  if (!result) {
    result = weft_shared_new(broad->device, (void **)&self->grid, 6, sizeof(double), WEFT_MEMORY_SMALL,
                             "grid", error);
  }
  if (!result) {
    result = weft_shared_new(broad->device, (void **)&self->large, MOST_LARGE, sizeof(int32_t),
                             WEFT_MEMORY_SMALL, "grid", error);
  }
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    result = weft_shared_new(broad->device, (void **)arrays[i], n, sizeof(int32_t), WEFT_MEMORY_DETECT,
                             "grid", error);
  }
  if (!result) result = weft_broad_reserve_primitives(broad, broad->triangle_count, error);
  return result;
}

static void destroy(WeftBroad *broad) {
  GridPhase *self = (GridPhase *)broad;
  void **arrays[] = {(void **)&self->grid,        (void **)&self->control, (void **)&self->start,
                     (void **)&self->large_start, (void **)&self->large,   (void **)&self->key,
                     (void **)&self->value,       (void **)&self->blocks,  (void **)&self->filter};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) weft_shared_free(broad->device, arrays[i]);
  weft_run_pool_destroy(&self->pool, broad);
  weft_spread_destroy(&self->spread);
}

/* Measures the triangles that are entered; *limit: the side of a box above which they are large. */
static WeftResult measure(GridPhase *self, const float *box, double *limit, WeftError *error) {
  WeftSpread *spread = &self->spread;
  int n = self->broad.triangle_count;
  *limit = INFINITY;
  WeftResult result = weft_spread_measure(spread, n, box, *limit, error);
  /* without the largest the mean is smaller, and others may be large too */
  while (!result && spread->largest > LARGE * spread->mean) {
    double next = LARGE * spread->mean;
    result = weft_spread_measure(spread, n, box, next, error);
    if (!result && spread->larger_count > MOST_LARGE)
      return weft_spread_measure(spread, n, box, *limit, error);
    *limit = next;
  }
  return result;
}

/* Chooses the size of cells; returns how many there are. */
static double lay_out(GridPhase *self) {
  const WeftSpread *spread = &self->spread;
  double size = CELL_SIZE * spread->largest, cells[3], count;
  if (!(size > 0)) size = spread->extent > 0 ? spread->extent / 1024 : 1; /* all are points */
  for (;;) {
    count = 1;
    for (int k = 0; k < 3; k++) count *= cells[k] = floor(spread->side[k] / size) + 2;
    if (count <= LARGEST_CELL_COUNT) break;
    size *= 1.25;
  }
  const double grid[6] = {spread->low[0], spread->low[1], spread->low[2], 1 / size, cells[0], cells[1]};
  for (int i = 0; i < 6; i++) self->grid[i] = grid[i];
  weft_device_upload(self->broad.device, self->grid, sizeof grid);
  return count;
}

static WeftResult reserve_entries(GridPhase *self, int count, WeftError *error) {
  WeftDevice *device = self->broad.device;
  size_t n = ((size_t)count + BLOCK - 1) / BLOCK * BLOCK;
  WeftResult result = weft_shared_grow(device, (void **)&self->key, &self->capacity_key, n, sizeof(int32_t),
                                       WEFT_MEMORY_DETECT, "cells", error);
  if (!result) {
    result = weft_shared_grow(device, (void **)&self->value, &self->capacity_value, n, sizeof(int32_t),
                              WEFT_MEMORY_DETECT, "cells", error);
  }
  if (!result) {
    result = weft_shared_grow(device, (void **)&self->blocks, &self->capacity_blocks, 6 * n, sizeof(float),
                              WEFT_MEMORY_DETECT, "cells", error);
  }
  if (!result) {
    result = weft_shared_grow(device, (void **)&self->filter, &self->capacity_filter, n, sizeof(uint32_t),
                              WEFT_MEMORY_DETECT, "cells", error);
  }
  if (!result) result = weft_broad_reserve_primitives(&self->broad, count, error);
  return result;
}

/* The entries, sorted by cell, and the list of large triangles. */
static WeftResult enter_all(GridPhase *self, const WeftBroadQuery *query, double *limit, int *entry_count,
                            WeftError *error) {
  WeftBroad *broad = &self->broad;
  int n = broad->triangle_count, bits = 1;
  WeftResult result = measure(self, query->box, limit, error);
  if (result) return result;
  double cell_count = lay_out(self);
  while ((double)(1 << bits) < 2 * cell_count) bits++;
  LAUNCH(broad->device, grid_count, n, *limit, self->grid, query->box, self->start, self->large_start);
  int entries = weft_scan(&broad->primitives, n, self->start, self->start);
  if (entries < 0) return weft_device_check(broad->device, error);
  if (self->spread.larger_count) {
    if (weft_scan(&broad->primitives, n, self->large_start, self->large_start) < 0)
      return weft_device_check(broad->device, error);
    LAUNCH(broad->device, grid_list_large, n, *limit, query->box, self->large_start, self->large);
  }
  result = reserve_entries(self, entries, error);
  if (result) return result;
  LAUNCH(broad->device, grid_enter, n, *limit, self->grid, query->box, query->active, self->start,
         self->control, self->key, self->value);
  weft_sort(&broad->primitives, entries, bits, self->key, self->value);
  LAUNCH(broad->device, grid_gather, entries, query->box, self->control, self->value, self->blocks,
         self->filter);
  *entry_count = entries;
  return WEFT_RESULT_OK;
}

static WeftResult find(WeftBroad *broad, const WeftBroadQuery *query, WeftError *error) {
  GridPhase *self = (GridPhase *)broad;
  WeftRunPool *pool = &self->pool;
  double limit;
  int entries = 0, n = broad->triangle_count;
  WeftResult result = enter_all(self, query, &limit, &entries, error);
  if (result) return result;
  broad->counts.rebuilds++;
  int runs = weft_run_count(entries), large = self->spread.larger_count, all = runs + large;
  result = weft_run_pool_reserve(pool, broad, all, error);
  if (result) return result;
  LAUNCH(broad->device, grid_find, runs, entries, self->key, self->value, self->blocks, self->filter,
         pool->room, pool->a, pool->b, broad->item_count, broad->item_tests);
  LAUNCH(broad->device, grid_find_large, large, runs, n, limit, self->large, query->box, query->active,
         pool->room, pool->a, pool->b, broad->item_count, broad->item_tests);
  result = weft_run_pool_place(pool, broad, all, error);
  if (result) return result;
  LAUNCH(broad->device, grid_find_again, runs, entries, self->key, self->value, self->blocks, self->filter,
         pool->room, broad->item_count, broad->item_start, broad->pairs.a, broad->pairs.b);
  LAUNCH(broad->device, grid_find_large_again, large, runs, n, limit, self->large, query->box, query->active,
         pool->room, broad->item_count, broad->item_start, broad->pairs.a, broad->pairs.b);
  weft_run_pool_adapt(pool, broad, all);
  return WEFT_RESULT_OK;
}

const WeftBroadOps weft_broad_grid = {.name = "grid",
                                      .citation = "Wong14 sec. 3.3.1; Grand07",
                                      .summary = "uniform grid with control bits, made for each query",
                                      .size = sizeof(GridPhase),
                                      .create = create,
                                      .destroy = destroy,
                                      .find = find};
