#include "handle.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static WeftResult check(const WeftHandleDef *def, int vertex_count, WeftError *error) {
  const char *name = def->name;
  if (def->vertex_count < 1 || !def->vertices) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "handle '%s' holds no vertex", name);
  }
  for (int i = 0; i < def->vertex_count; i++) {
    if (def->vertices[i] >= 0 && def->vertices[i] < vertex_count) continue;
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "handle '%s': vertex %d is not there; the cloth has 0 to %d", name, def->vertices[i],
                     vertex_count - 1);
  }
  if (def->axes < 1 || def->axes > WEFT_AXIS_ALL) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "handle '%s': axes is %d, must be a sum of WEFT_AXIS_*", name, def->axes);
  }
  if (isnan(def->release_time)) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "handle '%s': release_time is not a number", name);
  }
  return WEFT_RESULT_OK;
}

/* A handle's keys have no scale. */
static WeftResult create_motion(WeftMotion *motion, const WeftHandleDef *def, WeftError *error) {
  int count = def->keys && def->key_count > 0 ? def->key_count : 0;
  char who[WEFT_NAME_SIZE + 16];
  snprintf(who, sizeof who, "handle '%.*s'", WEFT_NAME_SIZE, def->name);
  WeftObstacleKey *keys = WEFT_NEW(WeftObstacleKey, count);
  if (!keys) return weft_fail_memory(error, "handle");
  for (int i = 0; i < count; i++) {
    keys[i] = (WeftObstacleKey){.time = def->keys[i].time, .scale = {1, 1, 1}};
    memcpy(keys[i].translation, def->keys[i].translation, sizeof keys[i].translation);
    memcpy(keys[i].rotation, def->keys[i].rotation, sizeof keys[i].rotation);
  }
  WeftResult result = weft_motion_create(motion, who, def->key_count, def->keys ? keys : NULL, def->pivot,
                                         def->interpolation, error);
  free(keys);
  return result;
}

WeftResult weft_handle_create(WeftHandle *handle, const WeftHandleDef *def, int vertex_count,
                              const double *positions, WeftError *error) {
  memset(handle, 0, sizeof *handle);
  WeftResult result = check(def, vertex_count, error);
  if (result) return result;
  *handle =
      (WeftHandle){.vertex_count = def->vertex_count, .axes = def->axes, .release_time = def->release_time};
  result = create_motion(&handle->motion, def, error);
  if (result) return result;
  handle->vertices = weft_copy(def->vertices, (size_t)def->vertex_count, sizeof *def->vertices);
  handle->start = WEFT_NEW(double, 3 * (size_t)def->vertex_count);
  if (!handle->vertices || !handle->start) {
    weft_handle_destroy(handle);
    return weft_fail_memory(error, "handle");
  }
  for (int i = 0; i < def->vertex_count; i++) {
    memcpy(handle->start + 3 * (size_t)i, positions + 3 * (size_t)def->vertices[i], 3 * sizeof(double));
  }
  return WEFT_RESULT_OK;
}

void weft_handle_destroy(WeftHandle *handle) {
  free(handle->vertices);
  weft_motion_destroy(&handle->motion);
  free(handle->start);
  memset(handle, 0, sizeof *handle);
}

void weft_handle_aim(const WeftHandle *handle, WeftState *state, double t0, double t1) {
  if (t0 >= handle->release_time) return;
  bool is_released = t1 >= handle->release_time;
  WeftObstacleKey key = weft_motion_at(&handle->motion, t1);
  const double *pivot = handle->motion.pivot;
  double r[9];
  weft_motion_rotation(key.rotation, r);
  for (int i = 0; i < handle->vertex_count; i++) {
    int vertex = handle->vertices[i];
    if (is_released) {
      state->held[vertex] &= (uint8_t)~handle->axes;
      continue;
    }
    const double *start = handle->start + 3 * (size_t)i;
    double *target = state->target + 3 * (size_t)vertex;
    double d[3] = {start[0] - pivot[0], start[1] - pivot[1], start[2] - pivot[2]};
    for (int k = 0; k < 3; k++) {
      if (!((handle->axes >> k) & 1)) continue;
      double turned = handle->motion.key_count
                          ? pivot[k] + r[3 * k] * d[0] + r[3 * k + 1] * d[1] + r[3 * k + 2] * d[2]
                          : start[k];
      target[k] = turned + key.translation[k];
    }
  }
}
