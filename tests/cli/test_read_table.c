/* Tables read back: whole, still growing, broken. */
#include "cli/read_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/weft-table-XXXXXX";

static bool read_text(Table *table, const char *text) {
  FILE *stream = fopen(path, "wb");
  assert_non_null(stream);
  fputs(text, stream);
  fclose(stream);
  return table_read(table, path);
}

static void whole_tables(void **state) {
  (void)state;
  Table table;
  assert_true(read_text(&table, "frame,time,x\n0,0,-1.5\n1,0.25,2e3\n2,0.5,inf\n"));
  assert_int_equal(table.row_count, 3);
  assert_int_equal(table.column_count, 3);
  assert_true(table_column(&table, "time")[1] == 0.25 && table_column(&table, "x")[1] == 2000);
  assert_true(table_column(&table, "frame")[2] == 2);
  assert_null(table_column(&table, "y"));
  table_free(&table);
}

static void growing_and_broken_tables(void **state) {
  (void)state;
  const struct {
    const char *text;
    int rows; /* -1: no table */
  } cases[] = {{"", -1},
               {"frame,time", -1},
               {"frame,time\n", 0},
               {"frame,time\n0,0\n1,0.", 1},
               {"frame,time\n0,0\n1\n2,3\n", 1},
               {"frame,time\n0,\n1,2\n", 0},
               {"frame,time\n0,0,0\n", 0},
               {"frame,time\nzero,0\n", 0},
               {"\n\n\n", 0},
               {",,\n1,2,3\n", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Table table;
    assert_int_equal(read_text(&table, cases[i].text), cases[i].rows >= 0);
    assert_int_equal(table.row_count, cases[i].rows > 0 ? cases[i].rows : 0);
    table_free(&table);
  }
  Table table;
  remove(path);
  assert_false(table_read(&table, path));
  table_free(&table);
}

static int make_file(void **state) {
  (void)state;
  int file = mkstemp(path);
  return file < 0 || close(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(whole_tables),
                                     cmocka_unit_test(growing_and_broken_tables)};
  return cmocka_run_group_tests(tests, make_file, NULL);
}
