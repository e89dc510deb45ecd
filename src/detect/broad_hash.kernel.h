/* A spatial hash with levels of cells [Tang18 sec. 3]; how it works: broad_hash.c. */
#include "detect/box_block.kernel.h"
#include "detect/run_pool.kernel.h"

#define HASH_LEVELS 24       /* of cells, each twice as large as the one before; the last is a single cell */
#define HASH_CELLS (1 << 25) /* along an axis, at most */
#define HASH_ROW_COST 32     /* looking for a row of cells takes as long as testing so many boxes */

/* origin x y z, size of the smallest cells */
typedef struct HashSpace {
  REAL x, y, z, finest;
} HashSpace;

INLINE HashSpace load_space(GLOBAL const REAL *space) {
  HashSpace s;
  s.x = space[0];
  s.y = space[1];
  s.z = space[2];
  s.finest = space[3];
  return s;
}

/* The first level whose cells are larger than the box, by more than rounding may take away. */
INLINE int hash_level_of(Box b, REAL finest) {
  REAL x = (REAL)b.high_x - b.low_x, y = (REAL)b.high_y - b.low_y, z = (REAL)b.high_z - b.low_z;
  REAL size = x > y ? x : y, room = finest * (1 - 1.0 / 1024);
  int level = 0;
  size = size > z ? size : z;
  while (level < HASH_LEVELS - 1 && size > room) {
    room *= 2;
    level++;
  }
  return level;
}

INLINE REAL hash_per_length(int level, REAL finest) {
  return level < HASH_LEVELS - 1 ? 1 / (finest * (1 << level)) : 0;
}

/* Never falls when x rises, wherever x is. */
INLINE int hash_place(float x, REAL origin, REAL per_length) {
  REAL at = ((REAL)x - origin) * per_length;
  if (!(at > 0)) return 0;
  return at < HASH_CELLS ? (int)at : HASH_CELLS - 1;
}

/* Cells that follow each other along x are in buckets that follow each other. */
INLINE int hash_bucket(int level, int x, int y, int z, int bucket_count) {
  unsigned h = (unsigned)y * 0x9e3779b1u ^ (unsigned)z * 0x85ebca6bu ^ (unsigned)level * 0xc2b2ae35u;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 13;
  return (int)((h + (unsigned)x) & (unsigned)(bucket_count - 1));
}

/* The bucket of each triangle that is listed (all, where there is no list); those that are not active get
 * buckets of their own, behind all others. */
KERNEL hash_keys(int count, GLOBAL const int *list, GLOBAL const float *box, GLOBAL const int *active,
                 GLOBAL const REAL *space, int bucket_count, GLOBAL int *key, GLOBAL int *triangle) {
  FOR_ITEMS (i, count) {
    HashSpace s = load_space(space);
    int t = list ? list[i] : i;
    Box b = load_box(box, t);
    int level = hash_level_of(b, s.finest);
    REAL per_length = hash_per_length(level, s.finest);
    int bucket =
        hash_bucket(level, hash_place(b.low_x, s.x, per_length), hash_place(b.low_y, s.y, per_length),
                    hash_place(b.low_z, s.z, per_length), bucket_count);
    key[i] = active && !active[t] ? bucket_count + bucket : bucket;
    triangle[i] = t;
  }
}

/* Of the sorted entries: boxes in blocks, and cells (x and level, y, z). */
KERNEL hash_gather(int count, GLOBAL const int *triangle, GLOBAL const float *box, GLOBAL const REAL *space,
                   GLOBAL float *blocks, GLOBAL int *cell) {
  FOR_ITEMS (e, count) {
    HashSpace s = load_space(space);
    Box b = load_box(box, triangle[e]);
    int level = hash_level_of(b, s.finest);
    REAL per_length = hash_per_length(level, s.finest);
    block_store(blocks, e, b);
    cell[3 * e] = hash_place(b.low_x, s.x, per_length) << 5 | level;
    cell[3 * e + 1] = hash_place(b.low_y, s.y, per_length);
    cell[3 * e + 2] = hash_place(b.low_z, s.z, per_length);
  }
}

/* start[k] = first entry at or behind bucket k: entry e writes those behind the bucket of the entry before
 * it, up to its own. One item more than entries, for what is behind the last. */
