/* "cloths". */
#include "material/material.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

#define DEGREE 0.017453292519943295769 /* pi / 180 */

static const char *const rest_bend_names[] = {"shape", "flat", NULL};
static const char *const spread_names[] = {"each", "equal", "mass", NULL};
static const char *const mass_spread_names[] = {"each", "equal", NULL};

/* Rest shape: "mesh", "uv", {"uv_scale": s} or {"file": name}. */
static WeftResult read_uv_scale(WeftReader *r, int32_t node, void *value) {
  WeftSceneRest *rest = value;
  rest->source = WEFT_REST_UV;
  return weft_read_number(r, node, (WeftRange)WEFT_ABOVE_ZERO, &rest->uv_scale);
}

static WeftResult read_rest_file(WeftReader *r, int32_t node, void *value) {
  WeftSceneRest *rest = value;
  rest->source = WEFT_REST_FILE;
  return weft_read_text(r, node, INFINITY, &rest->file);
}

static const WeftField rest_fields[] = {
    {.key = "uv_scale", .type = WEFT_FIELD_CUSTOM, .read = read_uv_scale},
    {.key = "file", .type = WEFT_FIELD_CUSTOM, .read = read_rest_file},
};
const WeftTable weft_scene_table_rest = {.name = "rest",
                                         .fields = rest_fields,
                                         .count = sizeof rest_fields / sizeof *rest_fields,
                                         .is_one_of = true};

static WeftResult read_rest(WeftReader *r, int32_t node, void *value) {
  static const char *const names[] = {"mesh", "uv", NULL};
  WeftSceneRest *rest = value;
  rest->node = node;
  if (weft_json_type(r->json, node) == WEFT_JSON_OBJECT)
    return weft_read_object(r, node, &weft_scene_table_rest, rest);
  if (weft_json_type(r->json, node) != WEFT_JSON_TEXT)
    return weft_refuse(r, node, "\"mesh\", \"uv\" or an object with uv_scale or file");
  int32_t source;
  WeftResult result = weft_read_choice(r, node, names, &source);
  if (!result) rest->source = (WeftRestSource)source;
  return result;
}

static WeftResult read_warp(WeftReader *r, int32_t node, void *value) {
  WeftSceneCloth *cloth = value;
  cloth->has_warp = true;
  cloth->warp_node = node;
  WeftResult result = weft_read_vector(r, node, cloth->warp);
  if (!result && !cloth->warp[0] && !cloth->warp[1] && !cloth->warp[2])
    return weft_refuse(r, node, "a direction that is not zero");
  return result;
}

/* Velocity: [x, y, z] or an object. */
static WeftResult read_each(WeftReader *r, int32_t node, void *value) {
  WeftSceneVelocity *velocity = value;
  const WeftJsonNode *n = weft_json_node(r->json, node);
  if (n->type != WEFT_JSON_LIST) return weft_refuse(r, node, "a list of velocities [x, y, z], one a vertex");
  velocity->node = node;
  velocity->each_count = n->count;
  velocity->each = weft_blocks_alloc(r->blocks, (size_t)n->count * 3, sizeof(double));
  if (!velocity->each) return weft_fail_memory(r->error, "velocities");
  double *next = velocity->each;
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t child = n->first; child >= 0 && !result;
       child = weft_json_node(r->json, child)->next, next += 3)
    result = weft_read_vector(r, child, next);
  return result;
}

static WeftResult read_angular(WeftReader *r, int32_t node, void *value) {
  double *angular = value;
  WeftResult result = weft_read_vector(r, node, angular);
  for (int i = 0; i < 3 && !result; i++) angular[i] *= DEGREE;
  return result;
}

static const WeftField velocity_fields[] = {
    {.key = "linear", .type = WEFT_FIELD_VECTOR, .offset = offsetof(WeftSceneVelocity, linear)},
    {.key = "angular",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftSceneVelocity, angular),
     .read = read_angular},
    {.key = "center", .type = WEFT_FIELD_VECTOR, .offset = offsetof(WeftSceneVelocity, center)},
    {.key = "each", .type = WEFT_FIELD_CUSTOM, .read = read_each},
};
const WeftTable weft_scene_table_velocity = WEFT_TABLE("velocity", velocity_fields);

