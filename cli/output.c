#include "cli/output.h"

#include "cli/cli.h"
#include "cli/cut.h"
#include "cli/files.h"
#include "cli/tables.h"
#include "cli/timeline.h"
#include "picture/scale.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool output_open(Output *output, const char *folder, const WeftSceneInfo *info, int32_t threads) {
  *output = (Output){
      .folder = folder, .info = info, .threads = threads, .notes = {.last_frame = -1, .last_drawn = -1}};
  if (!folder) return true;
  bool has_frames = info->writes_obj || info->writes_vertices || info->writes_faces || info->writes_hinges;
  output->frames_folder = join_path(folder, "frames");
  bool is_made = output->frames_folder && make_folder(folder) && can_write_in(folder);
  if (is_made && has_frames) is_made = make_folder(output->frames_folder);
  if (!is_made) {
    fail("cannot write into the folder %s: %s", folder, strerror(errno));
    return false;
  }
  output->timeline = timeline_open(folder);
  return output->timeline != NULL;
}

static bool has_collisions(WeftWorld *world) {
  WeftReport report;
  return weft_world_report(world, &report, NULL) == WEFT_RESULT_OK && report.link_in_chain_count > 0;
}

/* last_frame: of a cache to go on with; -2: a new one. */
static bool open_cache(Output *output, WeftWorld *world, uint64_t run, int32_t last_frame) {
  const WeftSceneInfo *info = output->info;
  if (!info->writes_cache) return true;
  WeftError error = {.message = "out of memory"};
  WeftCacheOptions options = {.scene = info->name,
                              .run = run,
                              .frame_rate = info->frame_rate,
                              .quantise_bits = info->cache_bits,
                              .has_velocities = info->cache_velocities,
                              .has_rest = true,
                              .has_pressures = has_collisions(world)};
  char *path = join_path(output->folder, "frames.weftcache");
  WeftResult result = WEFT_RESULT_OUT_OF_MEMORY;
  if (path) {
    result = last_frame < -1 ? weft_cache_create(world, &options, path, &output->cache, &error)
                             : weft_cache_continue(world, &options, path, last_frame, &output->cache, &error);
  }
  if (result != WEFT_RESULT_OK) fail("%s", error.message);
  free(path);
  return result == WEFT_RESULT_OK;
}

bool output_begin(Output *output, WeftWorld *world, uint64_t run) {
  return !output->folder || (open_cache(output, world, run, -2) && timeline_begin(output->timeline));
}

bool output_continue(Output *output, WeftWorld *world, uint64_t run, const OutputNotes *notes,
                     int32_t frame) {
  if (!open_cache(output, world, run, notes->last_frame)) return false;
  output->notes = *notes;
  output->notes.view.threads = output->threads;
  return timeline_continue(output->timeline, frame) && remove_after(output->folder, frame) &&
         remove_after(output->frames_folder, frame);
}

void output_close(Output *output) {
  timeline_close(output->timeline);
  weft_cache_writer_close(output->cache);
  for (size_t i = 0; i < output->unsynced_count; i++) free(output->unsynced[i]);
  free(output->unsynced);
  free(output->frames_folder);
  free(output->last_picture);
}

/* Takes the path over. False after a message. */
static bool remember(Output *output, char *path) {
  if (output->unsynced_count == output->unsynced_capacity) {
    size_t capacity = output->unsynced_capacity ? 2 * output->unsynced_capacity : 64;
    char **grown = realloc(output->unsynced, capacity * sizeof *grown);
    if (!grown) {
      free(path);
      return fail("out of memory") == EXIT_FINE;
    }
    output->unsynced = grown;
    output->unsynced_capacity = capacity;
  }
  output->unsynced[output->unsynced_count++] = path;
  return true;
}

bool output_sync(Output *output) {
  if (!output->folder) return true;
  bool is_synced = timeline_sync(output->timeline);
  for (size_t i = 0; i < output->unsynced_count; i++) {
    if (is_synced && !sync_path(output->unsynced[i]))
      is_synced = fail("cannot write %s: %s", output->unsynced[i], strerror(errno)) == EXIT_FINE;
    free(output->unsynced[i]);
  }
  /* the names in folders too; frames/ is there only when something is written into it */
  if (is_synced && ((output->unsynced_count && !sync_path(output->frames_folder) && errno != ENOENT) ||
                    !sync_path(output->folder)))
    is_synced = fail("cannot write into the folder %s: %s", output->folder, strerror(errno)) == EXIT_FINE;
  output->unsynced_count = 0;
  return is_synced;
}

