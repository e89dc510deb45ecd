#include "cli/shots.h"

#include "cli/run_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fail_memory(void) { return fail("out of memory") == EXIT_FINE; }

/* The folder that holds a run's cache: the path itself, or where the cache lies. NULL when out of memory. */
static char *run_folder(const char *path) {
  const char *ending = strrchr(path, '.');
  if (!ending || strcmp(ending, ".weftcache") != 0) return strdup(path);
  const char *slash = strrchr(path, '/');
  return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

/* The world is the meter's, until it is opened. */
static void find_scene_of_run(Shots *shots) {
  shots->no_scene = "only a run's folder tells its scene";
  if (!shots->source.cache) return;
  char *folder = run_folder(shots->path);
  if (folder)
    run_record_load(folder, weft_cache_info(shots->source.cache).run, &shots->scene, &shots->meter.world,
                    &shots->no_scene);
  free(folder);
}

static bool make_parts(Shots *shots) {
  int32_t count = shots->source.mesh_count;
  shots->parts = calloc((size_t)count + 1, sizeof *shots->parts);
  shots->uvs = calloc((size_t)count + 1, sizeof *shots->uvs);
  shots->values = calloc((size_t)count + 1, sizeof *shots->values);
  if (!shots->parts || !shots->uvs || !shots->values) return fail_memory();
  for (int32_t m = 0; m < count; m++) {
    WeftPicturePart *part = &shots->parts[m];
    part->is_obstacle = m >= shots->source.cloth_count;
    if (part->is_obstacle)
      weft_picture_obstacle_palette(m - shots->source.cloth_count, part->color);
    else
      weft_picture_palette(m, part->color);
  }
  return true;
}

bool shots_open(Shots *shots, const char *path) {
  *shots = (Shots){.path = path};
  if (!source_open(&shots->source, path) || !make_parts(shots)) return false;
  shots->last = shots->source.frame_count - 1;
  find_scene_of_run(shots);
  return true;
}

void shots_close(Shots *shots) {
  for (int32_t m = 0; m < shots->source.mesh_count; m++) {
    if (shots->parts) free((void *)shots->parts[m].colors);
    if (shots->uvs) free(shots->uvs[m]);
    if (shots->values) free(shots->values[m]);
  }
  free(shots->parts);
  free(shots->uvs);
  free(shots->values);
  value_meter_close(&shots->meter);
  weft_scene_destroy(shots->scene);
  source_close(&shots->source);
}

bool shots_read(Shots *shots, int64_t index) {
  if (!source_read(&shots->source, index)) return false;
  for (int32_t m = 0; m < shots->source.mesh_count; m++) {
    const WeftMesh *mesh = &shots->source.meshes[m];
    WeftPicturePart *part = &shots->parts[m];
    part->vertex_count = mesh->vertex_count;
    part->positions = mesh->positions;
    part->triangle_count = mesh->triangle_count;
    part->triangles = mesh->triangles;
  }
  return true;
}

/* Values of the frame that was read become colours. */
static bool color_by_values(Shots *shots) {
  for (int32_t c = 0; c < shots->source.cloth_count; c++) {
    WeftPicturePart *part = &shots->parts[c];
    double *colors = realloc((void *)part->colors, 3 * sizeof *colors * ((size_t)part->vertex_count + 1));
    if (!colors) return fail_memory();
    part->colors = colors;
    part->is_chart = true;
    double factor = value_facts[shots->meter.kind].factor;
    for (int32_t v = 0; v < part->vertex_count; v++)
      weft_picture_scale_color(&shots->scale, factor * shots->values[c][v], colors + 3 * (size_t)v);
  }
  return true;
}

bool shots_draw(Shots *shots, int64_t index, uint8_t *rgb) {
  if (!shots_read(shots, index)) return false;
  if (shots->has_values && (!shots_measure(shots, index) || !color_by_values(shots))) return false;
  WeftError error;
  WeftResult result = weft_picture_draw(&shots->view, shots->source.mesh_count, shots->parts, rgb, &error);
  if (result != WEFT_RESULT_OK) return fail("%s", error.message) == EXIT_FINE;
  if (shots->has_values) weft_picture_legend(&shots->scale, shots->view.width, shots->view.height, rgb);
  return true;
}

bool shots_rate(Shots *shots, double *rate) {
  *rate = 25;
  if (!shots->source.cache || shots->last == shots->first) return true;
  if (!source_read(&shots->source, shots->first)) return false;
  double start = shots->source.time;
  if (!source_read(&shots->source, shots->last)) return false;
  double seconds = shots->source.time - start;
  if (seconds > 0) *rate = fmin(fmax((double)(shots->last - shots->first) / seconds, 1), 240);
  return true;
}
