/* weft check FILE...: do meshes intersect? Options, frame after frame, and the verdict. */
#include "cli/check.h"
#include "cli/cli.h"

#include <stdlib.h>

typedef struct CheckRun {
  CheckSource *sources;
  int source_count;
  int64_t frame_count;
  int32_t mesh_count; /* of a frame */
  WeftCheckMesh *meshes;
  char **names; /* mesh_count x NAME_SIZE */
  WeftCheckOptions options;
  bool is_json;
  WeftJsonWriter json;
  int64_t judged, with_hits, hits;
  int32_t first_with_hits; /* frame */
  bool is_broken;          /* a frame could not be judged */
} CheckRun;

enum { NAME_SIZE = 512 };

/* Sources that move must have the same number of frames. False after a message. */
static bool agree_on_frames(CheckRun *run) {
  const CheckSource *first = NULL;
  run->frame_count = 1;
  for (int i = 0; i < run->source_count; i++) {
    const CheckSource *source = &run->sources[i];
    run->mesh_count += source->mesh_count;
    if (source->is_still) continue;
    if (first && first->frame_count != source->frame_count) {
      fail("%s has %lld frames, %s has %lld: sequences that are judged together must have as many",
           first->name, (long long)first->frame_count, source->name, (long long)source->frame_count);
      return false;
    }
    first = source;
    run->frame_count = source->frame_count;
  }
  return true;
}

static bool make_room(CheckRun *run) {
  run->meshes = calloc((size_t)run->mesh_count + 1, sizeof *run->meshes);
  run->names = calloc((size_t)run->mesh_count + 1, sizeof *run->names);
  bool has_memory = run->meshes && run->names;
  for (int32_t i = 0; has_memory && i < run->mesh_count; i++)
    has_memory = (run->names[i] = calloc(1, NAME_SIZE)) != NULL;
  if (!has_memory) fail("out of memory");
  return has_memory;
}

/* The meshes of a frame; its number and time are those of the first source that moves. False after a message.
 */
static bool gather(CheckRun *run, int64_t index, CheckedFrame *frame) {
  *frame = (CheckedFrame){.time = -1, .mesh_count = run->mesh_count, .names = run->names};
  int32_t mesh = 0;
  bool is_numbered = false;
  for (int i = 0; i < run->source_count; i++) {
    CheckSource *source = &run->sources[i];
    if (!source_read(source, index)) return false;
    if (!source->is_still && !is_numbered) {
      frame->frame = source->frame;
      frame->time = source->time;
      is_numbered = true;
    }
    for (int32_t m = 0; m < source->mesh_count; m++, mesh++) {
      const WeftMesh *from = &source->meshes[m];
      source_mesh_name(source, m, run->names[mesh], NAME_SIZE);
      run->meshes[mesh] = (WeftCheckMesh){run->names[mesh],     from->vertex_count, from->positions,
                                          from->triangle_count, from->triangles,    m >= source->cloth_count};
    }
  }
  return true;
}

/* False after a message; the frames after it are judged nevertheless. */
static bool judge_frame(CheckRun *run, int64_t index) {
  CheckedFrame frame;
  WeftCheck check;
  WeftError error;
  if (!gather(run, index, &frame)) return false;
  WeftResult result = weft_check_meshes(run->mesh_count, run->meshes, &run->options, &check, &error);
  if (result == WEFT_RESULT_OK) {
    frame.check = &check;
    run->judged++;
    run->hits += check.total.hits;
    if (check.total.hits && run->with_hits++ == 0) run->first_with_hits = frame.frame;
    if (run->is_json)
      write_frame(&run->json, &frame);
    else
      tell_frame(&frame, run->frame_count == 1);
  } else {
    fail("%s", error.message);
  }
  weft_check_free(&check);
  return result == WEFT_RESULT_OK;
}

static void write_integer(WeftJsonWriter *json, const char *key, int64_t value) {
  weft_json_write_key(json, key);
  weft_json_write_integer(json, value);
}

/* False after a message. */
static bool print_json(CheckRun *run) {
  WeftJsonWriter *json = &run->json;
  weft_json_end_list(json);
  write_integer(json, "frames_judged", run->judged);
  write_integer(json, "frames_not_judged", run->frame_count - run->judged);
  write_integer(json, "frames_with_hits", run->with_hits);
  weft_json_write_key(json, "first_frame_with_hits");
  if (run->with_hits)
    weft_json_write_integer(json, run->first_with_hits);
  else
    weft_json_write_null(json);
  write_integer(json, "hits", run->hits);
  weft_json_end_object(json);
  char *text;
  size_t size;
  WeftError error;
  if (weft_json_finish(json, &text, &size, &error) != WEFT_RESULT_OK)
    return fail("%s", error.message) == EXIT_FINE;
  fputs(text, stdout);
  free(text);
  return true;
}

