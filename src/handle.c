#include "handle.h"

#include "base/memory.h"
#include "defaults.h"

#include <math.h>
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
  if (def->key_count < 0 || (def->key_count && !def->keys)) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "handle '%s': %d keys without an array of them",
                     name, def->key_count);
  }
  for (int i = 0; i < def->key_count; i++) {
    const WeftKey *key = &def->keys[i];
    bool is_finite = isfinite(key->time);
    for (int k = 0; k < 3; k++)
      is_finite = is_finite && isfinite(key->translation[k]) && isfinite(key->rotation[k]);
    if (!is_finite || (i > 0 && !(key->time > def->keys[i - 1].time))) {
      return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                       "handle '%s': key %d must be finite and later than the one before it", name, i);
    }
  }
  if (isnan(def->release_time) || !isfinite(def->pivot[0] + def->pivot[1] + def->pivot[2])) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "handle '%s': pivot or release_time is not a number", name);
  }
  return WEFT_RESULT_OK;
}

WeftResult weft_handle_create(WeftHandle *handle, const WeftHandleDef *def, int vertex_count,
                              const double *positions, WeftError *error) {
  memset(handle, 0, sizeof *handle);
  WeftResult result = check(def, vertex_count, error);
  if (result) return result;
  *handle = (WeftHandle){.vertex_count = def->vertex_count,
                         .key_count = def->key_count,
                         .pivot = {def->pivot[0], def->pivot[1], def->pivot[2]},
                         .interpolation = def->interpolation,
                         .axes = def->axes,
                         .release_time = def->release_time};
  handle->vertices = weft_copy(def->vertices, (size_t)def->vertex_count, sizeof *def->vertices);
  handle->keys = weft_copy(def->keys, (size_t)def->key_count, sizeof *def->keys);
  handle->start = WEFT_NEW(double, 3 * (size_t)def->vertex_count);
  if (!handle->vertices || !handle->keys || !handle->start) {
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
  free(handle->keys);
  free(handle->start);
  memset(handle, 0, sizeof *handle);
}

/* Translation and rotation vector at a time; before the first and after the last key they stand still. */
static WeftKey key_at(const WeftHandle *handle, double time) {
  const WeftKey *keys = handle->keys;
  int last = handle->key_count - 1;
  if (time <= keys[0].time) return keys[0];
  if (time >= keys[last].time) return keys[last];
  int i = 0;
  while (time >= keys[i + 1].time) i++;
  double s = (time - keys[i].time) / (keys[i + 1].time - keys[i].time);
  if (handle->interpolation == WEFT_INTERPOLATION_SMOOTH) s = s * s * (3 - 2 * s);
  WeftKey key = {.time = time};
  for (int k = 0; k < 3; k++) {
    key.translation[k] = keys[i].translation[k] + s * (keys[i + 1].translation[k] - keys[i].translation[k]);
    key.rotation[k] = keys[i].rotation[k] + s * (keys[i + 1].rotation[k] - keys[i].rotation[k]);
  }
  return key;
}

/* Row-major rotation matrix of a rotation vector (Rodrigues' formula). */
static void rotation_matrix(const double w[3], double m[9]) {
  double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  double x = 0, y = 0, z = 0;
  if (angle > 0) x = w[0] / angle, y = w[1] / angle, z = w[2] / angle;
  double s = sin(angle), c = cos(angle), d = 1 - c;
  const double r[9] = {c + d * x * x,     d * x * y - s * z, d * x * z + s * y,
                       d * x * y + s * z, c + d * y * y,     d * y * z - s * x,
                       d * x * z - s * y, d * y * z + s * x, c + d * z * z};
  memcpy(m, r, sizeof r);
}

void weft_handle_aim(const WeftHandle *handle, WeftState *state, double t0, double t1) {
  if (t0 >= handle->release_time) return;
  bool is_released = t1 >= handle->release_time;
  WeftKey key = {0};
  if (handle->key_count) key = key_at(handle, t1);
  double r[9];
  rotation_matrix(key.rotation, r);
  for (int i = 0; i < handle->vertex_count; i++) {
    int vertex = handle->vertices[i];
    if (is_released) {
      state->held[vertex] &= (uint8_t)~handle->axes;
      continue;
    }
    const double *start = handle->start + 3 * (size_t)i;
    double *target = state->target + 3 * (size_t)vertex;
    double d[3] = {start[0] - handle->pivot[0], start[1] - handle->pivot[1], start[2] - handle->pivot[2]};
    for (int k = 0; k < 3; k++) {
      if (!((handle->axes >> k) & 1)) continue;
      double turned = handle->key_count
                          ? handle->pivot[k] + r[3 * k] * d[0] + r[3 * k + 1] * d[1] + r[3 * k + 2] * d[2]
                          : start[k];
      target[k] = turned + key.translation[k];
    }
  }
}
