#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void nearest_name_is_found(void **state) {
  (void)state;
  const char *names[] = {"stretch", "bend", "damping"};
  assert_string_equal(weft_nearest_name("strech", names, 3), "stretch");
  assert_string_equal(weft_nearest_name("bnd", names, 3), "bend");
  assert_null(weft_nearest_name("zzzzzz", names, 3));
}

static void message_is_cut_not_overrun(void **state) {
  (void)state;
  WeftError error;
  char longer[3000];
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = 0;
  assert_int_equal(weft_fail(&error, WEFT_RESULT_PARSE, "%s", longer), WEFT_RESULT_PARSE);
  assert_int_equal(strlen(error.message), sizeof error.message - 1);
  assert_int_equal(weft_fail(NULL, WEFT_RESULT_IO, "nowhere to write"), WEFT_RESULT_IO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearest_name_is_found),
      cmocka_unit_test(message_is_cut_not_overrun),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
