#include "base/json.h"
#include "base/json_write.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void write_sample(WeftJsonWriter *w) {
  weft_json_begin_object(w);
  weft_json_write_key(w, "a");
  weft_json_begin_list(w);
  weft_json_write_number(w, 0.1);
  weft_json_write_integer(w, INT64_MIN);
  weft_json_write_boolean(w, true);
  weft_json_write_null(w);
  weft_json_end_list(w);
  weft_json_write_key(w, "empty");
  weft_json_begin_object(w);
  weft_json_end_object(w);
  weft_json_write_key(w, "hash");
  weft_json_write_hash(w, 0xabcdef);
  weft_json_write_key(w, "none");
  weft_json_begin_list(w);
  weft_json_end_list(w);
  weft_json_end_object(w);
}

static void compact_text_is_as_expected(void **state) {
  (void)state;
  WeftJsonWriter w = weft_json_writer(false);
  write_sample(&w);
  char *text;
  size_t size;
  assert_int_equal(weft_json_finish(&w, &text, &size, NULL), 0);
  assert_string_equal(text,
                      "{\"a\":[0.10000000000000001,-9223372036854775808,true,null],\"empty\":{},"
                      "\"hash\":\"0000000000abcdef\",\"none\":[]}");
  assert_int_equal(size, strlen(text));
  free(text);
}

static void pretty_text_is_as_expected(void **state) {
  (void)state;
  WeftJsonWriter w = weft_json_writer(true);
  write_sample(&w);
  char *text;
  assert_int_equal(weft_json_finish(&w, &text, NULL, NULL), 0);
  assert_string_equal(
      text,
      "{\n  \"a\": [\n    0.10000000000000001,\n    -9223372036854775808,\n    true,\n    null\n  ],\n"
      "  \"empty\": {},\n  \"hash\": \"0000000000abcdef\",\n  \"none\": []\n}\n");
  free(text);
}

static void texts_are_escaped(void **state) {
  (void)state;
  WeftJsonWriter w = weft_json_writer(false);
  weft_json_write_text(&w, "a\"\\/\n\t\x01\x7f \xC3\xA9 \xFF \xE2\x82 \xED\xA0\x80.");
  char *text;
  assert_int_equal(weft_json_finish(&w, &text, NULL, NULL), 0);
  assert_string_equal(text,
                      "\"a\\\"\\\\/\\n\\t\\u0001\\u007f \xC3\xA9 \xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD "
                      "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD.\"");
  free(text);
}

static void what_is_not_finite_becomes_null(void **state) {
  (void)state;
  WeftJsonWriter w = weft_json_writer(false);
  weft_json_begin_list(&w);
  weft_json_write_number(&w, NAN);
  weft_json_write_number(&w, INFINITY);
  weft_json_write_number(&w, -INFINITY);
  weft_json_end_list(&w);
  char *text;
  assert_int_equal(weft_json_finish(&w, &text, NULL, NULL), 0);
  assert_string_equal(text, "[null,null,null]");
  free(text);
}

static void numbers_come_back_bit_for_bit(void **state) {
  (void)state;
  const double values[] = {0.1, -1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 1e22, 123456789.0, 2.5e-7};
  enum { COUNT = sizeof values / sizeof *values };
  WeftJsonWriter w = weft_json_writer(true);
  weft_json_begin_list(&w);
  for (int i = 0; i < COUNT; i++) weft_json_write_number(&w, values[i]);
  weft_json_end_list(&w);
  char *text;
  size_t size;
  assert_int_equal(weft_json_finish(&w, &text, &size, NULL), 0);
  WeftJson json;
  assert_int_equal(weft_json_parse(&json, text, size, "t", 0, NULL), 0);
  for (int i = 0; i < COUNT; i++)
    assert_memory_equal(&weft_json_node(&json, weft_json_item(&json, json.root, i))->number, &values[i],
                        sizeof(double));
  weft_json_free(&json);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compact_text_is_as_expected),
      cmocka_unit_test(pretty_text_is_as_expected),
      cmocka_unit_test(texts_are_escaped),
      cmocka_unit_test(what_is_not_finite_becomes_null),
      cmocka_unit_test(numbers_come_back_bit_for_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