static WeftResult read_velocity(WeftReader *r, int32_t node, void *value) {
  WeftSceneVelocity *velocity = value;
  if (weft_json_type(r->json, node) == WEFT_JSON_OBJECT)
    return weft_read_object(r, node, &weft_scene_table_velocity, velocity);
  return weft_read_numbers(r, node, 3, (WeftRange)WEFT_ANY, "3 numbers [x, y, z] or an object",
                           velocity->linear);
}

static const WeftField jitter_fields[] = {
    {.key = "amount",
     .type = WEFT_FIELD_NUMBER,
     .is_required = true,
     .offset = offsetof(WeftSceneJitter, amount),
     .range = WEFT_FROM_TO(0, 0.1)}, /* more could turn triangles over */
    {.key = "seed",
     .type = WEFT_FIELD_INTEGER,
     .offset = offsetof(WeftSceneJitter, seed),
     .range = WEFT_FROM_ZERO},
};
const WeftTable weft_scene_table_jitter = WEFT_TABLE("jitter", jitter_fields);

static WeftResult read_jitter(WeftReader *r, int32_t node, void *value) {
  WeftSceneJitter *jitter = value;
  jitter->node = node;
  return weft_read_object(r, node, &weft_scene_table_jitter, jitter);
}

#define SELECT(type_name)                                                                                   \
  {                                                                                                         \
    .key = "select", .type = WEFT_FIELD_CUSTOM, .is_required = true, .offset = offsetof(type_name, select), \
    .read = weft_scene_read_selection                                                                       \
  }

static const WeftField link_fields[] = {
    {.key = "a",
     .type = WEFT_FIELD_INTEGER,
     .is_required = true,
     .offset = offsetof(WeftSceneLink, link.a),
     .range = WEFT_FROM_ZERO},
    {.key = "b",
     .type = WEFT_FIELD_INTEGER,
     .is_required = true,
     .offset = offsetof(WeftSceneLink, link.b),
     .range = WEFT_FROM_ZERO},
    {.key = "rest_length",
     .type = WEFT_FIELD_NUMBER,
     .offset = offsetof(WeftSceneLink, link.rest_length),
     .range = WEFT_FROM_ZERO},
    {.key = "stiffness",
     .type = WEFT_FIELD_NUMBER,
     .is_required = true,
     .offset = offsetof(WeftSceneLink, link.stiffness),
     .range = WEFT_FROM_ZERO},
    {.key = "damping",
     .type = WEFT_FIELD_NUMBER,
     .offset = offsetof(WeftSceneLink, link.damping),
     .range = WEFT_FROM_ZERO},
};
const WeftTable weft_scene_table_link = WEFT_TABLE("link", link_fields);

static const WeftField mass_fields[] = {
    SELECT(WeftSceneMass),
    {.key = "mass",
     .type = WEFT_FIELD_NUMBER,
     .is_required = true,
     .offset = offsetof(WeftSceneMass, mass),
     .range = WEFT_FROM_ZERO},
    {.key = "spread",
     .type = WEFT_FIELD_CHOICE,
     .offset = offsetof(WeftSceneMass, spread),
     .choices = mass_spread_names},
};
const WeftTable weft_scene_table_mass = WEFT_TABLE("added_mass", mass_fields);

static const WeftField pin_fields[] = {
    {.key = "name",
     .type = WEFT_FIELD_TEXT,
     .offset = offsetof(WeftScenePin, name),
     .range = WEFT_FROM_TO(0, WEFT_NAME_SIZE - 1)},
    SELECT(WeftScenePin),
    {.key = "axes",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftScenePin, axes),
     .read = weft_scene_read_axes},
    {.key = "release",
     .type = WEFT_FIELD_NUMBER,
     .offset = offsetof(WeftScenePin, release),
     .range = WEFT_FROM_ZERO},
};
const WeftTable weft_scene_table_pin = WEFT_TABLE("pin", pin_fields);

static const WeftField force_fields[] = {
    SELECT(WeftSceneForce),
    {.key = "force",
     .type = WEFT_FIELD_VECTOR,
     .is_required = true,
     .offset = offsetof(WeftSceneForce, force)},
    {.key = "spread",
     .type = WEFT_FIELD_CHOICE,
     .offset = offsetof(WeftSceneForce, spread),
     .choices = spread_names},
};
const WeftTable weft_scene_table_force = WEFT_TABLE("force", force_fields);

