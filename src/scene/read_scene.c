/* The scene itself: time, gravity, air, integrator, solver; and the order in which a scene is read. */
#include "base/memory.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const WeftField gust_fields[] = {
    {.key = "amplitude",
     .type = WEFT_FIELD_VECTOR,
     .is_required = true,
     .offset = offsetof(WeftWind, gust_amplitude)},
    {.key = "frequency",
     .type = WEFT_FIELD_NUMBER,
     .is_required = true,
     .offset = offsetof(WeftWind, gust_frequency),
     .range = WEFT_FROM_ZERO},
    {.key = "length",
     .type = WEFT_FIELD_NUMBER,
     .is_required = true,
     .offset = offsetof(WeftWind, gust_length),
     .range = WEFT_ABOVE_ZERO},
};
const WeftTable weft_scene_table_gust = WEFT_TABLE("gust", gust_fields);

static const WeftField wind_fields[] = {
    {.key = "velocity", .type = WEFT_FIELD_VECTOR, .offset = offsetof(WeftWind, velocity)},
    {.key = "gust", .type = WEFT_FIELD_OBJECT, .table = &weft_scene_table_gust},
    {.key = "air_density",
     .type = WEFT_FIELD_NUMBER,
     .offset = offsetof(WeftWind, air_density),
     .range = WEFT_FROM_ZERO},
};
const WeftTable weft_scene_table_wind = WEFT_TABLE("wind", wind_fields);

static WeftResult read_integrator_method(WeftReader *r, int32_t node, void *value) {
  return weft_scene_read_method(r, node, "integrator", value);
}

static WeftResult read_preconditioner(WeftReader *r, int32_t node, void *value) {
  return weft_scene_read_method(r, node, "preconditioner", value);
}

static const WeftField integrator_fields[] = {
    {.key = "method",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftWorldDef, integrator),
     .read = read_integrator_method},
    {.key = "newton_iterations",
     .type = WEFT_FIELD_INTEGER,
     .offset = offsetof(WeftWorldDef, newton_iterations),
     .range = WEFT_FROM_TO(1, 1000)},
    {.key = "newton_tolerance",
     .type = WEFT_FIELD_NUMBER,
     .offset = offsetof(WeftWorldDef, newton_tolerance),
     .range = WEFT_FROM_ZERO},
    {.key = "step_halvings",
     .type = WEFT_FIELD_INTEGER,
     .offset = offsetof(WeftWorldDef, step_halvings),
     .range = WEFT_FROM_TO(0, 20)},
};
const WeftTable weft_scene_table_integrator = WEFT_TABLE("integrator", integrator_fields);

static const WeftField solver_fields[] = {
    {.key = "preconditioner",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftWorldDef, preconditioner),
     .read = read_preconditioner},
    {.key = "tolerance",
     .type = WEFT_FIELD_NUMBER,
     .offset = offsetof(WeftWorldDef, solver_tolerance),
     .range = {0, 0.5, true}},
    {.key = "max_iterations",
     .type = WEFT_FIELD_INTEGER,
     .offset = offsetof(WeftWorldDef, solver_max_iterations),
     .range = WEFT_FROM_ZERO},
};
const WeftTable weft_scene_table_solver = WEFT_TABLE("solver", solver_fields);

static WeftResult read_broad_phase(WeftReader *r, int32_t node, void *value) {
  return weft_scene_read_method(r, node, "broad_phase", value);
}

static WeftResult read_friction(WeftReader *r, int32_t node, void *value) {
  return weft_scene_read_method(r, node, "friction", value);
}

/* A link of the response: its name alone, or with the rounds it may take. */
typedef struct Link {
  const char *name;
  int32_t rounds;
} Link;

static WeftResult read_link_name(WeftReader *r, int32_t node, void *value) {
  return weft_scene_read_method(r, node, "response", value);
}

static const WeftField response_fields[] = {
    {.key = "link",
     .type = WEFT_FIELD_CUSTOM,
     .is_required = true,
     .offset = offsetof(Link, name),
     .read = read_link_name},
    {.key = "rounds",
     .type = WEFT_FIELD_INTEGER,
     .offset = offsetof(Link, rounds),
     .range = WEFT_FROM_TO(1, 100000)},
};
const WeftTable weft_scene_table_response = WEFT_TABLE("response", response_fields);

