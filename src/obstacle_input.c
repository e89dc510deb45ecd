/* An obstacle definition: checked once, and kept as our own copy. Any quality of mesh is taken, because
 * bodies come from scanners and modellers as they are: what is odd is told to the log and left as it is. */
#include "base/memory.h"
#include "defaults.h"
#include "mesh/limits.h"
#include "model_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/scene.h>

static WeftResult check_numbers(const char *who, const WeftObstacleDef *def, WeftError *error) {
  const struct {
    const char *name;
    double value, lowest;
  } numbers[] = {{"friction_static", def->friction_static, -1},
                 {"friction_kinetic", def->friction_kinetic, -1},
                 {"thickness", def->thickness, 0}};
  for (int i = 0; i < 3; i++) {
    double value = numbers[i].value;
    if (isfinite(value) && (value >= 0 || value == numbers[i].lowest)) continue;
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "%s: %s is %g, must be finite and at least 0%s",
                     who, numbers[i].name, value, i < 2 ? ", or -1 for that of the cloth" : "");
  }
  return WEFT_RESULT_OK;
}

static WeftResult check_sizes(const char *who, const WeftObstacleDef *def, WeftError *error) {
  bool has_frames = def->frame_count > 0;
  bool lacks = def->vertex_count < 1 || def->triangle_count < 0 || def->frame_count < 0 ||
               (def->triangle_count && !def->triangles) ||
               (has_frames ? !def->frame_times || !def->frame_positions : !def->positions);
  if (lacks) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "%s: %d vertices, %d triangles, %d frames: at least one vertex is needed, and an array "
                     "for each of them; frames need their times too",
                     who, def->vertex_count, def->triangle_count, def->frame_count);
  }
  if (has_frames && def->positions) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "%s: positions and frame_positions are both given; with frames leave positions NULL",
                     who);
  }
  int64_t vertices = (int64_t)def->vertex_count * (has_frames ? def->frame_count : 1);
  if (vertices > WEFT_MAX_VERTICES || def->triangle_count > WEFT_MAX_TRIANGLES) {
    return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                     "%s: %lld vertices in all frames and %d triangles; at most %d and %d are possible", who,
                     (long long)vertices, def->triangle_count, WEFT_MAX_VERTICES, WEFT_MAX_TRIANGLES);
  }
  return WEFT_RESULT_OK;
}

static WeftResult check_frames(const char *who, const WeftObstacleDef *def, WeftError *error) {
  for (int i = 0; i < def->frame_count; i++) {
    if (isfinite(def->frame_times[i]) && (i == 0 || def->frame_times[i] > def->frame_times[i - 1])) continue;
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "%s: the time of frame %d must be finite and later than that of the frame before it",
                     who, i);
  }
  const double *positions = def->frame_count ? def->frame_positions : def->positions;
  size_t n = (size_t)def->vertex_count, count = n * (size_t)(def->frame_count ? def->frame_count : 1);
  for (size_t i = 0; i < 3 * count; i++) {
    if (isfinite(positions[i])) continue;
    return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                     "%s: vertex %zu%s is not finite (%c = %g); correct the mesh", who, i / 3 % n,
                     i / 3 < n ? "" : " of a later frame", "xyz"[i % 3], positions[i]);
  }
  return WEFT_RESULT_OK;
}

