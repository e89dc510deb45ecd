/* Non-linear impact zones [Tang18 sec. 4, alg. 2-3]: of all states on the right sides, the one nearest to
 * where the vertices wanted to go,
 *
 *   least  1/2 sum m |x - xhat|^2   with  C_i(x) >= 0 for every impact  (eq. 1-3),
 *
 * by an augmented Lagrangian (eq. 5-6) with c_i = C_i / |grad C_i|, in the measure of the masses,
 *
 *   f = 1/2 sum m |x - xhat|^2 + 1/(2 mu) sum max(lambda_i - mu c_i, 0)^2,
 *
 * whose multipliers are then moved to max(lambda_i - mu c_i, 0).
 *
 * What differs from the source, and why:
 * - The objective is not divided by the total mass and constraints are scaled as said: mu has no unit, and
 * the same mu does for grams and for kilograms.
 * - The source lowers f by gradient descent with Jacobi preconditioner and Chebyshev acceleration (eq. 8).
 * Here each descent direction comes from Newton's equation, by conjugate gradients with the same
 * preconditioner, stopped early; backtracking (eq. 7) as there. Chebyshev's is a polynomial in the same
 * matrix for eigenvalues that have to be guessed (rho = 0.9992 there); conjugate gradients find the best one,
 * for two sums an iteration, which a GPU dreads and the host does not. Rejected after trying: the source's
 * way, with X' the previous iterate and rho from proved bounds, took 10031 to 12895 iterations where this
 * takes 1087 to 1682 (two sheets, 141 impacts, to 1e-10).
 * - Multipliers move when f is near its least value, and all ends on optimality, not on a count: only a
 * minimiser keeps momenta. Zones are solved in parallel; a zone is solved in one order by one thread. */
#include "base/memory.h"
#include "respond/incidence.h"
#include "respond/side.h"
#include "respond/zones.h"

#include <stdlib.h>
#include <string.h>

/* Gradient and complementarity, as parts of what the zone is moved by. */
static const double tolerance = 1e-9;
/* Rounding of positions, as a part of the zone's reach: nothing below it can be told. */
static const double rounding = 1e-15;
static const double mu_first = 20, mu_most = 1e6;
/* For zones that have no solution, as between two obstacles that close, or none with finite multipliers:
 * iterations, and moves of the multipliers in a row, each with a larger mu, that do not bring constraints
 * closer. What is left is found again, or is the next link's. */
static const int most_iterations = 10000, most_stalls = 4;
/* A direction solves Newton's equation to this part, by at most so many iterations. */
static const double direction_tolerance = 0.2;
static const int direction_iterations = 300;

typedef struct Problem {
  const WeftImpacts *impacts;
  int row_count;
  WeftSide *sides;   /* row_count */
  int32_t *vertices; /* row_count x 4 */
  WeftIncidence incidence;
  WeftZones zones;
  const double *wanted; /* xhat */
  /* of vertices: iterate, gradient of f, direction; residual, search direction and product of CG;
   * preconditioner */
  double *x, *gradient, *direction, *residual, *search, *product, *weight;
  /* of rows: c, 1 / |grad C|, multipliers, max(lambda - mu c, 0), grad c, part of a product */
  double *c, *scale, *lambda, *push, *row, *row_product;
  int64_t *iterations; /* of each zone */
} Problem;

/* A zone while it is solved. */
typedef struct Solver {
  Problem *p;
  const int32_t *rows, *vertices;
  int row_count, vertex_count;
  double mu, f, steepness; /* f and |grad f| in the measure of 1/m, at x */
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
    p->c[row] = p->scale[row] * weft_side_value(&p->sides[row], p->impacts->x0, p->x, gradient);
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
      weft_side_value(&p->sides[row], p->impacts->x0, end ? p->wanted : p->impacts->x0, gradient);
      for (int k = 0; k < 4; k++)
        sum += p->impacts->inverse_mass[p->vertices[4 * row + k]] * v3_dot(gradient[k], gradient[k]) / 2;
    }
    p->scale[row] = sum > 0 ? 1 / sqrt(sum) : 0;
  }
}

