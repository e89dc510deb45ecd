/* costs.csv: a line a frame with the time and memory a run has taken, for plots. Apart from the timeline,
 * which is the same on every run. */
#ifndef WEFT_CLI_COSTS_H
#define WEFT_CLI_COSTS_H

#include <stdio.h>
#include <weft/weft.h>

/* Opens it without a change. NULL after a message. */
FILE *costs_open(const char *folder);
/* As those of the timeline. */
bool costs_begin(FILE *costs);
bool costs_continue(FILE *costs, int32_t frame);
bool costs_add(FILE *costs, WeftWorld *world, int32_t frame);
bool costs_sync(FILE *costs);

#endif
