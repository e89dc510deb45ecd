/* A spatial hash with a dynamic and a static set of triangles ([Tang18] sec. 3, Algorithm 1): the active
 * triangles of a query are dynamic, all others static, and a search begins at active ones only. So dynamic
 * triangles meet dynamic and static ones, and static ones never meet each other.
 *
 * Cells come in levels, each twice as large as the one before, around the mean size of boxes. A triangle is
 * stored at the first level where cells are larger than its box, in the one cell that holds the box's low
 * corner. Whatever overlaps a box then has its own entry, at each level, in a cell between the one below the
 * box's low corner and that of its high corner: a window of three cells along an axis at the most where the
 * seeker is not larger than a cell. Rejected: an entry in every cell that a box touches, as I-Cloth has it.
 * It takes about four times the entries to sort and gather, finds pairs several times, and a mesh with one
 * huge triangle would have millions of them.
 *
 * The table is the entries sorted by bucket; a row of cells along x is a row of buckets, so that a window is
 * a few runs of memory. An entry found in a bucket counts if its cell is the one sought: cells that share a
 * bucket do no harm, and each pair is found once.
 *
 * A local query keeps the table of the last one that was not. Triangles that were active since then have left
 * it, and are in a small table of their own, which is made anew each time. */
#include "detect/broad_hash.kernel.h"
#include "detect/run_pool.h"
#include "detect/spread.h"
#include "device/launch.h"
#include "device/shared.h"

typedef struct Table {
  int count; /* entries: active ones first, then others */
  int active_count;
  int bucket_count;                /* of each kind, a power of two */
  int active_levels, other_levels; /* bit l: there are entries at level l */
  size_t capacity_key, capacity_triangle, capacity_start, capacity_blocks, capacity_cell, capacity_summary;
  int32_t *key, *triangle; /* of entries: bucket, triangle */
  int32_t *start;          /* 2 x bucket_count + 1: first entry of a bucket */
  float *blocks;           /* of entries: boxes, in blocks */
  int32_t *cell;           /* of entries: three numbers, see hash_gather */
  int32_t *summary;        /* scratch: see hash_summarise */
} Table;

typedef struct HashPhase {
  WeftBroad broad;
  WeftSpread spread;
  WeftRunPool pool;
  double *space;      /* 4, see load_space */
  Table all, moved;   /* the large table and the small one */
  Table spare;        /* the large one's, when triangles leave it */
  int32_t *has_moved; /* triangle_count: 1: has left the large table */
  int32_t *list;      /* triangle_count: those that have */
  bool is_built;
} HashPhase;

/* One half of a table that the active search. */
typedef struct Field {
  const Table *table;
  int first_bucket, levels;
  bool is_among_active; /* the seekers' own half */
} Field;
enum { MOST_FIELDS = 4 };

/* Cells of the middle level, over the mean size of boxes: where triangles are alike all of them fit, and few
 * would fit half of it. */
static const double CELL_SIZE = 1.5;
enum { LEVELS_BELOW = 5 };
/* Local queries keep the large table while no more than one in so many triangles has left it. */
enum { KEPT_WHILE = 4 };

static WeftResult create(WeftBroad *broad, WeftError *error) {
  HashPhase *self = (HashPhase *)broad;
  size_t n = (size_t)broad->triangle_count;
  int32_t **arrays[] = {&self->has_moved, &self->list};
  WeftResult result = weft_spread_create(&self->spread, broad->device, broad->triangle_count, error);
  if (!result) {
    result = weft_shared_new(broad->device, (void **)&self->space, 4, sizeof(double), WEFT_MEMORY_SMALL,
                             "spatial hash", error);
  }
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    result = weft_shared_new(broad->device, (void **)arrays[i], n, sizeof(int32_t), WEFT_MEMORY_DETECT,
                             "spatial hash", error);
  }
  if (!result) result = weft_broad_reserve_primitives(broad, broad->triangle_count + 1, error);
  return result;
}

static void free_table(WeftDevice *device, Table *table) {
  void **arrays[] = {(void **)&table->key,    (void **)&table->triangle, (void **)&table->start,
                     (void **)&table->blocks, (void **)&table->cell,     (void **)&table->summary};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) weft_shared_free(device, arrays[i]);
}

static void destroy(WeftBroad *broad) {
  HashPhase *self = (HashPhase *)broad;
  void **arrays[] = {(void **)&self->space, (void **)&self->has_moved, (void **)&self->list};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) weft_shared_free(broad->device, arrays[i]);
  free_table(broad->device, &self->all);
  free_table(broad->device, &self->moved);
  free_table(broad->device, &self->spare);
  weft_run_pool_destroy(&self->pool, broad);
  weft_spread_destroy(&self->spread);
}

