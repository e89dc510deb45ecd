/* weft detect FRAME0 [FRAME1]: detection alone, to compare methods with each other and with papers. */
#include "cli/cli.h"
#include "cli/files.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/detect.h>

typedef struct Choices {
  const char *method, *dcd, *device, *pairs;
  bool is_ccd, is_json;
  int32_t threads;
  double distance; /* of --dcd [m] */
} Choices;

typedef struct Frames {
  const char *path[2];
  WeftMesh mesh[2];
  int count;
} Frames;

static void free_frames(Frames *frames) {
  for (int i = 0; i < frames->count; i++) weft_mesh_free(&frames->mesh[i]);
}

static int read_frames(Frames *frames, int count, char **paths) {
  WeftError error;
  for (int i = 0; i < count; i++) {
    frames->path[i] = paths[i];
    if (weft_mesh_read(paths[i], &frames->mesh[i], &error)) return fail("%s", error.message);
    frames->count++;
  }
  const WeftMesh *a = &frames->mesh[0], *b = &frames->mesh[1];
  if (count < 2) return EXIT_FINE;
  if (a->vertex_count != b->vertex_count || a->triangle_count != b->triangle_count ||
      memcmp(a->triangles, b->triangles, 3 * (size_t)a->triangle_count * sizeof *a->triangles) != 0) {
    return fail(
        "%s and %s are not two frames of one mesh: %d vertices and %d triangles, %d and %d; their "
        "triangles have to be the same",
        paths[0], paths[1], a->vertex_count, a->triangle_count, b->vertex_count, b->triangle_count);
  }
  return EXIT_FINE;
}

/* One CSV line a pair. Numbers count from 0; a face is a triangle. */
static bool write_pairs(FILE *file, const char *kind, const WeftDetectedPairs *pairs) {
  for (int64_t i = 0; i < pairs->count; i++) {
    const int32_t *f = pairs->features + 2 * i, *v = pairs->vertices + 4 * i;
    if (fprintf(file, "%s,%d,%d,%d,%d,%d,%d,%.17g\n", kind, f[0], f[1], v[0], v[1], v[2], v[3],
                pairs->values[i]) < 0)
      return false;
  }
  return true;
}

static int write_pair_file(const char *path, const WeftDetected *found, bool is_impacts) {
  NewFile file;
  if (!new_file_open(&file, path)) return EXIT_FAILED;
  bool is_written = fprintf(file.stream, "kind,feature_a,feature_b,v0,v1,v2,v3,%s\n",
                            is_impacts ? "time" : "distance") > 0 &&
                    write_pairs(file.stream, "vf", &found->vertex_face) &&
                    write_pairs(file.stream, "ee", &found->edge_edge);
  if (!is_written) {
    int code = fail("%s: could not be written to its end: %s", path, strerror(errno));
    new_file_drop(&file);
    return code;
  }
  return new_file_close(&file) ? EXIT_FINE : EXIT_FAILED;
}

static double seconds_of(const WeftDetected *found) {
  double sum = 0;
  for (int p = 0; p < WEFT_DETECT_PHASES; p++) sum += found->seconds[p];
  return sum;
}

static void print_text(const WeftDetected *found, const char *frame, bool is_impacts) {
  printf("frame           %s\n", frame);
  printf("box tests       %.0f\noverlaps        %lld pairs of triangles\n", found->box_tests,
         (long long)found->overlaps);
  printf("tests           %lld vertex-face, %lld edge-edge\n", (long long)found->tests_vf,
         (long long)found->tests_ee);
  printf("hits            %lld vertex-face, %lld edge-edge\n", (long long)found->vertex_face.count,
         (long long)found->edge_edge.count);
  if (is_impacts && isfinite(found->first_impact)) printf("first impact    %.17g\n", found->first_impact);
  if (!is_impacts && isfinite(found->least_distance))
    printf("least distance  %.17g m\n", found->least_distance);
  printf("time            %.3f ms:", 1e3 * seconds_of(found));
  for (int p = 0; p < WEFT_DETECT_PHASES; p++)
    printf("%s %s %.3f", p ? "," : "", weft_detect_phase_name(p), 1e3 * found->seconds[p]);
  putchar('\n');
}

static void print_or_null(const char *key, double value) {
  if (isfinite(value))
    printf("  \"%s\": %.17g,\n", key, value);
  else
    printf("  \"%s\": null,\n", key);
}

/* File names are left out: they may hold anything; method and device are words of ours. */
static void print_json(const WeftDetected *found, const Choices *choices, int frame) {
  printf("{\n  \"frame\": %d,\n  \"method\": \"%s\",\n  \"kind\": \"%s\",\n", frame, choices->method,
         choices->is_ccd ? "ccd" : "dcd");
  if (!choices->is_ccd) printf("  \"distance\": %.17g,\n", choices->distance);
  printf("  \"box_tests\": %.0f,\n  \"overlaps\": %lld,\n", found->box_tests, (long long)found->overlaps);
  printf("  \"tests_vf\": %lld,\n  \"tests_ee\": %lld,\n", (long long)found->tests_vf,
         (long long)found->tests_ee);
  printf("  \"hits_vf\": %lld,\n  \"hits_ee\": %lld,\n", (long long)found->vertex_face.count,
         (long long)found->edge_edge.count);
  print_or_null("first_impact", found->first_impact);
  print_or_null("least_distance", found->least_distance);
  printf("  \"seconds\": {");
  for (int p = 0; p < WEFT_DETECT_PHASES; p++)
    printf("%s\"%s\": %.9f", p ? ", " : "", weft_detect_phase_name(p), found->seconds[p]);
  printf("}\n}");
}

