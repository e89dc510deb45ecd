/* What a run writes into its folder: the cache of frames, meshes and tables, pictures, the timeline. */
#ifndef WEFT_CLI_OUTPUT_H
#define WEFT_CLI_OUTPUT_H

#include "picture/picture.h"

#include <stdio.h>
#include <weft/cache.h>
#include <weft/scene.h>

/* What has to be known to go on later; checkpoints keep it. */
typedef struct OutputNotes {
  int32_t picture_count, frame_count; /* written so far */
  int32_t last_frame, last_drawn;     /* written and drawn last, -1 at first */
  int32_t has_view; /* view is set: kept from picture to picture, so that an animation is steady */
  WeftPictureDef view;
} OutputNotes;

typedef struct Output {
  const char *folder;  /* NULL: nothing is written */
  char *frames_folder; /* folder/frames */
  FILE *timeline;      /* folder/timeline.csv; held locked as long as the run writes here */
  WeftCacheWriter *cache;
  const WeftSceneInfo *info;
  int32_t threads; /* for pictures */
  OutputNotes notes;
  char *last_picture; /* the file drawn last, or NULL */
  char **unsynced;    /* files written since the last checkpoint */
  size_t unsynced_count, unsynced_capacity;
} Output;

/* Makes the folders, and the folder this run's. False after a message: an output that cannot be written is
 * known before the run. Nothing that is there is changed yet. */
bool output_open(Output *output, const char *folder, const WeftSceneInfo *info, int32_t threads);
/* Starts anew. False after a message. */
bool output_begin(Output *output, WeftWorld *world, uint64_t run);
/* Goes on behind a frame: what comes after it is cut off. False after a message; when the cache does not fit
 * nothing was changed. */
bool output_continue(Output *output, WeftWorld *world, uint64_t run, const OutputNotes *notes, int32_t frame);
/* What is due after a frame; is_last: also what is due at the end. False after a message. */
bool output_frame(Output *output, WeftWorld *world, int32_t frame, bool is_last);
/* Waits until everything written so far is on the disk. False after a message. */
bool output_sync(Output *output);
/* Report and state. report: another file for the report, "-" standard output, NULL none. False after a
 * message. */
bool output_end(Output *output, WeftWorld *world, const char *scene, const char *report);
void output_close(Output *output);

#endif
