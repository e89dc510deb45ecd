/* Colours: fabrics, a plain colour, or values with a legend. */
#include "cli/shots.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const palette_names[] = {"madder", "indigo",   "saffron", "fern",
                                            "linen",  "mulberry", "teal",    "coral"};
enum { PALETTE_COUNT = sizeof palette_names / sizeof palette_names[0] };

static bool fail_memory(void) { return fail("out of memory") == EXIT_FINE; }

static void paint(Shots *shots, const double color[3]) {
  for (int32_t c = 0; c < shots->source.cloth_count; c++)
    memcpy(shots->parts[c].color, color, 3 * sizeof *color);
}

static bool read_hex(const char *text, double color[3]) {
  if (strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6) return false;
  long value = strtol(text + 1, NULL, 16);
  for (int k = 0; k < 3; k++) color[k] = weft_picture_linear((value >> (16 - 8 * k)) & 255);
  return true;
}

/* Speeds as the cache has them, of the frame that was read. */
static bool take_speeds(Shots *shots) {
  const CheckSource *source = &shots->source;
  WeftError error;
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t c = 0; c < source->cloth_count && result == WEFT_RESULT_OK; c++) {
    size_t count = 3 * (size_t)source->meshes[c].vertex_count;
    double *velocities = calloc(2 * count + 1, sizeof *velocities); /* and as many zeros */
    if (!velocities) return fail_memory();
    result = weft_cache_velocities(source->cache, c, velocities, &error);
    value_speeds(source->meshes[c].vertex_count, velocities + count, velocities, 1, shots->values[c]);
    free(velocities);
  }
  return result == WEFT_RESULT_OK || fail("%s", error.message) == EXIT_FINE;
}

/* The positions of all cloths, one behind the other. NULL after a message. */
static double *copy_positions(const CheckSource *source) {
  size_t count = 0, at = 0;
  for (int32_t c = 0; c < source->cloth_count; c++) count += 3 * (size_t)source->meshes[c].vertex_count;
  double *copy = malloc((count + 1) * sizeof *copy);
  if (!copy) fail_memory();
  for (int32_t c = 0; copy && c < source->cloth_count; c++) {
    size_t size = 3 * (size_t)source->meshes[c].vertex_count;
    memcpy(copy + at, source->meshes[c].positions, size * sizeof *copy);
    at += size;
  }
  return copy;
}

/* Speeds from the frames before and after. */
static bool find_speeds(Shots *shots, int64_t index) {
  CheckSource *source = &shots->source;
  int64_t after = index + 1 < source->frame_count ? index + 1 : index;
  if (!source_read(source, index > 0 ? index - 1 : index)) return false;
  double start = source->time, *before = copy_positions(source);
  bool is_fine = before && source_read(source, after);
  double seconds = fmax(source->time - start, 1e-300);
  size_t at = 0;
  for (int32_t c = 0; is_fine && c < source->cloth_count; c++) {
    value_speeds(source->meshes[c].vertex_count, before + at, source->meshes[c].positions, seconds,
                 shots->values[c]);
    at += 3 * (size_t)source->meshes[c].vertex_count;
  }
  free(before);
  return is_fine && source_read(source, index);
}

static bool take_pressures(Shots *shots) {
  WeftError error;
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t c = 0; c < shots->source.cloth_count && result == WEFT_RESULT_OK; c++)
    result = weft_cache_pressures(shots->source.cache, c, shots->values[c], &error);
  return result == WEFT_RESULT_OK || fail("%s", error.message) == EXIT_FINE;
}

bool shots_measure(Shots *shots, int64_t index) {
  for (int32_t c = 0; c < shots->source.cloth_count; c++) {
    double *values =
        realloc(shots->values[c], sizeof *values * ((size_t)shots->source.meshes[c].vertex_count + 1));
    if (!values) return fail_memory();
    shots->values[c] = values;
  }
  if (shots->meter.kind == VALUE_SPEED)
    return weft_cache_info(shots->source.cache).has_velocities ? take_speeds(shots)
                                                               : find_speeds(shots, index);
  if (shots->meter.kind == VALUE_PRESSURE) return take_pressures(shots);
  WeftError error;
  WeftResult result = value_meter_measure(&shots->meter, shots->source.meshes, shots->values, &error);
  return result == WEFT_RESULT_OK || fail("%s", error.message) == EXIT_FINE;
}

/* The range of the legend: what 98 % of the vertices stay within in every chosen frame, rounded up. */
static bool find_range(Shots *shots) {
  const ValueFacts *facts = &value_facts[shots->meter.kind];
  double most = 0;
  for (int64_t i = shots->first; i <= shots->last; i++) {
    if (!shots_read(shots, i) || !shots_measure(shots, i)) return false;
    for (int32_t c = 0; c < shots->source.cloth_count; c++) {
      double value;
      WeftError error;
      if (value_quantile(shots->parts[c].vertex_count, shots->values[c], 0.98, &value, &error) !=
          WEFT_RESULT_OK)
        return fail("%s", error.message) == EXIT_FINE;
      most = fmax(most, value * facts->factor);
    }
  }
  if (shots->meter.kind == VALUE_GAP) most = shots->meter.reach * facts->factor;
  /* below this there is nothing but rounding */
  shots->scale.high = weft_picture_round_up(fmax(most, 1e-6));
  shots->scale.low = facts->is_signed ? -shots->scale.high : 0;
  return true;
}

