/* A uniform grid with control bits [Wong14 sec. 3.3.1; Grand07]; why it is complete: broad_grid.c. */
#include "detect/box_block.kernel.h"
#include "detect/run_pool.kernel.h"

/* origin x y z, cells per length, cells along x and along y */
typedef struct Grid {
  REAL x, y, z, per_length;
  int columns, rows;
} Grid;

INLINE Grid load_grid(GLOBAL const REAL *grid) {
  Grid g;
  g.x = grid[0];
  g.y = grid[1];
  g.z = grid[2];
  g.per_length = grid[3];
  g.columns = (int)grid[4];
  g.rows = (int)grid[5];
  return g;
}

/* Along one axis: the first and the last cell a box touches, and its centre's. All three by the same
 * monotone function, so that what holds for coordinates holds for cells. */
typedef struct GridSpan {
  int first, last, home;
} GridSpan;

INLINE GridSpan grid_span(float low, float high, REAL origin, REAL per_length) {
  GridSpan s;
  s.first = (int)(((REAL)low - origin) * per_length);
  s.last = (int)(((REAL)high - origin) * per_length);
  s.home = (int)((0.5 * ((REAL)low + high) - origin) * per_length);
  return s;
}

/* The eight types of cells are the eight parities of their places along x, y and z. A set of types is eight
 * bits; these are those with an even place along each axis. */
#define EVEN_X 0x55
#define EVEN_Y 0x33
#define EVEN_Z 0x0f

/* The types with the parity of that place. */
INLINE int grid_side(int even, int place) { return place & 1 ? 255 ^ even : even; }
INLINE int grid_sides(int even, GridSpan s) { return grid_side(even, s.first) | grid_side(even, s.last); }

/* Eleven control bits: three for the type of the home cell, eight for the types of the cells touched. */
INLINE int grid_control(GridSpan x, GridSpan y, GridSpan z) {
  int home = (x.home & 1) | (y.home & 1) << 1 | (z.home & 1) << 2;
  return home | (grid_sides(EVEN_X, x) & grid_sides(EVEN_Y, y) & grid_sides(EVEN_Z, z)) << 3;
}

/* Control bits as the filter uses them in a cell of that type: of the types touched those up to the cell's
 * own; and for each axis the types on the home's side. */
INLINE unsigned grid_filter(int control, int type) {
  int touched = (control >> 3) & ((2 << type) - 1);
  int x = grid_side(EVEN_X, control), y = grid_side(EVEN_Y, control >> 1),
      z = grid_side(EVEN_Z, control >> 2);
  return (unsigned)touched << 24 | (unsigned)(z << 16 | y << 8 | x);
}

/* Whether a pair is to be tested in the cell they share, of the type with that bit: no lower type is touched
 * by both and on the side of both homes along the axes where the homes agree. */
INLINE int grid_is_for(unsigned a, unsigned b, unsigned type_bit) {
  unsigned sides = a | b; /* along an axis where the homes differ: all types */
  return (((a & b) >> 24) & sides & (sides >> 8) & (sides >> 16)) == type_bit;
}

INLINE int grid_cell_count(GridSpan x, GridSpan y, GridSpan z) {
  return (x.last - x.first + 1) * (y.last - y.first + 1) * (z.last - z.first + 1);
}

/* Entries of each triangle. Those above the limit have none; is_large tells which. */
KERNEL grid_count(int triangle_count, REAL limit, GLOBAL const REAL *grid, GLOBAL const float *box,
                  GLOBAL int *count, GLOBAL int *is_large) {
  FOR_ITEMS (i, triangle_count) {
    Grid g = load_grid(grid);
    Box b = load_box(box, i);
    is_large[i] = box_largest_side(b) > limit;
    count[i] = is_large[i] ? 0
                           : grid_cell_count(grid_span(b.low_x, b.high_x, g.x, g.per_length),
                                             grid_span(b.low_y, b.high_y, g.y, g.per_length),
                                             grid_span(b.low_z, b.high_z, g.z, g.per_length));
  }
}

/* An entry for every cell a triangle touches. Its key is the cell's, times two; one more for triangles that
 * are not active: they come behind the active ones of their cell. The value holds the triangle and the
 * cell's type. */
KERNEL grid_enter(int triangle_count, REAL limit, GLOBAL const REAL *grid, GLOBAL const float *box,
                  GLOBAL const int *active, GLOBAL const int *start, GLOBAL int *control, GLOBAL int *key,
                  GLOBAL int *value) {
  FOR_ITEMS (i, triangle_count) {
    Grid g = load_grid(grid);
    Box b = load_box(box, i);
    if (box_largest_side(b) <= limit) {
      GridSpan sx = grid_span(b.low_x, b.high_x, g.x, g.per_length);
      GridSpan sy = grid_span(b.low_y, b.high_y, g.y, g.per_length);
      GridSpan sz = grid_span(b.low_z, b.high_z, g.z, g.per_length);
      int entry = start[i], is_static = active && !active[i];
      for (int z = sz.first; z <= sz.last; z++) {
        for (int y = sy.first; y <= sy.last; y++) {
          for (int x = sx.first; x <= sx.last; x++, entry++) {
            key[entry] = 2 * ((z * g.rows + y) * g.columns + x) + is_static;
            value[entry] = i << 3 | (x & 1) | (y & 1) << 1 | (z & 1) << 2;
          }
        }
      }
      control[i] = grid_control(sx, sy, sz);
    }
  }
}

