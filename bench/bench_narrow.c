/* The narrow phase in nanoseconds a pair: distances and continuous collision, for pairs far from each other
 * and for those that a broad phase hands over in a pile of cloth.
 *
 * Close: two rumpled layers 1 mm apart, cells of 3.3 mm, every vertex moves by up to 1 mm in a direction of
 * its own; all pairs between the layers whose swept boxes overlap. Far: as many pairs, of features that lie
 * anywhere on the layers, in random order, which is as bad for caches as it gets. Times: the least of several
 * rounds, because other programs can only add to them.
 */
#include "base/timer.h"
#include "common.h"
#include "detect/ccd.kernel.h"
#include "detect/narrow.h"
#include "device/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 301, LAYER = SIDE * SIDE, ROUNDS = 7, MOST_PAIRS = 1000000, REACH = 2 };

typedef struct Layers {
  double x0[3 * 2 * LAYER], x1[3 * 2 * LAYER];
} Layers;

typedef struct Pairs {
  WeftPairKind kind;
  int count;
  int32_t index[4 * MOST_PAIRS];
  double time[MOST_PAIRS], distance[MOST_PAIRS], weight[4 * MOST_PAIRS];
} Pairs;

static double random_unit(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

static void fill(Layers *layers) {
  uint64_t seed = 1;
  for (int i = 0; i < 2 * LAYER; i++) {
    int column = i % SIDE, row = i / SIDE % SIDE;
    double x = (double)column / (SIDE - 1), y = (double)row / (SIDE - 1);
    double z = 0.02 * sin(40 * x + 3 * sin(11 * y)) + 0.01 * cos(70 * y + 2 * x) + (i < LAYER ? 0 : 1e-3);
    double place[3] = {x, y, z};
    for (int k = 0; k < 3; k++) {
      layers->x0[3 * i + k] = place[k] + 4e-4 * (random_unit(&seed) - 0.5);
      layers->x1[3 * i + k] = layers->x0[3 * i + k] + 2e-3 * (random_unit(&seed) - 0.5);
    }
  }
}

/* Cell (column, row) of a layer: two faces and three edges. */
static void face_of(int layer, int column, int row, int which, int32_t *out) {
  int a = layer * LAYER + row * SIDE + column;
  out[0] = which ? a + 1 : a;
  out[1] = which ? a + 1 + SIDE : a + 1;
  out[2] = a + SIDE;
}
static void edge_of(int layer, int column, int row, int which, int32_t *out) {
  int a = layer * LAYER + row * SIDE + column;
  out[0] = which == 2 ? a + 1 : a;
  out[1] = which == 0 ? a + 1 : a + SIDE;
}

static bool boxes_meet(const Layers *layers, const int32_t *index, int first_count) {
  for (int k = 0; k < 3; k++) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
      int side = i >= first_count;
      double a = layers->x0[3 * index[i] + k], b = layers->x1[3 * index[i] + k];
      low[side] = fmin(low[side], fmin(a, b));
      high[side] = fmax(high[side], fmax(a, b));
    }
    if (low[0] > high[1] || low[1] > high[0]) return false;
  }
  return true;
}

static void add(Pairs *pairs, const Layers *layers, const int32_t *index) {
  if (pairs->count == MOST_PAIRS) return;
  if (!boxes_meet(layers, index, pairs->kind == WEFT_PAIR_EDGE_EDGE ? 2 : 1)) return;
  memcpy(pairs->index + 4 * pairs->count++, index, 4 * sizeof *index);
}

static void add_neighbours(Pairs *pairs, const Layers *layers, int column, int row) {
  int32_t index[4];
  for (int r = row - REACH; r <= row + REACH; r++) {
    for (int c = column - REACH; c <= column + REACH; c++) {
      if (r < 0 || c < 0 || r >= SIDE - 1 || c >= SIDE - 1) continue;
      if (pairs->kind == WEFT_PAIR_VERTEX_FACE) {
        index[0] = row * SIDE + column;
        for (int i = 0; i < 2; i++) {
          face_of(1, c, r, i, index + 1);
          add(pairs, layers, index);
        }
        continue;
      }
      for (int i = 0; i < 9; i++) {
        edge_of(0, column, row, i / 3, index);
        edge_of(1, c, r, i % 3, index + 2);
        add(pairs, layers, index);
      }
    }
  }
}

static void find_close(Pairs *pairs, const Layers *layers, WeftPairKind kind) {
  pairs->kind = kind;
  pairs->count = 0;
  for (int row = 0; row < SIDE - 1; row++) {
    for (int column = 0; column < SIDE - 1; column++) add_neighbours(pairs, layers, column, row);
  }
}

