/* Obstacles of a world: adding them, and reading them back. */
#include "base/memory.h"
#include "device/threads.h"
#include "obstacle.h"
#include "world.h"

#include <string.h>

WeftResult weft_world_add_obstacle(WeftWorld *world, const WeftObstacleDef *def, int32_t *obstacle,
                                   WeftError *error) {
  if (!world || !def)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_world_add_obstacle: no world or obstacle");
  if (world->is_built) {
    return weft_fail(error, WEFT_RESULT_WRONG_TIME,
                     "obstacles can be added only before the first step or read-back");
  }
  if (!weft_grow((void **)&world->obstacles, &world->obstacle_capacity, (size_t)world->obstacle_count + 1,
                 sizeof *world->obstacles)) {
    return weft_fail_memory(error, "obstacle");
  }
  WeftResult result =
      weft_obstacle_input_create(&world->obstacles[world->obstacle_count], def, world->def.log, error);
  if (result) return result;
  if (obstacle) *obstacle = world->obstacle_count;
  world->obstacle_count++;
  return WEFT_RESULT_OK;
}

static const WeftObstacleInput *obstacle_at(const WeftWorld *world, int32_t obstacle) {
  return world && obstacle >= 0 && obstacle < world->obstacle_count ? &world->obstacles[obstacle] : NULL;
}

WeftResult weft_world_check_obstacle(WeftWorld *world, int32_t obstacle, WeftError *error) {
  if (!world) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "no world given");
  if (!obstacle_at(world, obstacle)) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "there is no obstacle %d; the world has %d",
                     obstacle, world->obstacle_count);
  }
  return weft_world_build(world, error);
}

int32_t weft_world_obstacle_count(const WeftWorld *world) { return world ? world->obstacle_count : 0; }

const char *weft_world_obstacle_name(const WeftWorld *world, int32_t obstacle) {
  const WeftObstacleInput *input = obstacle_at(world, obstacle);
  return input ? input->name : "";
}

int32_t weft_world_obstacle_vertex_count(const WeftWorld *world, int32_t obstacle) {
  const WeftObstacleInput *input = obstacle_at(world, obstacle);
  return input ? input->def.vertex_count : -1;
}

int32_t weft_world_obstacle_triangle_count(const WeftWorld *world, int32_t obstacle) {
  const WeftObstacleInput *input = obstacle_at(world, obstacle);
  return input ? input->def.triangle_count : -1;
}

WeftMotionKind weft_world_obstacle_motion(const WeftWorld *world, int32_t obstacle) {
  const WeftObstacleInput *input = obstacle_at(world, obstacle);
  return input ? weft_obstacle_input_kind(input) : WEFT_MOTION_STATIC;
}

WeftResult weft_world_get_obstacle_triangles(WeftWorld *world, int32_t obstacle, int32_t *triangles,
                                             WeftError *error) {
  WeftResult result = weft_world_check_obstacle(world, obstacle, error);
  if (result) return result;
  const WeftObstacleInput *input = &world->obstacles[obstacle];
  memcpy(triangles, input->triangles, 3 * (size_t)input->def.triangle_count * sizeof *triangles);
  return WEFT_RESULT_OK;
}

/* On the host whatever the device: both give the same bits, and nothing has to be sent. */
WeftResult weft_world_get_obstacle_positions(WeftWorld *world, int32_t obstacle, double *positions,
                                             WeftError *error) {
  WeftResult result = weft_world_check_obstacle(world, obstacle, error);
  if (result) return result;
  int before = weft_threads_use(world->threads);
  weft_obstacle_positions(&world->model.obstacles[obstacle], world->state.time, positions);
  weft_threads_use(before);
  return WEFT_RESULT_OK;
}
