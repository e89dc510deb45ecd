/* Polynomials of degree 3 at most with integer coefficients (GMP), and exact questions about their roots. */
#ifndef WEFT_TESTS_EXACT_POLY_H
#define WEFT_TESTS_EXACT_POLY_H

#include <stdbool.h>

#include <gmp.h>

/* c[0] + c[1] t + c[2] t^2 + c[3] t^3 */
typedef struct ExactPoly {
  mpz_t c[4];
} ExactPoly;

void exact_poly_init(ExactPoly *p);
void exact_poly_clear(ExactPoly *p);
void exact_poly_set(ExactPoly *p, const ExactPoly *q);
void exact_poly_zero(ExactPoly *p);
void exact_poly_sub(ExactPoly *out, const ExactPoly *a, const ExactPoly *b);
/* out += sign a b */
void exact_poly_add_product(ExactPoly *out, const ExactPoly *a, const ExactPoly *b, int sign);
/* -1 for zero */
int exact_poly_degree(const ExactPoly *p);
/* Every root once. */
void exact_poly_simplify_roots(ExactPoly *p);
/* Of p(place / 2^bits). */
int exact_poly_sign_at(const ExactPoly *p, const mpz_t place, unsigned long bits);

/* Sturm's theorem: the number of roots of p, all simple, in (place, place + 1] / 2^bits. */
typedef struct ExactSturm {
  int count;
  ExactPoly p[4];
} ExactSturm;

void exact_sturm_make(ExactSturm *s, const ExactPoly *p);
void exact_sturm_clear(ExactSturm *s);
int exact_sturm_roots(const ExactSturm *s, const mpz_t place, unsigned long bits);

/* The only root of p, whose roots are simple, in (place, place + 1] / 2^bits. */
typedef struct ExactRoot {
  ExactPoly p;
  mpz_t place;
  unsigned long bits;
} ExactRoot;

/* Halves the interval. */
void exact_root_narrow(ExactRoot *root);
/* The sign of q, of degree 2 at most, at the root: zero by a common divisor, others by narrowing the root
 * down until the sign shows. */
int exact_root_sign(const ExactPoly *q, ExactRoot *root);

#endif