/* What a mesh of the first frame's shape shows: refused, or told to the log. */
static WeftResult check_mesh(const char *who, const WeftObstacleDef *def, WeftLog log, WeftError *error) {
  const double *positions = def->frame_count ? def->frame_positions : def->positions;
  WeftMesh mesh = {def->vertex_count, (double *)(uintptr_t)positions, def->triangle_count,
                   (int32_t *)(uintptr_t)def->triangles, NULL};
  WeftMeshFacts facts;
  WeftResult result = weft_mesh_inspect(&mesh, &facts, error);
  if (result) return result;
  if (facts.index_errors) {
    const int32_t *t = def->triangles + 3 * (size_t)facts.first_index_error;
    return weft_fail(
        error, WEFT_RESULT_INVALID_DATA,
        "%s: triangle %d (vertices %d, %d, %d) has a vertex out of range (%d such); there are %d "
        "vertices; correct the indices",
        who, facts.first_index_error, t[0], t[1], t[2], facts.index_errors, def->vertex_count);
  }
  if (!def->triangle_count)
    weft_log(log, WEFT_LOG_WARNING, "%s has no triangle: cloth will not feel it", who);
  const struct {
    int count, first;
    const char *what, *first_is;
  } notes[] = {
      {facts.degenerate_triangles, facts.first_degenerate_triangle, "degenerate triangles", "triangle"},
      {facts.duplicate_triangles, facts.first_duplicate_triangle, "duplicate triangles", "triangle"},
      {facts.nonmanifold_edges, facts.first_nonmanifold_edge[0], "edges with more than two triangles",
       "at vertex"},
      {def->triangle_count ? facts.unused_vertices : 0, facts.first_unused_vertex,
       "vertices without a triangle", "vertex"}};
  for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
    if (!notes[i].count) continue;
    weft_log(log, WEFT_LOG_WARNING, "%s: %d %s, first %s %d, counted from 0; taken as they are", who,
             notes[i].count, notes[i].what, notes[i].first_is, notes[i].first);
  }
  if (facts.flipped_edges)
    weft_log(log, WEFT_LOG_WARNING,
             "%s: across %d edges the triangles run round in opposite senses; taken as they are", who,
             facts.flipped_edges);
  return WEFT_RESULT_OK;
}

static WeftResult copy(WeftObstacleInput *input, const WeftObstacleDef *def, WeftError *error) {
  static const double start[1] = {0};
  const double *positions = def->frame_count ? def->frame_positions : def->positions;
  int frames = def->frame_count ? def->frame_count : 1;
  input->def = *def;
  input->def.frame_count = frames;
  input->name = weft_copy_text(def->name);
  input->triangles = weft_copy(def->triangles, 3 * (size_t)def->triangle_count, sizeof *def->triangles);
  input->shapes = weft_copy(positions, 3 * (size_t)def->vertex_count * (size_t)frames, sizeof *positions);
  input->frame_times =
      weft_copy(def->frame_count ? def->frame_times : start, (size_t)frames, sizeof *def->frame_times);
  if (input->name && input->triangles && input->shapes && input->frame_times) return WEFT_RESULT_OK;
  return weft_fail_memory(error, "copy of an obstacle definition");
}

WeftResult weft_obstacle_input_create(WeftObstacleInput *input, const WeftObstacleDef *def, WeftLog log,
                                      WeftError *error) {
  memset(input, 0, sizeof *input);
  if (def->cookie != WEFT_COOKIE || !def->name) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "the obstacle definition was not made by weft_default_obstacle_def(), or has no name");
  }
  char who[WEFT_NAME_SIZE + 16];
  snprintf(who, sizeof who, "obstacle '%.*s'", WEFT_NAME_SIZE, def->name);
  WeftResult result = check_numbers(who, def, error);
  if (!result) result = check_sizes(who, def, error);
  if (!result) result = check_frames(who, def, error);
  if (!result) result = check_mesh(who, def, log, error);
  if (!result)
    result = weft_motion_create(&input->motion, who, def->key_count, def->keys, def->pivot,
                                def->interpolation, error);
  if (!result) result = copy(input, def, error);
  if (result) weft_obstacle_input_destroy(input);
  return result;
}

WeftMotionKind weft_obstacle_input_kind(const WeftObstacleInput *input) {
  if (input->def.frame_count > 1) return WEFT_MOTION_FRAMES;
  return input->motion.key_count > 0 ? WEFT_MOTION_KEYS : WEFT_MOTION_STATIC;
}

void weft_obstacle_input_destroy(WeftObstacleInput *input) {
  weft_motion_destroy(&input->motion);
  free(input->name);
  free(input->triangles);
  free(input->shapes);
  free(input->frame_times);
  memset(input, 0, sizeof *input);
}
