/* Numbers in text: every bit against strtod and printf in the C locale, and the same in a locale with a
 * decimal comma. */
#include "io/number.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check_same(const char *text) {
  const char *at = text;
  double value, expected = strtod(text, NULL);
  assert_true(weft_read_double(&at, text + strlen(text), &value));
  assert_ptr_equal(at, text + strlen(text));
  if (memcmp(&value, &expected, sizeof value) != 0)
    fail_msg("%s: %.17g instead of %.17g", text, value, expected);
}

static void numbers_agree_with_strtod(void **state) {
  (void)state;
  const char *texts[] = {
      "0",
      "-0",
      "+1",
      "1.",
      ".5",
      "-.5e1",
      "1e22",
      "1e23",
      "9007199254740993",
      "9007199254740992e22",
      "0.1",
      "123456789012345678901234567890",
      "1e-400",
      "1e400",
      "-1e400",
      "4.9e-324",
      "2.4e-324",
      "2.5e-324",
      "2.2250738585072011e-308",
      "1.7976931348623159e308",
      "1e99999999999999999999",
      "0e99999999999999999999",
      "1e-99999999999999999999",
      "00000000000000000000000000001.5",
      "0.000000000000000000000000000000000000000000000015",
      "1E+2",
      "179769313486231580793e289",
      "0.1000000000000000055511151231257827021181583404541015625",
      "0.10000000000000000555111512312578270211815834045410156250000000000000000000000000001"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check_same(texts[i]);
  uint64_t random = 7;
  for (int i = 0; i < 200000; i++) {
    char text[64];
    double value;
    random = random * 6364136223846793005u + 1442695040888963407u;
    memcpy(&value, &random, sizeof value);
    if (!isfinite(value)) continue;
    snprintf(text, sizeof text, i % 2 ? "%.17g" : "%.6g", value);
    check_same(text);
    snprintf(text, sizeof text, "%.9f", fmod(value, 1000));
    check_same(text);
  }
}

static void very_long_numbers(void **state) {
  (void)state;
  static char text[5000];
  /* halfway between 1 and the next double, then a 1 far beyond: has to round up */
  strcpy(text, "1.00000000000000011102230246251565404236316680908203125");
  check_same(text);
  size_t length = strlen(text);
  memset(text + length, '0', 4000);
  strcpy(text + length + 4000, "1");
  check_same(text);
  memset(text, '9', 4500);
  text[4500] = 0;
  check_same(text); /* infinite */
  strcpy(text + 4300, "e-4290");
  check_same(text);
}

static void what_is_no_number(void **state) {
  (void)state;
  const char *texts[] = {"", "-", "+", ".", "e5", "-.e5", "x", " 1", "--1"};
  double value;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *at = texts[i];
    assert_false(weft_read_double(&at, at + strlen(at), &value));
    assert_ptr_equal(at, texts[i]);
  }
  const char *text = "1e+", *at = text; /* the number ends before an exponent without digits */
  assert_true(weft_read_double(&at, text + 3, &value));
  assert_ptr_equal(at, text + 1);
  text = at = "12345";
  assert_true(weft_read_double(&at, text + 2, &value) && value == 12); /* not beyond the end */
  text = at = "0x10";
  assert_true(weft_read_double(&at, text + 4, &value) && value == 0 && at == text + 1);
  text = at = "-INFinity";
  assert_true(weft_read_double(&at, text + 9, &value) && value == -INFINITY && at == text + 9);
  text = at = "NaN";
  assert_true(weft_read_double(&at, text + 3, &value) && isnan(value));
}

static void whole_numbers(void **state) {
  (void)state;
  int64_t value;
  const char *text = "-42/7", *at = text;
  assert_true(weft_read_int(&at, text + 5, &value));
  assert_int_equal(value, -42);
  assert_ptr_equal(at, text + 3);
  text = at = "99999999999999999999";
  assert_false(weft_read_int(&at, text + 20, &value));
  text = at = "-";
  assert_false(weft_read_int(&at, text + 1, &value));
}

static void check_written(double value) {
  char text[WEFT_DOUBLE_TEXT];
  int length = weft_format_double(text, value);
  assert_int_equal(length, strlen(text));
  const char *at = text;
  double back;
  assert_true(weft_read_double(&at, text + length, &back));
  assert_memory_equal(&back, &value, sizeof value);
}

static void written_numbers_read_back(void **state) {
  (void)state;
  char text[WEFT_DOUBLE_TEXT];
  weft_format_double(text, 0.1);
  assert_string_equal(text, "0.10000000000000001");
  weft_format_double(text, NAN);
  assert_string_equal(text, "nan");
  weft_format_double(text, -INFINITY);
  assert_string_equal(text, "-inf");
  check_written(-1.7976931348623157e308);
  check_written(-5e-324);
  check_written(-0.0);
}

static void decimal_comma_changes_nothing(void **state) {
  (void)state;
  const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE", "fr_FR"};
  const char *found = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) found = setlocale(LC_NUMERIC, names[i]);
  if (!found) {
    print_message("skipped: no locale with a decimal comma is installed\n");
    skip();
  }
  const char *text = "0.10000000000000001", *at = text; /* 17 digits: the way through strtod */
  double value;
  bool is_read = weft_read_double(&at, text + strlen(text), &value);
  char written[WEFT_DOUBLE_TEXT];
  weft_format_double(written, 2.5);
  setlocale(LC_NUMERIC, "C");
  assert_true(is_read && value == 0.1);
  assert_string_equal(written, "2.5");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_agree_with_strtod), cmocka_unit_test(very_long_numbers),
      cmocka_unit_test(what_is_no_number),         cmocka_unit_test(whole_numbers),
      cmocka_unit_test(written_numbers_read_back), cmocka_unit_test(decimal_comma_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
