/* run.json: which scene a folder's run is of, so that its rest shape can be found again later. */
#ifndef WEFT_CLI_RUN_RECORD_H
#define WEFT_CLI_RUN_RECORD_H

#include "cli/cli.h"

/* scene: the file. False after a message. */
bool run_record_write(const char *folder, const char *scene, const Texts *sets);

/* The scene of the run in a folder, and its world at the start. run: the fingerprint the world must have, as
 * the cache of the run says. Both are NULL, and *why a reason that lives until the next call, when they
 * cannot be had. */
void run_record_load(const char *folder, uint64_t run, WeftScene **scene, WeftWorld **world,
                     const char **why);

#endif
