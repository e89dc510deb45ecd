/* A world's cloths as one OBJ file. */
#include "base/memory.h"
#include "io/obj_write.h"

#include <stdlib.h>
#include <weft/scene.h>

static void free_part(WeftObjPart *part) {
  free((void *)(uintptr_t)part->positions);
  free((void *)(uintptr_t)part->triangles);
}

static WeftResult fill_part(WeftWorld *world, int32_t cloth, WeftObjPart *part, WeftError *error) {
  part->name = weft_world_cloth_name(world, cloth);
  part->vertex_count = weft_world_vertex_count(world, cloth);
  part->triangle_count = weft_world_triangle_count(world, cloth);
  if (part->vertex_count < 0) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "there is no cloth %d; the world has %d", cloth,
                     weft_world_cloth_count(world));
  }
  double *positions = WEFT_NEW(double, 3 * (size_t)part->vertex_count);
  int32_t *triangles = WEFT_NEW(int32_t, 3 * (size_t)part->triangle_count);
  part->positions = positions;
  part->triangles = triangles;
  if (!positions || !triangles) return weft_fail_memory(error, "OBJ file");
  WeftResult result = weft_world_positions(world, cloth, positions, error);
  if (!result) result = weft_world_triangles(world, cloth, triangles, error);
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
