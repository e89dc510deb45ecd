/* weft run SCENE: options, and the scene they are for. */
#include "cli/run.h"
#include "cli/cli.h"
#include "cli/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int fail_no_scene(const char *written) {
  SceneNames names;
  if (!list_scenes(&names)) return fail("out of memory");
  int code = fail("no scene %s: %s%s; `weft list scenes` shows those that ship", written,
                  strchr(written, '/') ? strerror(ENOENT) : "neither a file nor a shipped scene",
                  did_you_mean(written, (const char *const *)names.items, names.count));
  free_scenes(&names);
  return code;
}

static int load_and_simulate(const RunOptions *options) {
  char *path = find_scene(options->scene);
  if (!path) return fail_no_scene(options->scene);
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
  RunOptions run = {.frames = -1, .checkpoint = -1};
  const Option options[] = {{"out", OPTION_TEXT, &run.out, 0},
                            {"frames", OPTION_COUNT, &run.frames, 0},
                            {"threads", OPTION_COUNT, &run.threads, 1},
                            {"set", OPTION_TEXTS, &run.sets, 0},
                            {"report", OPTION_TEXT, &run.report, 0},
                            {"checkpoint", OPTION_COUNT, &run.checkpoint, 0},
                            {"resume", OPTION_FLAG, &run.resume, 0},
                            {"overwrite", OPTION_FLAG, &run.overwrite, 0},
                            {"device", OPTION_TEXT, &run.device, 0},
                            {"check", OPTION_FLAG, &run.check, 0},
                            {.kind = OPTION_END}};
  int left;
  bool is_help;
  int code = parse_options(&verb_run, options, argument_count, arguments, &left, &is_help);
  for (int i = 0; code == EXIT_FINE && !is_help && i < run.sets.count; i++)
    if (!strchr(run.sets.items[i], '=') || run.sets.items[i][0] == '=')
      code = fail_usage(&verb_run, "--set takes path=value, not \"%s\"", run.sets.items[i]);
  if (code == EXIT_FINE && !is_help && left != 1)
    code = fail_usage(&verb_run, left ? "one scene at a time, please" : "which scene?");
  if (code == EXIT_FINE && !is_help && !run.out && (run.resume || run.overwrite || run.checkpoint >= 0))
    code = fail_usage(&verb_run, "--%s needs --out DIR, the folder of the run",
                      run.resume      ? "resume"
                      : run.overwrite ? "overwrite"
                                      : "checkpoint");
  if (code == EXIT_FINE && !is_help && run.resume && run.overwrite)
    code = fail_usage(&verb_run, "--resume goes on with a run, --overwrite throws it away: one of them");
  if (code == EXIT_FINE && !is_help) {
    run.scene = arguments[0];
    code = load_and_simulate(&run);
  }
  free(run.sets.items);
  return code;
}

const Verb verb_run = {
    .name = "run",
    .arguments =
        "SCENE [--out DIR [--resume]] [--frames N] [--threads N] [--device NAME]\n"
        "                [--set path=value]... [--report FILE] [--check]",
    .summary = "Simulate a scene and write frames, pictures and a report.",
    .details =
        "SCENE is a file, or the name of a scene that ships (`weft list scenes`).\n\n"
        "  --out DIR         write into this folder, made if need be: frames.weftcache (all frames, "
        "docs/cache.md),\n"
        "                    frames/ (OBJ and tables), pictures, timeline.csv (energies, momenta and "
        "costs a frame),\n"
        "                    run.json, report.json, state.weft, checkpoints; without it no files "
        "are written\n"
        "  --resume          go on with the run in DIR from its last checkpoint, as if it had never "
        "stopped;\n"
        "                    threads and number of frames may differ, the scene may not;\n"
        "                    where nothing was begun yet, begin\n"
        "  --overwrite       begin anew in a folder that holds an unfinished run, which is refused "
        "otherwise\n"
        "  --checkpoint S    seconds between two checkpoints, 30 if not said; 0: after every step\n"
        "  --frames N        so many frames instead of the scene's own number\n"
        "  --threads N       so many threads instead of one a core; results do not depend on it\n"
        "  --device NAME     run on cpu, opencl or opencl:N (`weft list devices`, docs/devices.md); when "
        "the\n"
        "                    device fails on the way the run goes on on the CPU\n"
        "  --set path=value  change a value of the scene, for example --set cloths.0.material=silk;\n"
        "                    may be given several times\n"
        "  --report FILE     write the report (JSON, docs/report.md) here too; - is standard output\n"
        "  --check           judge start and every step as `weft check` does, into report and check.csv; "
        "the\n"
        "                    run goes on whatever is found, and ends with exit code 1 when something was\n\n"
        "Ctrl-C ends the run after the step in hand; report, state and a checkpoint are written, and the "
        "command\n"
        "that goes on is shown. After a crash or a full disk --resume goes on too.\n",
    .run = run_run,
};
