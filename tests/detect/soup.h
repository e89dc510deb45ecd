/* Triangle meshes that try detection: each as positions and triangles, made from a seed. */
#ifndef WEFT_TESTS_SOUP_H
#define WEFT_TESTS_SOUP_H

#include "check.h"

typedef struct Soup {
  const char *name;
  int vertex_count, triangle_count;
  double *x;          /* vertex_count x 3 */
  int32_t *triangles; /* triangle_count x 3 */
} Soup;

enum { SOUP_RANDOM, SOUP_CRUMPLED, SOUP_LAYERED, SOUP_DEGENERATE, SOUP_UNEVEN, SOUP_ONE, SOUP_KINDS };

static inline Soup soup_new(const char *name, int vertex_count, int triangle_count) {
  Soup s = {name, vertex_count, triangle_count, NULL, NULL};
  s.x = calloc(3 * (size_t)vertex_count + 1, sizeof *s.x);
  s.triangles = calloc(3 * (size_t)triangle_count + 1, sizeof *s.triangles);
  assert_non_null(s.x);
  assert_non_null(s.triangles);
  return s;
}

static inline void soup_free(Soup *s) {
  free(s->x);
  free(s->triangles);
}

/* The two triangles of every cell of a grid of rows x columns vertices from first on. */
static inline int32_t *soup_grid_triangles(int32_t *t, int first, int rows, int columns) {
  for (int i = 0; i + 1 < rows; i++) {
    for (int j = 0; j + 1 < columns; j++) {
      int32_t a = first + i * columns + j, b = a + 1, c = a + columns, d = c + 1;
      const int32_t cell[6] = {a, b, c, b, d, c};
      memcpy(t, cell, sizeof cell);
      t += 6;
    }
  }
  return t;
}

/* A sheet folded over planes, as the probe's crumpled sheet is. */
static inline Soup soup_crumpled(int side, int folds, uint64_t seed) {
  Soup s = soup_new("crumpled", side * side, 2 * (side - 1) * (side - 1));
  soup_grid_triangles(s.triangles, 0, side, side);
  for (int i = 0; i < side * side; i++) {
    double *p = s.x + 3 * (size_t)i;
    p[0] = (double)(i % side) / (side - 1) - 0.5;
    p[1] = (double)(i / side) / (side - 1) - 0.5;
    p[2] = 0.02 * sin(9 * p[0]) * cos(7 * p[1]);
  }
  for (int f = 0; f < folds; f++) {
    double n[3] = {random_in(&seed, -1, 1), random_in(&seed, -1, 1), random_in(&seed, -1, 1)};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) + 1e-9;
    double d = random_in(&seed, -0.25, 0.25) / (1 + 0.3 * f);
    for (int i = 0; i < side * side; i++) {
      double *p = s.x + 3 * (size_t)i, at = (p[0] * n[0] + p[1] * n[1] + p[2] * n[2]) / length - d;
      for (int k = 0; at > 0 && k < 3; k++) p[k] -= 1.9 * at * n[k] / length;
    }
  }
  return s;
}

static inline Soup soup_random(int triangles, double size, uint64_t seed) {
  Soup s = soup_new("random", 3 * triangles, triangles);
  for (int t = 0; t < triangles; t++) {
    double at[3];
    for (int k = 0; k < 3; k++) at[k] = random_in(&seed, -1, 1);
    for (int i = 0; i < 9; i++) s.x[9 * (size_t)t + i] = at[i % 3] + random_in(&seed, -size, size);
    for (int i = 0; i < 3; i++) s.triangles[3 * (size_t)t + i] = 3 * t + i;
  }
  return s;
}

static inline Soup soup_layered(int layers, int side, double gap) {
  Soup s = soup_new("layered", layers * side * side, layers * 2 * (side - 1) * (side - 1));
  int32_t *t = s.triangles;
  for (int l = 0; l < layers; l++) {
    t = soup_grid_triangles(t, l * side * side, side, side);
    for (int i = 0; i < side * side; i++) {
      double *p = s.x + 3 * ((size_t)l * side * side + i), turn = 0.3 * l;
      double u = (double)(i % side) / (side - 1) - 0.5, v = (double)(i / side) / (side - 1) - 0.5;
      p[0] = cos(turn) * u - sin(turn) * v;
      p[1] = sin(turn) * u + cos(turn) * v;
      p[2] = gap * l;
    }
  }
  return s;
}

/* Points, lines, triangles with a corner twice, copies in one place, and coordinates that touch exactly. */
static inline Soup soup_degenerate(int triangles, uint64_t seed) {
  Soup s = soup_new("degenerate", triangles, triangles);
  for (int i = 0; i < 3 * triangles; i++) s.x[i] = floor(random_in(&seed, 0, 6)) / 4;
  for (int t = 0; t < triangles; t++) {
    for (int i = 0; i < 3; i++) {
      s.triangles[3 * (size_t)t + i] = (int32_t)random_in(&seed, 0, triangles);
    }
  }
  return s;
}

/* Sizes over five decades. */
static inline Soup soup_uneven(int triangles, uint64_t seed) {
  Soup s = soup_random(triangles, 1, seed);
  s.name = "uneven";
  for (int t = 0; t < triangles; t++) {
    double size = pow(10, random_in(&seed, -5, -0.3));
    double *p = s.x + 9 * (size_t)t;
    for (int i = 3; i < 9; i++) p[i] = p[i % 3] + size * (p[i] - p[i % 3]);
  }
  return s;
}

static inline Soup soup_make(int kind) {
  switch (kind) {
    case SOUP_RANDOM:
      return soup_random(800, 0.1, 1);
    case SOUP_CRUMPLED:
      return soup_crumpled(30, 6, 2);
    case SOUP_LAYERED:
      return soup_layered(6, 12, 1e-3);
    case SOUP_DEGENERATE:
      return soup_degenerate(400, 3);
    case SOUP_UNEVEN:
      return soup_uneven(800, 4);
    default:
      return soup_random(1, 0.1, 5);
  }
}

/* The soup's positions in a frame of a motion that leaves no triangle as it was. */
static inline void soup_sway(const Soup *s, double frame, double *x) {
  double g = 0.003 * frame;
  for (int i = 0; i < s->vertex_count; i++) {
    const double *q = s->x + 3 * (size_t)i;
    double *p = x + 3 * (size_t)i;
    p[0] = q[0] + g * sin(20 * q[1]);
    p[1] = q[1] + g * sin(17 * q[2]);
    p[2] = q[2] + g * sin(15 * q[0]);
  }
}

#endif
