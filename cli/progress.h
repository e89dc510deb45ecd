/* How far a run has come: a bar on a terminal, a line now and then elsewhere. Always on standard error. */
#ifndef WEFT_CLI_PROGRESS_H
#define WEFT_CLI_PROGRESS_H

#include <weft/weft.h>

typedef struct Progress {
  bool is_terminal;
  int32_t frames, steps_per_frame;
  double started, shown; /* [s] */
  int64_t first_steps;   /* steps the world had done before, in a run that was taken up */
  int width;             /* of the terminal */
} Progress;

/* Seconds that only grow. */
double seconds_now(void);
void progress_start(Progress *progress, const char *scene, WeftWorld *world, int32_t frames,
                    int32_t steps_per_frame);
/* Cheap to call after every step: it shows something when it is time. */
void progress_show(Progress *progress, WeftWorld *world, int32_t frame);
/* Clears the bar, so that the next line starts clean. */
void progress_end(Progress *progress);

#endif