KERNEL hash_starts(int count_and_one, int bucket_count, GLOBAL const int *key, GLOBAL int *start) {
  FOR_ITEMS (e, count_and_one) {
    int from = e > 0 ? key[e - 1] + 1 : 0, to = e < count_and_one - 1 ? key[e] : 2 * bucket_count;
    for (int k = from; k <= to; k++) start[k] = e;
  }
}

/* summary of a run: a bit for each level with active entries, and with others; then of all. */
KERNEL hash_summarise_runs(int run_count, int count, int bucket_count, GLOBAL const int *start,
                           GLOBAL const int *cell, GLOBAL int *summary) {
  FOR_CHUNKS (run, run_count) {
    int active = 0, others = 0, first_other = start[bucket_count];
    for (int e = run * POOL_RUN; e < (run + 1) * POOL_RUN && e < count; e++) {
      int bit = 1 << (cell[3 * e] & 31);
      if (e < first_other)
        active |= bit;
      else
        others |= bit;
    }
    summary[3 * run] = active;
    summary[3 * run + 1] = others;
  }
}

/* ... and the number of active entries. */
KERNEL hash_summarise(int one, int run_count, int bucket_count, GLOBAL const int *start,
                      GLOBAL int *summary) {
  FOR_CHUNKS (item, one) {
    for (int run = 1; run < run_count; run++) {
      summary[0] |= summary[3 * run];
      summary[1] |= summary[3 * run + 1];
    }
    summary[2] = start[bucket_count + item];
  }
}

KERNEL hash_mark_moved(int triangle_count, GLOBAL const int *active, GLOBAL int *has_moved) {
  FOR_ITEMS (i, triangle_count) {
    if (active[i]) has_moved[i] = 1;
  }
}

/* 1 for entries that stay, and a 0 behind the last. */
KERNEL hash_mark_kept(int count_and_one, GLOBAL const int *triangle, GLOBAL const int *has_moved,
                      GLOBAL int *kept) {
  FOR_ITEMS (e, count_and_one) {
    kept[e] = e < count_and_one - 1 && !has_moved[triangle[e]];
  }
}

/* place: of each entry among those that stay, which move there in their order. */
KERNEL hash_keep(int count, GLOBAL const int *place, GLOBAL const int *triangle, GLOBAL const float *blocks,
                 GLOBAL const int *cell, GLOBAL int *kept_triangle, GLOBAL float *kept_blocks,
                 GLOBAL int *kept_cell) {
  FOR_ITEMS (e, count) {
    int to = place[e];
    if (place[e + 1] > to) {
      kept_triangle[to] = triangle[e];
      block_store(kept_blocks, to, block_load(blocks, e));
      for (int k = 0; k < 3; k++) kept_cell[3 * to + k] = cell[3 * e + k];
    }
  }
}

KERNEL hash_keep_starts(int start_count, GLOBAL const int *place, GLOBAL const int *start,
                        GLOBAL int *kept_start) {
  FOR_ITEMS (k, start_count) {
    kept_start[k] = place[start[k]];
  }
}

/* One half of a table: active entries, or the others. */
typedef struct HashTable {
  GLOBAL const int *start; /* of its buckets */
  int bucket_count;
  GLOBAL const float *blocks;
  GLOBAL const int *cell, *triangle;
  int levels; /* bit l: something is there */
} HashTable;

/* The entry that searches. */
typedef struct HashSeeker {
  Box box;
  int entry, triangle, level, x; /* its cell */
} HashSeeker;

/* Entries with these cells count: more than one cell may be in a bucket. levels: a bit for each. */
typedef struct HashWanted {
  int levels, first_x, last_x, first_y, last_y, first_z, last_z;
} HashWanted;

INLINE int hash_is_wanted(HashTable table, HashWanted w, int e) {
  int x = table.cell[3 * e] >> 5, level = table.cell[3 * e] & 31, y = table.cell[3 * e + 1],
      z = table.cell[3 * e + 2];
  return ((w.levels >> level) & 1) & (x >= w.first_x) & (x <= w.last_x) & (y >= w.first_y) & (y <= w.last_y) &
         (z >= w.first_z) & (z <= w.last_z);
}

