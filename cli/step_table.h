/* Tables in a run's folder with lines of steps: begun anew, or gone on with where a run that was cut off goes
 * on. */
#ifndef WEFT_CLI_STEP_TABLE_H
#define WEFT_CLI_STEP_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct StepTable {
  const char *name; /* in the folder */
  FILE *stream;     /* NULL without a folder, or when it is off */
} StepTable;

/* Begins folder/name with the line head, or goes on with it behind so many steps; folder may be NULL. The
 * first number of a line is its step. A table that another run left is removed when this one makes none.
 * False after a message. */
bool step_table_open(StepTable *table, const char *folder, const char *name, const char *head, bool is_on,
                     bool is_resumed, int64_t steps);
/* Waits for the disk. False after a message. */
bool step_table_sync(const StepTable *table);
void step_table_close(StepTable *table);

#endif
