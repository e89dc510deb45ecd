/* Obstacles in motion. Where their vertices are is a function of the model and the time alone, so a state
 * does not hold them: whoever needs them at the beginning and at the end of a step asks for both times. */
#ifndef WEFT_OBSTACLE_H
#define WEFT_OBSTACLE_H

#include "device/device.h"
#include "model.h"

/* Puts all shapes on a device, once. Motion then needs no transfers: it goes along as arguments. */
WeftResult weft_obstacles_share(const WeftModel *model, WeftDevice *device, WeftError *error);

/* All obstacle vertices at a time: obstacle vertex i goes to vertex first + i of positions, an array that the
 * device has. */
void weft_obstacles_place(WeftDevice *device, const WeftModel *model, double time, double *positions,
                          int first);
/* The same for those that are not static, which stay as an earlier call has left them. */
void weft_obstacles_move(WeftDevice *device, const WeftModel *model, double time, double *positions,
                         int first);

/* One obstacle on the host: vertex_count x 3. */
void weft_obstacle_positions(const WeftModelObstacle *obstacle, double time, double *positions);

#endif
