#include "solve/elements.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 5 * WEFT_CHUNK_ROWS / 2, COUNT = 4000 };

/* Against the definition, element by element. */
static void chunks_own_their_rows(void **state) {
  (void)state;
  uint32_t seed = 1;
  for (int arity = 2; arity <= 4; arity++) {
    int32_t *vertices = calloc((size_t)COUNT * (size_t)arity, sizeof *vertices);
    assert_non_null(vertices);
    for (int i = 0; i < COUNT * arity; i++) {
      seed = seed * 1664525u + 1013904223u;
      vertices[i] = (int32_t)(seed >> 8) % ROWS;
    }
    WeftElements elements;
    assert_int_equal(weft_elements_create(&elements, arity, COUNT, vertices, ROWS, NULL), WEFT_RESULT_OK);
    assert_int_equal(elements.chunk_count, 3);
    assert_int_equal(elements.chunk_start[0], 0);
    assert_null(elements.slots);
    assert_memory_equal(elements.vertices, vertices, (size_t)COUNT * (size_t)arity * sizeof *vertices);
    for (int chunk = 0; chunk < 3; chunk++) {
      int at = elements.chunk_start[chunk];
      for (int e = 0; e < COUNT; e++) {
        bool touches = false;
        for (int k = 0; k < arity; k++)
          touches = touches || vertices[e * arity + k] / WEFT_CHUNK_ROWS == chunk;
        if (touches) assert_int_equal(elements.chunk_element[at++], e);
      }
      assert_int_equal(at, elements.chunk_start[chunk + 1]);
    }
    weft_elements_destroy(&elements);
    assert_null(elements.vertices);
    free(vertices);
  }
}

static void nothing_is_fine(void **state) {
  (void)state;
  WeftElements elements;
  assert_int_equal(weft_elements_create(&elements, 3, 0, NULL, 0, NULL), WEFT_RESULT_OK);
  assert_int_equal(elements.chunk_count, 0);
  weft_elements_destroy(&elements);
  assert_int_equal(weft_elements_create(&elements, 2, 0, NULL, WEFT_CHUNK_ROWS, NULL), WEFT_RESULT_OK);
  assert_int_equal(elements.chunk_count, 1);
  assert_int_equal(elements.chunk_start[1], 0);
  weft_elements_destroy(&elements);
}

static void bad_elements_are_refused(void **state) {
  (void)state;
  WeftElements elements;
  WeftError error;
  const int32_t vertices[] = {0, 1, 2, 3, 7, 1};
  assert_int_equal(weft_elements_create(&elements, 3, 2, vertices, 7, &error), WEFT_RESULT_INVALID_ARGUMENT);
  assert_string_equal(error.message, "element 1: vertex 7 is not in 0..6");
  assert_int_equal(weft_elements_create(&elements, 5, 1, vertices, 9, &error), WEFT_RESULT_INVALID_ARGUMENT);
  assert_non_null(strstr(error.message, "expected 2 to 4 vertices"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chunks_own_their_rows),
      cmocka_unit_test(nothing_is_fine),
      cmocka_unit_test(bad_elements_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
