/* Beginning a run, or going on with one: what the folder holds decides together with --resume and
 * --overwrite. */
#include "cli/progress.h"
#include "cli/run.h"
#include "cli/run_record.h"

#include <string.h>

static const int32_t default_period = 30; /* [s] between two checkpoints */

/* Refuses to write over a run that could still go on. */
static bool may_begin(const Run *run, Found found, const RunNotes *notes) {
  const char *folder = run->options->out;
  if (found == FOUND_NONE || run->options->overwrite || (found == FOUND_GOOD && notes->is_finished))
    return true;
  if (found == FOUND_GOOD)
    fail(
        "%s holds an unfinished run (frame %d is complete): --resume goes on with it, --overwrite begins "
        "anew",
        folder, notes->frame);
  else
    fail("%s holds a run whose checkpoints cannot be read: --overwrite begins anew, or choose another folder",
         folder);
  return false;
}

static bool open_tables(Run *run, bool is_resumed) {
  const RunOptions *options = run->options;
  return run_check_open(&run->check, options->out, options->check, is_resumed,
                        weft_world_step_count(run->world)) &&
         run_response_open(&run->response, options->out, run->world, is_resumed);
}

static bool begin_anew(Run *run) {
  /* first the checkpoints: an old one must never meet new frames */
  if (!checkpoints_remove(&run->checkpoints)) return false;
  if (!output_begin(&run->output, run->world, run->checkpoints.run) ||
      !run_record_write(run->options->out, run->path, &run->options->sets))
    return false;
  run->has_begun = true;
  return open_tables(run, false);
}

static bool go_on(Run *run, const WeftCheckpoint *checkpoint, const RunNotes *notes) {
  WeftError error;
  if (weft_checkpoint_restore(checkpoint, run->world, run->checkpoints.run, &error) != WEFT_RESULT_OK) {
    fail("%s: cannot go on: %s", run->options->out, error.message);
    return false;
  }
  if (!output_continue(&run->output, run->world, run->checkpoints.run, &notes->output, notes->frame))
    return false;
  run->frame = notes->frame;
  run->is_settled = notes->is_settled;
  run->is_resumed = run->has_begun = true;
  fprintf(stderr, "going on after frame %d, %g s, from the checkpoint in %s\n", notes->frame,
          weft_world_time(run->world), run->options->out);
  return open_tables(run, true);
}

bool run_begin(Run *run) {
  const RunOptions *options = run->options;
  if (!output_open(&run->output, options->out, &run->info, options->threads)) return false;
  if (!options->out) return open_tables(run, false);
  uint64_t fingerprint;
  WeftError error;
  if (weft_world_fingerprint(run->world, &fingerprint, &error) != WEFT_RESULT_OK) {
    fail("%s", error.message);
    return false;
  }
  int32_t period = options->checkpoint >= 0 ? options->checkpoint : default_period;
  if (!checkpoints_open(&run->checkpoints, options->out, period, fingerprint)) return false;
  WeftCheckpoint *checkpoint;
  RunNotes notes;
  Found found = checkpoints_find(&run->checkpoints, &checkpoint, &notes);
  bool is_fine;
  if (!options->resume) {
    is_fine = may_begin(run, found, &notes) && begin_anew(run);
  } else if (found == FOUND_DAMAGED) {
    fail("%s: cannot go on: no checkpoint can be read; --overwrite begins anew", options->out);
    is_fine = false;
  } else if (found == FOUND_NONE) {
    fprintf(stderr, "nothing to go on with in %s yet, beginning\n", options->out);
    is_fine = begin_anew(run);
  } else {
    is_fine = go_on(run, checkpoint, &notes);
  }
  weft_checkpoint_free(checkpoint);
  run->checkpoints.written = seconds_now();
  return is_fine;
}

bool run_checkpoint(Run *run, bool is_finished) {
  RunNotes notes = {.frame = run->frame, .is_finished = is_finished, .is_settled = run->is_settled};
  return !run->has_begun || (step_table_sync(&run->check.table) && step_table_sync(&run->response.table) &&
                             checkpoints_write(&run->checkpoints, run->world, &run->output, notes));
}

/* As a shell takes it. */
static void print_quoted(FILE *stream, const char *text) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (*text && !text[strspn(text, plain)]) {
    fputs(text, stream);
    return;
  }
  fputc('\'', stream);
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", stream);
    else
      fputc(*text, stream);
  }
  fputc('\'', stream);
}

static void print_option(FILE *stream, const char *name, const char *value) {
  if (!value) return;
  fprintf(stream, " --%s ", name);
  print_quoted(stream, value);
}

void print_resume_command(FILE *stream, const RunOptions *options) {
  print_quoted(stream, program_name);
  fputs(" run ", stream);
  print_quoted(stream, options->scene);
  print_option(stream, "out", options->out);
  if (options->frames >= 0) fprintf(stream, " --frames %d", options->frames);
  if (options->threads > 0) fprintf(stream, " --threads %d", options->threads);
  if (options->checkpoint >= 0) fprintf(stream, " --checkpoint %d", options->checkpoint);
  for (int i = 0; i < options->sets.count; i++) print_option(stream, "set", options->sets.items[i]);
  print_option(stream, "report", options->report);
  if (options->check) fputs(" --check", stream);
  fputs(" --resume\n", stream);
}
