#include "base/json.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static WeftResult parse(WeftJson *json, const char *text, int flags, WeftError *error) {
  return weft_json_parse(json, text, strlen(text), "t", flags, error);
}

static void refuses(const char *text, size_t size, int flags, const char *message) {
  WeftJson json;
  WeftError error = {0};
  assert_int_equal(weft_json_parse(&json, text, size, "t", flags, &error), WEFT_RESULT_PARSE);
  assert_string_equal(error.message, message);
  assert_null(json.nodes);
}

static void values_are_read(void **state) {
  (void)state;
  WeftJson json;
  WeftError error = {0};
  assert_int_equal(
      parse(&json, " {\"a\": [1, -2.5e3, true, false, null], \"b\": {\"c\": \"x\"}}\n", 0, &error), 0);
  assert_int_equal(weft_json_type(&json, json.root), WEFT_JSON_OBJECT);
  assert_int_equal(weft_json_node(&json, json.root)->count, 2);
  int32_t a = weft_json_member(&json, json.root, "a", 1);
  assert_int_equal(weft_json_node(&json, a)->count, 5);
  assert_true(weft_json_node(&json, weft_json_item(&json, a, 0))->number == 1);
  assert_true(weft_json_node(&json, weft_json_item(&json, a, 1))->number == -2500);
  assert_true(weft_json_node(&json, weft_json_item(&json, a, 2))->boolean);
  assert_false(weft_json_node(&json, weft_json_item(&json, a, 3))->boolean);
  assert_int_equal(weft_json_type(&json, weft_json_item(&json, a, 3)), WEFT_JSON_BOOLEAN);
  assert_int_equal(weft_json_type(&json, weft_json_item(&json, a, 4)), WEFT_JSON_NULL);
  assert_int_equal(weft_json_item(&json, a, 5), -1);
  int32_t b = weft_json_member(&json, json.root, "b", 1);
  assert_string_equal(weft_json_text(&json, weft_json_member(&json, b, "c", 1)), "x");
  assert_int_equal(weft_json_member(&json, b, "d", 1), -1);
  weft_json_free(&json);
}

static void any_value_may_be_the_root(void **state) {
  (void)state;
  const char *texts[] = {"1",  "\"\"", "null", "[]",     "{}",      "\t[ ]\r\n",
                         "-0", "1E+2", "0.5",  "[[[]]]", "{\"\":0}"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    WeftJson json;
    WeftError error = {0};
    if (parse(&json, texts[i], 0, &error)) fail_msg("%s: %s", texts[i], error.message);
    weft_json_free(&json);
  }
}

