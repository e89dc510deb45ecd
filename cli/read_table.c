#include "cli/read_table.h"

#include "base/memory.h"
#include "base/read_file.h"

#include <stdlib.h>
#include <string.h>

static int32_t count_of(const char *text, char letter) {
  int32_t count = 0;
  for (; *text; text++) count += *text == letter;
  return count;
}

/* The names of the first line; what follows it. */
static char *read_names(Table *table) {
  char *at = table->text, *end = strchr(at, '\n');
  *end = 0;
  for (int32_t k = 0; k < table->column_count; k++) {
    table->names[k] = at;
    at += strcspn(at, ",");
    if (*at) *at++ = 0;
  }
  return end + 1;
}

/* A line of column_count numbers; false when it is not one. */
static bool read_row(Table *table, int32_t capacity, const char *line, const char *end) {
  for (int32_t k = 0; k < table->column_count; k++) {
    char *after;
    table->values[(size_t)k * (size_t)capacity + (size_t)table->row_count] = strtod(line, &after);
    bool is_last = k == table->column_count - 1;
    if (after == line || after > end || *after != (is_last ? '\n' : ',')) return false;
    line = after + 1;
  }
  return true;
}

static bool parse(Table *table) {
  int32_t lines = count_of(table->text, '\n');
  if (lines == 0) return false;
  char *end = strchr(table->text, '\n');
  *end = 0;
  table->column_count = count_of(table->text, ',') + 1;
  *end = '\n';
  table->names = WEFT_NEW(char *, table->column_count);
  table->values = WEFT_NEW(double, (size_t)table->column_count *(size_t)lines);
  if (!table->names || !table->values) return false;
  const char *at = read_names(table);
  for (const char *stop = strchr(at, '\n'); stop; at = stop + 1, stop = strchr(at, '\n')) {
    if (!read_row(table, lines, at, stop)) break;
    table->row_count++;
  }
  /* columns as long as there are rows */
  for (int32_t k = 1; k < table->column_count; k++)
    memmove(table->values + (size_t)k * (size_t)table->row_count, table->values + (size_t)k * (size_t)lines,
            sizeof *table->values * (size_t)table->row_count);
  return true;
}

bool table_read(Table *table, const char *path) {
  size_t size;
  *table = (Table){0};
  if (weft_read_file(path, &table->text, &size, NULL) == WEFT_RESULT_OK && parse(table)) return true;
  table_free(table);
  return false;
}

void table_free(Table *table) {
  free(table->text);
  free(table->names);
  free(table->values);
  *table = (Table){0};
}

const double *table_column(const Table *table, const char *name) {
  for (int32_t k = 0; k < table->column_count; k++)
    if (strcmp(table->names[k], name) == 0) return table->values + (size_t)k * (size_t)table->row_count;
  return NULL;
}