/* folder/stem_0007ending; NULL after a message. */
static char *numbered(const char *folder, const char *stem, int32_t frame, const char *ending) {
  char name[64];
  snprintf(name, sizeof name, "%s_%04d%s", stem, frame, ending);
  char *path = join_path(folder, name);
  if (!path) fail("out of memory");
  return path;
}

static bool write_obj(WeftWorld *world, const char *path) {
  WeftError error;
  if (weft_world_write_obj(world, -1, path, &error) == WEFT_RESULT_OK) return true;
  fail("%s", error.message);
  return false;
}

static bool write_obstacles(WeftWorld *world, WeftObstacleSet set, const char *path) {
  WeftError error;
  if (weft_world_write_obstacles_obj(world, set, path, &error) == WEFT_RESULT_OK) return true;
  fail("%s", error.message);
  return false;
}

static bool write_moving(WeftWorld *world, const char *path) {
  return write_obstacles(world, WEFT_OBSTACLES_MOVING, path);
}

static bool has_obstacles(const WeftWorld *world, bool is_moving) {
  for (int32_t i = 0; i < weft_world_obstacle_count(world); i++)
    if ((weft_world_obstacle_motion(world, i) != WEFT_MOTION_STATIC) == is_moving) return true;
  return false;
}

/* Once, with the first frame. */
static bool write_standing(Output *output, WeftWorld *world) {
  char *path = join_path(output->frames_folder, "obstacles.obj");
  if (!path) fail("out of memory");
  if (path && write_obstacles(world, WEFT_OBSTACLES_STATIC, path)) return remember(output, path);
  free(path);
  return false;
}

static bool write_numbered(Output *output, WeftWorld *world, const char *stem, int32_t frame,
                           const char *ending, bool (*write)(WeftWorld *world, const char *path)) {
  char *path = numbered(output->frames_folder, stem, frame, ending);
  if (path && write(world, path)) return remember(output, path);
  free(path);
  return false;
}

static bool write_cache(Output *output, WeftWorld *world, int32_t frame) {
  WeftError error;
  if (weft_cache_append(output->cache, world, frame, &error) == WEFT_RESULT_OK) return true;
  fail("%s", error.message);
  return false;
}

static bool write_frame(Output *output, WeftWorld *world, int32_t frame) {
  const WeftSceneInfo *info = output->info;
  bool is_written = true;
  if (info->writes_cache) is_written = write_cache(output, world, frame);
  if (is_written && info->writes_obj)
    is_written = write_numbered(output, world, "frame", frame, ".obj", write_obj);
  if (is_written && info->writes_obj && has_obstacles(world, true))
    is_written = write_numbered(output, world, "obstacles", frame, ".obj", write_moving);
  if (is_written && info->writes_obj && frame == 0 && has_obstacles(world, false))
    is_written = write_standing(output, world);
  if (is_written && info->writes_vertices)
    is_written = write_numbered(output, world, "vertices", frame, ".csv", write_vertices);
  if (is_written && info->writes_faces)
    is_written = write_numbered(output, world, "faces", frame, ".csv", write_faces);
  if (is_written && info->writes_hinges)
    is_written = write_numbered(output, world, "hinges", frame, ".csv", write_hinges);
  output->notes.last_frame = frame;
  output->notes.frame_count++;
  return is_written;
}

/* The arrays behind the const pointers of parts are ours. */
static void free_parts(WeftPicturePart *parts, int32_t count) {
  for (int32_t c = 0; parts && c < count; c++) {
    free((void *)parts[c].colors);
    free((void *)parts[c].positions);
    free((void *)parts[c].triangles);
  }
  free(parts);
}

static const double strain_shown = 0.05;

/* Colours of the vertices of a part after the strain of the faces around them: the larger of the stretches
 * along warp and weft, full colour at strain_shown. NULL when out of memory. */
