/* Non-linear impact zones [Tang18 sec. 4, alg. 2-3]: of all states on the right sides, the one nearest to
 * where the vertices wanted to go,
 *
 *   least  1/2 sum m |x - xhat|^2   with  C_i(x) >= 0 for every impact  (eq. 1-3),
 *
 * by an augmented Lagrangian (eq. 5-6) with c_i = C_i / |grad C_i|, in the measure of the masses,
 *
 *   f = 1/2 sum m |x - xhat|^2 + 1/(2 mu) sum max(lambda_i - mu c_i, 0)^2,
 *
 * each f by gradient descent with Jacobi preconditioner, Chebyshev acceleration (eq. 8) and backtracking (eq.
 * 7).
 *
 * What differs from the source, and why:
 * - The objective is not divided by the total mass and constraints are scaled as said: mu has no unit, and
 * the same mu does for grams and for kilograms.
 * - X' of the Chebyshev step is the previous iterate [Wang15].
 * - rho is not tuned: with P_v = m_v + mu sum_i |grad_v c_i|^2 the Hessian is at most 4 P, because a
 * constraint has four vertices (Cauchy-Schwarz), and at least min m_v / P_v. Bounds of the eigenvalues give
 * step and rho.
 * - Multipliers move when f is near its least value, and all ends on optimality, not on a count: only a
 * minimiser keeps momenta. Zones are solved in parallel; a zone is solved in one order by one thread. */
#include "base/memory.h"
#include "respond/incidence.h"
#include "respond/side.h"
#include "respond/zones.h"

#include <stdlib.h>
#include <string.h>

/* Gradient and complementarity, as parts of what the zone is moved by. */
static const double tolerance = 1e-10;
/* Rounding of positions, as a part of the zone's reach: nothing below it can be told. */
static const double rounding = 1e-15;
static const double mu_first = 20, mu_most = 1e6;
/* Iterations a zone: for those that have no solution, as between two obstacles that close. */
static const int most_iterations = 20000;
/* A Chebyshev step may raise f for a while, but not above the largest of so many values. */
enum { WINDOW = 10 };

typedef struct Problem {
  const WeftImpacts *impacts;
  int row_count;
  WeftSide *sides;   /* row_count */
  int32_t *vertices; /* row_count x 4 */
  WeftIncidence incidence;
  WeftZones zones;
  const double *wanted;                 /* xhat */
  double *x, *last, *gradient, *weight; /* vertices: iterate, the one before, of f, P */
  double *scale, *c, *lambda, *push,
      *row;            /* rows: 1 / |grad C|; c; multipliers; max(lambda - mu c, 0); grad c */
  int64_t *iterations; /* of each zone */
} Problem;

/* A zone while it is solved. */
typedef struct Solver {
  Problem *p;
  const int32_t *rows, *vertices;
  int row_count, vertex_count;
  double mu, f, steepness; /* f and |grad f| in the measure of 1/m, at x */
  double step, rho;
  int64_t iterations;
} Solver;

static double mass(const Problem *p, int v) { return 1 / p->impacts->inverse_mass[v]; }

static void evaluate(Solver *s) {
  Problem *p = s->p;
  s->f = s->steepness = 0;
  s->iterations++;
  for (int i = 0; i < s->row_count; i++) {
    int row = s->rows[i];
    Vec3 gradient[4];
    p->c[row] = p->scale[row] * weft_side_value(&p->sides[row], p->x, gradient);
    double push = p->lambda[row] - s->mu * p->c[row];
    p->push[row] = push > 0 ? push : 0;
    s->f += p->push[row] * p->push[row] / (2 * s->mu);
    for (int k = 0; k < 4; k++) store3(p->row, 4 * row + k, v3_scale(p->scale[row], gradient[k]));
  }
  for (int i = 0; i < s->vertex_count; i++) {
    int v = s->vertices[i];
    double m = mass(p, v);
    Vec3 away = v3_sub(load3(p->x, v), load3(p->wanted, v)), g = v3_scale(m, away);
    for (int32_t j = p->incidence.start[v]; j < p->incidence.start[v + 1]; j++) {
      int32_t corner = p->incidence.corner[j];
      g = v3_axpy(g, -p->push[corner / 4], load3(p->row, corner));
    }
    store3(p->gradient, v, g);
    s->f += 0.5 * m * v3_dot(away, away);
    s->steepness += v3_dot(g, g) / m;
  }
  s->steepness = sqrt(s->steepness);
}

