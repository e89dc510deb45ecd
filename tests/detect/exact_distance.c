/* Exact distances in fractions of GMP: the inside of both features if the closest points lie there, else the
 * smallest over all vertices and edges. */
#include "exact_contact.h"

typedef struct Fractions {
  mpq_t c[3];
} Fractions;

static void init(Fractions *v) { mpq_inits(v->c[0], v->c[1], v->c[2], NULL); }
static void clear(Fractions *v) { mpq_clears(v->c[0], v->c[1], v->c[2], NULL); }
static void sub(Fractions *out, const Fractions *a, const Fractions *b) {
  for (int k = 0; k < 3; k++) mpq_sub(out->c[k], a->c[k], b->c[k]);
}
static void dot(mpq_t out, const Fractions *a, const Fractions *b) {
  mpq_t term, sum;
  mpq_inits(term, sum, NULL);
  for (int k = 0; k < 3; k++) {
    mpq_mul(term, a->c[k], b->c[k]);
    mpq_add(sum, sum, term);
  }
  mpq_set(out, sum);
  mpq_clears(term, sum, NULL);
}
static void cross(Fractions *out, const Fractions *a, const Fractions *b) {
  mpq_t term;
  mpq_init(term);
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    mpq_mul(out->c[k], a->c[i], b->c[j]);
    mpq_mul(term, a->c[j], b->c[i]);
    mpq_sub(out->c[k], out->c[k], term);
  }
  mpq_clear(term);
}

/* best = min(best, squared distance of p from the edge a b); best < 0 is none yet. */
static void try_edge(mpq_t best, const Fractions *p, const Fractions *a, const Fractions *b) {
  Fractions g, e;
  mpq_t s, ee;
  init(&g);
  init(&e);
  mpq_inits(s, ee, NULL);
  sub(&g, p, a);
  sub(&e, b, a);
  dot(s, &g, &e);
  dot(ee, &e, &e);
  if (mpq_sgn(ee) == 0 || mpq_sgn(s) < 0)
    mpq_set_ui(s, 0, 1);
  else if (mpq_cmp(s, ee) > 0)
    mpq_set_ui(s, 1, 1);
  else
    mpq_div(s, s, ee);
  for (int k = 0; k < 3; k++) {
    mpq_mul(e.c[k], e.c[k], s);
    mpq_sub(g.c[k], g.c[k], e.c[k]);
  }
  dot(s, &g, &g);
  if (mpq_sgn(best) < 0 || mpq_cmp(s, best) < 0) mpq_set(best, s);
  clear(&g);
  clear(&e);
  mpq_clears(s, ee, NULL);
}

/* n . (a x b), to be compared with nn */
static void triple(mpq_t out, const Fractions *n, const Fractions *a, const Fractions *b) {
  Fractions c;
  init(&c);
  cross(&c, a, b);
  dot(out, n, &c);
  clear(&c);
}

/* best = squared distance of the planes or lines, when the closest points lie inside; unchanged otherwise. */
static void try_inside(mpq_t best, bool is_edges, const Fractions *x) {
  Fractions r, u, v, n;
  mpq_t nn, s, t, sum;
  init(&r);
  init(&u);
  init(&v);
  init(&n);
  mpq_inits(nn, s, t, sum, NULL);
  sub(&r, &x[0], &x[is_edges ? 2 : 1]);
  sub(&u, &x[is_edges ? 1 : 2], &x[is_edges ? 0 : 1]);
  sub(&v, &x[3], &x[is_edges ? 2 : 1]);
  cross(&n, &u, &v);
  dot(nn, &n, &n);
  bool is_inside = mpq_sgn(nn) > 0;
  if (is_inside && is_edges) { /* r + s u - t v along n */
    triple(s, &n, &v, &r);
    triple(t, &n, &u, &r);
    is_inside = mpq_sgn(s) >= 0 && mpq_cmp(s, nn) <= 0 && mpq_sgn(t) >= 0 && mpq_cmp(t, nn) <= 0;
  } else if (is_inside) { /* r - s u - t v along n */
    triple(s, &n, &r, &v);
    triple(t, &n, &u, &r);
    mpq_add(sum, s, t);
    is_inside = mpq_sgn(s) >= 0 && mpq_sgn(t) >= 0 && mpq_cmp(sum, nn) <= 0;
  }
  if (is_inside) {
    dot(s, &n, &r);
    mpq_mul(s, s, s);
    mpq_div(best, s, nn);
  }
  clear(&r);
  clear(&u);
  clear(&v);
  clear(&n);
  mpq_clears(nn, s, t, sum, NULL);
}

/* x0 + t (x1 - x0) */
static void place_at(Fractions *out, const Vec3 *x0, const Vec3 *x1, const mpq_t t) {
  const double from[3] = {x0->x, x0->y, x0->z}, to[3] = {x1->x, x1->y, x1->z};
  mpq_t start;
  mpq_init(start);
  for (int k = 0; k < 3; k++) {
    mpq_set_d(start, from[k]);
    mpq_set_d(out->c[k], to[k]);
    mpq_sub(out->c[k], out->c[k], start);
    mpq_mul(out->c[k], out->c[k], t);
    mpq_add(out->c[k], out->c[k], start);
  }
  mpq_clear(start);
}

double exact_distance(bool is_edges, const Vec3 *x0, const Vec3 *x1, double t, double computed, double *off) {
  Fractions x[4];
  mpq_t time, squared;
  mpf_t distance;
  mpq_inits(time, squared, NULL);
  mpf_init2(distance, 512);
  mpq_set_d(time, t);
  for (int i = 0; i < 4; i++) {
    init(&x[i]);
    place_at(&x[i], &x0[i], &x1[i], time);
  }
  mpq_set_si(squared, -1, 1);
  try_inside(squared, is_edges, x);
  if (mpq_sgn(squared) < 0 && is_edges) {
    for (int i = 0; i < 4; i++) try_edge(squared, &x[i], &x[i < 2 ? 2 : 0], &x[i < 2 ? 3 : 1]);
  } else if (mpq_sgn(squared) < 0) {
    for (int i = 0; i < 3; i++) try_edge(squared, &x[0], &x[1 + i], &x[1 + (i + 1) % 3]);
  }
  mpf_set_q(distance, squared);
  mpf_sqrt(distance, distance);
  double result = mpf_get_d(distance);
  if (off) {
    mpf_t other;
    mpf_init2(other, 512);
    mpf_set_d(other, computed);
    mpf_sub(other, other, distance);
    *off = mpf_get_d(other);
    mpf_clear(other);
  }
  for (int i = 0; i < 4; i++) clear(&x[i]);
  mpq_clears(time, squared, NULL);
  mpf_clear(distance);
  return result;
}
