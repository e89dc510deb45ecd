/* The broad phase with a front beside per-leaf walks, on the crumpled sheet of the probe (199,712 triangles):
 * a motion seen in steps of two lengths, and rounds of a response that moves 20 vertices each, asked about in
 * full and locally. CPU time of one thread. */
#include "common.h"
#include "detect/broad.h"
#include "device/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 317, VERTICES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };
enum { FRAMES = 12, ROUNDS = 8, MOVED = 20 };

typedef struct Sheet {
  float *rest, *x, *box, radius;
  int32_t *triangles, *active;
  uint32_t seed;
} Sheet;

static double cpu_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static float next_random(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (float)(*seed >> 8) / 16777216.0f;
}

static void lay_grid(Sheet *s) {
  int32_t *t = s->triangles;
  for (int i = 0; i < VERTICES; i++) {
    float *p = s->rest + 3 * i;
    p[0] = -0.5f + (float)(i % SIDE) / (SIDE - 1);
    p[1] = -0.5f + (float)(i / SIDE) / (SIDE - 1);
    p[2] = 0.02f * sinf(9 * p[0]) * cosf(7 * p[1]);
    if (i % SIDE == SIDE - 1 || i / SIDE == SIDE - 1) continue;
    const int32_t cell[6] = {i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE};
    memcpy(t, cell, sizeof cell);
    t += 6;
  }
}

static void fold(Sheet *s, int f) {
  float n[3], length;
  do {
    for (int k = 0; k < 3; k++) n[k] = 2 * next_random(&s->seed) - 1;
    length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  } while (length < 0.1f || length > 1);
  for (int k = 0; k < 3; k++) n[k] /= length;
  float u = 2 * next_random(&s->seed) - 1, d = 0.25f * u / (1 + 0.3f * (float)f);
  double centre[3] = {0};
  for (int i = 0; i < 3 * VERTICES; i++) centre[i % 3] += s->rest[i];
  for (int i = 0; i < VERTICES; i++) {
    float *p = s->rest + 3 * i, at = 0;
    for (int k = 0; k < 3; k++) at += (p[k] - (float)(centre[k] / VERTICES)) * n[k];
    at -= d;
    for (int k = 0; at > 0 && k < 3; k++) p[k] -= 1.9f * at * n[k];
  }
}

static Sheet make_sheet(int folds, float radius) {
  Sheet s = {.radius = radius, .seed = 12345};
  s.rest = bench_alloc(3 * VERTICES * sizeof(float));
  s.x = bench_alloc(3 * VERTICES * sizeof(float));
  s.box = bench_alloc(6 * TRIANGLES * sizeof(float));
  s.triangles = bench_alloc(3 * TRIANGLES * sizeof(int32_t));
  s.active = bench_alloc(TRIANGLES * sizeof(int32_t));
  lay_grid(&s);
  for (int f = 0; f < folds; f++) fold(&s, f);
  return s;
}

static void free_sheet(Sheet *s) {
  free(s->rest);
  free(s->x);
  free(s->box);
  free(s->triangles);
  free(s->active);
}

static void fit_boxes(Sheet *s) {
  for (int t = 0; t < TRIANGLES; t++) {
    const int32_t *v = s->triangles + 3 * t;
    for (int k = 0; k < 3; k++) {
      float a = s->x[3 * v[0] + k], b = s->x[3 * v[1] + k], c = s->x[3 * v[2] + k];
      s->box[6 * t + k] = fminf(a, fminf(b, c)) - s->radius;
      s->box[6 * t + 3 + k] = fmaxf(a, fmaxf(b, c)) + s->radius;
    }
  }
}

static void move_to(Sheet *s, float frame) {
  float g = 0.003f * frame;
  for (int i = 0; i < VERTICES; i++) {
    const float *q = s->rest + 3 * i;
    s->x[3 * i] = q[0] + g * sinf(20 * q[1]);
    s->x[3 * i + 1] = q[1] + g * sinf(17 * q[2]);
    s->x[3 * i + 2] = q[2] + g * sinf(15 * q[0]);
  }
  fit_boxes(s);
}

/* What a round of a response does: MOVED vertices by up to a millimetre; their triangles are active. */
static void respond(Sheet *s) {
  memset(s->active, 0, TRIANGLES * sizeof(int32_t));
  for (int m = 0; m < MOVED; m++) {
    int i = (int)(next_random(&s->seed) * VERTICES) % VERTICES;
    for (int k = 0; k < 3; k++) s->x[3 * i + k] += 0.002f * next_random(&s->seed) - 0.001f;
    for (int t = 0; t < TRIANGLES; t++) {
      const int32_t *v = s->triangles + 3 * t;
      if (v[0] == i || v[1] == i || v[2] == i) s->active[t] = 1;
    }
  }
  fit_boxes(s);
}

typedef struct Sum {
  double tests, ms;
  int queries;
} Sum;

