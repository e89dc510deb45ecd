/* response.csv of a run: what each link of the response chain did, a line for each step and link that was
 * called. */
#ifndef WEFT_CLI_RUN_RESPONSE_H
#define WEFT_CLI_RUN_RESPONSE_H

#include "cli/step_table.h"

#include <weft/weft.h>

typedef struct RunResponse {
  StepTable table;
  char names[WEFT_CHAIN_MOST][WEFT_NAME_SIZE];
  WeftLinkReport before[WEFT_CHAIN_MOST]; /* the step: counts are of the whole run */
} RunResponse;

/* Begins the table, or goes on with it; folder may be NULL. A world without collisions has none. False after
 * a message. */
bool run_response_open(RunResponse *response, const char *folder, WeftWorld *world, bool is_resumed);
/* After a step. */
WeftResult run_response_step(RunResponse *response, WeftWorld *world, WeftError *error);

#endif
