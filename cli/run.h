/* weft run, in three parts: options (run.c), beginning or going on (resume.c), frame after frame
 * (simulate.c). */
#ifndef WEFT_CLI_RUN_H
#define WEFT_CLI_RUN_H

#include "cli/checkpoints.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/run_check.h"
#include "cli/run_response.h"

typedef struct RunOptions {
  const char *scene; /* as written */
  const char *out, *report, *device;
  int32_t frames; /* -1: as the scene says */
  int32_t threads;
  int32_t checkpoint; /* [s], -1: not said */
  bool resume, overwrite, check;
  Texts sets;
} RunOptions;

/* A run on its way. */
typedef struct Run {
  const RunOptions *options;
  const char *path; /* of the scene */
  WeftSceneInfo info;
  WeftWorld *world;
  Output output;
  Checkpoints checkpoints;
  RunCheck check;
  RunResponse response;
  bool has_begun;  /* outputs and checkpoints are this run's */
  int32_t frame;   /* frames that are complete, their output written */
  bool is_settled; /* a quasi-static run is at rest */
  bool is_resumed;
} Run;

/* The whole of it; path: of the scene. Returns the program's code. */
int simulate(const RunOptions *options, const char *path, WeftScene *scene, WeftWorld *world);

/* Opens output and checkpoints, and begins or goes on. False after a message; what was in the folder is then
 * as it was. */
bool run_begin(Run *run);
/* False after a message. Nothing to do, and fine, without a folder. */
bool run_checkpoint(Run *run, bool is_finished);
/* The command that goes on with the run. */
void print_resume_command(FILE *stream, const RunOptions *options);

#endif
