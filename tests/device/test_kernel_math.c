/* The kernels' own arctangent and sine against libm in long double. */
#include "device/kernel_math.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static double ulps(double value, long double truth) {
  if (truth == 0) return value == 0 ? 0 : 1e9;
  int exponent;
  frexpl(truth, &exponent);
  return (double)(fabsl((long double)value - truth) / ldexpl(1, exponent - DBL_MANT_DIG));
}

static double random_number(uint64_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static void arctangent_is_accurate(void **state) {
  (void)state;
  uint64_t seed = 42;
  double worst = 0;
  for (int i = 0; i < 1000000; i++) {
    double x = random_number(&seed), y = random_number(&seed);
    if (i % 3 == 1) y *= exp(40 * random_number(&seed));
    worst = fmax(worst, ulps(arctangent2(y, x), atan2l(y, x)));
  }
  for (int i = -4000; i <= 4000; i++)
    worst = fmax(worst, ulps(arctangent2(i / 1000.0, 1), atan2l(i / 1000.0, 1)));
  print_message("arctangent: %.2f ulp\n", worst);
  assert_true(worst < 2);
}

static void arctangent_at_the_axes(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846;
  assert_true(arctangent2(0, 0) == 0);
  assert_true(arctangent2(0, 1) == 0);
  assert_true(arctangent2(0, -1) == pi);
  assert_true(arctangent2(-0.0, -1) == pi); /* half a turn has one sign */
  assert_true(arctangent2(1, 0) == pi / 2);
  assert_true(arctangent2(-1, 0) == -pi / 2);
  assert_true(arctangent2(1e-300, -1) == pi);
  assert_true(arctangent2(-1e-300, -1) == -pi);
  assert_true(arctangent2(1e-310, 1e-310) == pi / 4);
  assert_true(arctangent2(1e300, -1e300) == 0.75 * pi);
  assert_true(arctangent2(3e-17, 1) == 3e-17);
  assert_true(isnan(arctangent2(NAN, 1)) && isnan(arctangent2(1, NAN)));
}

static void sine_is_accurate(void **state) {
  (void)state;
  uint64_t seed = 7;
  double worst = 0;
  const long double two_pi = 6.283185307179586476925286766559L;
  for (int i = 0; i < 1000000; i++) {
    double turns = random_number(&seed) * (i % 2 ? 1 : 1e6);
    long double part = (long double)turns - roundl(turns);
    long double truth = sinl(two_pi * part);
    /* next to a zero of the sine the truth itself is only as good as pi in long double */
    if (fabsl(truth) > 1e-3L) worst = fmax(worst, ulps(sine_of_turns(turns), truth));
    assert_true(fabsl(sine_of_turns(turns) - truth) < 3e-16L);
  }
  print_message("sine: %.2f ulp\n", worst);
  assert_true(worst < 2.5);
}

static void sine_at_quarters(void **state) {
  (void)state;
  for (int i = -1000; i <= 1000; i++) {
    assert_true(sine_of_turns(i) == 0);
    assert_true(sine_of_turns(i + 0.5) == 0);
    assert_true(sine_of_turns(i + 0.25) == 1);
    assert_true(sine_of_turns(i + 0.75) == -1);
  }
  assert_true(sine_of_turns(1e300) == 0);
  assert_true(isnan(sine_of_turns(NAN)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arctangent_is_accurate),
      cmocka_unit_test(arctangent_at_the_axes),
      cmocka_unit_test(sine_is_accurate),
      cmocka_unit_test(sine_at_quarters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