/* Jacobi: of the Hessian, bounds of the diagonal blocks. */
static void precondition(Solver *s) {
  Problem *p = s->p;
  for (int i = 0; i < s->vertex_count; i++) {
    int v = s->vertices[i];
    double sum = 0;
    for (int32_t j = p->incidence.start[v]; j < p->incidence.start[v + 1]; j++) {
      int32_t corner = p->incidence.corner[j];
      Vec3 g = load3(p->row, corner);
      if (p->push[corner / 4] > 0) sum += v3_dot(g, g);
    }
    p->weight[v] = 1 / (mass(p, v) + s->mu * sum);
  }
}

/* product = Hessian of f times search, at x; returns search . product */
static double apply(Solver *s) {
  Problem *p = s->p;
  double sum = 0;
  s->iterations++;
  for (int i = 0; i < s->row_count; i++) {
    int row = s->rows[i];
    if (!(p->push[row] > 0)) continue;
    Vec3 change[4];
    double along = 0;
    weft_side_curvature(&p->sides[row], p->impacts->x0, p->x, p->search, change);
    for (int k = 0; k < 4; k++)
      along += v3_dot(load3(p->row, 4 * row + k), load3(p->search, p->vertices[4 * row + k]));
    for (int k = 0; k < 4; k++) {
      Vec3 part = v3_scale(s->mu * along, load3(p->row, 4 * row + k));
      store3(p->row_product, 4 * row + k, v3_axpy(part, -p->push[row] * p->scale[row], change[k]));
    }
  }
  for (int i = 0; i < s->vertex_count; i++) {
    int v = s->vertices[i];
    Vec3 d = load3(p->search, v), out = v3_scale(mass(p, v), d);
    for (int32_t j = p->incidence.start[v]; j < p->incidence.start[v + 1]; j++) {
      int32_t corner = p->incidence.corner[j];
      if (p->push[corner / 4] > 0) out = v3_add(out, load3(p->row_product, corner));
    }
    store3(p->product, v, out);
    sum += v3_dot(d, out);
  }
  return sum;
}

/* Turns the search towards the preconditioned residual; returns residual . P^-1 residual. */
static double turn(Solver *s, double before) {
  Problem *p = s->p;
  double now = 0;
  for (int i = 0; i < s->vertex_count; i++) {
    int v = s->vertices[i];
    Vec3 r = load3(p->residual, v);
    now += p->weight[v] * v3_dot(r, r);
  }
  double keep = before > 0 ? now / before : 0;
  for (int i = 0; i < s->vertex_count; i++) {
    int v = s->vertices[i];
    store3(p->search, v, v3_axpy(v3_scale(p->weight[v], load3(p->residual, v)), keep, load3(p->search, v)));
  }
  return now;
}

/* A direction of descent: Newton's, as far as the curvature is positive. */
static void find_direction(Solver *s) {
  Problem *p = s->p;
  for (int i = 0; i < s->vertex_count; i++) {
    int v = s->vertices[i];
    store3(p->direction, v, vec3(0, 0, 0));
    store3(p->residual, v, v3_scale(-1, load3(p->gradient, v)));
  }
  double now = turn(s, 0), enough = direction_tolerance * direction_tolerance * now;
  for (int k = 0; k < direction_iterations && now > enough; k++) {
    double curvature = apply(s), by = now / curvature;
    bool is_positive = curvature > 0;
    if (!is_positive && k > 0) return;
    for (int i = 0; i < s->vertex_count; i++) {
      int v = s->vertices[i];
      add3(p->direction, v, v3_scale(is_positive ? by : 1, load3(p->search, v)));
      add3(p->residual, v, v3_scale(-by, load3(p->product, v)));
    }
    if (!is_positive) return;
    now = turn(s, now);
  }
}

static void advance(Solver *s, double step) {
  for (int i = 0; i < s->vertex_count; i++) {
    int v = s->vertices[i];
    add3(s->p->x, v, v3_scale(step, load3(s->p->direction, v)));
  }
}

/* Along the direction, by less and less until f falls enough [Tang18 eq. 7], or all that is left is rounding
 * of f. False: there is no headway. */
static bool descend(Solver *s) {
  const Problem *p = s->p;
  double f = s->f, slope = 0, at = 0, step = 1;
  for (int i = 0; i < s->vertex_count; i++)
    slope += v3_dot(load3(p->gradient, s->vertices[i]), load3(p->direction, s->vertices[i]));
  for (int halvings = 0; halvings < 40; halvings++, step /= 2) {
    advance(s, step - at);
    at = step;
    evaluate(s);
    if (s->f <= f + 1e-4 * step * slope + 1e-14 * f) return true;
  }
  advance(s, -at);
  evaluate(s);
  return false;
}