static void numbers_are_exact(void **state) {
  (void)state;
  const struct {
    const char *text;
    double value;
  } cases[] = {{"0.1", 0.1},
               {"3.141592653589793238462643383279502884197", 3.141592653589793},
               {"1.7976931348623157e308", 1.7976931348623157e308},
               {"5e-324", 5e-324},
               {"1e-999", 0},
               {"123456789012345678901234567890", 123456789012345678901234567890.0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    WeftJson json;
    assert_int_equal(parse(&json, cases[i].text, 0, NULL), 0);
    assert_memory_equal(&json.nodes[json.root].number, &cases[i].value, sizeof(double));
    weft_json_free(&json);
  }
  WeftJson json;
  assert_int_equal(parse(&json, "-0", 0, NULL), 0);
  assert_true(signbit(json.nodes[json.root].number));
  weft_json_free(&json);
}

/* Only where a locale with a decimal comma is installed; most build machines have none. */
static void numbers_do_not_obey_the_locale(void **state) {
  (void)state;
  const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ru_RU.UTF-8"};
  bool found = false;
  for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
    found = setlocale(LC_ALL, names[i]) != NULL;
  if (!found) print_message("no locale with a decimal comma is installed: checked in the C locale alone\n");
  WeftJson json;
  assert_int_equal(parse(&json, "[1.5]", 0, NULL), 0);
  assert_true(weft_json_node(&json, weft_json_item(&json, json.root, 0))->number == 1.5);
  weft_json_free(&json);
  setlocale(LC_ALL, "C");
}

static void escapes_are_decoded(void **state) {
  (void)state;
  WeftJson json;
  assert_int_equal(
      parse(&json, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC\\ud83d\\ude00\\u0000z\"", 0, NULL), 0);
  const char expected[] = "\"\\/\b\f\n\r\tA\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\0z";
  const WeftJsonNode *node = weft_json_node(&json, json.root);
  assert_int_equal(node->text_length, sizeof expected - 1);
  assert_memory_equal(weft_json_text(&json, json.root), expected, sizeof expected);
  weft_json_free(&json);
}

static void broken_text_is_refused(void **state) {
  (void)state;
  const struct {
    const char *text, *message;
  } cases[] = {
      {"", "t:1:1: expected a value, found the end"},
      {"  \n ", "t:2:2: expected a value, found the end"},
      {"{", "t:1:2: expected a key in quotes, or }"},
      {"[", "t:1:2: expected a value, found the end"},
      {"[1", "t:1:3: expected , or ]"},
      {"[1,]", "t:1:4: expected a value"},
      {"[,1]", "t:1:2: expected a value"},
      {"[1 2]", "t:1:4: expected , or ]"},
      {"{\"a\":1,}", "t:1:8: expected a key in quotes, or }"},
      {"{\"a\" 1}", "t:1:6: expected : after the key"},
      {"{a:1}", "t:1:2: expected a key in quotes, or }"},
      {"{'a':1}", "t:1:2: expected a key in quotes, or }"},
      {"{\"a\":1 \"b\":2}", "t:1:8: expected , or }"},
      {"{\"a\":}", "t:1:6: expected a value"},
      {"1 2", "t:1:3: expected the end after the value"},
      {"{}}", "t:1:3: expected the end after the value"},
      {"01", "t:1:1: a number must not begin with 0 before another digit"},
      {"-", "t:1:1: expected a digit after -"},
      {"+1", "t:1:1: expected a value"},
      {".5", "t:1:1: expected a value"},
      {"1.", "t:1:1: expected a digit after the decimal point"},
      {"1.e5", "t:1:1: expected a digit after the decimal point"},
      {"1e", "t:1:1: expected a digit in the exponent"},
      {"1e+", "t:1:1: expected a digit in the exponent"},
      {"0x10", "t:1:2: expected the end after the value"},
      {"1e999", "t:1:1: number out of the range of a double"},
      {"[\n  -1e400]", "t:2:3: number out of the range of a double"},
      {"NaN", "t:1:1: expected a value"},
      {"Infinity", "t:1:1: expected a value"},
      {"-Infinity", "t:1:1: expected a digit after -"},
      {"nul", "t:1:1: expected a value"},
      {"True", "t:1:1: expected a value"},
      {"nullx", "t:1:5: expected the end after the value"},
      {"\"abc", "t:1:1: text without its closing \""},
      {"\"a\nb\"", "t:1:3: text that does not end on its line; expected \""},
      {"\"a\tb\"", "t:1:3: control character in a text; write it as \\u00.."},
      {"\"\\x\"", "t:1:2: unknown escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"},
      {"\"\\", "t:1:2: unknown escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"},
      {"\"\\u12g4\"", "t:1:2: expected four hexadecimal digits after \\u"},
      {"\"\\u12", "t:1:2: expected four hexadecimal digits after \\u"},
      {"\"\\ud800\"", "t:1:2: first half of a surrogate pair without the second"},
      {"\"\\ud800\\u0041\"", "t:1:2: first half of a surrogate pair without the second"},
      {"\"\\udc00\"", "t:1:2: second half of a surrogate pair without the first"},
      {"\"\xFF\"", "t:1:2: not UTF-8"},
      {"\"\xC0\x80\"", "t:1:2: not UTF-8"},
      {"\"\xE0\x80\x80\"", "t:1:2: not UTF-8"},
      {"\"\xED\xA0\x80\"", "t:1:2: not UTF-8"},
      {"\"\xF4\x90\x80\x80\"", "t:1:2: not UTF-8"},
      {"\"\xE2\x82\"", "t:1:2: not UTF-8"},
      {"\xEF\xBB\xBF{}", "t:1:1: begins with a byte order mark; save it as UTF-8 without one"},
      {"// x\n1", "t:1:1: comments are not allowed here"},
      {"{\"a\":1,\n\"b\":2,\n \"a\":3}", "t:3:2: key \"a\" stands twice in one object, first in line 1"},
      {"{\"a\":1,\"\\u0061\":3}", "t:1:8: key \"a\" stands twice in one object, first in line 1"},
      {"[\"\xE2\x82\xAC\xE2\x82\xAC\", x]", "t:1:8: expected a value"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    refuses(cases[i].text, strlen(cases[i].text), 0, cases[i].message);
  refuses("[1]\0", 4, 0, "t:1:4: expected the end after the value");
  refuses("\"a\0b\"", 5, 0, "t:1:3: control character in a text; write it as \\u00..");
}

static void comments_are_read_when_asked_for(void **state) {
  (void)state;
  WeftJson json;
  assert_int_equal(parse(&json, "// first\n[1, // \xC3\xA9\n2]//end", WEFT_JSON_COMMENTS, NULL), 0);
  assert_int_equal(weft_json_node(&json, weft_json_item(&json, json.root, 1))->line, 3);
  weft_json_free(&json);
  refuses("/* x */1", 8, WEFT_JSON_COMMENTS, "t:1:1: expected // at the start of a comment");
  refuses("1 /", 3, WEFT_JSON_COMMENTS, "t:1:3: expected // at the start of a comment");
  refuses("1 //\xFF", 5, WEFT_JSON_COMMENTS, "t:1:5: not UTF-8");
}

static void depth_is_bounded(void **state) {
  (void)state;
  char text[2 * 65 + 1];
  memset(text, '[', 65);
  memset(text + 65, ']', 65);
  refuses(text, 130, 0, "t:1:65: nested deeper than 64 levels");
  WeftJson json;
  memset(text + 64, ']', 64);
  assert_int_equal(weft_json_parse(&json, text, 128, "t", 0, NULL), 0);
  weft_json_free(&json);
}

static void places_are_kept(void **state) {
  (void)state;
  WeftJson json;
  assert_int_equal(parse(&json, "{\n  \"a\": [\n    {\"b c\": 1}, 2]\n}", 0, NULL), 0);
  int32_t a = weft_json_member(&json, json.root, "a", 1);
  int32_t item = weft_json_item(&json, a, 0), b = weft_json_member(&json, item, "b c", 3);
  const WeftJsonNode *node = weft_json_node(&json, b);
  assert_int_equal(node->line, 3);
  assert_int_equal(node->column, 13);
  assert_int_equal(node->key_line, 3);
  assert_int_equal(node->key_column, 6);
  char path[64];
  weft_json_path(&json, b, path, sizeof path);
  assert_string_equal(path, "a[0].b c");
  weft_json_path(&json, b, path, 5);
  assert_string_equal(path, "a[0]");
  WeftError error;
  weft_json_fail(&json, b, &error, WEFT_RESULT_INVALID_DATA, "expected %s", "x");
  assert_string_equal(error.message, "t:3:13: a[0].b c: expected x");
  weft_json_fail_key(&json, b, &error, WEFT_RESULT_INVALID_DATA, "expected %s", "x");
  assert_string_equal(error.message, "t:3:6: a[0].b c: expected x");
  weft_json_fail(&json, json.root, &error, WEFT_RESULT_INVALID_DATA, "no");
  assert_string_equal(error.message, "t:1:1: no");
  weft_json_free(&json);
}

static void values_can_be_replaced_and_added(void **state) {
  (void)state;
  WeftJson json;
  assert_int_equal(parse(&json, "{\"a\": [1, 2, 3]}", 0, NULL), 0);
  int32_t fresh, a = weft_json_member(&json, json.root, "a", 1);
  assert_int_equal(weft_json_parse_more(&json, "\"x\"", 3, "--set a.2=x", &fresh, NULL), 0);
  weft_json_replace(&json, weft_json_item(&json, a, 2), fresh);
  assert_string_equal(weft_json_text(&json, weft_json_item(&json, a, 2)), "x");
  int32_t more = weft_json_new(&json, WEFT_JSON_NULL, 0);
  assert_true(weft_json_attach(&json, json.root, more, "b", 1));
  assert_int_equal(weft_json_member(&json, json.root, "b", 1), more);
  more = weft_json_new(&json, WEFT_JSON_NULL, 0);
  assert_true(weft_json_attach(&json, a, more, NULL, 0));
  assert_int_equal(weft_json_item(&json, a, 3), more);
  WeftError error;
  weft_json_fail(&json, fresh, &error, WEFT_RESULT_INVALID_DATA, "no");
  assert_string_equal(error.message, "--set a.2=x: a[2]: no");
  assert_int_equal(weft_json_parse_more(&json, "[1", 2, "--set a=[1", &fresh, &error), WEFT_RESULT_PARSE);
  assert_string_equal(error.message, "--set a=[1: expected , or ]");
  weft_json_free(&json);
}

/* A megabyte in one line, and 50 thousand keys in one object: both were quadratic in a naive reader. */
static void large_texts_are_quick(void **state) {
  (void)state;
  size_t size = 0, capacity = 2000000;
  char *text = malloc(capacity);
  assert_non_null(text);
  text[size++] = '{';
  for (int i = 0; i < 50000; i++)
    size += (size_t)snprintf(text + size, capacity - size, "%s\"key%d\":[1,2]", i ? "," : "", i);
  text[size++] = '}';
  WeftJson json;
  assert_int_equal(weft_json_parse(&json, text, size, "t", 0, NULL), 0);
  assert_int_equal(weft_json_node(&json, json.root)->count, 50000);
  weft_json_free(&json);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_read),
      cmocka_unit_test(any_value_may_be_the_root),
      cmocka_unit_test(numbers_are_exact),
      cmocka_unit_test(numbers_do_not_obey_the_locale),
      cmocka_unit_test(escapes_are_decoded),
      cmocka_unit_test(broken_text_is_refused),
      cmocka_unit_test(comments_are_read_when_asked_for),
      cmocka_unit_test(depth_is_bounded),
      cmocka_unit_test(places_are_kept),
      cmocka_unit_test(values_can_be_replaced_and_added),
      cmocka_unit_test(large_texts_are_quick),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