INLINE RunOutput hash_scan(RunOutput out, HashTable table, HashSeeker own, HashWanted wanted, int from,
                           int to) {
  out.tests += to - from;
  for (int first = from / BLOCK * BLOCK; first < to; first += BLOCK) {
    int hit[BLOCK], found[BLOCK], hits = 0;
    block_overlaps(own.box, table.blocks + 6 * first, hit);
    FOR_LANES (k, BLOCK) {
      hit[k] &= (first + k >= from) & (first + k < to);
    }
    /* without branches: which of the eight hit cannot be foretold */
    for (int k = 0; k < BLOCK; k++) {
      found[hits] = first + k;
      hits += hit[k];
    }
    for (int i = 0; i < hits; i++) {
      if (hash_is_wanted(table, wanted, found[i])) {
        out = run_put(out, own.triangle, table.triangle[found[i]]);
      }
    }
  }
  return out;
}

/* The wanted cells of one row: one y, one z, one level. In the seeker's own row it comes first: what is
 * before it in its cell is not wanted. */
INLINE RunOutput hash_row(RunOutput out, HashTable table, HashSeeker own, HashWanted w, int level,
                          int is_own) {
  int last = table.bucket_count - 1, cells = w.last_x - w.first_x;
  if (cells >= last) return hash_scan(out, table, own, w, table.start[0], table.start[last + 1]);
  int from = hash_bucket(level, w.first_x, w.first_y, w.first_z, table.bucket_count), to = from + cells;
  if (to > last) { /* around the end of the table */
    out = hash_scan(out, table, own, w, table.start[0], table.start[to - last]);
    to = last;
  }
  return hash_scan(out, table, own, w, is_own ? own.entry + 1 : table.start[from], table.start[to + 1]);
}

/* Rows of one level whose entries may overlap the seeker: their low corner is not above its high corner, and
 * at most one cell below its low corner, since an entry is smaller than a cell. */
INLINE HashWanted hash_window(HashSeeker own, HashSpace s, int level) {
  REAL per_length = hash_per_length(level, s.finest);
  HashWanted w;
  w.levels = 1 << level;
  w.first_x = hash_place(own.box.low_x, s.x, per_length);
  w.first_y = hash_place(own.box.low_y, s.y, per_length);
  w.first_z = hash_place(own.box.low_z, s.z, per_length);
  w.first_x -= w.first_x > 0;
  w.first_y -= w.first_y > 0;
  w.first_z -= w.first_z > 0;
  w.last_x = hash_place(own.box.high_x, s.x, per_length);
  w.last_y = hash_place(own.box.high_y, s.y, per_length);
  w.last_z = hash_place(own.box.high_z, s.z, per_length);
  return w;
}

INLINE RunOutput hash_window_rows(RunOutput out, HashTable table, HashSeeker own, HashWanted window,
                                  int level) {
  HashWanted row = window;
  for (int z = window.first_z; z <= window.last_z; z++) {
    for (int y = window.first_y; y <= window.last_y; y++) {
      row.first_y = row.last_y = y;
      row.first_z = row.last_z = z;
      out = hash_row(out, table, own, row, level, 0);
    }
  }
  return out;
}

/* Among its like each pair is sought from one side: from the cell that comes first by z, then y, then x. */
INLINE RunOutput hash_own_level(RunOutput out, HashTable table, HashSeeker own, HashSpace s,
                                GLOBAL const int *cell) {
  HashWanted window = hash_window(own, s, own.level), row = window;
  int own_y = cell[1], own_z = cell[2];
  for (int z = own_z; z <= window.last_z; z++) {
    for (int y = z == own_z ? own_y : window.first_y; y <= window.last_y; y++) {
      row.first_y = row.last_y = y;
      row.first_z = row.last_z = z;
      int is_own = (y == own_y) & (z == own_z);
      row.first_x = is_own ? own.x : window.first_x;
      out = hash_row(out, table, own, row, own.level, is_own);
    }
  }
  return out;
}

/* Among the active: each pair once, larger ones sought by smaller ones. */
INLINE RunOutput hash_among_active(RunOutput out, HashTable table, HashSeeker own, HashSpace s,
                                   GLOBAL const int *cell) {
  out = hash_own_level(out, table, own, s, cell);
  for (int level = own.level + 1; table.levels >> level; level++) {
    if (!(table.levels >> level & 1)) continue;
    out = hash_window_rows(out, table, own, hash_window(own, s, level), level);
  }
  return out;
}

/* Active against others, which do not search themselves: on all levels. Where a level's cells are so small
 * that the seeker's box has more rows of them than the table's boxes are worth, all boxes are tested. */
