/* A world's cloths, or its obstacles, as one OBJ file. */
#include "base/memory.h"
#include "io/obj_write.h"

#include <stdlib.h>
#include <weft/scene.h>

static void free_part(WeftObjPart *part) {
  free((void *)(uintptr_t)part->positions);
  free((void *)(uintptr_t)part->triangles);
}

/* Room for a part of these sizes. */
static WeftResult make_part(WeftObjPart *part, const char *name, int32_t vertex_count, int32_t triangle_count,
                            WeftError *error) {
  *part = (WeftObjPart){.name = name, .vertex_count = vertex_count, .triangle_count = triangle_count};
  part->positions = WEFT_NEW(double, 3 * (size_t)vertex_count);
  part->triangles = WEFT_NEW(int32_t, 3 * (size_t)triangle_count);
  return part->positions && part->triangles ? WEFT_RESULT_OK : weft_fail_memory(error, "OBJ file");
}

static WeftResult fill_part(WeftWorld *world, int32_t cloth, WeftObjPart *part, WeftError *error) {
  int32_t vertex_count = weft_world_vertex_count(world, cloth);
  if (vertex_count < 0) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "there is no cloth %d; the world has %d", cloth,
                     weft_world_cloth_count(world));
  }
  WeftResult result = make_part(part, weft_world_cloth_name(world, cloth), vertex_count,
                                weft_world_triangle_count(world, cloth), error);
  if (!result) result = weft_world_positions(world, cloth, (double *)(uintptr_t)part->positions, error);
  if (!result) result = weft_world_triangles(world, cloth, (int32_t *)(uintptr_t)part->triangles, error);
  return result;
}

static WeftResult fill_obstacle(WeftWorld *world, int32_t obstacle, WeftObjPart *part, WeftError *error) {
  WeftResult result = make_part(part, weft_world_obstacle_name(world, obstacle),
                                weft_world_obstacle_vertex_count(world, obstacle),
                                weft_world_obstacle_triangle_count(world, obstacle), error);
  if (!result)
    result = weft_world_get_obstacle_positions(world, obstacle, (double *)(uintptr_t)part->positions, error);
  if (!result)
    result = weft_world_get_obstacle_triangles(world, obstacle, (int32_t *)(uintptr_t)part->triangles, error);
  return result;
}

WeftResult weft_world_write_obj(WeftWorld *world, int32_t cloth_or_minus_1_for_all, const char *path,
                                WeftError *error) {
  if (!world || !path)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_world_write_obj: no world or path");
  bool is_all = cloth_or_minus_1_for_all == -1;
  int32_t first = is_all ? 0 : cloth_or_minus_1_for_all, count = is_all ? weft_world_cloth_count(world) : 1;
  WeftObjPart *parts = WEFT_NEW(WeftObjPart, count);
  WeftResult result = parts ? WEFT_RESULT_OK : weft_fail_memory(error, "OBJ file");
  for (int32_t i = 0; i < count && !result; i++) result = fill_part(world, first + i, &parts[i], error);
  if (!result) result = weft_obj_write(path, count, parts, error);
  for (int32_t i = 0; parts && i < count; i++) free_part(&parts[i]);
  free(parts);
  return result;
}

WeftResult weft_world_write_obstacles_obj(WeftWorld *world, WeftObstacleSet set, const char *path,
                                          WeftError *error) {
  if (!world || !path)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_world_write_obstacles_obj: no world or path");
  int32_t all = weft_world_obstacle_count(world), count = 0;
  WeftObjPart *parts = WEFT_NEW(WeftObjPart, all);
  WeftResult result = parts ? WEFT_RESULT_OK : weft_fail_memory(error, "OBJ file");
  for (int32_t i = 0; i < all && !result; i++) {
    bool is_static = weft_world_obstacle_motion(world, i) == WEFT_MOTION_STATIC;
    if (set == (is_static ? WEFT_OBSTACLES_MOVING : WEFT_OBSTACLES_STATIC)) continue;
    result = fill_obstacle(world, i, &parts[count++], error);
  }
  if (!result) result = weft_obj_write(path, count, parts, error);
  for (int32_t i = 0; parts && i < count; i++) free_part(&parts[i]);
  free(parts);
  return result;
}
