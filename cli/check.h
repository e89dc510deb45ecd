/* weft check, in three parts: options and verdict (check.c), where meshes come from (check_source.c), what is
 * said about a frame (check_tell.c). */
#ifndef WEFT_CLI_CHECK_H
#define WEFT_CLI_CHECK_H

#include "base/json_write.h"

#include <stdio.h>
#include <weft/cache.h>
#include <weft/check.h>
#include <weft/scene.h>

/* What the verb returns when intersections were found, and when nothing can be said about them. */
enum { EXIT_INTERSECTIONS = 1, EXIT_NOT_JUDGED = 2 };

/* One argument: a mesh that stands still, files that are frames, or a cache. */
typedef struct CheckSource {
  const char *name;
  char **paths; /* of meshes, frame after frame; NULL: a cache */
  int64_t frame_count;
  bool is_still; /* one mesh, the same in every frame */
  WeftCache *cache;
  int32_t mesh_count;  /* a frame: 1, or the cloths of the cache and its obstacles behind them */
  int32_t cloth_count; /* of these */
  /* the frame that was read last */
  WeftMesh *meshes; /* mesh_count */
  int32_t frame;
  double time; /* [s]; negative where it is not known */
} CheckSource;

/* A mesh, a folder or a cache, told apart by content. False after a message. */
bool source_open(CheckSource *source, const char *path);
/* Files that are frames, in the order given. False after a message. */
bool source_open_frames(CheckSource *source, int count, char **paths);
/* False after a message. */
bool source_read(CheckSource *source, int64_t frame);
/* "shirt.obj", or "out/frames.weftcache: flag". */
void source_mesh_name(const CheckSource *source, int32_t mesh, char *text, size_t size);
void source_close(CheckSource *source);

/* A frame that was judged. */
typedef struct CheckedFrame {
  int32_t frame;
  double time; /* [s]; negative where it is not known */
  int32_t mesh_count;
  char *const *names; /* of its meshes */
  const WeftCheck *check;
} CheckedFrame;

/* "12 intersections (11 crossing ...), 6 triangle pairs ..." */
void tell_counts(FILE *stream, const WeftCheckCounts *counts);
/* In words, on standard output; is_alone: there is no other frame, and it is told that nothing was found. */
void tell_frame(const CheckedFrame *frame, bool is_alone);
/* As an object of a list. docs/check.md explains the fields. */
void write_frame(WeftJsonWriter *json, const CheckedFrame *frame);

#endif