static WeftResult reserve_table(WeftBroad *broad, Table *table, WeftError *error) {
  size_t n = ((size_t)table->count + BLOCK - 1) / BLOCK * BLOCK, runs = (size_t)weft_run_count(table->count);
  const struct {
    void **array;
    size_t *capacity, count, size;
    WeftMemoryKind kind;
  } arrays[] = {
      {(void **)&table->key, &table->capacity_key, n + 1, sizeof(int32_t), WEFT_MEMORY_DETECT},
      {(void **)&table->triangle, &table->capacity_triangle, n, sizeof(int32_t), WEFT_MEMORY_DETECT},
      {(void **)&table->start, &table->capacity_start, 2 * (size_t)table->bucket_count + 1, sizeof(int32_t),
       WEFT_MEMORY_DETECT},
      {(void **)&table->blocks, &table->capacity_blocks, 6 * n, sizeof(float), WEFT_MEMORY_DETECT},
      {(void **)&table->cell, &table->capacity_cell, 3 * n, sizeof(int32_t), WEFT_MEMORY_DETECT},
      {(void **)&table->summary, &table->capacity_summary, 3 * runs, sizeof(int32_t), WEFT_MEMORY_SMALL}};
  WeftResult result = weft_broad_reserve_primitives(broad, table->count, error);
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    result = weft_shared_grow(broad->device, arrays[i].array, arrays[i].capacity, arrays[i].count,
                              arrays[i].size, arrays[i].kind, "spatial hash", error);
  }
  return result;
}

/* The table of count triangles: those listed, or all of them. */
static WeftResult fill_table(HashPhase *self, Table *table, int count, const int32_t *list,
                             const WeftBroadQuery *query, WeftError *error) {
  WeftBroad *broad = &self->broad;
  WeftDevice *device = broad->device;
  int bits = 4, runs = weft_run_count(count);
  while (bits < 28 && 1 << bits < 2 * count) bits++;
  table->count = count;
  table->bucket_count = 1 << bits;
  WeftResult result = reserve_table(broad, table, error);
  if (result) return result;
  LAUNCH(device, hash_keys, count, list, query->box, query->active, self->space, table->bucket_count,
         table->key, table->triangle);
  weft_sort(&broad->primitives, count, query->active ? bits + 1 : bits, table->key, table->triangle);
  LAUNCH(device, hash_gather, count, table->triangle, query->box, self->space, table->blocks, table->cell);
  LAUNCH(device, hash_starts, count + 1, table->bucket_count, table->key, table->start);
  LAUNCH(device, hash_summarise_runs, runs, count, table->bucket_count, table->start, table->cell,
         table->summary);
  LAUNCH(device, hash_summarise, 1, runs, table->bucket_count, table->start, table->summary);
  if (!weft_device_download(device, table->summary, 3 * sizeof(int32_t))) {
    return weft_device_check(device, error);
  }
  table->active_levels = table->summary[0];
  table->other_levels = table->summary[1];
  table->active_count = table->summary[2];
  return WEFT_RESULT_OK;
}

/* Chooses the size of the smallest cells. */
static void lay_out(HashPhase *self) {
  const WeftSpread *spread = &self->spread;
  double finest = CELL_SIZE * spread->mean / (1 << LEVELS_BELOW);
  if (!(finest > 0)) finest = spread->extent > 0 ? spread->extent / 1024 : 1; /* all are points */
  while (2 * spread->extent / finest > HASH_CELLS) finest *= 2;
  const double space[4] = {spread->low[0], spread->low[1], spread->low[2], finest};
  for (int i = 0; i < 4; i++) self->space[i] = space[i];
  weft_device_upload(self->broad.device, self->space, sizeof space);
}

static WeftResult rebuild(HashPhase *self, const WeftBroadQuery *query, WeftError *error) {
  WeftBroad *broad = &self->broad;
  int n = broad->triangle_count;
  self->is_built = false;
  WeftResult result = weft_spread_measure(&self->spread, n, query->box, INFINITY, error);
  if (result) return result;
  lay_out(self);
  result = fill_table(self, &self->all, n, NULL, query, error);
  if (result) return result;
  weft_device_zero(broad->device, self->has_moved, (size_t)n * sizeof(int32_t));
  self->moved.count = 0;
  self->is_built = true;
  broad->counts.rebuilds++;
  return WEFT_RESULT_OK;
}

