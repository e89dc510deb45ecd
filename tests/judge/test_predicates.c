/* Signs of determinants of full 53-bit numbers, held against whole numbers of 512 bits. */
#include "judge/predicates.h"

#include "check.h"
#include "judge/expansion.h"

enum { LIMBS = 16 };

/* Two's complement, least limb first. */
typedef struct Big {
  uint32_t limbs[LIMBS];
} Big;

static Big big_of(int64_t value) {
  Big big;
  for (int i = 0; i < LIMBS; i++) big.limbs[i] = value < 0 ? UINT32_MAX : 0;
  big.limbs[0] = (uint32_t)((uint64_t)value & UINT32_MAX);
  big.limbs[1] = (uint32_t)((uint64_t)value >> 32);
  return big;
}

static Big big_add(Big a, Big b) {
  uint64_t carry = 0;
  for (int i = 0; i < LIMBS; i++) {
    carry += (uint64_t)a.limbs[i] + b.limbs[i];
    a.limbs[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return a;
}

static Big big_minus(Big a) {
  for (int i = 0; i < LIMBS; i++) a.limbs[i] = ~a.limbs[i];
  return big_add(a, big_of(1));
}

static Big big_subtract(Big a, Big b) { return big_add(a, big_minus(b)); }

/* Modulo 2^512, which is right for signed numbers too. */
static Big big_multiply(Big a, Big b) {
  Big product = {{0}};
  for (int i = 0; i < LIMBS; i++) {
    uint64_t carry = 0;
    for (int j = 0; i + j < LIMBS; j++) {
      carry += (uint64_t)a.limbs[i] * b.limbs[j] + product.limbs[i + j];
      product.limbs[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  return product;
}

static int big_sign(Big a) {
  if (a.limbs[LIMBS - 1] >> 31) return -1;
  for (int i = 0; i < LIMBS; i++)
    if (a.limbs[i]) return 1;
  return 0;
}

/* A whole number times 2^shift, 0 <= shift <= 96. */
typedef struct Number {
  int64_t whole; /* below 2^53 in magnitude */
  int shift;
} Number;

static Big big_number(Number number) {
  Big big = big_of(number.whole), two = big_of(2);
  for (int i = 0; i < number.shift; i++) big = big_multiply(big, two);
  return big;
}

static Big difference(Number a, Number b) { return big_subtract(big_number(a), big_number(b)); }

static Big minor_of(Big a, Big b, Big c, Big d) {
  return big_subtract(big_multiply(a, d), big_multiply(b, c));
}

static int twin_orient2d(Number points[][3], int u, int v) {
  return big_sign(minor_of(difference(points[0][u], points[2][u]), difference(points[0][v], points[2][v]),
                           difference(points[1][u], points[2][u]), difference(points[1][v], points[2][v])));
}

static int twin_orient3d(Number points[][3]) {
  Big rows[3][3], sum = big_of(0);
  for (int i = 0; i < 9; i++) rows[i / 3][i % 3] = difference(points[i / 3][i % 3], points[3][i % 3]);
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    sum = big_add(sum, big_multiply(rows[0][k], minor_of(rows[1][i], rows[1][j], rows[2][i], rows[2][j])));
  }
  return big_sign(sum);
}

static int sign(double a) { return (a > 0) - (a < 0); }

static int64_t random_bits(uint64_t *seed, int bits) {
  double magnitude = ldexp(1, bits);
  return (int64_t)random_in(seed, -magnitude, magnitude);
}

static void fill_random(Number points[4][3], uint64_t *seed, int bits, int shifts) {
  for (int i = 0; i < 12; i++)
    points[i / 3][i % 3] = (Number){random_bits(seed, bits), (int)(random_unit(seed) * shifts)};
}

/* The last point is a combination of the others, a last bit away or none: the hard cases. */
static void fill_near_plane(Number points[4][3], uint64_t *seed) {
  fill_random(points, seed, 50, 1);
  int64_t s = random_bits(seed, 1), t = random_bits(seed, 1);
  for (int k = 0; k < 3; k++) {
    int64_t a = points[0][k].whole, b = points[1][k].whole, c = points[2][k].whole;
    points[3][k].whole = a + s * (b - a) + t * (c - a) + random_bits(seed, 1);
  }
}

static void hold_against_twin(Number points[4][3], int *zeros) {
  double x[4][3];
  for (int i = 0; i < 12; i++)
    x[i / 3][i % 3] = ldexp((double)points[i / 3][i % 3].whole, points[i / 3][i % 3].shift);
  int expected = twin_orient3d(points), quick = sign(weft_orient3d_quick(x[0], x[1], x[2], x[3]));
  assert_int_equal(sign(weft_orient3d(x[0], x[1], x[2], x[3])), expected);
  assert_true(quick == 0 || quick == expected);
  *zeros += expected == 0;
  for (int k = 0; k < 3; k++) {
    int u = (k + 1) % 3, v = (k + 2) % 3;
    expected = twin_orient2d(points, u, v);
    quick = sign(weft_orient2d_quick(x[0], x[1], x[2], u, v));
    assert_int_equal(sign(weft_orient2d(x[0], x[1], x[2], u, v)), expected);
    assert_true(quick == 0 || quick == expected);
  }
}

static void signs_are_exact(void **state) {
  (void)state;
  uint64_t seed = 5;
  Number points[4][3];
  int zeros = 0;
  for (int i = 0; i < 3000; i++) {
    fill_random(points, &seed, 53, 1);
    hold_against_twin(points, &zeros);
    fill_random(points, &seed, 53, 90); /* parts of a difference far from each other */
    hold_against_twin(points, &zeros);
    fill_random(points, &seed, 2, 53); /* few bits, far apart: many equal ones and zeros */
    hold_against_twin(points, &zeros);
    fill_near_plane(points, &seed);
    hold_against_twin(points, &zeros);
  }
  print_message("%d of 12000 determinants are zero\n", zeros);
  assert_true(zeros > 100);
}

/* Four points on a diagonal line or plane, of which one is moved by single units in the last place. */
static void last_places_are_seen(void **state) {
  (void)state;
  double a[3] = {0.5, 0.5, 0.5}, b[3] = {12, 12, 12}, c[3] = {24, 24, 24}, d[3] = {3, -5, 7};
  for (int i = -64; i <= 64; i++)
    for (int j = -64; j <= 64; j++) {
      a[0] = 0.5 + i * 0x1p-53 * (i < 0 ? 1 : 2);
      a[1] = 0.5 + j * 0x1p-53 * (j < 0 ? 1 : 2);
      a[2] = 0.5;
      double x = a[0] - 0.5, y = a[1] - 0.5; /* exact; (y - x) (c - b) is twice the area */
      assert_int_equal(sign(weft_orient2d(b, c, a, 0, 1)), sign(y - x));
      /* a - b is (x, y, 0) plus a multiple of (1, 1, 1): det (a, b, c, d) = 12 (x, y, 0) . ((1, 1, 1) x (d -
       * b)) */
      double e[3] = {d[0] - 12, d[1] - 12, d[2] - 12};
      double expected = x * (e[2] - e[1]) + y * (e[0] - e[2]);
      assert_int_equal(sign(weft_orient3d(b, c, a, d)) * sign(expected) >= 0, 1);
      assert_int_equal(weft_orient3d(b, c, a, d) == 0, expected == 0);
    }
}

/* Parts that cancel but for the last: the sum must keep its sign. */
static void values_keep_signs(void **state) {
  (void)state;
  WeftExpansion sum = {3, {-0x1p-54, -(1 - 0x1p-53), 1}}; /* the first two alone would round to -1 */
  assert_true(weft_expansion_value(&sum) == 0x1p-54);
  weft_expansion_difference(1, 0x1p-80, &sum);
  assert_int_equal(sum.count, 2);
  WeftExpansion one;
  weft_expansion_difference(1, 0, &one);
  weft_expansion_subtract(&sum, &one);
  assert_true(sum.count == 1 && sum.parts[0] == -0x1p-80);
}

static void ranges(void **state) {
  (void)state;
  assert_true(weft_judge_can_hold(0) && weft_judge_can_hold(-0.0) && weft_judge_can_hold(1e-80) &&
              weft_judge_can_hold(-1e80));
  assert_false(weft_judge_can_hold(9e-81) || weft_judge_can_hold(5e-324) || weft_judge_can_hold(-1.1e80) ||
               weft_judge_can_hold(INFINITY) || weft_judge_can_hold(NAN));
  /* at both ends of the range the last bit still counts */
  for (int i = 0; i < 2; i++) {
    double r = i ? 1e80 : 1e-80, next = nextafter(r, 1);
    const double a[3] = {r, 0, 0}, b[3] = {0, r, 0}, c[3] = {0, 0, r};
    double third = r / 4, d[3] = {2 * third, third, third};
    assert_true(weft_orient3d(a, b, c, d) == 0);
    d[0] = nextafter(d[0], INFINITY);
    assert_true(weft_orient3d(a, b, c, d) != 0);
    const double p[3] = {r, r, r}, q[3] = {next, next, next}, o[3] = {0, 0, 0};
    assert_true(weft_orient2d(o, p, q, 0, 1) == 0);
    const double off[3] = {next, r, r};
    assert_true(sign(weft_orient2d(o, p, off, 0, 1)) == (next > r ? -1 : 1));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(signs_are_exact),
                                     cmocka_unit_test(last_places_are_seen),
                                     cmocka_unit_test(values_keep_signs), cmocka_unit_test(ranges)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
