#include "motion.h"

#include "base/memory.h"
#include "device/kernel_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static WeftResult check_key(const char *who, const WeftObstacleKey *keys, int i, WeftError *error) {
  const WeftObstacleKey *key = &keys[i];
  bool is_finite = isfinite(key->time);
  for (int k = 0; k < 3; k++)
    is_finite = is_finite && isfinite(key->translation[k]) && isfinite(key->rotation[k]);
  if (!is_finite || (i > 0 && !(key->time > keys[i - 1].time))) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "%s: key %d must be finite and later than the one before it", who, i);
  }
  for (int k = 0; k < 3; k++) {
    if (isfinite(key->scale[k]) && key->scale[k] > 0) continue;
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "%s: key %d has the scale %g along %c; it must be finite and above 0, and is 1 for none",
                     who, i, key->scale[k], "xyz"[k]);
  }
  return WEFT_RESULT_OK;
}

WeftResult weft_motion_create(WeftMotion *motion, const char *who, int key_count, const WeftObstacleKey *keys,
                              const double pivot[3], WeftInterpolation interpolation, WeftError *error) {
  memset(motion, 0, sizeof *motion);
  if (key_count < 0 || (key_count && !keys)) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "%s: %d keys without an array of them", who,
                     key_count);
  }
  for (int i = 0; i < key_count; i++) {
    WeftResult result = check_key(who, keys, i, error);
    if (result) return result;
  }
  if (!isfinite(pivot[0]) || !isfinite(pivot[1]) || !isfinite(pivot[2])) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "%s: the pivot is not finite", who);
  }
  if (interpolation != WEFT_INTERPOLATION_LINEAR && interpolation != WEFT_INTERPOLATION_SMOOTH) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "%s: there is no interpolation %d", who,
                     (int)interpolation);
  }
  *motion = (WeftMotion){key_count, NULL, {pivot[0], pivot[1], pivot[2]}, interpolation};
  motion->keys = weft_copy(keys, (size_t)key_count, sizeof *keys);
  return motion->keys ? WEFT_RESULT_OK : weft_fail_memory(error, "keys");
}

void weft_motion_destroy(WeftMotion *motion) {
  free(motion->keys);
  memset(motion, 0, sizeof *motion);
}

double weft_motion_bracket(const double *times, size_t stride, int count, double time, int *index) {
  int low = 0, high = count; /* times below low are at or before the time, from high on they are after it */
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (times[stride * (size_t)middle] <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  *index = low > 0 ? low - 1 : 0;
  if (low == 0 || low == count) return 0;
  double from = times[stride * (size_t)*index], to = times[stride * (size_t)low];
  return (time - from) / (to - from);
}

static void blend(const double from[3], const double to[3], double s, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = from[k] + s * (to[k] - from[k]);
}

WeftObstacleKey weft_motion_at(const WeftMotion *motion, double time) {
  WeftObstacleKey key = {.time = time, .scale = {1, 1, 1}};
  if (!motion->key_count) return key;
  int i;
  double s =
      weft_motion_bracket(&motion->keys[0].time, sizeof key / sizeof(double), motion->key_count, time, &i);
  const WeftObstacleKey *from = &motion->keys[i], *to = s > 0 ? from + 1 : from;
  if (motion->interpolation == WEFT_INTERPOLATION_SMOOTH) s = s * s * (3 - 2 * s);
  blend(from->translation, to->translation, s, key.translation);
  blend(from->rotation, to->rotation, s, key.rotation);
  blend(from->scale, to->scale, s, key.scale);
  return key;
}

/* Rodrigues' formula. Sine and cosine are our own: libm's differ between machines with and without fused
 * multiplication. Right angles come out exact. */
void weft_motion_rotation(const double w[3], double m[9]) {
  double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), turns = angle / (2 * KERNEL_PI);
  double x = 0, y = 0, z = 0;
  if (angle > 0) x = w[0] / angle, y = w[1] / angle, z = w[2] / angle;
  double s = sine_of_turns(turns), c = sine_of_turns(turns + 0.25), d = 1 - c;
  const double r[9] = {c + d * x * x,     d * x * y - s * z, d * x * z + s * y,
                       d * x * y + s * z, c + d * y * y,     d * y * z - s * x,
                       d * x * z - s * y, d * y * z + s * x, c + d * z * z};
  memcpy(m, r, sizeof r);
}