static WeftResult read_response(WeftReader *r, int32_t node, void *value) {
  WeftWorldDef *world = value;
  int32_t count = weft_json_type(r->json, node) == WEFT_JSON_LIST ? weft_json_node(r->json, node)->count : 0;
  if (count < 1 || count > WEFT_CHAIN_MOST)
    return weft_refuse(r, node, "a list of 1 to 8 links of the response");
  const char **names = weft_blocks_alloc(r->blocks, (size_t)count, sizeof *names);
  int32_t *rounds = weft_blocks_alloc(r->blocks, (size_t)count, sizeof *rounds);
  if (!names || !rounds) return weft_fail_memory(r->error, "links of the response");
  for (int32_t i = 0; i < count; i++) {
    int32_t item = weft_json_item(r->json, node, i);
    bool is_object = weft_json_type(r->json, item) == WEFT_JSON_OBJECT;
    Link link = {0};
    WeftResult result = is_object ? weft_read_object(r, item, &weft_scene_table_response, &link)
                                  : read_link_name(r, item, &link.name);
    if (result) return result;
    names[i] = link.name;
    rounds[i] = link.rounds;
  }
  world->response_count = count;
  world->response = names;
  world->response_rounds = rounds;
  return WEFT_RESULT_OK;
}

static const WeftField collision_fields[] = {
    {.key = "enabled", .type = WEFT_FIELD_BOOLEAN, .offset = offsetof(WeftWorldDef, collides)},
    {.key = "broad_phase",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftWorldDef, broad_phase),
     .read = read_broad_phase},
    {.key = "friction",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(WeftWorldDef, friction),
     .read = read_friction},
    {.key = "response", .type = WEFT_FIELD_CUSTOM, .read = read_response},
};
const WeftTable weft_scene_table_collision = WEFT_TABLE("collision", collision_fields);

static const WeftField quasi_static_fields[] = {
    {.key = "max_speed",
     .type = WEFT_FIELD_NUMBER,
     .offset = offsetof(WeftScene, settle_speed),
     .range = WEFT_ABOVE_ZERO},
};
const WeftTable weft_scene_table_quasi_static = WEFT_TABLE("quasi_static", quasi_static_fields);

/* true, false, or an object with the speed that counts as rest. */
static WeftResult read_quasi_static(WeftReader *r, int32_t node, void *value) {
  WeftScene *scene = value;
  if (weft_json_type(r->json, node) == WEFT_JSON_BOOLEAN) {
    scene->is_quasi_static = weft_json_node(r->json, node)->boolean;
    return WEFT_RESULT_OK;
  }
  if (weft_json_type(r->json, node) != WEFT_JSON_OBJECT)
    return weft_refuse(r, node, "true, false or an object with max_speed");
  scene->is_quasi_static = true;
  return weft_read_object(r, node, &weft_scene_table_quasi_static, scene);
}

#define OF(field) .offset = offsetof(WeftSceneFriction, field)

static const WeftField friction_fields[] = {
    {.key = "a",
     .type = WEFT_FIELD_TEXT,
     .is_required = true,
     OF(a),
     .range = WEFT_FROM_TO(1, WEFT_NAME_SIZE - 1)},
    {.key = "b",
     .type = WEFT_FIELD_TEXT,
     .is_required = true,
     OF(b),
     .range = WEFT_FROM_TO(1, WEFT_NAME_SIZE - 1)},
    {.key = "static", .type = WEFT_FIELD_NUMBER, .is_required = true, OF(at_rest), .range = WEFT_FROM_ZERO},
    {.key = "kinetic", .type = WEFT_FIELD_NUMBER, OF(sliding), .range = WEFT_FROM_ZERO},
};
const WeftTable weft_scene_table_friction = WEFT_TABLE("friction", friction_fields);

static WeftResult read_frictions(WeftReader *r, int32_t node, void *value) {
  WeftScene *scene = value;
  const WeftSceneFriction initial = {.sliding = -1};
  void *items;
  WeftResult result = weft_read_objects(r, node, &weft_scene_table_friction, &initial, sizeof initial,
                                        &scene->friction_count, &items);
  if (result) return result;
  scene->frictions = items;
  int32_t child = weft_json_node(r->json, node)->first;
  for (int32_t i = 0; i < scene->friction_count; i++, child = weft_json_node(r->json, child)->next) {
    WeftSceneFriction *friction = &scene->frictions[i];
    friction->node = child;
    if (friction->sliding < 0) friction->sliding = friction->at_rest;
  }
  return WEFT_RESULT_OK;
}

static WeftResult read_time_step(WeftReader *r, int32_t node, void *value) {
  WeftScene *scene = value;
  scene->time_step_node = node;
  return weft_read_number(r, node, (WeftRange)WEFT_ABOVE_ZERO, &scene->time_step);
}