static int report(const Choices *choices, const Frames *frames, int frame, const WeftDetected *found) {
  if (choices->is_json) {
    print_json(found, choices, frame);
    fputs(choices->is_ccd || frame + 1 == frames->count ? "\n" : ",\n", stdout);
  } else {
    print_text(found, frames->path[frame], choices->is_ccd);
  }
  if (!choices->pairs || (!choices->is_ccd && frame + 1 < frames->count)) return EXIT_FINE;
  return write_pair_file(choices->pairs, found, choices->is_ccd);
}

static int detect(const Choices *choices, const Frames *frames, WeftDetection *detection) {
  WeftDetected found;
  WeftError error;
  int code = EXIT_FINE;
  if (choices->is_json) puts("[");
  if (choices->is_ccd) {
    if (weft_detection_impacts(detection, frames->mesh[0].positions, frames->mesh[1].positions, 0, &found,
                               &error))
      return fail("%s", error.message);
    code = report(choices, frames, 0, &found);
  }
  for (int i = 0; !choices->is_ccd && i < frames->count && !code; i++) {
    if (weft_detection_close(detection, frames->mesh[i].positions, choices->distance, &found, &error))
      return fail("%s: %s", frames->path[i], error.message);
    code = report(choices, frames, i, &found);
  }
  if (choices->is_json) puts("]");
  return code ? code : finish_stdout();
}

static int detect_in(const Choices *choices, const Frames *frames) {
  WeftDetectDef def = weft_default_detect_def();
  WeftDetection *detection = NULL;
  WeftError error;
  def.vertex_count = frames->mesh[0].vertex_count;
  def.triangle_count = frames->mesh[0].triangle_count;
  def.triangles = frames->mesh[0].triangles;
  def.method = choices->method;
  def.device = choices->device;
  def.threads = choices->threads;
  if (weft_detection_create(&def, &detection, &error)) return fail("%s", error.message);
  int code = detect(choices, frames, detection);
  weft_detection_destroy(detection);
  return code;
}

static int run(int argument_count, char **arguments) {
  Choices choices = {.method = weft_default_detect_def().method, .device = weft_default_detect_def().device};
  const Option options[] = {
      {"method", OPTION_TEXT, &choices.method, 0},    {"dcd", OPTION_TEXT, &choices.dcd, 0},
      {"ccd", OPTION_FLAG, &choices.is_ccd, 0},       {"pairs", OPTION_TEXT, &choices.pairs, 0},
      {"json", OPTION_FLAG, &choices.is_json, 0},     {"device", OPTION_TEXT, &choices.device, 0},
      {"threads", OPTION_COUNT, &choices.threads, 1}, {.kind = OPTION_END}};
  int left;
  bool is_help;
  int code = parse_options(&verb_detect, options, argument_count, arguments, &left, &is_help);
  if (code || is_help) return code;
  if (left < 1 || left > 2) return fail_usage(&verb_detect, "give one or two frames, not %d files", left);
  if (choices.is_ccd && choices.dcd) return fail_usage(&verb_detect, "give --dcd or --ccd, not both");
  if (choices.is_ccd && left < 2) return fail_usage(&verb_detect, "--ccd needs two frames, start and end");
  if (!choices.dcd && left == 2) choices.is_ccd = true;
  if (choices.dcd) {
    char *end;
    choices.distance = strtod(choices.dcd, &end);
    if (end == choices.dcd || *end || !(choices.distance >= 0) || !isfinite(choices.distance))
      return fail_usage(&verb_detect, "--dcd takes a distance in metres, 0 or more, not \"%s\"", choices.dcd);
  } else if (!choices.is_ccd) {
    return fail_usage(&verb_detect, "one frame needs --dcd DISTANCE; --ccd needs a second frame");
  }
  Frames frames = {0};
  code = read_frames(&frames, left, arguments);
  if (!code) code = detect_in(&choices, &frames);
  free_frames(&frames);
  return code;
}

const Verb verb_detect = {
    "detect", "FRAME0 [FRAME1] [--dcd DISTANCE | --ccd] [OPTIONS]", "find close or colliding pairs of meshes",
    "  --ccd             vertices move from FRAME0 to FRAME1: what hits, and when (with two frames the "
    "default)\n"
    "  --dcd DISTANCE    what is no further apart than so many metres, in each frame\n"
    "  --method METHOD   broad phase, see `weft list methods`\n"
    "  --pairs FILE      write the pairs found (of the last frame) as CSV\n"
    "  --json            print a list of JSON objects, one a query\n"
    "  --device DEVICE   cpu, opencl or opencl:N\n"
    "  --threads N       as many as there are cores if not given\n"
    "Frames are meshes (OBJ, PLY) with the same triangles. Pairs that share a vertex are left out.\n",
    run};
