/* weft run, frame after frame.
 *
 * The world is stepped one step at a time, so that an interrupt (Ctrl-C) is answered after the step in hand:
 * report, state and checkpoint are then written as at the end. A second interrupt ends the program at once.
 */
#include "cli/progress.h"
#include "cli/run.h"

#include <signal.h>
#include <string.h>

/* How a run ended. */
typedef enum Ending {
  ENDING_DONE,
  ENDING_SETTLED,
  ENDING_INTERRUPTED,
  ENDING_FAILED,
  ENDING_NOT_WRITTEN
} Ending;

static volatile sig_atomic_t was_interrupted;

static void note_interrupt(int number) {
  (void)number;
  was_interrupted = 1;
}

static void catch_interrupts(void) {
  struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

/* The rest of a frame, step by step. ENDING_DONE: the frame is complete and the run goes on. */
static Ending run_frame(Run *run, Progress *progress, WeftError *error) {
  const WeftSceneInfo *info = &run->info;
  int64_t end = ((int64_t)run->frame + 1) * info->steps_per_frame;
  while (weft_world_step_count(run->world) < end) {
    if (was_interrupted) return ENDING_INTERRUPTED;
    if (checkpoints_are_due(&run->checkpoints) && !run_checkpoint(run, false)) return ENDING_NOT_WRITTEN;
    bool is_settled = false;
    WeftResult result = info->is_settle
                            ? weft_world_settle(run->world, info->settle_speed, 1, &is_settled, error)
                            : weft_world_step(run->world, 1, error);
    if (result == WEFT_RESULT_OK) result = run_response_step(&run->response, run->world, error);
    if (result == WEFT_RESULT_OK) result = run_check_step(&run->check, run->world, error);
    if (result != WEFT_RESULT_OK) return ENDING_FAILED;
    progress_show(progress, run->world, run->frame + 1);
    if (is_settled) return ENDING_SETTLED;
  }
  return ENDING_DONE;
}

/* The start is a frame too, and a checkpoint: from here on the run can be taken up. */
static Ending begin_frames(Run *run, WeftError *error) {
  if (run->is_resumed) return run->is_settled ? ENDING_SETTLED : ENDING_DONE;
  if (run_check_step(&run->check, run->world, error) != WEFT_RESULT_OK) return ENDING_FAILED;
  bool is_written =
      output_frame(&run->output, run->world, 0, run->info.frames == 0) && run_checkpoint(run, false);
  return is_written ? ENDING_DONE : ENDING_NOT_WRITTEN;
}

static Ending run_frames(Run *run, WeftError *error) {
  Progress progress;
  progress_start(&progress, run->info.name, run->world, run->info.frames, run->info.steps_per_frame);
  Ending ending = begin_frames(run, error);
  while (ending == ENDING_DONE && run->frame < run->info.frames) {
    ending = run_frame(run, &progress, error);
    if (ending != ENDING_DONE && ending != ENDING_SETTLED) break;
    bool is_last = ending == ENDING_SETTLED || run->frame + 1 == run->info.frames;
    if (!output_frame(&run->output, run->world, run->frame + 1, is_last)) {
      ending = ENDING_NOT_WRITTEN;
      break;
    }
    run->frame++;
    run->is_settled = ending == ENDING_SETTLED;
  }
  progress_end(&progress);
  return ending;
}

static void warn_missed_pictures(const Run *run) {
  if (!run->output.folder) return;
  for (int32_t i = 0; i < run->info.picture_count; i++)
    if (run->info.pictures[i] > run->frame)
      fprintf(stderr, "weft: warning: no picture of frame %d, the run ended at frame %d\n",
              run->info.pictures[i], run->frame);
}

static void print_summary(FILE *stream, const Run *run, Ending ending) {
  static const char *const how[] = {"done", "settled", "interrupted", "failed",
                                    "stopped: output could not be written"};
  const Output *output = &run->output;
  const WeftSceneInfo *info = &run->info;
  WeftReport report;
  fprintf(stream, "%s at frame %d, %g s simulated\n", how[ending], run->frame, weft_world_time(run->world));
  if (weft_world_report(run->world, &report, NULL) == WEFT_RESULT_OK) {
    double mean = report.solves ? (double)report.solver_iterations / (double)report.solves : 0;
    fprintf(stream,
            "%lld steps in %.3g s, %.1f solver iterations a solve (most %lld), %lld retries, hash %016llx\n",
            (long long)report.steps, report.seconds, mean, (long long)report.solver_iterations_max,
            (long long)report.retries, (unsigned long long)report.state_hash);
    if (report.resumes)
      fprintf(stream, "over all parts of the run, which was resumed %lld times\n", (long long)report.resumes);
  }
  if (!output->folder) {
    fputs("no files were written: --out DIR keeps frames, pictures, report and state\n", stream);
    return;
  }
  bool has_files = info->writes_obj || info->writes_vertices || info->writes_faces || info->writes_hinges;
  fprintf(stream, "written into %s: report.json, timeline.csv, state.weft, %s%d frames, %d pictures\n",
          output->folder, info->writes_cache ? "frames.weftcache, " : "",
          has_files || info->writes_cache ? output->notes.frame_count : 0, output->notes.picture_count);
  if (output->last_picture) fprintf(stream, "picture: %s\n", output->last_picture);
}

/* After the last step: the report, and where the run stands. False after a message. */
static bool finish(Run *run, Ending ending, const char *path, WeftResult result) {
  bool is_kept = output_end(&run->output, run->world, path, run->options->report);
  /* output that failed before is not tried again: the last checkpoint is good, and fits what was written */
  if (ending == ENDING_NOT_WRITTEN) return false;
  /* a step that cannot be done will not be done by going on: such a run may be written over */
  bool is_over = ending == ENDING_DONE || ending == ENDING_SETTLED || result == WEFT_RESULT_NOT_CONVERGED ||
                 result == WEFT_RESULT_NOT_FINITE;
  return run_checkpoint(run, is_over && is_kept) && is_kept;
}

int simulate(const RunOptions *options, const char *path, WeftScene *scene, WeftWorld *world) {
  Run run = {.options = options, .path = path, .info = weft_scene_info(scene), .world = world};
  if (options->frames >= 0) run.info.frames = options->frames;
  WeftError error = {.message = ""};
  int code = EXIT_FAILED;
  if (run_begin(&run)) {
    catch_interrupts();
    Ending ending = run_frames(&run, &error);
    if (ending == ENDING_FAILED) fail("frame %d: %s", run.frame + 1, error.message);
    bool is_kept = finish(&run, ending, path, error.result);
    if (ending == ENDING_DONE || ending == ENDING_SETTLED) warn_missed_pictures(&run);
    /* standard output belongs to the report when it goes there */
    bool is_piped = options->report && strcmp(options->report, "-") == 0;
    print_summary(is_piped ? stderr : stdout, &run, ending);
    if (run.has_begun && (ending == ENDING_INTERRUPTED || ending == ENDING_NOT_WRITTEN || !is_kept)) {
      fputs("weft: to go on with this run: ", stderr);
      print_resume_command(stderr, options);
    }
    code = finish_stdout();
    if (!run_check_end(&run.check, world)) code = EXIT_FAILED;
    if (ending == ENDING_INTERRUPTED) code = EXIT_INTERRUPTED;
    if (ending == ENDING_FAILED || ending == ENDING_NOT_WRITTEN || !is_kept) code = EXIT_FAILED;
  }
  step_table_close(&run.check.table);
  step_table_close(&run.response.table);
  output_close(&run.output);
  checkpoints_close(&run.checkpoints);
  return code;
}