static double *strain_colors(WeftWorld *world, int32_t cloth, const WeftPicturePart *part, WeftError *error) {
  double *strains = calloc((size_t)part->triangle_count + 1, 3 * sizeof *strains);
  double *sums = calloc((size_t)part->vertex_count + 1, 2 * sizeof *sums); /* strain and number of faces */
  double *colors = calloc((size_t)part->vertex_count + 1, 3 * sizeof *colors);
  bool is_made =
      strains && sums && colors && weft_world_face_strains(world, cloth, strains, error) == WEFT_RESULT_OK;
  for (int32_t k = 0; is_made && k < 3 * part->triangle_count; k++) {
    const double *strain = strains + 3 * (k / 3);
    sums[2 * part->triangles[k]] += fabs(strain[0]) > fabs(strain[1]) ? strain[0] : strain[1];
    sums[2 * part->triangles[k] + 1]++;
  }
  for (int32_t v = 0; is_made && v < part->vertex_count; v++)
    weft_picture_signed_color(sums[2 * v] / (strain_shown * fmax(sums[2 * v + 1], 1)), colors + 3 * v);
  free(strains);
  free(sums);
  if (is_made) return colors;
  free(colors);
  return NULL;
}

/* Cloth, or the obstacle of that number behind all cloths. Out of memory, or an error of the world. */
static WeftResult fill_part(WeftWorld *world, int32_t index, WeftPicturePart *part, WeftError *error) {
  int32_t cloth_count = weft_world_cloth_count(world), obstacle = index - cloth_count;
  bool is_obstacle = obstacle >= 0;
  int32_t vertices =
      is_obstacle ? weft_world_obstacle_vertex_count(world, obstacle) : weft_world_vertex_count(world, index);
  int32_t triangles = is_obstacle ? weft_world_obstacle_triangle_count(world, obstacle)
                                  : weft_world_triangle_count(world, index);
  double *positions = calloc((size_t)vertices + 1, 3 * sizeof *positions);
  int32_t *corners = calloc((size_t)triangles + 1, 3 * sizeof *corners);
  *part = (WeftPicturePart){.vertex_count = vertices,
                            .positions = positions,
                            .triangle_count = triangles,
                            .triangles = corners,
                            .is_obstacle = is_obstacle};
  if (!positions || !corners) return WEFT_RESULT_OUT_OF_MEMORY;
  if (is_obstacle) {
    weft_picture_obstacle_palette(obstacle, part->color);
    WeftResult result = weft_world_get_obstacle_positions(world, obstacle, positions, error);
    return result ? result : weft_world_get_obstacle_triangles(world, obstacle, corners, error);
  }
  weft_picture_palette(index, part->color);
  WeftResult result = weft_world_positions(world, index, positions, error);
  return result ? result : weft_world_triangles(world, index, corners, error);
}

/* All cloths, then all obstacles: count of them. */
static WeftPicturePart *make_parts(WeftWorld *world, int32_t count, WeftColorBy color, WeftError *error) {
  WeftPicturePart *parts = calloc((size_t)count + 1, sizeof *parts);
  WeftResult result = parts ? WEFT_RESULT_OK : WEFT_RESULT_OUT_OF_MEMORY;
  snprintf(error->message, sizeof error->message, "out of memory for a picture");
  for (int32_t p = 0; result == WEFT_RESULT_OK && p < count; p++) {
    result = fill_part(world, p, &parts[p], error);
    if (result != WEFT_RESULT_OK || color != WEFT_COLOR_BY_STRAIN || parts[p].is_obstacle) continue;
    parts[p].colors = strain_colors(world, p, &parts[p], error);
    parts[p].is_chart = true;
    if (!parts[p].colors) result = WEFT_RESULT_OUT_OF_MEMORY;
  }
  if (result == WEFT_RESULT_OK) return parts;
  free_parts(parts, count);
  return NULL;
}

