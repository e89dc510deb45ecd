#include "obstacle.h"

#include "device/launch.h"
#include "obstacle.kernel.h"

WeftResult weft_obstacles_share(const WeftModel *model, WeftDevice *device, WeftError *error) {
  WeftResult result = WEFT_RESULT_OK;
  for (int i = 0; i < model->obstacle_count && !result && device; i++) {
    const WeftModelObstacle *obstacle = &model->obstacles[i];
    size_t count = (size_t)obstacle->frame_count * (size_t)obstacle->vertex_count;
    result = weft_device_share(device, obstacle->shapes, 3 * count * sizeof *obstacle->shapes,
                               WEFT_MEMORY_MODEL, error);
  }
  return result;
}

/* A = R S and t = translation + pivot - A pivot; of a pure translation t is the translation itself. */
static void affine_at(const WeftMotion *motion, double time, double a[9], double t[3]) {
  WeftObstacleKey key = weft_motion_at(motion, time);
  const double *p = motion->pivot;
  weft_motion_rotation(key.rotation, a);
  for (int k = 0; k < 3; k++) {
    for (int c = 0; c < 3; c++) a[3 * k + c] *= key.scale[c];
    t[k] = key.translation[k] + (p[k] - (a[3 * k] * p[0] + a[3 * k + 1] * p[1] + a[3 * k + 2] * p[2]));
  }
}

static void place(WeftDevice *device, const WeftModelObstacle *obstacle, double time, double *positions,
                  int first) {
  int frame, n = obstacle->vertex_count;
  double s = weft_motion_bracket(obstacle->frame_times, 1, obstacle->frame_count, time, &frame);
  double a[9], t[3];
  affine_at(&obstacle->motion, time, a, t);
  LAUNCH(device, obstacle_place, n, obstacle->shapes, frame * n, (s > 0 ? frame + 1 : frame) * n, s, a[0],
         a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], t[0], t[1], t[2], first, positions);
}

void weft_obstacles_place(WeftDevice *device, const WeftModel *model, double time, double *positions,
                          int first) {
  for (int i = 0; i < model->obstacle_count; i++)
    place(device, &model->obstacles[i], time, positions, first + model->obstacles[i].first_vertex);
}

void weft_obstacles_move(WeftDevice *device, const WeftModel *model, double time, double *positions,
                         int first) {
  for (int i = 0; i < model->obstacle_count; i++) {
    if (model->obstacles[i].kind == WEFT_MOTION_STATIC) continue;
    place(device, &model->obstacles[i], time, positions, first + model->obstacles[i].first_vertex);
  }
}

void weft_obstacle_positions(const WeftModelObstacle *obstacle, double time, double *positions) {
  place(NULL, obstacle, time, positions, 0);
}
