/* weft run SCENE: simulate, frame by frame, and write what the scene asks for.
 *
 * The world is stepped one step at a time, so that an interrupt (Ctrl-C) is answered after the step in hand:
 * report and state are then written as at the end. A second interrupt ends the program at once. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/output.h"
#include "cli/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef struct RunOptions {
  const char *out, *report, *device;
  int32_t frames; /* -1: as the scene says */
  int32_t threads;
  Texts sets;
} RunOptions;

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
  struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

/* One frame, step by step. ENDING_DONE: the frame is complete and the run goes on. */
static Ending run_frame(WeftWorld *world, const WeftSceneInfo *info, Progress *progress, int32_t frame,
                        WeftError *error) {
  for (int32_t s = 0; s < info->steps_per_frame; s++) {
    if (was_interrupted) return ENDING_INTERRUPTED;
    bool is_settled = false;
    WeftResult result = info->is_settle ? weft_world_settle(world, info->settle_speed, 1, &is_settled, error)
                                        : weft_world_step(world, 1, error);
    if (result != WEFT_RESULT_OK) return ENDING_FAILED;
    progress_show(progress, world, frame);
    if (is_settled) return ENDING_SETTLED;
  }
  return ENDING_DONE;
}

static Ending run_frames(WeftWorld *world, const WeftSceneInfo *info, Output *output, int32_t *frame,
                         WeftError *error) {
  Progress progress;
  progress_start(&progress, info->name, world, info->frames, info->steps_per_frame);
  Ending ending = output_frame(output, world, 0, info->frames == 0) ? ENDING_DONE : ENDING_NOT_WRITTEN;
  for (*frame = 0; ending == ENDING_DONE && *frame < info->frames;) {
    ending = run_frame(world, info, &progress, *frame + 1, error);
    if (ending != ENDING_DONE && ending != ENDING_SETTLED) break;
    ++*frame;
    bool is_last = ending == ENDING_SETTLED || *frame == info->frames;
    if (!output_frame(output, world, *frame, is_last)) ending = ENDING_NOT_WRITTEN;
  }
  progress_end(&progress);
  return ending;
}

static void warn_missed_pictures(const Output *output, const WeftSceneInfo *info, int32_t frame) {
  if (!output->folder) return;
  for (int32_t i = 0; i < info->picture_count; i++)
    if (info->pictures[i] > frame)
      fprintf(stderr, "weft: warning: no picture of frame %d, the run ended at frame %d\n", info->pictures[i],
              frame);
}

static void print_summary(FILE *stream, WeftWorld *world, const Output *output, Ending ending,
                          int32_t frame) {
  static const char *const how[] = {"done", "settled", "interrupted", "failed",
                                    "stopped: output could not be written"};
  WeftReport report;
  fprintf(stream, "%s at frame %d, %g s simulated\n", how[ending], frame, weft_world_time(world));
  if (weft_world_report(world, &report, NULL) == WEFT_RESULT_OK) {
    double mean = report.solves ? (double)report.solver_iterations / (double)report.solves : 0;
    fprintf(stream,
            "%lld steps in %.3g s, %.1f solver iterations a solve (most %lld), %lld retries, hash %016llx\n",
            (long long)report.steps, report.seconds, mean, (long long)report.solver_iterations_max,
            (long long)report.retries, (unsigned long long)report.state_hash);
  }
  if (!output->folder) {
    fputs("no files were written: --out DIR keeps frames, pictures, report and state\n", stream);
    return;
  }
  fprintf(stream, "written into %s: report.json, timeline.csv, state.weft, %d frames, %d pictures\n",
          output->folder,
          output->frames_folder && (output->info->writes_obj || output->info->writes_vertices ||
                                    output->info->writes_faces || output->info->writes_hinges)
              ? output->frame_count
              : 0,
          output->picture_count);
  if (output->last_picture) fprintf(stream, "picture: %s\n", output->last_picture);
}

