/* "handles": vertices carried along keyframes. */
#include "scene/scene.h"

#include <string.h>

const char *const weft_scene_interpolations[] = {"linear", "smooth", NULL};

static const WeftField key_fields[] = {
    {.key = "time",
     .type = WEFT_FIELD_NUMBER,
     .is_required = true,
     .offset = offsetof(WeftKey, time),
     .range = WEFT_FROM_ZERO},
    {.key = "translate", .type = WEFT_FIELD_VECTOR, .offset = offsetof(WeftKey, translation)},
    {.key = "rotate",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftKey, rotation),
     .read = weft_scene_read_rotation},
};
const WeftTable weft_scene_table_key = WEFT_TABLE("key", key_fields);

static WeftResult read_keys(WeftReader *r, int32_t node, void *value) {
  WeftSceneHandle *handle = value;
  const WeftKey initial = {0};
  void *items;
  WeftResult result =
      weft_read_objects(r, node, &weft_scene_table_key, &initial, sizeof initial, &handle->key_count, &items);
  if (result) return result;
  handle->keys = items;
  for (int32_t i = 1; i < handle->key_count; i++)
    if (!(handle->keys[i].time > handle->keys[i - 1].time))
      return weft_json_fail(r->json, weft_json_item(r->json, node, i), r->error, WEFT_RESULT_INVALID_DATA,
                            "expected a time after %.10g s, that of the key before, got %.10g s",
                            handle->keys[i - 1].time, handle->keys[i].time);
  return WEFT_RESULT_OK;
}

static WeftResult read_pivot(WeftReader *r, int32_t node, void *value) {
  WeftSceneHandle *handle = value;
  handle->has_pivot = true;
  return weft_read_vector(r, node, handle->pivot);
}

/* Kept for later: cloths may stand behind handles in the file. */
static WeftResult read_cloth_node(WeftReader *r, int32_t node, void *value) {
  (void)r;
  *(int32_t *)value = node;
  return WEFT_RESULT_OK;
}

static const WeftField fields[] = {
    {.key = "name",
     .type = WEFT_FIELD_TEXT,
     .offset = offsetof(WeftSceneHandle, name),
     .range = WEFT_FROM_TO(0, WEFT_NAME_SIZE - 1)},
    {.key = "cloth",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftSceneHandle, cloth_node),
     .read = read_cloth_node},
    {.key = "select",
     .type = WEFT_FIELD_CUSTOM,
     .is_required = true,
     .offset = offsetof(WeftSceneHandle, select),
     .read = weft_scene_read_selection},
    {.key = "axes",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftSceneHandle, axes),
     .read = weft_scene_read_axes},
    {.key = "keys", .type = WEFT_FIELD_CUSTOM, .read = read_keys},
    {.key = "pivot", .type = WEFT_FIELD_CUSTOM, .read = read_pivot},
    {.key = "interpolation",
     .type = WEFT_FIELD_CHOICE,
     .offset = offsetof(WeftSceneHandle, interpolation),
     .choices = weft_scene_interpolations},
    {.key = "release",
     .type = WEFT_FIELD_NUMBER,
     .offset = offsetof(WeftSceneHandle, release),
     .range = WEFT_FROM_ZERO},
};
const WeftTable weft_scene_table_handle = WEFT_TABLE("handle", fields);

WeftResult weft_scene_read_handles(WeftReader *r, int32_t node, void *value) {
  WeftScene *scene = value;
  const WeftHandleDef def = weft_default_handle_def();
  const WeftSceneHandle initial = {.name = "handle",
                                   .cloth_node = -1,
                                   .axes = def.axes,
                                   .interpolation = (int32_t)def.interpolation,
                                   .release = def.release_time};
  void *items;
  WeftResult result = weft_read_objects(r, node, &weft_scene_table_handle, &initial, sizeof initial,
                                        &scene->handle_count, &items);
  if (result) return result;
  scene->handles = items;
  int32_t child = weft_json_node(r->json, node)->first;
  for (int32_t i = 0; i < scene->handle_count; i++, child = weft_json_node(r->json, child)->next)
    scene->handles[i].node = child;
  return WEFT_RESULT_OK;
}

/* By name or by number; not needed when there is but one cloth. */
static WeftResult find_cloth(WeftReader *r, const WeftScene *scene, WeftSceneHandle *handle) {
  int32_t node = handle->cloth_node;
  if (node < 0) {
    if (scene->cloth_count == 1) return WEFT_RESULT_OK;
    return weft_json_fail(r->json, handle->node, r->error, WEFT_RESULT_INVALID_DATA,
                          "missing key \"cloth\": the scene has %d cloths", scene->cloth_count);
  }
  if (weft_json_type(r->json, node) == WEFT_JSON_NUMBER)
    return weft_read_integer(r, node, (WeftRange)WEFT_FROM_TO(0, scene->cloth_count - 1), &handle->cloth);
  if (weft_json_type(r->json, node) != WEFT_JSON_TEXT)
    return weft_refuse(r, node, "a cloth's name or number");
  const char *names[64];
  for (int32_t i = 0; i < scene->cloth_count; i++) {
    if (i < 64) names[i] = scene->cloths[i].name;
    if (strcmp(scene->cloths[i].name, weft_json_text(r->json, node))) continue;
    handle->cloth = i;
    return WEFT_RESULT_OK;
  }
  return weft_refuse_name(r, node, "cloth", names, scene->cloth_count < 64 ? scene->cloth_count : 64);
}

WeftResult weft_scene_link_handles(WeftReader *r, WeftScene *scene) {
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t i = 0; i < scene->handle_count && !result; i++) {
    WeftSceneHandle *handle = &scene->handles[i];
    result = find_cloth(r, scene, handle);
    if (!result)
      result = weft_scene_check_selection(r, &handle->select, scene->cloths[handle->cloth].mesh.source);
  }
  return result;
}
