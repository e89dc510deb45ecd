#include "crumpled.h"

#include "common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Numbers {
  uint32_t state;
} Numbers;

/* In [-1, 1). */
static float draw(Numbers *numbers) {
  numbers->state = numbers->state * 1664525u + 1013904223u;
  return 2 * ((float)(numbers->state >> 8) / 16777216.0f) - 1;
}

static void lay_flat(Crumpled *sheet, int side) {
  for (int i = 0; i < sheet->vertex_count; i++) {
    float *p = sheet->rest + 3 * (size_t)i;
    p[0] = -0.5f + (float)(i % side) / (float)(side - 1);
    p[1] = -0.5f + (float)(i / side) / (float)(side - 1);
    p[2] = 0.02f * sinf(9 * p[0]) * cosf(7 * p[1]);
  }
  int32_t *t = sheet->triangles;
  for (int row = 0; row + 1 < side; row++) {
    for (int column = 0; column + 1 < side; column++) {
      int32_t a = row * side + column, b = a + 1, c = a + side, d = c + 1;
      const int32_t cell[6] = {a, b, c, b, d, c};
      memcpy(t, cell, sizeof cell);
      t += 6;
    }
  }
}

/* What lies beyond a random plane is turned back to just behind it. */
static void fold(Crumpled *sheet, int number, Numbers *numbers) {
  float n[3], length;
  do {
    for (int k = 0; k < 3; k++) n[k] = draw(numbers);
    length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  } while (length < 0.1f || length > 1);
  for (int k = 0; k < 3; k++) n[k] /= length;
  float d = 0.25f * draw(numbers) / (1 + 0.3f * (float)number);
  double mean[3] = {0};
  for (int i = 0; i < 3 * sheet->vertex_count; i++) mean[i % 3] += sheet->rest[i];
  for (int i = 0; i < sheet->vertex_count; i++) {
    float *p = sheet->rest + 3 * (size_t)i, s = -d;
    for (int k = 0; k < 3; k++) s += (p[k] - (float)(mean[k] / sheet->vertex_count)) * n[k];
    for (int k = 0; s > 0 && k < 3; k++) p[k] -= 1.9f * s * n[k];
  }
}

Crumpled crumpled_new(int side, int folds, float radius) {
  size_t vertices = (size_t)side * (size_t)side, triangles = 2 * (size_t)(side - 1) * (size_t)(side - 1);
  Crumpled sheet = {.vertex_count = (int)vertices, .triangle_count = (int)triangles, .radius = radius};
  Numbers numbers = {12345};
  sheet.rest = bench_alloc(3 * vertices * sizeof(float));
  sheet.x = bench_alloc(3 * vertices * sizeof(float));
  sheet.triangles = bench_alloc(3 * triangles * sizeof(int32_t));
  sheet.box = bench_alloc(6 * triangles * sizeof(float));
  lay_flat(&sheet, side);
  for (int f = 0; f < folds; f++) fold(&sheet, f, &numbers);
  crumpled_move(&sheet, 0);
  return sheet;
}

void crumpled_free(Crumpled *sheet) {
  free(sheet->rest);
  free(sheet->x);
  free(sheet->triangles);
  free(sheet->box);
}

void crumpled_move(Crumpled *sheet, int frame) {
  float g = 0.003f * (float)frame;
  for (int i = 0; i < sheet->vertex_count; i++) {
    const float *q = sheet->rest + 3 * (size_t)i;
    float *p = sheet->x + 3 * (size_t)i;
    p[0] = q[0] + g * sinf(20 * q[1]);
    p[1] = q[1] + g * sinf(17 * q[2]);
    p[2] = q[2] + g * sinf(15 * q[0]);
  }
  for (int t = 0; t < sheet->triangle_count; t++) {
    const int32_t *v = sheet->triangles + 3 * (size_t)t;
    float *box = sheet->box + 6 * (size_t)t;
    for (int k = 0; k < 3; k++) {
      float a = sheet->x[3 * (size_t)v[0] + k], b = sheet->x[3 * (size_t)v[1] + k],
            c = sheet->x[3 * (size_t)v[2] + k];
      box[k] = fminf(a, fminf(b, c)) - sheet->radius;
      box[3 + k] = fmaxf(a, fmaxf(b, c)) + sheet->radius;
    }
  }
}
