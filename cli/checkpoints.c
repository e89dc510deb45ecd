#include "cli/checkpoints.h"

#include "cli/cli.h"
#include "cli/files.h"
#include "cli/progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOTES_VERSION = 1 };

bool checkpoints_open(Checkpoints *checkpoints, const char *folder, double period, uint64_t run) {
  *checkpoints = (Checkpoints){.period = period, .run = run};
  checkpoints->paths[0] = join_path(folder, "checkpoint_a.weft");
  checkpoints->paths[1] = join_path(folder, "checkpoint_b.weft");
  if (checkpoints->paths[0] && checkpoints->paths[1]) return true;
  fail("out of memory");
  return false;
}

void checkpoints_close(Checkpoints *checkpoints) {
  free(checkpoints->paths[0]);
  free(checkpoints->paths[1]);
}

bool read_notes(const WeftCheckpoint *checkpoint, RunNotes *notes) {
  WeftCheckpointInfo info = weft_checkpoint_info(checkpoint);
  if (info.note_size != sizeof *notes) return false;
  memcpy(notes, info.notes, sizeof *notes);
  return notes->version == NOTES_VERSION && notes->frame >= 0 && notes->sequence >= 0;
}

/* One file; told about when it is there and no good. */
static Found look(const char *path, WeftCheckpoint **checkpoint, RunNotes *notes) {
  WeftError error;
  *checkpoint = NULL;
  if (access(path, F_OK) != 0) return FOUND_NONE;
  if (weft_checkpoint_read(path, checkpoint, &error) != WEFT_RESULT_OK) {
    fprintf(stderr, "weft: warning: %s\n", error.message);
    return FOUND_DAMAGED;
  }
  if (read_notes(*checkpoint, notes)) return FOUND_GOOD;
  fprintf(stderr, "weft: warning: %s: the checkpoint was not written by this version of `weft run`\n", path);
  weft_checkpoint_free(*checkpoint);
  *checkpoint = NULL;
  return FOUND_DAMAGED;
}

Found checkpoints_find(Checkpoints *checkpoints, WeftCheckpoint **checkpoint, RunNotes *notes) {
  Found found = FOUND_NONE;
  *checkpoint = NULL;
  for (int i = 0; i < 2; i++) {
    WeftCheckpoint *one;
    RunNotes its;
    Found here = look(checkpoints->paths[i], &one, &its);
    if (here == FOUND_DAMAGED && found == FOUND_NONE) found = FOUND_DAMAGED;
    if (here != FOUND_GOOD) continue;
    if (*checkpoint && notes->sequence > its.sequence) {
      weft_checkpoint_free(one);
      continue;
    }
    weft_checkpoint_free(*checkpoint);
    *checkpoint = one;
    *notes = its;
    checkpoints->next = 1 - i;
    checkpoints->sequence = its.sequence;
    found = FOUND_GOOD;
  }
  return found;
}

bool checkpoints_remove(const Checkpoints *checkpoints) {
  for (int i = 0; i < 2; i++) {
    if (unlink(checkpoints->paths[i]) == 0 || errno == ENOENT) continue;
    fail("%s: cannot be removed: %s", checkpoints->paths[i], strerror(errno));
    return false;
  }
  return true;
}

bool checkpoints_are_due(const Checkpoints *checkpoints) {
  return checkpoints->paths[0] && seconds_now() - checkpoints->written >= checkpoints->period;
}

bool checkpoints_write(Checkpoints *checkpoints, WeftWorld *world, Output *output, RunNotes notes) {
  WeftError error;
  notes.version = NOTES_VERSION;
  notes.sequence = ++checkpoints->sequence;
  notes.output = output->notes;
  if (!output_sync(output)) return false;
  if (weft_checkpoint_write(world, checkpoints->run, &notes, sizeof notes,
                            checkpoints->paths[checkpoints->next], &error) != WEFT_RESULT_OK) {
    fail("%s", error.message);
    return false;
  }
  checkpoints->next = 1 - checkpoints->next;
  checkpoints->written = seconds_now();
  if (notes.is_finished)
    unlink(checkpoints->paths[checkpoints->next]); /* of use no more; left, it does no harm */
  return true;
}