/* Lowers f until it is as flat as asked. */
static void minimise(Solver *s, double flat) {
  evaluate(s);
  while (s->steepness > flat && s->iterations < most_iterations) {
    precondition(s);
    find_direction(s);
    if (!descend(s)) return;
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
  int stalls = 0;
  while (s.iterations < most_iterations && stalls < most_stalls) {
    double moved, reach;
    minimise(&s, flat);
    double apart = update_multipliers(&s);
    measure(&s, &moved, &reach);
    double least = tolerance * moved + rounding * reach;
    if (s.steepness <= least && apart <= least) break;
    if (apart > 0.25 * before && s.mu < mu_most) s.mu *= 4;
    stalls = apart > 0.7 * before ? stalls + 1 : 0;
    before = apart;
    flat = apart;
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

/* An impact, for sorting. */
typedef struct Key {
  int32_t vertex[4], is_edges, impact;
} Key;

static int compare_pairs(const Key *a, const Key *b) {
  if (a->is_edges != b->is_edges) return a->is_edges < b->is_edges ? -1 : 1;
  for (int k = 0; k < 4; k++) {
    if (a->vertex[k] != b->vertex[k]) return a->vertex[k] < b->vertex[k] ? -1 : 1;
  }
  return 0;
}

static int compare_keys(const void *left, const void *right) {
  const Key *a = left, *b = right;
  int order = compare_pairs(a, b);
  return order ? order : (a->impact > b->impact) - (a->impact < b->impact);
}

/* Every pair stays on its side at the end. One that was found again would leave it on the way, and has to
 * stay there all the way: then it is not found a third time. (That does not keep angular momentum, because x0
 * enters.) */
static bool fill_sides(Problem *p) {
  const WeftImpacts *impacts = p->impacts;
  int n = impacts->impact_count;
  Key *key = WEFT_NEW(Key, n);
  if (!key) return false;
  for (int i = 0; i < n; i++) {
    memcpy(key[i].vertex, impacts->vertices + 4 * i, sizeof key[i].vertex);
    key[i].is_edges = impacts->is_edges[i];
    key[i].impact = i;
  }
  qsort(key, (size_t)n, sizeof *key, compare_keys);
  for (int i = 0, times = 0; i < n; i++) {
    times = i > 0 && compare_pairs(&key[i - 1], &key[i]) == 0 ? times + 1 : 1;
    if (times > 2) continue;
    p->row_count += weft_sides_of(impacts, key[i].impact, times == 2, p->sides + p->row_count);
  }
  free(key);
  return true;
}

static WeftResult create(Problem *p, const WeftImpacts *impacts, const double *wanted, WeftError *error) {
  size_t most = WEFT_SIDES_MOST * (size_t)impacts->impact_count, n = (size_t)impacts->vertex_count;
  *p = (Problem){.impacts = impacts, .wanted = wanted};
  p->sides = WEFT_NEW(WeftSide, most);
  p->vertices = WEFT_NEW(int32_t, 4 * most);
  p->x = WEFT_NEW(double, 19 * n);
  p->c = WEFT_NEW(double, 28 * most);
  if (!p->sides || !p->vertices || !p->x || !p->c) return weft_fail_memory(error, "an impact zone");
  p->gradient = p->x + 3 * n;
  p->direction = p->x + 6 * n;
  p->residual = p->x + 9 * n;
  p->search = p->x + 12 * n;
  p->product = p->x + 15 * n;
  p->weight = p->x + 18 * n;
  p->scale = p->c + most;
  p->lambda = p->c + 2 * most;
  p->push = p->c + 3 * most;
  p->row = p->c + 4 * most;
  p->row_product = p->c + 16 * most;
  if (!fill_sides(p)) return weft_fail_memory(error, "an impact zone");
  for (int i = 0; i < p->row_count; i++) memcpy(p->vertices + 4 * i, p->sides[i].vertex, 4 * sizeof(int32_t));
  memcpy(p->x, wanted, 3 * n * sizeof(double));
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
