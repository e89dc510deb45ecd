/* timeline.csv: a line a frame with energies, momenta and solver effort, for plots. */
#ifndef WEFT_CLI_TIMELINE_H
#define WEFT_CLI_TIMELINE_H

#include <stdio.h>
#include <weft/weft.h>

/* Opens it without a change and locks it: as long as it is open no other run writes into the folder. NULL
 * after a message. */
FILE *timeline_open(const char *folder);
/* Empties it. False after a message. */
bool timeline_begin(FILE *timeline);
/* Cuts off what comes after a frame. False after a message. */
bool timeline_continue(FILE *timeline, int32_t frame);
/* Each line is out before the next frame begins. False after a message. */
bool timeline_add(FILE *timeline, WeftWorld *world, int32_t frame);
/* Waits for the disk. False after a message. */
bool timeline_sync(FILE *timeline);
/* NULL is fine. False after a message. */
bool timeline_close(FILE *timeline);

#endif