static WeftResult read_steps_per_frame(WeftReader *r, int32_t node, void *value) {
  WeftScene *scene = value;
  scene->steps_per_frame_node = node;
  return weft_read_integer(r, node, (WeftRange)WEFT_FROM_TO(1, 1000000), &scene->steps_per_frame);
}

/* Editors look here for the schema. */
static WeftResult read_schema(WeftReader *r, int32_t node, void *value) {
  (void)value;
  const char *text;
  return weft_read_text(r, node, INFINITY, &text);
}

#define IN(field) .offset = offsetof(WeftScene, field)

static const WeftField scene_fields[] = {
    {.key = "$schema", .type = WEFT_FIELD_CUSTOM, .read = read_schema},
    {.key = "name", .type = WEFT_FIELD_TEXT, IN(name), .range = WEFT_FROM_TO(0, WEFT_NAME_SIZE - 1)},
    {.key = "description", .type = WEFT_FIELD_TEXT, IN(description), .range = WEFT_FROM_ZERO},
    {.key = "frames",
     .type = WEFT_FIELD_INTEGER,
     .is_required = true,
     IN(frames),
     .range = WEFT_FROM_TO(0, 1000000)},
    {.key = "frame_rate", .type = WEFT_FIELD_NUMBER, IN(frame_rate), .range = {0, 1e9, true}},
    {.key = "time_step", .type = WEFT_FIELD_CUSTOM, .read = read_time_step},
    {.key = "steps_per_frame", .type = WEFT_FIELD_CUSTOM, .read = read_steps_per_frame},
    {.key = "gravity", .type = WEFT_FIELD_VECTOR, IN(world.gravity)},
    {.key = "wind", .type = WEFT_FIELD_OBJECT, IN(world.wind), .table = &weft_scene_table_wind},
    {.key = "mass_damping", .type = WEFT_FIELD_NUMBER, IN(world.mass_damping), .range = WEFT_FROM_ZERO},
    {.key = "quasi_static", .type = WEFT_FIELD_CUSTOM, .read = read_quasi_static},
    {.key = "integrator", .type = WEFT_FIELD_OBJECT, IN(world), .table = &weft_scene_table_integrator},
    {.key = "solver", .type = WEFT_FIELD_OBJECT, IN(world), .table = &weft_scene_table_solver},
    {.key = "collision", .type = WEFT_FIELD_OBJECT, IN(world), .table = &weft_scene_table_collision},
    {.key = "cloths", .type = WEFT_FIELD_CUSTOM, .is_required = true, .read = weft_scene_read_cloths},
    {.key = "handles", .type = WEFT_FIELD_CUSTOM, .read = weft_scene_read_handles},
    {.key = "obstacles", .type = WEFT_FIELD_CUSTOM, .read = weft_scene_read_obstacles},
    {.key = "friction", .type = WEFT_FIELD_CUSTOM, .read = read_frictions},
    {.key = "output", .type = WEFT_FIELD_OBJECT, IN(output), .table = &weft_scene_table_output},
};
const WeftTable weft_scene_table_scene = WEFT_TABLE("scene", scene_fields);

/* Steps and frames have to fit: a frame is a whole number of steps, so that every frame is a state that was
 * computed. */
static WeftResult fit_time_step(WeftReader *r, WeftScene *scene) {
  double rate = scene->frame_rate;
  bool has_step = !isnan(scene->time_step);
  if (!has_step) {
    /* Not said: steps of 1/200 s or a little less. */
    if (!scene->steps_per_frame)
      scene->steps_per_frame = rate >= 200 ? 1 : (int32_t)fmin(ceil(200 / rate - 1e-9), 1e6);
    scene->time_step = 1 / (rate * scene->steps_per_frame);
    return WEFT_RESULT_OK;
  }
  double steps = 1 / (rate * scene->time_step);
  if (scene->steps_per_frame) {
    if (fabs(scene->steps_per_frame / steps - 1) <= 1e-9) return WEFT_RESULT_OK;
    return weft_json_fail(r->json, scene->steps_per_frame_node, r->error, WEFT_RESULT_INVALID_DATA,
                          "%d steps of %.10g s do not make a frame of 1/%.10g s; leave one of time_step and "
                          "steps_per_frame out",
                          scene->steps_per_frame, scene->time_step, rate);
  }
  double whole = nearbyint(steps), fewer = fmax(floor(steps), 1);
  if (whole >= 1 && whole <= 1e6 && fabs(steps / whole - 1) <= 1e-9) {
    scene->steps_per_frame = (int32_t)whole;
    return WEFT_RESULT_OK;
  }
  if (!(steps <= 1e6))
    return weft_json_fail(r->json, scene->time_step_node, r->error, WEFT_RESULT_INVALID_DATA,
                          "expected at most 1000000 steps in a frame of 1/%.10g s, got a step of %.10g s",
                          rate, scene->time_step);
  return weft_json_fail(
      r->json, scene->time_step_node, r->error, WEFT_RESULT_INVALID_DATA,
      "%.10g s does not divide a frame of 1/%.10g s; the nearest that do are %.17g (%.0f a frame) and "
      "%.17g (%.0f a frame); or set frame_rate or steps_per_frame",
      scene->time_step, rate, 1 / (rate * fewer), fewer, 1 / (rate * (fewer + 1)), fewer + 1);
}

