/* Modified proportioning with reduced gradient projections [Dostal05]: conjugate gradients among the
 * multipliers that are positive; a step that would make one negative ends there and is followed by a
 * projected gradient step; and those at zero are let go when their part of the gradient is the larger one.
 * Without bounds it is plain CG.
 *
 * Jacobi preconditioning is a change of variables, mu = sqrt(D) lambda, which keeps the bounds: all below is
 * written for the matrix of unit diagonal. From zero, the iterates stay in the range of the matrix where
 * nothing is bound, so that redundant impacts, which make it singular, share their impulse evenly. */
#include "respond/bounded_cg.h"

#include "base/memory.h"
#include "device/kernel.h"

#include <stdlib.h>

void weft_rows_spread(const WeftRows *rows, const double *lambda, double *moved) {
  FOR_ITEMS (v, rows->vertex_count) {
    Vec3 sum = vec3(0, 0, 0);
    for (int32_t i = rows->incidence->start[v]; i < rows->incidence->start[v + 1]; i++) {
      int32_t corner = rows->incidence->corner[i];
      sum = v3_axpy(sum, lambda[corner / 4], load3(rows->row, corner));
    }
    store3(moved, v, v3_scale(rows->inverse_mass[v], sum));
  }
}

void weft_rows_gather(const WeftRows *rows, const double *moved, double *out) {
  FOR_ITEMS (i, rows->row_count) {
    double sum = 0;
    for (int k = 0; k < 4; k++)
      sum += v3_dot(load3(rows->row, 4 * i + k), load3(moved, rows->vertices[4 * i + k]));
    out[i] = sum;
  }
}

typedef struct Solver {
  const WeftRows *rows;
  double *scale; /* row_count: 1 / sqrt of the diagonal; 0 for rows without a vertex that can move */
  double *x, *g, *p, *q, *t;
  double *moved;
  double step; /* at most 1 / largest eigenvalue */
} Solver;

/* out = S C M^-1 C^T S in; t is overwritten */
static void apply(Solver *s, const double *in, double *out) {
  int n = s->rows->row_count;
  for (int i = 0; i < n; i++) s->t[i] = s->scale[i] * in[i];
  weft_rows_spread(s->rows, s->t, s->moved);
  weft_rows_gather(s->rows, s->moved, out);
  for (int i = 0; i < n; i++) out[i] *= s->scale[i];
}

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* Scales, and a bound of the largest eigenvalue: the largest sum of magnitudes of a row (Gershgorin), where
 * |C_iv . C_jv| <= |C_iv| |C_jv|. */
static void measure(Solver *s) {
  const WeftRows *rows = s->rows;
  double largest = 1;
  for (int i = 0; i < rows->row_count; i++) {
    double diagonal = 0;
    for (int k = 0; k < 4; k++) {
      Vec3 c = load3(rows->row, 4 * i + k);
      diagonal += rows->inverse_mass[rows->vertices[4 * i + k]] * v3_dot(c, c);
    }
    s->scale[i] = diagonal > 0 ? 1 / sqrt(diagonal) : 0;
  }
  for (int v = 0; v < rows->vertex_count; v++) {
    double sum = 0;
    for (int32_t i = rows->incidence->start[v]; i < rows->incidence->start[v + 1]; i++) {
      int32_t corner = rows->incidence->corner[i];
      sum += s->scale[corner / 4] * v3_length(load3(rows->row, corner));
    }
    s->moved[v] = rows->inverse_mass[v] * sum;
  }
  for (int i = 0; i < rows->row_count; i++) {
    double sum = 0;
    for (int k = 0; k < 4; k++)
      sum += s->scale[i] * v3_length(load3(rows->row, 4 * i + k)) * s->moved[rows->vertices[4 * i + k]];
    if (sum > largest) largest = sum;
  }
  s->step = 1 / largest;
}

/* The gradient where x is free, and where it is bound but wants to rise. */
static double free_part(const Solver *s, int i) { return s->x[i] > 0 ? s->g[i] : 0; }
static double bound_part(const Solver *s, int i) { return s->x[i] > 0 || s->g[i] > 0 ? 0 : s->g[i]; }

/* How far along -p all of x stay >= 0. */
static double room(const Solver *s) {
  double most = INFINITY;
  for (int i = 0; i < s->rows->row_count; i++) {
    if (s->p[i] > 0 && s->x[i] < most * s->p[i]) most = s->x[i] / s->p[i];
  }
  return most;
}

