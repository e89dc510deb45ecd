/* timeline.csv: a line a frame with energies, momenta and solver effort, for plots. */
#ifndef WEFT_CLI_TIMELINE_H
#define WEFT_CLI_TIMELINE_H

#include <stdio.h>
#include <weft/weft.h>

/* NULL after a message. */
FILE *timeline_open(const char *folder);
/* Each line is out before the next frame begins. False after a message. */
bool timeline_add(FILE *timeline, WeftWorld *world, int32_t frame);
/* NULL is fine. False after a message. */
bool timeline_close(FILE *timeline);

#endif
