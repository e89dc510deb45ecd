/* The tables that weft writes, read back: numbers under names, with commas between them. */
#ifndef WEFT_CLI_READ_TABLE_H
#define WEFT_CLI_READ_TABLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Table {
  char *text;
  int32_t column_count, row_count;
  char **names;   /* into text */
  double *values; /* column after column */
} Table;

/* A last line that is not complete, as of a run that is going on, is left out. False, and an empty table,
 * when the file is not there or is none. */
bool table_read(Table *table, const char *path);
void table_free(Table *table);
/* row_count values, or NULL. */
const double *table_column(const Table *table, const char *name);

#endif