static void aim(Output *output, int32_t count, const WeftPicturePart *parts) {
  const WeftSceneInfo *info = output->info;
  OutputNotes *notes = &output->notes;
  if (notes->has_view && weft_picture_shows(&notes->view, count, parts)) return;
  WeftPictureDef view = weft_picture_frame(info->picture_width, info->picture_height, count, parts);
  if (notes->has_view) view.ground = fmin(view.ground, notes->view.ground); /* the floor only ever sinks */
  notes->view = view;
  notes->view.threads = output->threads;
  notes->has_view = true;
  if (!info->has_camera) return;
  memcpy(notes->view.camera.from, info->camera_from, sizeof info->camera_from);
  memcpy(notes->view.camera.to, info->camera_to, sizeof info->camera_to);
  notes->view.camera.fov = info->camera_fov;
}

static WeftResult write_picture(const Output *output, const char *path, int32_t count,
                                const WeftPicturePart *parts, WeftError *error) {
  const WeftPictureDef *view = &output->notes.view;
  if (output->info->picture_color != WEFT_COLOR_BY_STRAIN)
    return weft_picture_write(path, view, count, parts, error);
  const WeftPictureScale scale = {"larger strain", "%", -100 * strain_shown, 100 * strain_shown, true};
  uint8_t *rgb = calloc((size_t)view->width * (size_t)view->height, 3);
  WeftResult result = WEFT_RESULT_OUT_OF_MEMORY;
  snprintf(error->message, sizeof error->message, "out of memory for a picture");
  if (rgb) result = weft_picture_draw(view, count, parts, rgb, error);
  if (result == WEFT_RESULT_OK) {
    weft_picture_legend(&scale, view->width, view->height, rgb);
    result = weft_picture_save(path, view->width, view->height, rgb, error);
  }
  free(rgb);
  return result;
}

static bool draw(Output *output, WeftWorld *world, int32_t frame) {
  WeftError error = {.message = ""};
  int32_t count = weft_world_cloth_count(world) + weft_world_obstacle_count(world);
  char *path = numbered(output->folder, "picture", frame, ".png");
  WeftPicturePart *parts = make_parts(world, count, output->info->picture_color, &error);
  bool is_drawn = false;
  if (path && parts) {
    aim(output, count, parts);
    is_drawn = write_picture(output, path, count, parts, &error) == WEFT_RESULT_OK;
  }
  if (path && !is_drawn) fail("%s", error.message);
  free_parts(parts, count);
  free(output->last_picture);
  output->last_picture = path;
  output->notes.last_drawn = frame;
  output->notes.picture_count++;
  char *copy = is_drawn ? strdup(path) : NULL;
  if (is_drawn && !copy) return fail("out of memory") == EXIT_FINE;
  return is_drawn && remember(output, copy);
}

static bool is_picture_due(const WeftSceneInfo *info, int32_t frame, bool is_last) {
  for (int32_t i = 0; i < info->picture_count; i++)
    if (info->pictures[i] == frame || (is_last && info->pictures[i] < 0)) return true;
  return false;
}

bool output_frame(Output *output, WeftWorld *world, int32_t frame, bool is_last) {
  if (!output->folder) return true;
  bool is_due = frame % output->info->output_every == 0 || is_last;
  if (is_due && output->notes.last_frame != frame && !write_frame(output, world, frame)) return false;
  if (is_picture_due(output->info, frame, is_last) && output->notes.last_drawn != frame &&
      !draw(output, world, frame))
    return false;
  return timeline_add(output->timeline, world, frame);
}

static bool save_state(const Output *output, WeftWorld *world) {
  WeftError error;
  char *path = join_path(output->folder, "state.weft");
  if (!path) return fail("out of memory") == EXIT_FINE;
  WeftResult result = weft_world_save_file(world, path, &error);
  if (result != WEFT_RESULT_OK) fail("%s", error.message);
  free(path);
  return result == WEFT_RESULT_OK;
}

bool output_end(Output *output, WeftWorld *world, const char *scene, const char *report) {
  if (!output->folder && !report) return true;
  WeftError error;
  char *text = NULL;
  if (weft_world_report_json(world, scene, &text, &error) != WEFT_RESULT_OK) {
    fail("%s", error.message);
    return false;
  }
  bool is_written = true;
  if (report) is_written = write_text(report, text);
  if (output->folder) {
    char *path = join_path(output->folder, "report.json");
    is_written = path && write_text(path, text) && is_written;
    free(path);
    is_written = save_state(output, world) && is_written;
  }
  weft_free(text);
  return is_written;
}
