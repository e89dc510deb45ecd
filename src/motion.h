/* Motion along keys, shared by handles and obstacles. */
#ifndef WEFT_MOTION_H
#define WEFT_MOTION_H

#include "base/error.h"

#include <weft/types.h>

typedef struct WeftMotion {
  int key_count; /* 0: none */
  WeftObstacleKey *keys;
  double pivot[3]; /* [m] */
  WeftInterpolation interpolation;
} WeftMotion;

/* Checks keys and pivot, and copies them. who begins messages: "handle 'left'". */
WeftResult weft_motion_create(WeftMotion *motion, const char *who, int key_count, const WeftObstacleKey *keys,
                              const double pivot[3], WeftInterpolation interpolation, WeftError *error);
void weft_motion_destroy(WeftMotion *motion);

/* The key at a time; no translation, no rotation, scale 1 where there are none. */
WeftObstacleKey weft_motion_at(const WeftMotion *motion, double time);

/* Row-major rotation matrix of a rotation vector. The same bits on every machine. */
void weft_motion_rotation(const double vector[3], double matrix[9]);

/* Of count ascending times, so many doubles apart: *index and *index + 1 hold the time between them, and the
 * result in [0, 1) is how far it is from the one to the other. 0 before the first and from the last on, where
 * there may be no next. */
double weft_motion_bracket(const double *times, size_t stride, int count, double time, int *index);

#endif
