/* Frames of a run, a cache or a mesh, made ready to be drawn: chosen, coloured, and seen by one camera. */
#ifndef WEFT_CLI_SHOTS_H
#define WEFT_CLI_SHOTS_H

#include "cli/check.h"
#include "cli/cli.h"
#include "cli/values.h"
#include "picture/picture.h"
#include "picture/scale.h"

typedef struct Shots {
  const char *path; /* as given */
  CheckSource source;
  int64_t first, last;    /* frames of the source that are chosen */
  WeftPicturePart *parts; /* a mesh of the source each */
  WeftPictureDef view;
  /* the scene of the run, where run.json leads to it; NULL elsewhere */
  WeftScene *scene;
  const char *no_scene; /* why there is none */
  /* fabric */
  double **uvs; /* a mesh each, or NULL */
  /* numbers as colours */
  bool has_values;
  ValueMeter meter;
  WeftPictureScale scale; /* in the unit of the legend */
  double **values;        /* a cloth each: of its vertices */
} Shots;

/* A run's folder, a cache or a mesh. All frames are chosen. False after a message. */
bool shots_open(Shots *shots, const char *path);
void shots_close(Shots *shots);

/* "12", "-1" (the last), "10:20", "10:", "all". EXIT_FINE, or the code to leave with, after a message. */
int shots_choose(Shots *shots, const Verb *verb, const char *frames);
/* "fabric", a colour of the palette, "#rrggbb", or a value's name with ":LOW:HIGH" or without. */
int shots_color(Shots *shots, const Verb *verb, const char *color);
/* "auto", "scene", a side, "AZIMUTH,ELEVATION", or "X,Y,Z:X,Y,Z[:FOV]". Looks at all chosen frames. */
int shots_aim(Shots *shots, const Verb *verb, const char *camera, int32_t width, int32_t height);

/* Reads a frame into parts, without its colours. False after a message. */
bool shots_read(Shots *shots, int64_t index);
/* Draws a frame of the source: view.width x view.height x 3 bytes. False after a message. */
bool shots_draw(Shots *shots, int64_t index, uint8_t *rgb);
/* Frames a second of the chosen frames played at the speed they have; 25 where times are not known. */
bool shots_rate(Shots *shots, double *rate);

/* Measures the values of the frame that was read last; index: of it. False after a message. */
bool shots_measure(Shots *shots, int64_t index);
/* Yarns on cloths that know where theirs run. False when out of memory. */
bool shots_weave(Shots *shots);

#endif