/* ":LOW:HIGH" */
static bool read_range(const char *text, WeftPictureScale *scale) {
  char *end;
  if (*text != ':') return false;
  scale->low = strtod(text + 1, &end);
  if (end == text + 1 || *end != ':') return false;
  text = end + 1;
  scale->high = strtod(text, &end);
  return end != text && !*end && isfinite(scale->low) && isfinite(scale->high) && scale->low < scale->high;
}

/* Strain and bending are measured against the rest shape: the scene's, else the mesh's uv, else the first
 * frame. */
static int open_meter(Shots *shots, ValueKind kind) {
  const double gap_shown = 5e-3; /* [m], without a range */
  CheckSource *source = &shots->source;
  const ValueFacts *facts = &value_facts[kind];
  bool needs_rest = kind != VALUE_SPEED && kind != VALUE_GAP && kind != VALUE_PRESSURE;
  if (kind == VALUE_SPEED && (!source->cache || source->frame_count < 2) &&
      !(source->cache && weft_cache_info(source->cache).has_velocities))
    return fail("%s: there is no speed without a second frame and its time", shots->path);
  if (kind == VALUE_PRESSURE && !(source->cache && weft_cache_info(source->cache).has_pressures))
    return fail("%s: there are no contact pressures: they are in the caches of runs with collision",
                shots->path);
  if (needs_rest && source->is_still && !source->meshes[0].uvs)
    return fail("%s: %s needs a rest shape: a run's folder, or a mesh with uv in metres", shots->path,
                facts->name);
  if (!source_read(source, 0)) return EXIT_FAILED;
  if (needs_rest && !shots->meter.world && !source->is_still)
    fprintf(stderr, "weft: warning: %s: %s is measured against the first frame: %s\n", shots->path,
            facts->name, shots->no_scene);
  double reach = shots->scale.high > shots->scale.low ? shots->scale.high / facts->factor : gap_shown;
  WeftError error;
  WeftResult result = value_meter_open(&shots->meter, kind, source->mesh_count, source->cloth_count,
                                       source->meshes, shots->meter.world, reach, &error);
  if (result != WEFT_RESULT_OK) return fail("%s", error.message);
  shots->has_values = true;
  return EXIT_FINE;
}

static int use_values(Shots *shots, const Verb *verb, ValueKind kind, const char *range) {
  const ValueFacts *facts = &value_facts[kind];
  shots->scale = (WeftPictureScale){facts->title, facts->unit, 0, 0, facts->is_signed};
  if (*range && !read_range(range, &shots->scale))
    return fail_usage(verb, "--color %s takes a range like %s:%s, not \"%s\"", facts->name, facts->name,
                      facts->is_signed ? "-2:2" : "0:10", range);
  int code = open_meter(shots, kind);
  if (code == EXIT_FINE && !*range && !find_range(shots)) code = EXIT_FAILED;
  return code;
}

static int fail_color(const Verb *verb, const char *color) {
  const char *names[PALETTE_COUNT + VALUE_COUNT + 1] = {"fabric"};
  int count = 1;
  for (int i = 0; i < PALETTE_COUNT; i++) names[count++] = palette_names[i];
  for (int i = 0; i < VALUE_COUNT; i++) names[count++] = value_facts[i].name;
  return fail_usage(verb, "there is no colour \"%s\"%s", color, did_you_mean(color, names, count));
}

int shots_color(Shots *shots, const Verb *verb, const char *color) {
  double plain[3];
  size_t length = strcspn(color, ":");
  for (int kind = 0; kind < VALUE_COUNT; kind++)
    if (strlen(value_facts[kind].name) == length && strncmp(color, value_facts[kind].name, length) == 0)
      return use_values(shots, verb, (ValueKind)kind, color + length);
  if (strcmp(color, "fabric") == 0) return shots_weave(shots) ? EXIT_FINE : EXIT_FAILED;
  for (int i = 0; i < PALETTE_COUNT; i++) {
    if (strcmp(color, palette_names[i]) != 0) continue;
    weft_picture_palette(i, plain);
    paint(shots, plain);
    return shots_weave(shots) ? EXIT_FINE : EXIT_FAILED;
  }
  if (color[0] != '#') return fail_color(verb, color);
  if (!read_hex(color, plain)) return fail_usage(verb, "a colour is #rrggbb, not \"%s\"", color);
  paint(shots, plain);
  return shots_weave(shots) ? EXIT_FINE : EXIT_FAILED;
}