/* What the search reads, in the order of the sorted entries. */
KERNEL grid_gather(int entry_count, GLOBAL const float *box, GLOBAL const int *control,
                   GLOBAL const int *value, GLOBAL float *blocks, GLOBAL unsigned *filter) {
  FOR_ITEMS (e, entry_count) {
    int triangle = value[e] >> 3;
    block_store(blocks, e, load_box(box, triangle));
    filter[e] = grid_filter(control[triangle], value[e] & 7);
  }
}

/* An entry against those behind it in its cell. */
INLINE RunOutput grid_meet(RunOutput out, int e, int entry_count, GLOBAL const int *key,
                           GLOBAL const int *value, GLOBAL const float *blocks,
                           GLOBAL const unsigned *filter) {
  Box own = block_load(blocks, e);
  unsigned own_filter = filter[e], type_bit = 1u << (value[e] & 7);
  int cell = key[e] >> 1;
  for (int first = (e + 1) / BLOCK * BLOCK; first < entry_count && (first <= e || key[first] >> 1 == cell);
       first += BLOCK) {
    int hit[BLOCK], is_for[BLOCK], found[BLOCK], hits = 0;
    block_overlaps(own, blocks + 6 * first, hit);
    FOR_LANES (k, BLOCK) {
      is_for[k] = (first + k > e) & (first + k < entry_count) & (key[first + k] >> 1 == cell) &
                  grid_is_for(own_filter, filter[first + k], type_bit);
      hit[k] &= is_for[k];
    }
    /* without branches: which of the eight hit cannot be foretold */
    for (int k = 0; k < BLOCK; k++) {
      out.tests += is_for[k];
      found[hits] = first + k;
      hits += hit[k];
    }
    for (int i = 0; i < hits; i++) out = run_put(out, value[e] >> 3, value[found[i]] >> 3);
  }
  return out;
}

INLINE RunOutput grid_search(RunOutput out, int run, int entry_count, GLOBAL const int *key,
                             GLOBAL const int *value, GLOBAL const float *blocks,
                             GLOBAL const unsigned *filter) {
  for (int e = run * POOL_RUN; e < (run + 1) * POOL_RUN && e < entry_count; e++) {
    if (!(key[e] & 1)) out = grid_meet(out, e, entry_count, key, value, blocks, filter);
  }
  return out;
}

KERNEL grid_find(int run_count, int entry_count, GLOBAL const int *key, GLOBAL const int *value,
                 GLOBAL const float *blocks, GLOBAL const unsigned *filter, int room, GLOBAL int *pool_a,
                 GLOBAL int *pool_b, GLOBAL int *count, GLOBAL REAL *tests) {
  FOR_CHUNKS (run, run_count) {
    RunOutput out = run_output(pool_a + run * room, pool_b + run * room, room);
    out = grid_search(out, run, entry_count, key, value, blocks, filter);
    count[run] = out.found;
    tests[run] = out.tests;
  }
}

/* Runs that found more than their pool holds. */
KERNEL grid_find_again(int run_count, int entry_count, GLOBAL const int *key, GLOBAL const int *value,
                       GLOBAL const float *blocks, GLOBAL const unsigned *filter, int room,
                       GLOBAL const int *count, GLOBAL const int *start, GLOBAL int *a, GLOBAL int *b) {
  FOR_CHUNKS (run, run_count) {
    if (count[run] > room) {
      RunOutput out = run_output(a + start[run], b + start[run], count[run]);
      grid_search(out, run, entry_count, key, value, blocks, filter);
    }
  }
}

/* The large triangles one behind the other, each at the place that is counted in start. */
KERNEL grid_list_large(int triangle_count, REAL limit, GLOBAL const float *box, GLOBAL const int *start,
                       GLOBAL int *large) {
  FOR_ITEMS (i, triangle_count) {
    if (box_largest_side(load_box(box, i)) > limit) large[start[i]] = i;
  }
}

/* A large triangle against all that are not, and the large ones behind it. */
INLINE RunOutput grid_meet_all(RunOutput out, int own, int triangle_count, REAL limit,
                               GLOBAL const float *box, GLOBAL const int *active) {
  Box own_box = load_box(box, own);
  int is_active = !active || active[own];
  for (int i = 0; i < triangle_count; i++) {
    Box other = load_box(box, i);
    if (!box_overlaps(own_box, other)) continue;
    if (!is_active && !active[i]) continue;
    if (i <= own && box_largest_side(other) > limit) continue;
    out = run_put(out, own, i);
  }
  out.tests += triangle_count;
  return out;
}

/* Their pools and counts lie behind those of the entries' runs. */
KERNEL grid_find_large(int large_count, int first_run, int triangle_count, REAL limit,
                       GLOBAL const int *large, GLOBAL const float *box, GLOBAL const int *active, int room,
                       GLOBAL int *pool_a, GLOBAL int *pool_b, GLOBAL int *count, GLOBAL REAL *tests) {
  FOR_CHUNKS (i, large_count) {
    int run = first_run + i;
    RunOutput out = run_output(pool_a + run * room, pool_b + run * room, room);
    out = grid_meet_all(out, large[i], triangle_count, limit, box, active);
    count[run] = out.found;
    tests[run] = out.tests;
  }
}

KERNEL grid_find_large_again(int large_count, int first_run, int triangle_count, REAL limit,
                             GLOBAL const int *large, GLOBAL const float *box, GLOBAL const int *active,
                             int room, GLOBAL const int *count, GLOBAL const int *start, GLOBAL int *a,
                             GLOBAL int *b) {
  FOR_CHUNKS (i, large_count) {
    int run = first_run + i;
    if (count[run] > room) {
      RunOutput out = run_output(a + start[run], b + start[run], count[run]);
      grid_meet_all(out, large[i], triangle_count, limit, box, active);
    }
  }
}
