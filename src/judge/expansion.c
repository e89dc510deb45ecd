#include "judge/expansion.h"

/* *high + *low is a + b, *high its rounding [Shewchuk97 theorem 7]. */
static void two_sum(double a, double b, double *high, double *low) {
  double sum = a + b;
  double b_part = sum - a, a_part = sum - b_part;
  *low = (a - a_part) + (b - b_part);
  *high = sum;
}

/* Into halves of at most 26 bits [Shewchuk97 theorem 17]. */
static void split(double a, double *high, double *low) {
  double c = 134217729.0 * a; /* 2^27 + 1 */
  *high = c - (c - a);
  *low = a - *high;
}

/* *high + *low is a b, *high its rounding [Shewchuk97 theorem 18]. */
static void two_product(double a, double b, double *high, double *low) {
  double a_high, a_low, b_high, b_low, product = a * b;
  split(a, &a_high, &a_low);
  split(b, &b_high, &b_low);
  double rest = product - a_high * b_high;
  rest -= a_low * b_high;
  rest -= a_high * b_low;
  *low = a_low * b_low - rest;
  *high = product;
}

static void append(WeftExpansion *expansion, double part) {
  if (part != 0) expansion->parts[expansion->count++] = part;
}

void weft_expansion_difference(double a, double b, WeftExpansion *result) {
  double high, low;
  two_sum(a, -b, &high, &low);
  result->count = 0;
  append(result, low);
  append(result, high);
}

/* Keeps parts apart and in order [Shewchuk97 theorem 10]; places left of the one that is read are free. */
static void grow(WeftExpansion *sum, double number) {
  int count = sum->count;
  double carry = number;
  sum->count = 0;
  for (int i = 0; i < count; i++) {
    double low;
    two_sum(carry, sum->parts[i], &carry, &low);
    append(sum, low);
  }
  append(sum, carry);
}

void weft_expansion_add(WeftExpansion *sum, const WeftExpansion *other) {
  for (int i = 0; i < other->count; i++) grow(sum, other->parts[i]);
}

void weft_expansion_subtract(WeftExpansion *sum, const WeftExpansion *other) {
  for (int i = 0; i < other->count; i++) grow(sum, -other->parts[i]);
}

/* [Shewchuk97 theorem 19] */
static void scale(const WeftExpansion *a, double factor, WeftExpansion *product) {
  product->count = 0;
  if (a->count == 0) return;
  double carry, low;
  two_product(a->parts[0], factor, &carry, &low);
  append(product, low);
  for (int i = 1; i < a->count; i++) {
    double high, rest;
    two_product(a->parts[i], factor, &high, &rest);
    two_sum(carry, rest, &carry, &low);
    append(product, low);
    two_sum(high, carry, &carry, &low); /* |high| >= |carry| */
    append(product, low);
  }
  append(product, carry);
}

void weft_expansion_multiply(const WeftExpansion *a, const WeftExpansion *b, WeftExpansion *product) {
  WeftExpansion one;
  product->count = 0;
  for (int i = 0; i < b->count; i++) {
    scale(a, b->parts[i], &one);
    weft_expansion_add(product, &one);
  }
}

/* From the largest part down: what has been summed is never below the last bit of the part before, which is
 * more than all parts that follow, so no rounding changes the sign. */
double weft_expansion_value(const WeftExpansion *expansion) {
  double sum = 0;
  for (int i = expansion->count - 1; i >= 0; i--) sum += expansion->parts[i];
  return sum;
}