static int simulate(const RunOptions *options, const char *path, WeftScene *scene, WeftWorld *world) {
  WeftSceneInfo info = weft_scene_info(scene);
  if (options->frames >= 0) info.frames = options->frames;
  Output output;
  WeftError error = {.message = ""};
  int32_t frame = 0;
  if (!output_open(&output, options->out, &info, options->threads)) {
    output_close(&output);
    return EXIT_FAILED;
  }
  catch_interrupts();
  Ending ending = run_frames(world, &info, &output, &frame, &error);
  if (ending == ENDING_FAILED) fail("frame %d: %s", frame + 1, error.message);
  bool is_kept = output_end(&output, world, path, options->report);
  if (ending != ENDING_FAILED && ending != ENDING_NOT_WRITTEN) warn_missed_pictures(&output, &info, frame);
  /* standard output belongs to the report when it goes there */
  bool is_piped = options->report && strcmp(options->report, "-") == 0;
  print_summary(is_piped ? stderr : stdout, world, &output, ending, frame);
  output_close(&output);
  int code = finish_stdout();
  if (ending == ENDING_INTERRUPTED) return EXIT_INTERRUPTED;
  if (ending == ENDING_FAILED || ending == ENDING_NOT_WRITTEN || !is_kept) return EXIT_FAILED;
  return code;
}

static int fail_no_scene(const char *written) {
  SceneNames names;
  if (!list_scenes(&names)) return fail("out of memory");
  int code = fail("no scene %s: %s%s; `weft list scenes` shows those that ship", written,
                  strchr(written, '/') ? strerror(ENOENT) : "neither a file nor a shipped scene",
                  did_you_mean(written, (const char *const *)names.items, names.count));
  free_scenes(&names);
  return code;
}

static int load_and_simulate(const RunOptions *options, const char *written) {
  char *path = find_scene(written);
  if (!path) return fail_no_scene(written);
  WeftScene *scene = NULL;
  WeftWorld *world = NULL;
  WeftError error;
  WeftResult result =
      weft_scene_load(path, options->sets.items, options->sets.count, stderr_log(), &scene, &error);
  if (result == WEFT_RESULT_OK)
    result = weft_scene_create_world(scene, options->threads, stderr_log(), &world, &error);
  if (result == WEFT_RESULT_OK && options->device)
    result = weft_world_use_device(world, options->device, &error);
  int code = result == WEFT_RESULT_OK ? simulate(options, path, scene, world) : fail("%s", error.message);
  weft_world_destroy(world);
  weft_scene_destroy(scene);
  free(path);
  return code;
}

static int run_run(int argument_count, char **arguments) {
  RunOptions run = {.frames = -1};
  const Option options[] = {{"out", OPTION_TEXT, &run.out, 0},
                            {"frames", OPTION_COUNT, &run.frames, 0},
                            {"threads", OPTION_COUNT, &run.threads, 1},
                            {"set", OPTION_TEXTS, &run.sets, 0},
                            {"report", OPTION_TEXT, &run.report, 0},
                            {"device", OPTION_TEXT, &run.device, 0},
                            {.kind = OPTION_END}};
  int left;
  bool is_help;
  int code = parse_options(&verb_run, options, argument_count, arguments, &left, &is_help);
  for (int i = 0; code == EXIT_FINE && !is_help && i < run.sets.count; i++)
    if (!strchr(run.sets.items[i], '=') || run.sets.items[i][0] == '=')
      code = fail_usage(&verb_run, "--set takes path=value, not \"%s\"", run.sets.items[i]);
  if (code == EXIT_FINE && !is_help && left != 1)
    code = fail_usage(&verb_run, left ? "one scene at a time, please" : "which scene?");
  if (code == EXIT_FINE && !is_help) code = load_and_simulate(&run, arguments[0]);
  free(run.sets.items);
  return code;
}

const Verb verb_run = {
    .name = "run",
    .arguments =
        "SCENE [--out DIR] [--frames N] [--threads N] [--device NAME] [--set path=value]...\n                "
        "[--report FILE]",
    .summary = "Simulate a scene and write frames, pictures and a report.",
    .details =
        "SCENE is a file, or the name of a scene that ships (`weft list scenes`).\n\n"
        "  --out DIR         write into this folder, made if need be: frames/ (OBJ and tables), pictures,\n"
        "                    timeline.csv (energies and momenta a frame), report.json, state.weft;\n"
        "                    without it no files are written\n"
        "  --frames N        so many frames instead of the scene's own number\n"
        "  --threads N       so many threads instead of one a core; results do not depend on it\n"
        "  --device NAME     run on cpu, opencl or opencl:N (`weft list devices`, docs/devices.md); when "
        "the\n"
        "                    device fails on the way the run goes on on the CPU\n"
        "  --set path=value  change a value of the scene, for example --set cloths.0.material=silk;\n"
        "                    may be given several times\n"
        "  --report FILE     write the report (JSON, docs/report.md) here too; - is standard output\n\n"
        "Ctrl-C ends the run after the step in hand; report and state are still written.\n",
    .run = run_run,
};