static void restart(Solver *s) {
  for (int i = 0; i < s->rows->row_count; i++) s->p[i] = free_part(s, i);
}

/* x and g go by -a p, with q = A p. */
static void advance(Solver *s, double a) {
  for (int i = 0; i < s->rows->row_count; i++) {
    s->x[i] -= a * s->p[i];
    if (!(s->x[i] > 0)) s->x[i] = 0;
    s->g[i] -= a * s->q[i];
  }
}

/* A projected gradient step of fixed length, and a fresh gradient. */
static void project(Solver *s, const double *b) {
  int n = s->rows->row_count;
  for (int i = 0; i < n; i++) {
    double x = s->x[i] - s->step * free_part(s, i);
    s->x[i] = x > 0 ? x : 0;
  }
  apply(s, s->x, s->g);
  for (int i = 0; i < n; i++) s->g[i] -= b[i];
}

/* Along p among the free ones, until one is bound. False: the curvature is none but rounding. */
static bool expand(Solver *s, const double *b, int64_t *products) {
  int n = s->rows->row_count;
  apply(s, s->p, s->q);
  ++*products;
  double curvature = dot(n, s->p, s->q), most = room(s);
  if (!(curvature > 1e-15 * dot(n, s->p, s->p))) return false;
  double a = dot(n, s->g, s->p) / curvature;
  if (a <= most) {
    advance(s, a);
    double turn = 0;
    for (int i = 0; i < n; i++) turn += free_part(s, i) * s->q[i];
    for (int i = 0; i < n; i++) s->p[i] = free_part(s, i) - turn / curvature * s->p[i];
  } else {
    advance(s, most);
    project(s, b);
    ++*products;
    restart(s);
  }
  return true;
}

/* Lets those go that are bound but want to rise. */
static bool release(Solver *s, int64_t *products) {
  int n = s->rows->row_count;
  for (int i = 0; i < n; i++) s->p[i] = bound_part(s, i);
  apply(s, s->p, s->q);
  ++*products;
  double curvature = dot(n, s->p, s->q);
  if (!(curvature > 1e-15 * dot(n, s->p, s->p))) return false;
  advance(s, dot(n, s->g, s->p) / curvature);
  restart(s);
  return true;
}

static void iterate(Solver *s, const double *b, double tolerance, int max_iterations, int64_t *products) {
  int n = s->rows->row_count;
  double target = tolerance * tolerance * dot(n, b, b);
  bool goes_on = true;
  while (goes_on && *products < max_iterations) {
    double unbound = 0, bound = 0, reduced = 0;
    for (int i = 0; i < n; i++) {
      double f = free_part(s, i), c = bound_part(s, i), most = s->x[i] / s->step;
      unbound += f * f;
      bound += c * c;
      reduced += f * (f < most ? f : most);
    }
    if (!(unbound + bound > target)) return;
    goes_on = bound <= reduced ? expand(s, b, products) : release(s, products);
  }
}

WeftResult weft_bounded_cg(const WeftRows *rows, const double *b, double tolerance, int max_iterations,
                           double *lambda, int64_t *iterations, WeftError *error) {
  int n = rows->row_count;
  *iterations = 0;
  double *vectors = WEFT_NEW(double, 6 * (size_t)n),
         *moved = WEFT_NEW(double, 3 * (size_t)rows->vertex_count);
  if (!vectors || !moved) {
    free(vectors);
    free(moved);
    return weft_fail_memory(error, "vectors of an impact zone");
  }
  double *scaled = vectors + 5 * (size_t)n;
  Solver s = {.rows = rows,
              .scale = vectors,
              .x = lambda,
              .g = vectors + n,
              .p = vectors + 2 * (size_t)n,
              .q = vectors + 3 * (size_t)n,
              .t = vectors + 4 * (size_t)n,
              .moved = moved};
  measure(&s);
  for (int i = 0; i < n; i++) {
    lambda[i] = 0;
    scaled[i] = s.scale[i] * b[i];
    s.g[i] = -scaled[i];
  }
  iterate(&s, scaled, tolerance, max_iterations, iterations);
  for (int i = 0; i < n; i++) lambda[i] *= s.scale[i];
  free(vectors);
  free(moved);
  return WEFT_RESULT_OK;
}
