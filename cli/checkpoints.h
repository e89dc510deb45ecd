/* The checkpoints of a run: two files that take turns, so that the one before stays until the new one is
 * complete, and also after that, should the new one turn out damaged. */
#ifndef WEFT_CLI_CHECKPOINTS_H
#define WEFT_CLI_CHECKPOINTS_H

#include "cli/output.h"

#include <weft/checkpoint.h>

/* What a checkpoint keeps beside the world. */
typedef struct RunNotes {
  uint32_t version; /* of this struct */
  int32_t sequence; /* counts checkpoints: the higher one is the later one */
  int32_t frame;    /* frames that are complete, their output written */
  int32_t is_finished, is_settled;
  OutputNotes output;
} RunNotes;

typedef struct Checkpoints {
  char *paths[2];
  int next; /* which is written next */
  int32_t sequence;
  double period, written; /* [s] between two, and when the last one was */
  uint64_t run;
} Checkpoints;

/* False after a message. period [s]. */
bool checkpoints_open(Checkpoints *checkpoints, const char *folder, double period, uint64_t run);
void checkpoints_close(Checkpoints *checkpoints);

typedef enum Found { FOUND_NONE, FOUND_GOOD, FOUND_DAMAGED } Found;
/* The latest good one, freed by the caller. Damaged ones are told about on standard error. */
Found checkpoints_find(Checkpoints *checkpoints, WeftCheckpoint **checkpoint, RunNotes *notes);
/* False when they were written by another version of the program. */
bool read_notes(const WeftCheckpoint *checkpoint, RunNotes *notes);

/* False after a message. */
bool checkpoints_remove(const Checkpoints *checkpoints);
/* Waits until all output of the run is on the disk, then writes the state; frame, is_finished and is_settled
 * of notes are the caller's. False after a message. */
bool checkpoints_write(Checkpoints *checkpoints, WeftWorld *world, Output *output, RunNotes notes);
/* Whether it is time for the next. */
bool checkpoints_are_due(const Checkpoints *checkpoints);

#endif