static WeftResult read_links(WeftReader *r, int32_t node, void *value) {
  WeftSceneCloth *cloth = value;
  const WeftSceneLink initial = {.link = {.rest_length = NAN}};
  void *items;
  WeftResult result = weft_read_objects(r, node, &weft_scene_table_link, &initial, sizeof initial,
                                        &cloth->link_count, &items);
  if (result) return result;
  cloth->links = items;
  int32_t child = weft_json_node(r->json, node)->first;
  for (int32_t i = 0; i < cloth->link_count; i++, child = weft_json_node(r->json, child)->next) {
    cloth->links[i].node = child;
    if (cloth->links[i].link.a == cloth->links[i].link.b)
      return weft_json_fail(r->json, child, r->error, WEFT_RESULT_INVALID_DATA,
                            "expected two different vertices, got %d twice", cloth->links[i].link.a);
  }
  return WEFT_RESULT_OK;
}

static WeftResult read_masses(WeftReader *r, int32_t node, void *value) {
  WeftSceneCloth *cloth = value;
  const WeftSceneMass initial = {0};
  void *items;
  WeftResult result = weft_read_objects(r, node, &weft_scene_table_mass, &initial, sizeof initial,
                                        &cloth->mass_count, &items);
  if (!result) cloth->masses = items;
  return result;
}

static WeftResult read_pins(WeftReader *r, int32_t node, void *value) {
  WeftSceneCloth *cloth = value;
  const WeftScenePin initial = {.name = "pin", .axes = WEFT_AXIS_ALL, .release = INFINITY};
  void *items;
  WeftResult result =
      weft_read_objects(r, node, &weft_scene_table_pin, &initial, sizeof initial, &cloth->pin_count, &items);
  if (!result) cloth->pins = items;
  return result;
}

static WeftResult read_forces(WeftReader *r, int32_t node, void *value) {
  WeftSceneCloth *cloth = value;
  const WeftSceneForce initial = {0};
  void *items;
  WeftResult result = weft_read_objects(r, node, &weft_scene_table_force, &initial, sizeof initial,
                                        &cloth->force_count, &items);
  if (!result) cloth->forces = items;
  return result;
}

static WeftResult read_material(WeftReader *r, int32_t node, void *value) {
  WeftSceneCloth *cloth = value;
  cloth->material_node = node;
  return weft_material_read_node(r, node, &cloth->material);
}

static WeftResult read_stretch(WeftReader *r, int32_t node, void *value) {
  WeftSceneCloth *cloth = value;
  cloth->stretch_node = node;
  return weft_scene_read_method(r, node, "stretch", &cloth->stretch);
}

static WeftResult read_bend(WeftReader *r, int32_t node, void *value) {
  WeftSceneCloth *cloth = value;
  cloth->bend_node = node;
  return weft_scene_read_method(r, node, "bend", &cloth->bend);
}

#define CUSTOM(name, field, function) \
  { .key = name, .type = WEFT_FIELD_CUSTOM, .offset = offsetof(WeftSceneCloth, field), .read = function }
#define WHOLE(name, function) \
  { .key = name, .type = WEFT_FIELD_CUSTOM, .read = function }

static const WeftField cloth_fields[] = {
    {.key = "name",
     .type = WEFT_FIELD_TEXT,
     .offset = offsetof(WeftSceneCloth, name),
     .range = WEFT_FROM_TO(0, WEFT_NAME_SIZE - 1)},
    {.key = "mesh",
     .type = WEFT_FIELD_CUSTOM,
     .is_required = true,
     .offset = offsetof(WeftSceneCloth, mesh),
     .read = weft_scene_read_mesh},
    CUSTOM("transform", transform, weft_scene_read_transform),
    WHOLE("material", read_material),
    WHOLE("stretch", read_stretch),
    WHOLE("bend", read_bend),
    CUSTOM("rest", rest, read_rest),
    {.key = "rest_bend",
     .type = WEFT_FIELD_CHOICE,
     .offset = offsetof(WeftSceneCloth, rest_bend),
     .choices = rest_bend_names},
    WHOLE("warp", read_warp),
    CUSTOM("velocity", velocity, read_velocity),
    CUSTOM("jitter", jitter, read_jitter),
    WHOLE("links", read_links),
    WHOLE("added_mass", read_masses),
    WHOLE("pins", read_pins),
    WHOLE("forces", read_forces),
};
const WeftTable weft_scene_table_cloth = WEFT_TABLE("cloth", cloth_fields);