/* The scale of each row, from its gradients where it starts and where it wants to go. */
static void scale_rows(Solver *s) {
  Problem *p = s->p;
  for (int i = 0; i < s->row_count; i++) {
    int row = s->rows[i];
    double sum = 0;
    for (int end = 0; end < 2; end++) {
      Vec3 gradient[4];
      weft_side_value(&p->sides[row], end ? p->wanted : p->impacts->x0, gradient);
      for (int k = 0; k < 4; k++)
        sum += p->impacts->inverse_mass[p->vertices[4 * row + k]] * v3_dot(gradient[k], gradient[k]) / 2;
    }
    p->scale[row] = sum > 0 ? 1 / sqrt(sum) : 0;
  }
}

/* P, step and rho for the present mu and the gradients of the last evaluation. */
static void precondition(Solver *s) {
  Problem *p = s->p;
  double least = 1;
  for (int i = 0; i < s->vertex_count; i++) {
    int v = s->vertices[i];
    double sum = 0;
    for (int32_t j = p->incidence.start[v]; j < p->incidence.start[v + 1]; j++) {
      Vec3 g = load3(p->row, p->incidence.corner[j]);
      sum += v3_dot(g, g);
    }
    p->weight[v] = mass(p, v) + s->mu * sum;
    double part = mass(p, v) / p->weight[v];
    if (part < least) least = part;
  }
  s->step = 2 / (4 + least);
  s->rho = (4 - least) / (4 + least);
}

/* x = last + omega (x - step P^-1 grad f - last), and last = x */
static void advance(Solver *s, double step, double omega) {
  Problem *p = s->p;
  for (int i = 0; i < s->vertex_count; i++) {
    int v = s->vertices[i];
    Vec3 x = load3(p->x, v), last = load3(p->last, v);
    Vec3 next = v3_axpy(x, -step / p->weight[v], load3(p->gradient, v));
    store3(p->last, v, x);
    store3(p->x, v, v3_axpy(last, omega, v3_sub(next, last)));
  }
}

static void go_back(Solver *s) {
  for (int i = 0; i < s->vertex_count; i++)
    store3(s->p->x, s->vertices[i], load3(s->p->last, s->vertices[i]));
  evaluate(s);
}

/* Plain gradient step, shortened until f falls enough [Tang18 eq. 7]. False: there is no headway. */
static bool descend(Solver *s) {
  double f = s->f, fall = 0, step = s->step;
  for (int i = 0; i < s->vertex_count; i++) {
    int v = s->vertices[i];
    Vec3 g = load3(s->p->gradient, v);
    fall += v3_dot(g, g) / s->p->weight[v];
  }
  for (int halvings = 0; halvings < 40; halvings++, step /= 2) {
    advance(s, step, 1);
    evaluate(s);
    if (s->f <= f - 1e-4 * step * fall) return true;
    go_back(s);
  }
  return false;
}

/* Lowers f until it is as flat as asked. */
static void minimise(Solver *s, double flat) {
  double window[WINDOW], omega = 1;
  int k = 0;
  evaluate(s);
  precondition(s);
  while (s->steepness > flat && s->iterations < most_iterations) {
    if (k == 0) {
      for (int i = 0; i < WINDOW; i++) window[i] = s->f;
    }
    omega = k == 0 ? 1 : k == 1 ? 2 / (2 - s->rho * s->rho) : 4 / (4 - s->rho * s->rho * omega);
    double most = window[0];
    for (int i = 1; i < WINDOW; i++) most = window[i] > most ? window[i] : most;
    advance(s, s->step, omega);
    evaluate(s);
    if (s->f <= most * (1 + 1e-13)) {
      window[k++ % WINDOW] = s->f;
      continue;
    }
    go_back(s);
    precondition(s);
    if (!descend(s)) return;
    k = 0;
  }
}

/* lambda = max(lambda - mu c, 0); returns how far c is from complementary: |min(c, lambda / mu)|. */
static double update_multipliers(Solver *s) {
  Problem *p = s->p;
  double sum = 0;
  for (int i = 0; i < s->row_count; i++) {
    int row = s->rows[i];
    double change = (p->push[row] - p->lambda[row]) / s->mu;
    sum += change * change;
    p->lambda[row] = p->push[row];
  }
  return sqrt(sum);
}

/* How far the zone is moved, and its reach around its first vertex: in the measure of the masses. */
static void measure(const Solver *s, double *moved, double *reach) {
  const Problem *p = s->p;
  Vec3 first = load3(p->wanted, s->vertices[0]);
  double by = 0, around = 0;
  for (int i = 0; i < s->vertex_count; i++) {
    int v = s->vertices[i];
    Vec3 wanted = load3(p->wanted, v), away = v3_sub(load3(p->x, v), wanted), from = v3_sub(wanted, first);
    by += mass(p, v) * v3_dot(away, away);
    around += mass(p, v) * v3_dot(from, from);
  }
  *moved = sqrt(by);
  *reach = sqrt(around);
}