static void find_far(Pairs *pairs, const Layers *layers, WeftPairKind kind) {
  uint64_t seed = 2;
  pairs->kind = kind;
  for (pairs->count = 0; pairs->count < MOST_PAIRS;) {
    int cell[4], *c = cell;
    for (int i = 0; i < 4; i++) cell[i] = (int)(random_unit(&seed) * (SIDE - 1));
    int32_t *index = pairs->index + 4 * pairs->count;
    if (kind == WEFT_PAIR_VERTEX_FACE) {
      index[0] = c[0] * SIDE + c[1];
      face_of(1, c[2], c[3], 0, index + 1);
    } else {
      edge_of(0, c[0], c[1], 0, index);
      edge_of(1, c[2], c[3], 1, index + 2);
    }
    pairs->count += !boxes_meet(layers, index, kind == WEFT_PAIR_EDGE_EDGE ? 2 : 1);
  }
}

typedef void (*Stage)(Pairs *p, const Layers *layers);

static void run_ccd(Pairs *p, const Layers *layers) {
  weft_narrow_ccd(NULL, p->kind, p->count, p->index, layers->x0, layers->x1, 0, p->time);
}
static void run_distance(Pairs *p, const Layers *layers) {
  weft_narrow_distance(NULL, p->kind, p->count, p->index, layers->x0, p->distance, p->weight);
}

/* Nanoseconds a pair: of one thread's own time, or of the clock on the wall for several. */
static double measure_stage(Stage run, Pairs *p, const Layers *layers, int threads) {
  double best = INFINITY;
  weft_threads_use(threads);
  for (int i = 0; i < ROUNDS; i++) {
    clock_t cpu = clock();
    double start = weft_seconds();
    run(p, layers);
    double seconds = threads == 1 ? (double)(clock() - cpu) / CLOCKS_PER_SEC : weft_seconds() - start;
    best = fmin(best, seconds);
  }
  return 1e9 * best / p->count;
}

/* Which part of the pairs is decided by what, and after how many steps. */
static void print_stages(const Pairs *p, const Layers *layers) {
  int by[4] = {0}, hits = 0, hit_steps = 0, most = 0, first = 0, second = 0;
  for (int i = 0; i < p->count; i++) {
    Vec3 x0[4], x1[4];
    for (int k = 0; k < 4; k++) {
      x0[k] = load3(layers->x0, p->index[4 * i + k]);
      x1[k] = load3(layers->x1, p->index[4 * i + k]);
    }
    CcdAnswer a = p->kind == WEFT_PAIR_EDGE_EDGE ? ccd_edge_edge(x0, x1, 0) : ccd_vertex_face(x0, x1, 0);
    if (a.time <= 1) {
      hits++;
      hit_steps += a.steps;
    } else {
      by[a.by]++;
    }
    if (a.steps > most) most = a.steps;
    first += a.steps == 1;
    second += a.steps == 2;
  }
  double part = 100.0 / p->count;
  printf(
      "      apart by boxes %.1f %%, plane %.1f %%, direction %.1f %%, turning direction %.1f %%; hits %.1f "
      "%%\n",
      part * by[CCD_BY_BOXES], part * by[CCD_BY_PLANE], part * by[CCD_BY_DIRECTION],
      part * by[CCD_BY_TURNING], part * hits);
  printf("      decided in one step %.1f %%, in two %.1f %%; a hit takes %.1f steps; most steps %d\n",
         part * first, part * second, hits ? (double)hit_steps / hits : 0, most);
}

static void measure(const char *what, Pairs *p, const Layers *layers) {
  int cores = weft_threads_available();
  double one = measure_stage(run_ccd, p, layers, 1), all = measure_stage(run_ccd, p, layers, cores);
  double distance = measure_stage(run_distance, p, layers, 1);
  printf(
      "%-5s %-11s %8d pairs: collision %6.1f ns, %d threads %6.1f ns (a million: %.1f ms); distance %5.1f "
      "ns\n",
      what, p->kind == WEFT_PAIR_EDGE_EDGE ? "edge-edge" : "vertex-face", p->count, one, cores, all, all,
      distance);
  print_stages(p, layers);
}

int main(void) {
  bench_print_machine();
  Layers *layers = bench_alloc(sizeof *layers);
  Pairs *pairs = bench_alloc(sizeof *pairs);
  memset(pairs, 0, sizeof *pairs); /* its pages are there before anything is timed */
  fill(layers);
  for (int kind = 0; kind < 2; kind++) {
    find_far(pairs, layers, (WeftPairKind)kind);
    measure("far", pairs, layers);
    find_close(pairs, layers, (WeftPairKind)kind);
    measure("close", pairs, layers);
  }
  free(layers);
  free(pairs);
  return 0;
}
