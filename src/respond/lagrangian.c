/* An augmented Lagrangian [Tang18 eq. 5-6] with c_i = C_i / |grad C_i|, in the measure of the masses,
 *
 *   f = 1/2 sum m |x - xhat|^2 + 1/(2 mu) sum max(lambda_i - mu c_i, 0)^2,
 *
 * whose multipliers are moved to max(lambda_i - mu c_i, 0) when f is near its least value.
 *
 * What differs from the source, and why:
 *
 * The objective is not divided by the total mass and constraints are scaled as said: mu has no unit, and the
 * same mu does for grams and for kilograms.
 *
 * The source lowers f by gradient descent with Jacobi preconditioner and Chebyshev acceleration (eq. 8), a
 * polynomial in the Hessian for eigenvalues that have to be guessed (rho = 0.9992 there). Here descent
 * directions come from Newton's equation, by conjugate gradients with that preconditioner, stopped early:
 * the best such polynomial, for two sums an iteration, which a GPU dreads and the host does not. Backtracking
 * (eq. 7) as there. Rejected after trying: the source's way, with X' the previous iterate [Wang15] and rho
 * from proved bounds, took 10031 to 12895 iterations where this took 1087 to 1682 (two sheets, 141 impacts,
 * to 1e-10).
 * Blocks of 3 x 3 as preconditioner took more iterations in seven of nine cases tried, hardly fewer in two.
 *
 * All ends on optimality, not on a count: only a minimiser keeps momenta. */
#include "respond/lagrangian.h"

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

/* A zone while it is solved. */
typedef struct Solver {
  WeftLagrangian *p;
  const int32_t *rows, *vertices;
  int row_count, vertex_count;
  double mu, f, steepness; /* f and |grad f| in the measure of 1/m, at x */
  int64_t iterations;
} Solver;

static double mass(const WeftLagrangian *p, int v) { return 1 / p->impacts->inverse_mass[v]; }

static void evaluate(Solver *s) {
  WeftLagrangian *p = s->p;
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
  WeftLagrangian *p = s->p;
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
  WeftLagrangian *p = s->p;
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
  WeftLagrangian *p = s->p;
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
  WeftLagrangian *p = s->p;
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
  WeftLagrangian *p = s->p;
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
  const WeftLagrangian *p = s->p;
  double f = s->f, slope = 0, at = 0, step = 1;
  for (int i = 0; i < s->vertex_count; i++)
    slope += v3_dot(load3(p->gradient, s->vertices[i]), load3(p->direction, s->vertices[i]));
  for (int halvings = 0; halvings < 40; halvings++) {
    advance(s, step - at);
    at = step;
    evaluate(s);
    if (s->f <= f + 1e-4 * step * slope + 1e-14 * f) return true;
    step /= 2;
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
  WeftLagrangian *p = s->p;
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
  const WeftLagrangian *p = s->p;
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

void weft_lagrangian_solve(WeftLagrangian *p, int zone) {
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
