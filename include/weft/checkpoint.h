/* weft: checkpoints. The state of a world together with what it has counted and a few notes of the caller's,
 * so that a run can be taken up later, in another process, as if it had never stopped. docs/state.md
 * describes the bytes.
 */
#ifndef WEFT_CHECKPOINT_H
#define WEFT_CHECKPOINT_H

#include <weft/weft.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct WeftCheckpoint WeftCheckpoint;

typedef struct WeftCheckpointInfo {
  uint64_t run;      /* weft_world_fingerprint at the start of the run */
  int64_t step;      /* steps done */
  double time;       /* [s] */
  const void *notes; /* as they were given; live as long as the checkpoint */
  size_t note_size;
} WeftCheckpointInfo;

/* Writes a checkpoint. The file is complete and on the disk when this returns WEFT_RESULT_OK, and as it was
 * before when it does not. run: weft_world_fingerprint of the world when it was made. */
WEFT_API WeftResult weft_checkpoint_write(WeftWorld *world, uint64_t run, const void *notes, size_t note_size,
                                          const char *path, WeftError *error);
/* Reads and checks one. */
WEFT_API WeftResult weft_checkpoint_read(const char *path, WeftCheckpoint **checkpoint, WeftError *error);
WEFT_API WeftCheckpointInfo weft_checkpoint_info(const WeftCheckpoint *checkpoint);
/* Puts state and counts back into a world made from the same definitions; refused, and the world as it was,
 * when run is not the checkpoint's. */
WEFT_API WeftResult weft_checkpoint_restore(const WeftCheckpoint *checkpoint, WeftWorld *world, uint64_t run,
                                            WeftError *error);
/* NULL is fine. */
WEFT_API void weft_checkpoint_free(WeftCheckpoint *checkpoint);

#ifdef __cplusplus
}
#endif
#endif
