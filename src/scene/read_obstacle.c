/* "obstacles": meshes that cloth meets, standing, keyframed or in frames. */
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

static const WeftField key_fields[] = {
    {.key = "time",
     .type = WEFT_FIELD_NUMBER,
     .is_required = true,
     .offset = offsetof(WeftObstacleKey, time),
     .range = WEFT_FROM_ZERO},
    {.key = "translate", .type = WEFT_FIELD_VECTOR, .offset = offsetof(WeftObstacleKey, translation)},
    {.key = "rotate",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftObstacleKey, rotation),
     .read = weft_scene_read_rotation},
    {.key = "scale",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftObstacleKey, scale),
     .read = weft_scene_read_scale},
};
const WeftTable weft_scene_table_obstacle_key = WEFT_TABLE("obstacle_key", key_fields);

static WeftResult read_keys(WeftReader *r, int32_t node, void *value) {
  WeftSceneObstacle *obstacle = value;
  const WeftObstacleKey initial = {.scale = {1, 1, 1}};
  void *items;
  WeftResult result = weft_read_objects(r, node, &weft_scene_table_obstacle_key, &initial, sizeof initial,
                                        &obstacle->key_count, &items);
  if (result) return result;
  obstacle->keys = items;
  for (int32_t i = 1; i < obstacle->key_count; i++)
    if (!(obstacle->keys[i].time > obstacle->keys[i - 1].time))
      return weft_json_fail(r->json, weft_json_item(r->json, node, i), r->error, WEFT_RESULT_INVALID_DATA,
                            "expected a time after %.10g s, that of the key before, got %.10g s",
                            obstacle->keys[i - 1].time, obstacle->keys[i].time);
  return WEFT_RESULT_OK;
}

static WeftResult read_pivot(WeftReader *r, int32_t node, void *value) {
  WeftSceneObstacle *obstacle = value;
  obstacle->has_pivot = true;
  return weft_read_vector(r, node, obstacle->pivot);
}

static WeftResult read_mesh(WeftReader *r, int32_t node, void *value) {
  WeftSceneObstacle *obstacle = value;
  obstacle->has_mesh = true;
  return weft_scene_read_mesh(r, node, &obstacle->mesh);
}

#define NUMBER(field)                                                                       \
  {                                                                                         \
    .key = #field, .type = WEFT_FIELD_NUMBER, .offset = offsetof(WeftSceneObstacle, field), \
    .range = WEFT_FROM_ZERO                                                                 \
  }

static const WeftField fields[] = {
    {.key = "name",
     .type = WEFT_FIELD_TEXT,
     .offset = offsetof(WeftSceneObstacle, name),
     .range = WEFT_FROM_TO(0, WEFT_NAME_SIZE - 1)},
    {.key = "mesh", .type = WEFT_FIELD_CUSTOM, .read = read_mesh},
    {.key = "sequence",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftSceneObstacle, sequence),
     .read = weft_scene_read_sequence},
    {.key = "transform",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftSceneObstacle, transform),
     .read = weft_scene_read_transform},
    NUMBER(friction_static),
    NUMBER(friction_kinetic),
    NUMBER(thickness),
    {.key = "keys", .type = WEFT_FIELD_CUSTOM, .read = read_keys},
    {.key = "pivot", .type = WEFT_FIELD_CUSTOM, .read = read_pivot},
    {.key = "interpolation",
     .type = WEFT_FIELD_CHOICE,
     .offset = offsetof(WeftSceneObstacle, interpolation),
     .choices = weft_scene_interpolations},
};
const WeftTable weft_scene_table_obstacle = WEFT_TABLE("obstacle", fields);

/* "obstacle", "obstacle2", "obstacle3" ... where no name is given. */
static WeftResult name_obstacle(WeftReader *r, WeftScene *scene, int32_t index) {
  WeftSceneObstacle *obstacle = &scene->obstacles[index];
  if (!obstacle->name) {
    char *name = weft_blocks_alloc(r->blocks, 24, 1);
    if (!name) return weft_fail_memory(r->error, "the name of an obstacle");
    if (index)
      snprintf(name, 24, "obstacle%d", index + 1);
    else
      snprintf(name, 24, "obstacle");
    obstacle->name = name;
  }
  for (int32_t i = 0; i < index; i++)
    if (!strcmp(scene->obstacles[i].name, obstacle->name))
      return weft_json_fail(r->json, obstacle->node, r->error, WEFT_RESULT_INVALID_DATA,
                            "obstacles[%d] has the name \"%s\" too; names must differ", i, obstacle->name);
  return WEFT_RESULT_OK;
}

static WeftResult check_source(WeftReader *r, const WeftSceneObstacle *obstacle) {
  bool has_sequence = obstacle->sequence.node >= 0;
  if (obstacle->has_mesh != has_sequence) return WEFT_RESULT_OK;
  return weft_json_fail(
      r->json, obstacle->node, r->error, WEFT_RESULT_INVALID_DATA,
      has_sequence ? "expected either mesh or sequence, got both" : "missing key \"mesh\" or \"sequence\"");
}

WeftResult weft_scene_read_obstacles(WeftReader *r, int32_t node, void *value) {
  WeftScene *scene = value;
  const WeftObstacleDef def = weft_default_obstacle_def();
  const WeftSceneObstacle initial = {
      .transform = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
      .sequence = {.node = -1, .first_node = -1, .last_node = -1, .frame_rate = NAN},
      .friction_static = def.friction_static,
      .friction_kinetic = def.friction_kinetic,
      .thickness = def.thickness,
      .interpolation = (int32_t)def.interpolation};
  void *items;
  int32_t count;
  WeftResult result =
      weft_read_objects(r, node, &weft_scene_table_obstacle, &initial, sizeof initial, &count, &items);
  if (result) return result;
  scene->obstacles = items;
  scene->obstacle_count = count;
  int32_t child = weft_json_node(r->json, node)->first;
  for (int32_t i = 0; i < count && !result; i++, child = weft_json_node(r->json, child)->next) {
    scene->obstacles[i].node = child;
    result = check_source(r, &scene->obstacles[i]);
    if (!result) result = name_obstacle(r, scene, i);
  }
  return result;
}