static void solve_zone(Problem *p, int zone) {
  Solver s = {.p = p,
              .rows = p->zones.row + p->zones.row_start[zone],
              .vertices = p->zones.vertex + p->zones.vertex_start[zone],
              .row_count = p->zones.row_start[zone + 1] - p->zones.row_start[zone],
              .vertex_count = p->zones.vertex_start[zone + 1] - p->zones.vertex_start[zone],
              .mu = mu_first};
  scale_rows(&s);
  evaluate(&s);
  double flat = 0.1 * s.steepness, before = INFINITY;
  while (s.iterations < most_iterations) {
    double moved, reach;
    minimise(&s, flat);
    double apart = update_multipliers(&s);
    measure(&s, &moved, &reach);
    double least = tolerance * moved + rounding * reach;
    if (s.steepness <= least && apart <= least) break;
    if (apart > 0.25 * before && s.mu < mu_most) s.mu *= 4;
    before = apart;
    flat = 0.1 * (apart < s.steepness ? apart : s.steepness);
    if (flat < 0.5 * least) flat = 0.5 * least;
  }
  p->iterations[zone] = s.iterations;
}

static void destroy(Problem *p) {
  weft_incidence_destroy(&p->incidence);
  weft_zones_destroy(&p->zones);
  free(p->sides);
  free(p->vertices);
  free(p->x);
  free(p->c);
  free(p->iterations);
}

static WeftResult create(Problem *p, const WeftImpacts *impacts, const double *wanted, WeftError *error) {
  size_t most = WEFT_SIDES_MOST * (size_t)impacts->impact_count, n = (size_t)impacts->vertex_count;
  *p = (Problem){.impacts = impacts, .wanted = wanted};
  p->sides = WEFT_NEW(WeftSide, most);
  p->vertices = WEFT_NEW(int32_t, 4 * most);
  p->x = WEFT_NEW(double, 10 * n);
  p->c = WEFT_NEW(double, 16 * most);
  if (!p->sides || !p->vertices || !p->x || !p->c) return weft_fail_memory(error, "an impact zone");
  p->last = p->x + 3 * n;
  p->gradient = p->x + 6 * n;
  p->weight = p->x + 9 * n;
  p->scale = p->c + most;
  p->lambda = p->c + 2 * most;
  p->push = p->c + 3 * most;
  p->row = p->c + 4 * most;
  for (int i = 0; i < impacts->impact_count; i++)
    p->row_count += weft_sides_of(impacts, i, p->sides + p->row_count);
  for (int i = 0; i < p->row_count; i++) memcpy(p->vertices + 4 * i, p->sides[i].vertex, 4 * sizeof(int32_t));
  memcpy(p->x, wanted, 3 * n * sizeof(double));
  memcpy(p->last, wanted, 3 * n * sizeof(double));
  WeftResult result =
      weft_incidence_create(&p->incidence, impacts->vertex_count, p->row_count, p->vertices, error);
  if (!result)
    result = weft_zones_create(&p->zones, impacts->vertex_count, impacts->inverse_mass, p->row_count,
                               p->vertices, error);
  if (result) return result;
  p->iterations = WEFT_NEW(int64_t, p->zones.count);
  return p->iterations ? WEFT_RESULT_OK : weft_fail_memory(error, "an impact zone");
}

/* Counts the iterations of the zone that took most: zones run side by side. */
static WeftResult solve(const WeftImpacts *impacts, double *x1, WeftLinkCounts *counts, WeftError *error) {
  Problem p;
  WeftResult result = create(&p, impacts, x1, error);
  if (!result) {
    FOR_CHUNKS (z, p.zones.count) {
      solve_zone(&p, z);
    }
    *counts = (WeftLinkCounts){0};
    for (int z = 0; z < p.zones.count; z++) {
      if (p.iterations[z] > counts->iterations) counts->iterations = p.iterations[z];
    }
    for (int v = 0; v < impacts->vertex_count; v++)
      counts->limited += memcmp(x1 + 3 * v, p.x + 3 * v, 3 * sizeof(double)) != 0;
    memcpy(x1, p.x, 3 * (size_t)impacts->vertex_count * sizeof(double));
  }
  destroy(&p);
  return result;
}

/* 10 rounds: [Tang18 sec. 4.4] usually converges within 10. Each begins anew with more impacts, so what does
 * not settle by then is not likely to. */
const WeftLinkOps weft_link_zone_nonlinear = {
    .name = "zone_nonlinear",
    .citation = "Tang18 sec. 4",
    .summary = "non-linear impact zones by augmented Lagrangian, zones in parallel",
    .budget = 10,
    .starts_over = true,
    .solve = solve,
};