INLINE RunOutput hash_among_others(RunOutput out, HashTable table, HashSeeker own, HashSpace s) {
  int from = table.start[0], to = table.start[table.bucket_count], tiny_levels = 0;
  for (int level = 0; table.levels >> level; level++) {
    if (!(table.levels >> level & 1)) continue;
    HashWanted w = hash_window(own, s, level);
    REAL rows = (REAL)(w.last_y - w.first_y + 1) * (w.last_z - w.first_z + 1);
    REAL a_row = (REAL)(w.last_x - w.first_x + 1) * (to - from) / table.bucket_count;
    if (rows * (HASH_ROW_COST + a_row) > to - from)
      tiny_levels |= 1 << level;
    else
      out = hash_window_rows(out, table, own, w, level);
  }
  if (tiny_levels) {
    HashWanted all = hash_window(own, s, HASH_LEVELS - 1);
    all.levels = tiny_levels;
    all.last_x = all.last_y = all.last_z = HASH_CELLS;
    out = hash_scan(out, table, own, all, from, to);
  }
  return out;
}

/* The active entries of one table, in runs, search in half a table: their own, or that of others. */
INLINE RunOutput hash_search(RunOutput out, int run, int is_among_active, int active_count,
                             GLOBAL const float *blocks, GLOBAL const int *cell, GLOBAL const int *triangle,
                             GLOBAL const REAL *space, HashTable table) {
  HashSpace s = load_space(space);
  for (int e = run * POOL_RUN; e < (run + 1) * POOL_RUN && e < active_count; e++) {
    HashSeeker own;
    own.box = block_load(blocks, e);
    own.entry = e;
    own.triangle = triangle[e];
    own.level = cell[3 * e] & 31;
    own.x = cell[3 * e] >> 5;
    if (is_among_active)
      out = hash_among_active(out, table, own, s, cell + 3 * e);
    else
      out = hash_among_others(out, table, own, s);
  }
  return out;
}

INLINE HashTable hash_table(GLOBAL const int *start, int first_bucket, int bucket_count, int levels,
                            GLOBAL const float *blocks, GLOBAL const int *cell, GLOBAL const int *triangle) {
  HashTable table;
  table.start = start + first_bucket;
  table.bucket_count = bucket_count;
  table.blocks = blocks;
  table.cell = cell;
  table.triangle = triangle;
  table.levels = levels;
  return table;
}

/* Results from first_item on. */
KERNEL hash_find(int run_count, int first_item, int is_among_active, int active_count,
                 GLOBAL const REAL *space, GLOBAL const float *blocks, GLOBAL const int *cell,
                 GLOBAL const int *triangle, int first_bucket, int bucket_count, int levels,
                 GLOBAL const int *there_start, GLOBAL const float *there_blocks,
                 GLOBAL const int *there_cell, GLOBAL const int *there_triangle, int room, GLOBAL int *pool_a,
                 GLOBAL int *pool_b, GLOBAL int *count, GLOBAL REAL *tests) {
  FOR_CHUNKS (run, run_count) {
    int item = first_item + run;
    HashTable table =
        hash_table(there_start, first_bucket, bucket_count, levels, there_blocks, there_cell, there_triangle);
    RunOutput out = run_output(pool_a + item * room, pool_b + item * room, room);
    out = hash_search(out, run, is_among_active, active_count, blocks, cell, triangle, space, table);
    count[item] = out.found;
    tests[item] = out.tests;
  }
}

/* Runs that found more than their pool holds. */
KERNEL hash_find_again(int run_count, int first_item, int is_among_active, int active_count,
                       GLOBAL const REAL *space, GLOBAL const float *blocks, GLOBAL const int *cell,
                       GLOBAL const int *triangle, int first_bucket, int bucket_count, int levels,
                       GLOBAL const int *there_start, GLOBAL const float *there_blocks,
                       GLOBAL const int *there_cell, GLOBAL const int *there_triangle, int room,
                       GLOBAL const int *count, GLOBAL const int *start, GLOBAL int *a, GLOBAL int *b) {
  FOR_CHUNKS (run, run_count) {
    int item = first_item + run;
    if (count[item] > room) {
      HashTable table = hash_table(there_start, first_bucket, bucket_count, levels, there_blocks, there_cell,
                                   there_triangle);
      RunOutput out = run_output(a + start[item], b + start[item], count[item]);
      hash_search(out, run, is_among_active, active_count, blocks, cell, triangle, space, table);
    }
  }
}
