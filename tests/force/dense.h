/* Dense matrices of the size of a few elements: what the tests of forces compare with. */
#ifndef WEFT_TESTS_FORCE_DENSE_H
#define WEFT_TESTS_FORCE_DENSE_H

#include "force/force_case.h"

/* n x n, row-major, of the blocks in c->a. */
static inline double *dense_of_case(const ForceCase *c) {
  int n = 3 * c->model.vertex_count;
  double *m = WEFT_NEW(double, (size_t)n *(size_t)n);
  for (int s = 0; s < c->block_count; s++) {
    int row = 3 * (int)(c->blocks[s] / c->model.vertex_count),
        column = 3 * (int)(c->blocks[s] % c->model.vertex_count);
    for (int k = 0; k < 9; k++) m[(row + k % 3) * n + column + k / 3] = c->a[9 * s + k];
  }
  return m;
}

static inline double largest(const double *values, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
  return most;
}

static inline bool all_finite(const double *values, int count) {
  for (int i = 0; i < count; i++) {
    if (!isfinite(values[i])) return false;
  }
  return true;
}

/* Largest difference over scale. */
static inline double difference(const double *left, const double *right, int count, double scale) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(left[i] - right[i]));
  return scale > 0 ? most / scale : most;
}

/* Jacobi's rotations. m becomes diagonal with the eigenvalues, vectors (n x n, in columns) may be NULL. */
static inline void dense_eigen(double *m, double *vectors, int n) {
  for (int i = 0; vectors && i < n * n; i++) vectors[i] = i % (n + 1) == 0;
  for (int sweep = 0; sweep < 60; sweep++) {
    double off = 0, all = 0;
    for (int i = 0; i < n * n; i++) {
      all += m[i] * m[i];
      if (i % (n + 1)) off += m[i] * m[i];
    }
    if (off <= 1e-30 * all) return;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) {
        if (m[p * n + q] == 0) continue;
        double theta = 0.5 * (m[q * n + q] - m[p * n + p]) / m[p * n + q];
        double t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1)), c = 1 / hypot(t, 1), s = t * c;
        for (int k = 0; k < n; k++) {
          double kp = m[k * n + p], kq = m[k * n + q];
          m[k * n + p] = c * kp - s * kq;
          m[k * n + q] = s * kp + c * kq;
        }
        for (int k = 0; k < n; k++) {
          double pk = m[p * n + k], qk = m[q * n + k];
          m[p * n + k] = c * pk - s * qk;
          m[q * n + k] = s * pk + c * qk;
        }
        for (int k = 0; vectors && k < n; k++) {
          double kp = vectors[k * n + p], kq = vectors[k * n + q];
          vectors[k * n + p] = c * kp - s * kq;
          vectors[k * n + q] = s * kp + c * kq;
        }
      }
    }
  }
}

/* Smallest eigenvalue of a symmetric matrix, or zero when there is none below. */
static inline double lowest_eigenvalue(const double *m, int n) {
  double *copy = weft_copy(m, (size_t)n * (size_t)n, sizeof *copy), low = 0;
  dense_eigen(copy, NULL, n);
  for (int i = 0; i < n; i++) low = fmin(low, copy[i * n + i]);
  free(copy);
  return low;
}

/* The positive eigenvalues alone. */
static inline void clamp_positive(double *m, int n) {
  double *vectors = WEFT_NEW(double, (size_t)n *(size_t)n),
         *copy = weft_copy(m, (size_t)n * (size_t)n, sizeof *copy);
  dense_eigen(copy, vectors, n);
  memset(m, 0, (size_t)n * (size_t)n * sizeof *m);
  for (int k = 0; k < n; k++) {
    double value = copy[k * n + k];
    if (value <= 0) continue;
    for (int i = 0; i < n * n; i++) m[i] += value * vectors[i / n * n + k] * vectors[i % n * n + k];
  }
  free(vectors);
  free(copy);
}

#endif
