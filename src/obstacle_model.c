/* Obstacles in the model: a numbering of their own, one after another in the user's order. */
#include "base/hash.h"
#include "base/memory.h"
#include "model_build.h"

#include <stdio.h>
#include <string.h>

static WeftResult count_obstacles(WeftModel *model, const WeftObstacleInput *inputs, WeftError *error) {
  enum { MOST = 1 << 26 }; /* as for cloths */
  int64_t vertices = 0, triangles = 0;
  for (int i = 0; i < model->obstacle_count; i++) {
    const WeftObstacleInput *input = &inputs[i];
    WeftModelObstacle *obstacle = &model->obstacles[i];
    *obstacle = (WeftModelObstacle){.friction_static = input->def.friction_static,
                                    .friction_kinetic = input->def.friction_kinetic,
                                    .thickness = input->def.thickness,
                                    .first_vertex = (int)vertices,
                                    .vertex_count = input->def.vertex_count,
                                    .first_triangle = (int)triangles,
                                    .triangle_count = input->def.triangle_count,
                                    .kind = weft_obstacle_input_kind(input),
                                    .motion = input->motion,
                                    .frame_count = input->def.frame_count,
                                    .frame_times = input->frame_times,
                                    .shapes = input->shapes};
    snprintf(obstacle->name, sizeof obstacle->name, "%s", input->name);
    vertices += obstacle->vertex_count;
    triangles += obstacle->triangle_count;
    if (vertices > MOST || triangles > MOST) {
      return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                       "the obstacles have more than %d vertices or triangles", MOST);
    }
  }
  model->obstacle_vertex_count = (int)vertices;
  model->obstacle_triangle_count = (int)triangles;
  return WEFT_RESULT_OK;
}

WeftResult weft_model_add_obstacles(WeftModel *model, const WeftObstacleInput *inputs, int input_count,
                                    WeftError *error) {
  model->obstacle_count = input_count;
  model->obstacles = WEFT_NEW(WeftModelObstacle, input_count);
  if (!model->obstacles) return weft_fail_memory(error, "obstacles");
  WeftResult result = count_obstacles(model, inputs, error);
  if (result) return result;
  model->obstacle_triangles = WEFT_NEW(int32_t, 3 * (size_t)model->obstacle_triangle_count);
  model->triangle_obstacle = WEFT_NEW(int32_t, model->obstacle_triangle_count);
  if (!model->obstacle_triangles || !model->triangle_obstacle) return weft_fail_memory(error, "obstacles");
  for (int i = 0; i < input_count; i++) {
    const WeftModelObstacle *obstacle = &model->obstacles[i];
    size_t first = (size_t)obstacle->first_triangle;
    for (size_t k = 0; k < 3 * (size_t)obstacle->triangle_count; k++) {
      model->obstacle_triangles[3 * first + k] = obstacle->first_vertex + inputs[i].triangles[k];
      model->triangle_obstacle[first + k / 3] = i;
    }
  }
  return WEFT_RESULT_OK;
}

/* Nothing is added where there is no obstacle: states saved before there were any still fit. */
uint64_t weft_model_hash_obstacles(uint64_t hash, const WeftModel *model) {
  for (int i = 0; i < model->obstacle_count; i++) {
    const WeftModelObstacle *o = &model->obstacles[i];
    size_t frames = (size_t)o->frame_count, keys = (size_t)o->motion.key_count;
    double numbers[] = {o->friction_static, o->friction_kinetic, o->thickness,       o->vertex_count,
                        o->triangle_count,  o->frame_count,      o->motion.key_count};
    double motion[] = {o->motion.pivot[0], o->motion.pivot[1], o->motion.pivot[2], o->motion.interpolation};
    hash = weft_hash(hash, numbers, sizeof numbers);
    if (keys) hash = weft_hash(hash, motion, sizeof motion);
    hash = weft_hash(hash, o->motion.keys, keys * sizeof *o->motion.keys); /* doubles without gaps */
    if (frames > 1) hash = weft_hash(hash, o->frame_times, frames * sizeof *o->frame_times);
    hash = weft_hash(hash, o->shapes, 3 * frames * (size_t)o->vertex_count * sizeof *o->shapes);
  }
  return weft_hash(hash, model->obstacle_triangles,
                   3 * (size_t)model->obstacle_triangle_count * sizeof *model->obstacle_triangles);
}