/* What can be told only when all keys of the cloth are read. */
static WeftResult check_cloth(WeftReader *r, const WeftSceneCloth *cloth) {
  if (cloth->has_warp && cloth->rest.source == WEFT_REST_UV)
    return weft_json_fail_key(r->json, cloth->warp_node, r->error, WEFT_RESULT_INVALID_DATA,
                              "with a rest shape from uvs the warp runs along u; leave warp out");
  bool lacks_stretch = cloth->stretch_node >= 0 && !strcmp(cloth->stretch, "measured") &&
                       !cloth->material.has_measured_stretch;
  bool lacks_bend =
      cloth->bend_node >= 0 && !strcmp(cloth->bend, "measured") && !cloth->material.has_measured_bend;
  if (lacks_stretch || lacks_bend)
    return weft_json_fail(
        r->json, lacks_stretch ? cloth->stretch_node : cloth->bend_node, r->error, WEFT_RESULT_INVALID_DATA,
        "needs a material with the table %s; read one from an ArcSim file, or use another method",
        lacks_stretch ? "measured_stretch" : "measured_bend");
  WeftResult result = WEFT_RESULT_OK;
  WeftMeshSource source = cloth->mesh.source;
  for (int32_t i = 0; i < cloth->pin_count && !result; i++)
    result = weft_scene_check_selection(r, &cloth->pins[i].select, source);
  for (int32_t i = 0; i < cloth->force_count && !result; i++)
    result = weft_scene_check_selection(r, &cloth->forces[i].select, source);
  for (int32_t i = 0; i < cloth->mass_count && !result; i++)
    result = weft_scene_check_selection(r, &cloth->masses[i].select, source);
  return result;
}

/* "cloth", "cloth2", "cloth3" ... where no name is given. */
static WeftResult name_cloth(WeftReader *r, WeftScene *scene, int32_t index) {
  WeftSceneCloth *cloth = &scene->cloths[index];
  if (!cloth->name) {
    char *name = weft_blocks_alloc(r->blocks, 24, 1);
    if (!name) return weft_fail_memory(r->error, "the name of a cloth");
    if (index)
      snprintf(name, 24, "cloth%d", index + 1);
    else
      snprintf(name, 24, "cloth");
    cloth->name = name;
  }
  for (int32_t i = 0; i < index; i++)
    if (!strcmp(scene->cloths[i].name, cloth->name))
      return weft_json_fail(r->json, cloth->node, r->error, WEFT_RESULT_INVALID_DATA,
                            "cloths[%d] has the name \"%s\" too; names must differ", i, cloth->name);
  return WEFT_RESULT_OK;
}

WeftResult weft_scene_read_cloths(WeftReader *r, int32_t node, void *value) {
  WeftScene *scene = value;
  const WeftClothDef def = weft_default_cloth_def();
  const WeftSceneCloth initial = {.transform = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
                                  .material = weft_default_material(),
                                  .material_node = -1,
                                  .stretch = def.stretch,
                                  .bend = def.bend,
                                  .stretch_node = -1,
                                  .bend_node = -1,
                                  .rest = {.uv_scale = 1},
                                  .jitter = {.node = -1},
                                  .rest_bend = (int32_t)def.rest_bend,
                                  .warp = {def.warp[0], def.warp[1], def.warp[2]}};
  void *items = NULL;
  int32_t count = 0;
  WeftResult result =
      weft_read_objects(r, node, &weft_scene_table_cloth, &initial, sizeof initial, &count, &items);
  if (result) return result;
  if (!count) return weft_refuse(r, node, "at least one cloth");
  scene->cloths = items;
  scene->cloth_count = count;
  int32_t child = weft_json_node(r->json, node)->first;
  for (int32_t i = 0; i < count && !result; i++, child = weft_json_node(r->json, child)->next) {
    scene->cloths[i].node = child;
    result = check_cloth(r, &scene->cloths[i]);
    if (!result) result = name_cloth(r, scene, i);
  }
  return result;
}