/* Takes those that have moved out of the large table; the order of the others stays. */
static WeftResult take_out(HashPhase *self, WeftError *error) {
  WeftBroad *broad = &self->broad;
  Table *all = &self->all, *rest = &self->spare;
  rest->count = all->count;
  rest->bucket_count = all->bucket_count;
  WeftResult result = reserve_table(broad, rest, error);
  if (result) return result;
  LAUNCH(broad->device, hash_mark_kept, all->count + 1, all->triangle, self->has_moved, rest->key);
  int kept = weft_scan(&broad->primitives, all->count + 1, rest->key, rest->key);
  if (kept < 0) return weft_device_check(broad->device, error);
  LAUNCH(broad->device, hash_keep, all->count, rest->key, all->triangle, all->blocks, all->cell,
         rest->triangle, rest->blocks, rest->cell);
  LAUNCH(broad->device, hash_keep_starts, 2 * all->bucket_count + 1, rest->key, all->start, rest->start);
  rest->count = kept;
  /* of more levels than there may be now: they are found empty */
  rest->active_levels = all->active_levels;
  rest->other_levels = all->other_levels;
  const Table swapped = *all;
  *all = *rest;
  *rest = swapped;
  return WEFT_RESULT_OK;
}

/* Brings both tables up to date, or builds the large one when too many have left it. */
static WeftResult update(HashPhase *self, const WeftBroadQuery *query, WeftError *error) {
  WeftBroad *broad = &self->broad;
  int n = broad->triangle_count;
  if (!self->is_built || !query->is_local || !query->active) return rebuild(self, query, error);
  LAUNCH(broad->device, hash_mark_moved, n, query->active, self->has_moved);
  int moved = weft_compact(&broad->primitives, n, self->has_moved, self->list);
  if (moved < 0) return weft_device_check(broad->device, error);
  if (moved > n / KEPT_WHILE) return rebuild(self, query, error);
  if (moved == 0) return WEFT_RESULT_OK;
  WeftResult result = fill_table(self, &self->moved, moved, self->list, query, error);
  if (!result && moved > n - self->all.count) result = take_out(self, error);
  return result;
}

/* What the active entries of a table search: their own half, and every other that is not empty. */
static int list_fields(const HashPhase *self, const Table *own, Field fields[MOST_FIELDS]) {
  const Table *all = &self->all, *moved = &self->moved;
  const Field wanted[MOST_FIELDS] = {{own, 0, own->active_levels, true},
                                     {own, own->bucket_count, own->other_levels, false},
                                     {all, 0, own == moved ? all->active_levels : 0, false},
                                     {all, all->bucket_count, own == moved ? all->other_levels : 0, false}};
  int count = 0;
  for (int i = 0; i < MOST_FIELDS; i++) {
    if (wanted[i].levels) fields[count++] = wanted[i];
  }
  return count;
}

static WeftResult search(HashPhase *self, const Table *own, WeftError *error) {
  WeftBroad *broad = &self->broad;
  WeftRunPool *pool = &self->pool;
  Field fields[MOST_FIELDS];
  int active = own->active_count, runs = weft_run_count(active), field_count = list_fields(self, own, fields);
  int items = field_count * runs;
  WeftResult result = weft_run_pool_reserve(pool, broad, items, error);
  if (result) return result;
  for (int f = 0; f < field_count; f++) {
    const Table *there = fields[f].table;
    LAUNCH(broad->device, hash_find, runs, f * runs, (int)fields[f].is_among_active, active, self->space,
           own->blocks, own->cell, own->triangle, fields[f].first_bucket, there->bucket_count,
           fields[f].levels, there->start, there->blocks, there->cell, there->triangle, pool->room, pool->a,
           pool->b, broad->item_count, broad->item_tests);
  }
  result = weft_run_pool_place(pool, broad, items, error);
  if (result) return result;
  for (int f = 0; f < field_count; f++) {
    const Table *there = fields[f].table;
    LAUNCH(broad->device, hash_find_again, runs, f * runs, (int)fields[f].is_among_active, active,
           self->space, own->blocks, own->cell, own->triangle, fields[f].first_bucket, there->bucket_count,
           fields[f].levels, there->start, there->blocks, there->cell, there->triangle, pool->room,
           broad->item_count, broad->item_start, broad->pairs.a, broad->pairs.b);
  }
  weft_run_pool_adapt(pool, broad, items);
  return WEFT_RESULT_OK;
}

static WeftResult find(WeftBroad *broad, const WeftBroadQuery *query, WeftError *error) {
  HashPhase *self = (HashPhase *)broad;
  double rebuilds = broad->counts.rebuilds;
  WeftResult result = update(self, query, error);
  if (result) return result;
  bool is_new = broad->counts.rebuilds > rebuilds;
  const Table *own = is_new ? &self->all : &self->moved;
  if (own->count == 0 || own->active_count == 0) return WEFT_RESULT_OK;
  return search(self, own, error);
}

const WeftBroadOps weft_broad_hash = {.name = "hash",
                                      .citation = "Tang18 sec. 3",
                                      .summary = "spatial hash with a dynamic and a static set of triangles",
                                      .size = sizeof(HashPhase),
                                      .create = create,
                                      .destroy = destroy,
                                      .find = find};
