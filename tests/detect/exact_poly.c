#include "exact_poly.h"

void exact_poly_init(ExactPoly *p) {
  for (int i = 0; i < 4; i++) mpz_init(p->c[i]);
}
void exact_poly_clear(ExactPoly *p) {
  for (int i = 0; i < 4; i++) mpz_clear(p->c[i]);
}
void exact_poly_set(ExactPoly *p, const ExactPoly *q) {
  for (int i = 0; i < 4; i++) mpz_set(p->c[i], q->c[i]);
}
void exact_poly_zero(ExactPoly *p) {
  for (int i = 0; i < 4; i++) mpz_set_ui(p->c[i], 0);
}
static void poly_negate(ExactPoly *p) {
  for (int i = 0; i < 4; i++) mpz_neg(p->c[i], p->c[i]);
}
void exact_poly_sub(ExactPoly *out, const ExactPoly *a, const ExactPoly *b) {
  for (int i = 0; i < 4; i++) mpz_sub(out->c[i], a->c[i], b->c[i]);
}
int exact_poly_degree(const ExactPoly *p) {
  int degree = 3;
  while (degree >= 0 && mpz_sgn(p->c[degree]) == 0) degree--;
  return degree;
}
void exact_poly_add_product(ExactPoly *out, const ExactPoly *a, const ExactPoly *b, int sign) {
  int da = exact_poly_degree(a), db = exact_poly_degree(b);
  for (int i = 0; i <= da; i++) {
    for (int j = 0; j <= db; j++) {
      if (sign > 0) mpz_addmul(out->c[i + j], a->c[i], b->c[j]);
      if (sign < 0) mpz_submul(out->c[i + j], a->c[i], b->c[j]);
    }
  }
}
/* Without what all coefficients have in common. */
static void poly_shorten(ExactPoly *p) {
  mpz_t content;
  mpz_init(content);
  for (int i = 0; i < 4; i++) mpz_gcd(content, content, p->c[i]);
  if (mpz_sgn(content)) {
    for (int i = 0; i < 4; i++) mpz_divexact(p->c[i], p->c[i], content);
  }
  mpz_clear(content);
}
/* a becomes a positive multiple of the rest of a / b; quotient, if asked for, the same multiple of a / b. */
static void poly_divide(ExactPoly *a, const ExactPoly *b, ExactPoly *quotient) {
  int db = exact_poly_degree(b);
  mpz_t lead, scale;
  mpz_inits(lead, scale, NULL);
  mpz_abs(scale, b->c[db]);
  if (quotient) exact_poly_zero(quotient);
  for (int da = exact_poly_degree(a); da >= db && da >= 0; da = exact_poly_degree(a)) {
    mpz_set(lead, a->c[da]);
    if (mpz_sgn(b->c[db]) < 0) mpz_neg(lead, lead);
    for (int i = 0; i < 4; i++) mpz_mul(a->c[i], a->c[i], scale);
    for (int i = 0; i <= db; i++) mpz_submul(a->c[i + da - db], lead, b->c[i]);
    if (!quotient) continue;
    for (int i = 0; i < 4; i++) mpz_mul(quotient->c[i], quotient->c[i], scale);
    mpz_add(quotient->c[da - db], quotient->c[da - db], lead);
  }
  mpz_clears(lead, scale, NULL);
}
static void poly_gcd(ExactPoly *out, const ExactPoly *p, const ExactPoly *q) {
  ExactPoly a, b, swap;
  exact_poly_init(&a);
  exact_poly_init(&b);
  exact_poly_set(&a, p);
  exact_poly_set(&b, q);
  while (exact_poly_degree(&b) >= 0) {
    poly_divide(&a, &b, NULL);
    poly_shorten(&a);
    swap = a;
    a = b;
    b = swap;
  }
  exact_poly_set(out, &a);
  exact_poly_clear(&a);
  exact_poly_clear(&b);
}
static void poly_derive(ExactPoly *out, const ExactPoly *p) {
  for (int i = 0; i < 3; i++) mpz_mul_ui(out->c[i], p->c[i + 1], (unsigned long)i + 1);
  mpz_set_ui(out->c[3], 0);
}
void exact_poly_simplify_roots(ExactPoly *p) {
  ExactPoly derivative, common, quotient;
  exact_poly_init(&derivative);
  exact_poly_init(&common);
  exact_poly_init(&quotient);
  poly_shorten(p);
  poly_derive(&derivative, p);
  poly_gcd(&common, p, &derivative);
  if (exact_poly_degree(&common) > 0) {
    poly_divide(p, &common, &quotient);
    exact_poly_set(p, &quotient);
    poly_shorten(p);
  }
  exact_poly_clear(&derivative);
  exact_poly_clear(&common);
  exact_poly_clear(&quotient);
}
int exact_poly_sign_at(const ExactPoly *p, const mpz_t place, unsigned long bits) {
  mpz_t sum, term;
  mpz_inits(sum, term, NULL);
  int degree = exact_poly_degree(p);
  for (int i = degree; i >= 0; i--) {
    mpz_mul(sum, sum, place);
    mpz_mul_2exp(term, p->c[i], bits * (unsigned long)(degree - i));
    mpz_add(sum, sum, term);
  }
  int sign = mpz_sgn(sum);
  mpz_clears(sum, term, NULL);
  return sign;
}