static void tell_end(const CheckRun *run) {
  if (run->frame_count == 1) return;
  printf("%lld frames judged, ", (long long)run->judged);
  if (run->with_hits)
    printf("%lld with intersections, the first is frame %d\n", (long long)run->with_hits,
           run->first_with_hits);
  else
    puts("none with intersections");
}

static int judge_all(CheckRun *run) {
  if (!agree_on_frames(run) || !make_room(run)) return EXIT_NOT_JUDGED;
  run->json = weft_json_writer(true);
  weft_json_begin_object(&run->json);
  write_integer(&run->json, "check_version", 1);
  weft_json_write_key(&run->json, "weft_version");
  weft_json_write_text(&run->json, weft_version());
  weft_json_write_key(&run->json, "frames");
  weft_json_begin_list(&run->json);
  for (int64_t i = 0; i < run->frame_count; i++) run->is_broken = !judge_frame(run, i) || run->is_broken;
  if (run->is_json)
    run->is_broken = !print_json(run) || run->is_broken;
  else
    tell_end(run);
  if (finish_stdout() != EXIT_FINE || run->is_broken) return EXIT_NOT_JUDGED;
  return run->hits ? EXIT_INTERSECTIONS : EXIT_FINE;
}

/* What of a cache is not, or not quite, what was simulated. */
static void warn_about(const CheckSource *source) {
  if (!source->cache) return;
  WeftCacheInfo info = weft_cache_info(source->cache);
  if (info.ignored_bytes)
    fprintf(stderr,
            "weft: warning: %s: %llu bytes behind its last complete frame were not judged: it is being "
            "written, or was cut off\n",
            source->name, (unsigned long long)info.ignored_bytes);
  if (info.quantise_bits)
    fprintf(stderr,
            "weft: warning: %s was written with %d bits a coordinate: what is judged is not quite what was "
            "simulated\n",
            source->name, info.quantise_bits);
}

static int open_and_judge(CheckRun *run, int count, char **paths, bool is_sequence) {
  run->sources = calloc((size_t)count, sizeof *run->sources);
  if (!run->sources) {
    fail("out of memory");
    return EXIT_NOT_JUDGED;
  }
  bool is_open = true;
  if (is_sequence) {
    run->source_count = 1;
    is_open = source_open_frames(run->sources, count, paths);
  }
  for (int i = 0; i < count && !is_sequence && is_open; i++) {
    run->source_count++;
    is_open = source_open(&run->sources[i], paths[i]);
    if (is_open) warn_about(&run->sources[i]);
  }
  int code = is_open ? judge_all(run) : EXIT_NOT_JUDGED;
  for (int i = 0; i < run->source_count; i++) source_close(&run->sources[i]);
  for (int32_t i = 0; run->names && i < run->mesh_count; i++) free(run->names[i]);
  weft_json_writer_free(&run->json);
  free(run->names);
  free(run->meshes);
  free(run->sources);
  return code;
}

static int run_check(int argument_count, char **arguments) {
  CheckRun run = {.options = {.list = 10}};
  bool is_sequence = false, is_help;
  const Option options[] = {{"json", OPTION_FLAG, &run.is_json, 0},
                            {"sequence", OPTION_FLAG, &is_sequence, 0},
                            {"list", OPTION_COUNT, &run.options.list, 0},
                            {"threads", OPTION_COUNT, &run.options.threads, 1},
                            {.kind = OPTION_END}};
  int left;
  int code = parse_options(&verb_check, options, argument_count, arguments, &left, &is_help);
  if (code != EXIT_FINE) return EXIT_NOT_JUDGED;
  if (is_help) return EXIT_FINE;
  if (left == 0) return fail_usage(&verb_check, "which meshes?");
  return open_and_judge(&run, left, arguments, is_sequence);
}

const Verb verb_check = {
    .name = "check",
    .arguments = "FILE... [--sequence] [--list N] [--threads N] [--json]",
    .summary = "Tell whether meshes intersect, exactly.",
    .details =
        "Every edge is held against every triangle with which it shares no vertex: no tolerance, touching\n"
        "counts (docs/check.md). FILE is a mesh (OBJ or PLY), a cache of frames, the folder of a run, or a\n"
        "folder with a mesh a frame. Several FILEs are judged together; a mesh beside a cache or a folder "
        "is\n"
        "there in every frame.\n\n"
        "  --sequence        the meshes are frames one after another, instead of together\n"
        "  --list N          list so many intersections a frame, 10 if not said\n"
        "  --threads N       so many threads instead of one a core; results do not depend on it\n"
        "  --json            tell it as JSON (docs/check.md)\n\n"
        "Exit code: 0 no intersections, 1 some, 2 not judged: a file cannot be read, or is refused.\n",
    .run = run_check,
};