/* "flag" of "scenes/flag.json". */
static WeftResult name_from_file(WeftReader *r, WeftScene *scene, const char *file) {
  const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file;
  const char *dot = strrchr(start, '.');
  size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
  if (length > WEFT_NAME_SIZE - 1) length = WEFT_NAME_SIZE - 1;
  char *name = weft_blocks_alloc(r->blocks, length + 1, 1);
  if (!name) return weft_fail_memory(r->error, "the scene's name");
  memcpy(name, start, length);
  scene->name = name;
  return WEFT_RESULT_OK;
}

/* Turns "all" and "every" into numbers, and tells about pictures that will never be drawn. */
static WeftResult list_pictures(WeftReader *r, WeftScene *scene) {
  WeftSceneOutput *output = &scene->output;
  if (output->picture_rule == WEFT_PICTURE_LIST) {
    for (int32_t i = 0; i < output->picture_count; i++)
      if (output->pictures[i] > scene->frames)
        weft_log(r->log, WEFT_LOG_WARNING, "%s: output.pictures names frame %d, but the last frame is %d",
                 r->json->name, output->pictures[i], scene->frames);
    return WEFT_RESULT_OK;
  }
  int32_t every = output->picture_rule == WEFT_PICTURE_ALL ? 1 : output->picture_every;
  output->picture_count = scene->frames / every + 1;
  output->pictures = weft_blocks_alloc(r->blocks, (size_t)output->picture_count, sizeof(int32_t));
  if (!output->pictures) return weft_fail_memory(r->error, "pictures");
  for (int32_t i = 0; i < output->picture_count; i++) output->pictures[i] = i * every;
  return WEFT_RESULT_OK;
}

static WeftResult read_scene(WeftReader *r, WeftScene *scene, const char *name) {
  scene->world = weft_default_world_def();
  scene->description = "";
  scene->time_step = NAN;
  scene->frame_rate = 60;
  scene->settle_speed = 1e-5;
  scene->output = (WeftSceneOutput){.obj = true,
                                    .cache = true,
                                    .every = 1,
                                    .picture_count = 1,
                                    .picture_size = {1280, 720},
                                    .picture_color = WEFT_COLOR_BY_CLOTH,
                                    .camera_fov = 40};
  scene->output.pictures = weft_blocks_alloc(r->blocks, 1, sizeof(int32_t));
  if (!scene->output.pictures) return weft_fail_memory(r->error, "pictures");
  scene->output.pictures[0] = -1; /* the last frame */
  WeftResult result = name_from_file(r, scene, name);
  if (!result) result = weft_read_object(r, r->json->root, &weft_scene_table_scene, scene);
  if (!result) result = fit_time_step(r, scene);
  if (!result) result = weft_scene_link_handles(r, scene);
  if (!result) result = list_pictures(r, scene);
  scene->world.time_step = scene->time_step;
  scene->world.quasi_static = scene->is_quasi_static;
  return result;
}

WeftResult weft_scene_define(const char *text, size_t size, const char *name, const char *folder,
                             const char *const *overrides, int32_t override_count, WeftLog log,
                             WeftScene **out, WeftError *error) {
  *out = NULL;
  WeftScene *scene = WEFT_NEW(WeftScene, 1);
  if (!scene) return weft_fail_memory(error, name);
  scene->folder = weft_copy_text(folder);
  WeftResult result = scene->folder ? weft_json_parse(&scene->json, text, size, name, WEFT_JSON_STRICT, error)
                                    : weft_fail_memory(error, name);
  for (int32_t i = 0; i < override_count && !result; i++)
    result = weft_scene_override(&scene->json, overrides[i], error);
  WeftReader reader = {
      .json = &scene->json, .folder = scene->folder, .blocks = &scene->blocks, .log = log, .error = error};
  if (!result) result = read_scene(&reader, scene, name);
  if (result) {
    weft_scene_destroy(scene);
    return result;
  }
  *out = scene;
  return WEFT_RESULT_OK;
}
