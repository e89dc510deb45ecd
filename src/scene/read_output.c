/* "output": what a run writes. */
#include "scene/scene.h"

#include <string.h>

static const char *const value_names[] = {"vertices", "faces", "hinges", NULL};
static const char *const color_names[] = {"cloth", "strain", NULL};

static WeftResult read_values(WeftReader *r, int32_t node, void *value) {
  bool *wanted = value;
  if (weft_json_type(r->json, node) != WEFT_JSON_LIST)
    return weft_refuse(r, node, "a list of: vertices, faces, hinges");
  for (int32_t child = weft_json_node(r->json, node)->first; child >= 0;
       child = weft_json_node(r->json, child)->next) {
    int32_t index;
    WeftResult result = weft_read_choice(r, child, value_names, &index);
    if (result) return result;
    wanted[index] = true;
  }
  return WEFT_RESULT_OK;
}

static const WeftField pictures_fields[] = {
    {.key = "every",
     .type = WEFT_FIELD_INTEGER,
     .is_required = true,
     .offset = offsetof(WeftSceneOutput, picture_every),
     .range = WEFT_FROM_TO(1, 1000000)},
};
const WeftTable weft_scene_table_pictures = WEFT_TABLE("pictures", pictures_fields);

/* Frame numbers, "all", or {"every": n}. */
static WeftResult read_pictures(WeftReader *r, int32_t node, void *value) {
  WeftSceneOutput *output = value;
  const WeftJsonNode *n = weft_json_node(r->json, node);
  output->picture_node = node;
  if (n->type == WEFT_JSON_OBJECT) {
    output->picture_rule = WEFT_PICTURE_EVERY;
    return weft_read_object(r, node, &weft_scene_table_pictures, output);
  }
  if (n->type == WEFT_JSON_TEXT && !strcmp(weft_json_text(r->json, node), "all")) {
    output->picture_rule = WEFT_PICTURE_ALL;
    return WEFT_RESULT_OK;
  }
  if (n->type != WEFT_JSON_LIST)
    return weft_refuse(r, node, "a list of frame numbers (-1: the last), \"all\" or {\"every\": n}");
  output->picture_rule = WEFT_PICTURE_LIST;
  output->picture_count = n->count;
  output->pictures = weft_blocks_alloc(r->blocks, (size_t)n->count, sizeof(int32_t));
  if (!output->pictures) return weft_fail_memory(r->error, "pictures");
  int32_t *next = output->pictures;
  for (int32_t child = n->first; child >= 0; child = weft_json_node(r->json, child)->next) {
    WeftResult result = weft_read_integer(r, child, (WeftRange)WEFT_FROM_TO(-1, 1000000), next++);
    if (result) return result;
  }
  return WEFT_RESULT_OK;
}

static WeftResult read_picture_size(WeftReader *r, int32_t node, void *value) {
  int32_t *size = value;
  double numbers[2];
  WeftResult result = weft_read_numbers(r, node, 2, (WeftRange)WEFT_FROM_TO(16, 8192),
                                        "2 numbers [width, height] of pixels", numbers);
  for (int i = 0; i < 2 && !result; i++)
    result =
        weft_read_integer(r, weft_json_item(r->json, node, i), (WeftRange)WEFT_FROM_TO(16, 8192), &size[i]);
  return result;
}

static const WeftField camera_fields[] = {
    {.key = "from",
     .type = WEFT_FIELD_VECTOR,
     .is_required = true,
     .offset = offsetof(WeftSceneOutput, camera_from)},
    {.key = "to",
     .type = WEFT_FIELD_VECTOR,
     .is_required = true,
     .offset = offsetof(WeftSceneOutput, camera_to)},
    {.key = "fov",
     .type = WEFT_FIELD_NUMBER,
     .offset = offsetof(WeftSceneOutput, camera_fov),
     .range = WEFT_FROM_TO(1, 170)},
};
const WeftTable weft_scene_table_camera = WEFT_TABLE("camera", camera_fields);

static WeftResult read_camera(WeftReader *r, int32_t node, void *value) {
  WeftSceneOutput *output = value;
  output->has_camera = true;
  WeftResult result = weft_read_object(r, node, &weft_scene_table_camera, output);
  if (!result && !memcmp(output->camera_from, output->camera_to, sizeof output->camera_from))
    return weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
                          "from and to must not be the same point");
  return result;
}

static const WeftField cache_fields[] = {
    {.key = "quantise_bits",
     .type = WEFT_FIELD_INTEGER,
     .offset = offsetof(WeftSceneOutput, cache_bits),
     .range = WEFT_FROM_TO(8, 32)},
    {.key = "velocities", .type = WEFT_FIELD_BOOLEAN, .offset = offsetof(WeftSceneOutput, cache_velocities)},
};
const WeftTable weft_scene_table_cache = WEFT_TABLE("cache", cache_fields);

/* true, false, or an object that says how. */
static WeftResult read_cache(WeftReader *r, int32_t node, void *value) {
  WeftSceneOutput *output = value;
  if (weft_json_type(r->json, node) == WEFT_JSON_BOOLEAN) {
    output->cache = weft_json_node(r->json, node)->boolean;
    return WEFT_RESULT_OK;
  }
  if (weft_json_type(r->json, node) != WEFT_JSON_OBJECT)
    return weft_refuse(r, node, "true, false or an object with quantise_bits and velocities");
  output->cache = true;
  return weft_read_object(r, node, &weft_scene_table_cache, output);
}

static const WeftField fields[] = {
    {.key = "cache", .type = WEFT_FIELD_CUSTOM, .read = read_cache},
    {.key = "obj", .type = WEFT_FIELD_BOOLEAN, .offset = offsetof(WeftSceneOutput, obj)},
    {.key = "values",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftSceneOutput, values),
     .read = read_values},
    {.key = "every",
     .type = WEFT_FIELD_INTEGER,
     .offset = offsetof(WeftSceneOutput, every),
     .range = WEFT_FROM_TO(1, 1000000)},
    {.key = "pictures", .type = WEFT_FIELD_CUSTOM, .read = read_pictures},
    {.key = "picture_size",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftSceneOutput, picture_size),
     .read = read_picture_size},
    {.key = "picture_color",
     .type = WEFT_FIELD_CHOICE,
     .offset = offsetof(WeftSceneOutput, picture_color),
     .choices = color_names},
    {.key = "camera", .type = WEFT_FIELD_CUSTOM, .read = read_camera},
};
const WeftTable weft_scene_table_output = WEFT_TABLE("output", fields);
