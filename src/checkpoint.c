/* Checkpoints: a saved state with what the report has counted, so that a run that is taken up reports as one.
 */
#include "checkpoint.h"

#include "base/checksum.h"
#include "base/memory.h"
#include "base/read_file.h"
#include "base/write_file.h"
#include "world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHECKPOINT_VERSION = 4, BYTE_ORDER_MARK = 0x01020304, STAGE_ROOM = 16 };
_Static_assert(WEFT_STAGE_COUNT <= (int)STAGE_ROOM, "stages need more room, and the file a new version");
static const char MAGIC[8] = {'w', 'e', 'f', 't', 'c', 'k', 'p', 't'};

/* What WeftReport sums up. */
typedef struct Counts {
  int64_t steps, substeps, retries, solves, solver_iterations, solver_iterations_max, newton_unconverged,
      resumes;
  double seconds, stage_seconds[STAGE_ROOM], solver_residual_max, max_speed;
  WeftCheckSums check;
  WeftLinkReport links[WEFT_CHAIN_MOST];
  int64_t impacts_left, contacts;
} Counts;
_Static_assert(sizeof(WeftCheckSums) == 48, "the file has this room for it");

/* Followed by the notes, filled up to a multiple of eight bytes, the saved state, and a checksum of all
 * before. */
typedef struct Header {
  char magic[8];
  uint32_t version, byte_order;
  uint64_t run, note_size, state_size;
  int64_t step;
  double time;
  Counts counts;
} Header;

struct WeftCheckpoint {
  Header header;
  char *bytes;
  const char *notes, *state;
};

static size_t padded(size_t size) { return (size + 7) / 8 * 8; }

static Counts counts_of(const WeftReport *report) {
  Counts counts = {report->steps,
                   report->substeps,
                   report->retries,
                   report->solves,
                   report->solver_iterations,
                   report->solver_iterations_max,
                   report->newton_unconverged,
                   report->resumes,
                   .seconds = report->seconds,
                   .solver_residual_max = report->solver_residual_max,
                   .max_speed = report->max_speed,
                   .check = report->check,
                   .impacts_left = report->impacts_left,
                   .contacts = report->contacts};
  memcpy(counts.links, report->links, sizeof report->links);
  memcpy(counts.stage_seconds, report->stage_seconds, sizeof report->stage_seconds);
  return counts;
}

static void put_counts(const Counts *counts, WeftReport *report) {
  report->steps = counts->steps;
  report->substeps = counts->substeps;
  report->retries = counts->retries;
  report->solves = counts->solves;
  report->solver_iterations = counts->solver_iterations;
  report->solver_iterations_max = counts->solver_iterations_max;
  report->newton_unconverged = counts->newton_unconverged;
  report->resumes = counts->resumes;
  report->seconds = counts->seconds;
  report->solver_residual_max = counts->solver_residual_max;
  report->max_speed = counts->max_speed;
  report->check = counts->check;
  memcpy(report->links, counts->links, sizeof report->links);
  report->impacts_left = counts->impacts_left;
  report->contacts = counts->contacts;
  memcpy(report->stage_seconds, counts->stage_seconds, sizeof report->stage_seconds);
}

WeftResult weft_checkpoint_write(WeftWorld *world, uint64_t run, const void *notes, size_t note_size,
                                 const char *path, WeftError *error) {
  if (!path || (note_size && !notes)) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "weft_checkpoint_write: path and notes must not be NULL");
  }
  void *state;
  size_t state_size;
  WeftResult result = weft_world_save(world, &state, &state_size, error);
  if (result) return result;
  size_t size = sizeof(Header) + padded(note_size) + state_size + sizeof(uint64_t);
  char *bytes = WEFT_NEW(char, size);
  if (bytes) {
    Header header = {.version = CHECKPOINT_VERSION,
                     .byte_order = BYTE_ORDER_MARK,
                     .run = run,
                     .note_size = note_size,
                     .state_size = state_size,
                     .step = world->state.step,
                     .time = world->state.time,
                     .counts = counts_of(&world->report)};
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    memcpy(bytes, &header, sizeof header);
    if (note_size) memcpy(bytes + sizeof header, notes, note_size);
    memcpy(bytes + sizeof header + padded(note_size), state, state_size);
    uint64_t checksum = weft_checksum(bytes, size - sizeof checksum);
    memcpy(bytes + size - sizeof checksum, &checksum, sizeof checksum);
    result = weft_write_file(path, bytes, size, error);
  } else {
    result = weft_fail_memory(error, "checkpoint");
  }
  free(bytes);
  weft_free(state);
  return result;
}

/* Far below where sums could run over. */
static bool are_counts(const int64_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (numbers[i] < 0 || numbers[i] >= INT64_MAX / 2) return false;
  return true;
}

static bool is_link_in_range(const WeftLinkReport *link) {
  int64_t whole[] = {link->steps, link->impacts, link->rounds, link->iterations, link->limited, link->left};
  return are_counts(whole, sizeof whole / sizeof *whole) && link->seconds >= 0 && isfinite(link->seconds);
}