static WeftBroad *open_method(const WeftBroadOps *ops) {
  WeftBroad *broad;
  WeftError error;
  bench_require(weft_broad_create(ops, NULL, TRIANGLES, &broad, &error), &error);
  return broad;
}

static void ask(WeftBroad *broad, const Sheet *s, bool is_local, Sum *sum) {
  WeftError error;
  const WeftBroadQuery query = {.box = s->box, .active = is_local ? s->active : NULL, .is_local = is_local};
  double start = cpu_ms();
  bench_require(weft_broad_find(broad, &query, &error), &error);
  sum->ms += cpu_ms() - start;
  sum->tests += broad->counts.box_tests;
  sum->queries++;
}

static void print_sum(const char *what, Sum sum) {
  printf("  %-44s %8.2f million tests %8.2f ms a query\n", what, 1e-6 * sum.tests / sum.queries,
         sum.ms / sum.queries);
}

static void watch_motion(Sheet *s, float step) {
  WeftBroad *walks = open_method(&weft_broad_bvh), *front = open_method(&weft_broad_front);
  Sum first_walk = {0}, first = {0}, walk = {0}, update = {0};
  move_to(s, 1);
  ask(walks, s, false, &first_walk);
  ask(front, s, false, &first);
  double kept = front->counts.kept;
  printf("motion in steps of %g frames, %d pairs at frame 1\n", (double)step, front->pairs.count);
  for (int f = 1; f <= FRAMES; f++) {
    move_to(s, 1 + step * (float)f);
    ask(walks, s, false, &walk);
    ask(front, s, false, &update);
    if (walks->pairs.count != front->pairs.count) printf("  DIFFERENT PAIRS at step %d\n", f);
  }
  print_sum("frame 1, walks (builds the tree)", first_walk);
  print_sum("frame 1, from the root (builds the tree)", first);
  print_sum("steps, walks", walk);
  print_sum("steps, front", update);
  printf("  the trees were built %.0f and %.0f times; forks kept at frame 1 %.0f, at the end %.0f\n",
         walks->counts.rebuilds, front->counts.rebuilds, kept, front->counts.kept);
  weft_broad_destroy(walks);
  weft_broad_destroy(front);
}

static void watch_rounds(Sheet *s) {
  WeftBroad *walks = open_method(&weft_broad_bvh), *local_walks = open_method(&weft_broad_bvh);
  WeftBroad *front = open_method(&weft_broad_front), *local = open_method(&weft_broad_front);
  Sum walk = {0}, local_walk = {0}, whole = {0}, round = {0}, other = {0}, step = {0}, local_step = {0};
  s->seed = 54321;
  for (int f = 0; f <= FRAMES; f++) {
    move_to(s, 1 + 0.1f * (float)f);
    ask(walks, s, false, &other);
    ask(local_walks, s, false, &other);
    ask(front, s, false, f ? &step : &other); /* the first builds the tree */
    ask(local, s, false, f ? &local_step : &other);
    for (int r = 0; r < ROUNDS; r++) {
      respond(s);
      ask(walks, s, false, &walk);
      ask(local_walks, s, true, &local_walk);
      ask(front, s, false, &whole);
      ask(local, s, true, &round);
      if (local->pairs.count != local_walks->pairs.count) printf("  DIFFERENT PAIRS in round %d\n", r);
    }
  }
  printf("%d rounds that move %d vertices after each of %d steps of 0.1 frames\n", ROUNDS, MOVED, FRAMES + 1);
  print_sum("rounds, full query, walks", walk);
  print_sum("rounds, full query, front", whole);
  print_sum("rounds, local query, walks", local_walk);
  print_sum("rounds, local query, front", round);
  double all_full = step.ms + whole.ms, with_local = local_step.ms + round.ms;
  printf(
      "  steps and rounds on the front: %.0f ms with full queries, %.0f ms with local ones in rounds: %.0f "
      "%% less\n",
      all_full, with_local, 100 * (1 - with_local / all_full));
  printf("  tests: %.1f million, %.1f million: %.0f %% less\n", 1e-6 * (step.tests + whole.tests),
         1e-6 * (local_step.tests + round.tests),
         100 * (1 - (local_step.tests + round.tests) / (step.tests + whole.tests)));
  weft_broad_destroy(walks);
  weft_broad_destroy(local_walks);
  weft_broad_destroy(front);
  weft_broad_destroy(local);
}

static void watch(const char *name, int folds, float radius) {
  Sheet sheet = make_sheet(folds, radius);
  printf("\n%s: %d folds, boxes %g mm larger\n", name, folds, 1e3 * (double)radius);
  watch_motion(&sheet, 1);
  watch_motion(&sheet, 0.1f);
  watch_rounds(&sheet);
  free_sheet(&sheet);
}

int main(void) {
  weft_threads_use(1);
  bench_print_machine();
  watch("light", 6, 0.0005f);
  watch("heavy", 8, 0.0015f);
  return 0;
}
