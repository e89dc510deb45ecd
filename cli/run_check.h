/* weft run --check: the judge after every step, and check.csv, a line a step. */
#ifndef WEFT_CLI_RUN_CHECK_H
#define WEFT_CLI_RUN_CHECK_H

#include "cli/step_table.h"

#include <weft/check.h>

typedef struct RunCheck {
  bool is_on;
  StepTable table; /* check.csv */
  int64_t showing; /* hits at the last look: a line is shown when they begin and when they end */
} RunCheck;

/* Begins the table, or goes on with it behind so many steps; folder may be NULL. A table that another run
 * left is removed when this one makes none. False after a message. */
bool run_check_open(RunCheck *check, const char *folder, bool is_on, bool is_resumed, int64_t steps);
/* Judges the world as it is. */
WeftResult run_check_step(RunCheck *check, WeftWorld *world, WeftError *error);
/* What was found, after the run. False when there was something. */
bool run_check_end(const RunCheck *check, WeftWorld *world);

#endif