static bool is_in_range(const Header *header) {
  const Counts *c = &header->counts;
  int64_t whole[] = {header->step,
                     c->steps,
                     c->substeps,
                     c->retries,
                     c->solves,
                     c->resumes,
                     c->newton_unconverged,
                     c->solver_iterations,
                     c->solver_iterations_max,
                     c->check.checks,
                     c->check.checks_with_hits,
                     c->check.first_step,
                     c->check.hits,
                     c->check.hits_max,
                     c->impacts_left,
                     c->contacts};
  bool is_fine = isfinite(header->time) && c->seconds >= 0 && isfinite(c->seconds) &&
                 isfinite(c->max_speed) && isfinite(c->solver_residual_max) && c->check.seconds >= 0 &&
                 isfinite(c->check.seconds);
  is_fine = is_fine && are_counts(whole, sizeof whole / sizeof *whole);
  for (int i = 0; i < WEFT_CHAIN_MOST; i++) is_fine = is_fine && is_link_in_range(&c->links[i]);
  for (int i = 0; i < STAGE_ROOM; i++)
    is_fine = is_fine && c->stage_seconds[i] >= 0 && isfinite(c->stage_seconds[i]);
  return is_fine;
}

static WeftResult check(const Header *header, const char *bytes, size_t size, const char *name,
                        WeftError *error) {
  if (size < sizeof header->magic || memcmp(header->magic, MAGIC, sizeof MAGIC) != 0) {
    return weft_fail(error, WEFT_RESULT_PARSE, "%s: this is not a checkpoint of weft", name);
  }
  if (size < sizeof *header + sizeof(uint64_t)) {
    return weft_fail(error, WEFT_RESULT_PARSE, "%s: the checkpoint was cut off: it has %zu bytes", name,
                     size);
  }
  if (header->byte_order != BYTE_ORDER_MARK) {
    return weft_fail(error, WEFT_RESULT_MISMATCH,
                     "%s: the checkpoint was written on a machine of the other byte order", name);
  }
  if (header->version != CHECKPOINT_VERSION) {
    return weft_fail(error, WEFT_RESULT_MISMATCH,
                     "%s: the checkpoint has version %u, this weft reads version %d: use %s weft", name,
                     (unsigned)header->version, CHECKPOINT_VERSION,
                     header->version > CHECKPOINT_VERSION ? "a newer" : "the older");
  }
  size_t rest = size - sizeof *header - sizeof(uint64_t);
  if (header->note_size > rest || padded((size_t)header->note_size) > rest ||
      header->state_size != rest - padded((size_t)header->note_size)) {
    return weft_fail(error, WEFT_RESULT_PARSE,
                     "%s: the checkpoint was cut off: %zu bytes are not what it says", name, size);
  }
  uint64_t checksum;
  memcpy(&checksum, bytes + size - sizeof checksum, sizeof checksum);
  if (checksum != weft_checksum(bytes, size - sizeof checksum)) {
    return weft_fail(error, WEFT_RESULT_PARSE, "%s: the checkpoint was altered: its checksum does not fit",
                     name);
  }
  if (!is_in_range(header)) {
    return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                     "%s: the checkpoint holds a number that is out of range", name);
  }
  return WEFT_RESULT_OK;
}

WeftResult weft_checkpoint_parse(char *bytes, size_t size, const char *name, WeftCheckpoint **checkpoint,
                                 WeftError *error) {
  *checkpoint = NULL;
  Header header = {0};
  memcpy(&header, bytes, size < sizeof header ? size : sizeof header);
  WeftResult result = check(&header, bytes, size, name, error);
  WeftCheckpoint *made = result ? NULL : WEFT_NEW(WeftCheckpoint, 1);
  if (!result && !made) result = weft_fail_memory(error, name);
  if (result) {
    free(bytes);
    return result;
  }
  made->header = header;
  made->bytes = bytes;
  made->notes = bytes + sizeof header;
  made->state = made->notes + padded((size_t)header.note_size);
  *checkpoint = made;
  return WEFT_RESULT_OK;
}

WeftResult weft_checkpoint_read(const char *path, WeftCheckpoint **checkpoint, WeftError *error) {
  if (!checkpoint || !path) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "weft_checkpoint_read: path and checkpoint must not be NULL");
  }
  *checkpoint = NULL;
  char *bytes;
  size_t size;
  WeftResult result = weft_read_file(path, &bytes, &size, error);
  return result ? result : weft_checkpoint_parse(bytes, size, path, checkpoint, error);
}

WeftCheckpointInfo weft_checkpoint_info(const WeftCheckpoint *checkpoint) {
  if (!checkpoint) return (WeftCheckpointInfo){.notes = ""};
  const Header *header = &checkpoint->header;
  return (WeftCheckpointInfo){.run = header->run,
                              .step = header->step,
                              .time = header->time,
                              .notes = checkpoint->notes,
                              .note_size = (size_t)header->note_size};
}

WeftResult weft_checkpoint_restore(const WeftCheckpoint *checkpoint, WeftWorld *world, uint64_t run,
                                   WeftError *error) {
  if (!checkpoint)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_checkpoint_restore: no checkpoint given");
  if (checkpoint->header.run != run) {
    return weft_fail(
        error, WEFT_RESULT_MISMATCH,
        "the checkpoint belongs to another run: use the scene it was made from, with the same --set values "
        "(the number of threads and frames may differ)");
  }
  WeftResult result =
      weft_world_restore(world, checkpoint->state, (size_t)checkpoint->header.state_size, error);
  if (result) return result;
  put_counts(&checkpoint->header.counts, &world->report);
  world->report.resumes++;
  return WEFT_RESULT_OK;
}

void weft_checkpoint_free(WeftCheckpoint *checkpoint) {
  if (!checkpoint) return;
  free(checkpoint->bytes);
  free(checkpoint);
}
