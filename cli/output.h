/* What a run writes into its folder: frames, tables, pictures, the timeline. */
#ifndef WEFT_CLI_OUTPUT_H
#define WEFT_CLI_OUTPUT_H

#include "picture/picture.h"

#include <stdio.h>
#include <weft/scene.h>

typedef struct Output {
  const char *folder;  /* NULL: nothing is written */
  char *frames_folder; /* folder/frames */
  FILE *timeline;      /* folder/timeline.csv */
  const WeftSceneInfo *info;
  int32_t threads; /* for pictures */
  bool has_view;   /* view is set: kept from picture to picture, so that an animation is steady */
  WeftPictureDef view;
  char *last_picture;                 /* the file drawn last, or NULL */
  int32_t picture_count, frame_count; /* written so far */
  int32_t last_frame, last_drawn;     /* written and drawn last, -1 at first */
} Output;

/* Makes the folders. False after a message: an output that cannot be written is known before the run. */
bool output_open(Output *output, const char *folder, const WeftSceneInfo *info, int32_t threads);
/* What is due after a frame; is_last: also what is due at the end. False after a message. */
bool output_frame(Output *output, WeftWorld *world, int32_t frame, bool is_last);
/* Report and state, and the end of the timeline. report: another file for the report, "-" standard output,
 * NULL none. False after a message. */
bool output_end(Output *output, WeftWorld *world, const char *scene, const char *report);
void output_close(Output *output);

#endif
