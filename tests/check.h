/* What all tests share. */
#ifndef WEFT_TESTS_CHECK_H
#define WEFT_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <weft/types.h>

/* Sanitizers make everything ten times slower: some tests take fewer cases there, and all in the other
 * builds.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEST_IS_SANITIZED 1
#endif
#endif
#ifndef TEST_IS_SANITIZED
#define TEST_IS_SANITIZED 0
#endif

/* |actual - expected| <= tolerance, with both in the message. */
#define check_near(actual, expected, tolerance) \
  check_near_at(actual, expected, tolerance, #actual, __FILE__, __LINE__)

static inline void check_near_at(double actual, double expected, double tolerance, const char *what,
                                 const char *file, int line) {
  if (fabs(actual - expected) <= tolerance) return;
  print_error("%s = %.12g, expected %.12g within %.3g\n", what, actual, expected, tolerance);
  _fail(file, line);
}

#define check_relative(actual, expected, tolerance) \
  check_near_at(actual, expected, (tolerance)*fabs(expected), #actual, __FILE__, __LINE__)

/* The call worked; otherwise its message is shown. */
#define check_ok(call, error)                          \
  do {                                                 \
    if ((call) != WEFT_RESULT_OK) {                    \
      print_error("%s: %s\n", #call, (error).message); \
      _fail(__FILE__, __LINE__);                       \
    }                                                  \
  } while (0)

/* The call was refused with this result and a message that holds the text. */
#define check_refused(call, expected, text, error)                             \
  do {                                                                         \
    assert_int_equal(call, expected);                                          \
    if (!strstr((error).message, text)) {                                      \
      print_error("message '%s' does not hold '%s'\n", (error).message, text); \
      _fail(__FILE__, __LINE__);                                               \
    }                                                                          \
  } while (0)

/* A small generator of numbers that are the same on every machine; in [0, 1). */
static inline double random_unit(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

static inline double random_in(uint64_t *seed, double low, double high) {
  return low + (high - low) * random_unit(seed);
}

#endif