void exact_sturm_make(ExactSturm *s, const ExactPoly *p) {
  for (int i = 0; i < 4; i++) exact_poly_init(&s->p[i]);
  exact_poly_set(&s->p[0], p);
  poly_derive(&s->p[1], p);
  for (s->count = 1; s->count < 4 && exact_poly_degree(&s->p[s->count]) >= 0; s->count++) {
    if (s->count == 3) continue;
    ExactPoly *next = &s->p[s->count + 1];
    exact_poly_set(next, &s->p[s->count - 1]);
    poly_divide(next, &s->p[s->count], NULL);
    poly_shorten(next);
    poly_negate(next);
  }
}
void exact_sturm_clear(ExactSturm *s) {
  for (int i = 0; i < 4; i++) exact_poly_clear(&s->p[i]);
}
static int sturm_changes(const ExactSturm *s, const mpz_t place, unsigned long bits) {
  int changes = 0, last = 0;
  for (int i = 0; i < s->count; i++) {
    int sign = exact_poly_sign_at(&s->p[i], place, bits);
    if (sign == 0) continue;
    changes += last == -sign;
    last = sign;
  }
  return changes;
}
int exact_sturm_roots(const ExactSturm *s, const mpz_t place, unsigned long bits) {
  mpz_t next;
  mpz_init(next);
  mpz_add_ui(next, place, 1);
  int roots = sturm_changes(s, place, bits) - sturm_changes(s, next, bits);
  mpz_clear(next);
  return roots;
}

/* Halves the root's interval: the sign at its upper end, unless that is the root, is the one above the root.
 */
void exact_root_narrow(ExactRoot *root) {
  mpz_t next, middle;
  mpz_inits(next, middle, NULL);
  mpz_add_ui(next, root->place, 1);
  mpz_mul_2exp(middle, root->place, 1);
  mpz_set(root->place, middle);
  mpz_add_ui(middle, middle, 1);
  int above = exact_poly_sign_at(&root->p, next, root->bits);
  root->bits++;
  int here = exact_poly_sign_at(&root->p, middle, root->bits);
  bool is_lower = above != 0 && (here == 0 || here == above);
  if (!is_lower) mpz_set(root->place, middle);
  mpz_clears(next, middle, NULL);
}

/* The sign of a polynomial of degree 2 over the root's whole interval, by its Bernstein coefficients; 2 if
 * they do not agree. */
static int sign_over(const ExactPoly *q, const mpz_t place, unsigned long bits) {
  mpz_t next, middle, term;
  mpz_inits(next, middle, term, NULL);
  mpz_add_ui(next, place, 1);
  int low = exact_poly_sign_at(q, place, bits), high = exact_poly_sign_at(q, next, bits);
  /* 2^(2 bits + 1) of c0 + c1 (place + next)/2 + c2 place next */
  mpz_mul_2exp(middle, q->c[0], 2 * bits + 1);
  mpz_add(term, place, next);
  mpz_mul(term, term, q->c[1]);
  mpz_mul_2exp(term, term, bits);
  mpz_add(middle, middle, term);
  mpz_mul(term, place, next);
  mpz_mul(term, term, q->c[2]);
  mpz_mul_2exp(term, term, 1);
  mpz_add(middle, middle, term);
  int sign = mpz_sgn(middle) == low && low == high && low != 0 ? low : 2;
  mpz_clears(next, middle, term, NULL);
  return sign;
}

static bool is_zero_at(const ExactPoly *q, const ExactRoot *root) {
  ExactPoly common;
  exact_poly_init(&common);
  poly_gcd(&common, &root->p, q);
  bool is_zero = false;
  if (exact_poly_degree(&common) > 0) {
    ExactSturm s;
    exact_sturm_make(&s, &common);
    is_zero = exact_sturm_roots(&s, root->place, root->bits) > 0;
    exact_sturm_clear(&s);
  }
  exact_poly_clear(&common);
  return is_zero;
}

int exact_root_sign(const ExactPoly *q, ExactRoot *root) {
  if (exact_poly_degree(q) < 0) return 0;
  int sign = sign_over(q, root->place, root->bits);
  if (sign != 2) return sign;
  if (is_zero_at(q, root)) return 0;
  while ((sign = sign_over(q, root->place, root->bits)) == 2) exact_root_narrow(root);
  return sign;
}
