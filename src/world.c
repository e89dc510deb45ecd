/* Worlds: making, building and stepping them. */
#include "world.h"

#include "base/memory.h"
#include "choose_precond.h"
#include "defaults.h"
#include "device/threads.h"
#include "registry.h"
#include "step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static WeftResult check_wind(const WeftWind *wind, WeftError *error) {
  bool is_finite =
      isfinite(wind->gust_frequency) && isfinite(wind->gust_length) && isfinite(wind->air_density);
  for (int k = 0; k < 3; k++)
    is_finite = is_finite && isfinite(wind->velocity[k]) && isfinite(wind->gust_amplitude[k]);
  if (is_finite && wind->air_density >= 0 && wind->gust_length > 0) return WEFT_RESULT_OK;
  return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                   "wind: numbers must be finite, air_density at least 0 and gust_length above 0");
}

static WeftResult check_def(const WeftWorldDef *def, WeftError *error) {
  if (!def || def->cookie != WEFT_COOKIE) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "the world definition was not made by weft_default_world_def()");
  }
  const struct {
    const char *name;
    double value, lowest;
    bool is_above;
  } numbers[] = {{"time_step", def->time_step, 0, true},
                 {"mass_damping", def->mass_damping, 0, false},
                 {"solver_tolerance", def->solver_tolerance, 0, true},
                 {"solver_max_iterations", def->solver_max_iterations, 0, false},
                 {"newton_iterations", def->newton_iterations, 1, false},
                 {"newton_tolerance", def->newton_tolerance, 0, false},
                 {"step_halvings", def->step_halvings, 0, false},
                 {"threads", def->threads, 0, false}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    double value = numbers[i].value, lowest = numbers[i].lowest;
    if (isfinite(value) && (numbers[i].is_above ? value > lowest : value >= lowest)) continue;
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "world: %s is %g, must be finite and %s %g",
                     numbers[i].name, value, numbers[i].is_above ? "above" : "at least", lowest);
  }
  if (def->solver_tolerance >= 1 || def->step_halvings > 20 || def->threads > 1024) {
    return weft_fail(
        error, WEFT_RESULT_INVALID_ARGUMENT,
        "world: solver_tolerance must be below 1, step_halvings at most 20, threads at most 1024");
  }
  if (!isfinite(def->gravity[0]) || !isfinite(def->gravity[1]) || !isfinite(def->gravity[2])) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "world: gravity is not finite");
  }
  return check_wind(&def->wind, error);
}

static WeftResult fail_method(const char *family, const char *name, WeftError *error) {
  const char *near = name ? weft_registry_nearest(family, name) : NULL;
  return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "world: there is no %s '%s'%s%s%s", family,
                   name ? name : "", near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Links when a definition names none. */
static const char *const DEFAULT_CHAIN[] = {"zone_nonlinear", "truncate"};

static WeftResult find_chain(const WeftWorldDef *def, const WeftLinkOps **chain, int *budget, int *count,
                             WeftError *error) {
  int wanted =
      def->response_count ? def->response_count : (int)(sizeof DEFAULT_CHAIN / sizeof *DEFAULT_CHAIN);
  if (!def->broad_phase || !weft_registry_broad(def->broad_phase)) {
    return fail_method("broad_phase", def->broad_phase, error);
  }
  if (!def->friction || !weft_registry_friction(def->friction)) {
    return fail_method("friction", def->friction, error);
  }
  if (wanted < 0 || wanted > WEFT_CHAIN_MOST) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "world: the response chain has %d links; 0 to %d can be given", wanted, WEFT_CHAIN_MOST);
  }
  const char *const *names = def->response_count ? def->response : DEFAULT_CHAIN;
  for (int i = 0; i < wanted; i++) {
    chain[i] = names && names[i] ? weft_registry_link(names[i]) : NULL;
    if (!chain[i]) return fail_method("response", names ? names[i] : NULL, error);
    int rounds = def->response_count && def->response_rounds ? def->response_rounds[i] : 0;
    if (rounds < 0) {
      return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                       "world: %d rounds for the link %s; give 1 or more, or 0 for its own number", rounds,
                       chain[i]->name);
    }
    budget[i] = rounds ? rounds : chain[i]->budget;
  }
  *count = wanted;
  return WEFT_RESULT_OK;
}

WeftResult weft_world_create(const WeftWorldDef *def, WeftWorld **world, WeftError *error) {
  if (!world)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_world_create: nowhere to put the world");
  *world = NULL;
  WeftResult result = check_def(def, error);
  if (result) return result;
  const WeftIntegratorOps *integrator = def->integrator ? weft_registry_integrator(def->integrator) : NULL;
  if (!integrator) return fail_method("integrator", def->integrator, error);
  const WeftPrecondOps *precond = def->preconditioner ? weft_registry_precond(def->preconditioner) : NULL;
  if (!precond) return fail_method("preconditioner", def->preconditioner, error);
  const WeftLinkOps *chain[WEFT_CHAIN_MOST];
  int chain_count = 0, budget[WEFT_CHAIN_MOST];
  result = find_chain(def, chain, budget, &chain_count, error);
  if (result) return result;
  WeftWorld *made = WEFT_NEW(WeftWorld, 1);
  if (!made) return weft_fail_memory(error, "world");
  WeftDevice *device;
  result = weft_device_open(def->device, &device, error);
  if (result) {
    free(made);
    return result;
  }
  made->device = device;
  made->def = *def;
  made->def.device = NULL; /* the caller's */
  made->def.integrator = integrator->name;
  made->def.preconditioner = precond->name;
  made->def.broad_phase = weft_registry_broad(def->broad_phase)->name;
  made->def.friction = weft_registry_friction(def->friction)->name;
  made->def.response = NULL;
  made->def.response_rounds = NULL;
  made->chain_count = chain_count;
  memcpy(made->chain, chain, (size_t)chain_count * sizeof *chain);
  memcpy(made->budget, budget, (size_t)chain_count * sizeof *budget);
  made->integrator = integrator;
  made->precond = precond;
  made->threads = def->threads ? def->threads : weft_threads_available();
  *world = made;
  return WEFT_RESULT_OK;
}

void weft_world_destroy(WeftWorld *world) {
  if (!world) return;
  weft_step_destroy(&world->step);
  weft_device_close(world->device);
  weft_state_destroy(&world->kept);
  weft_state_destroy(&world->state);
  weft_model_destroy(&world->model);
  for (int i = 0; i < world->cloth_count; i++) weft_cloth_input_destroy(&world->cloths[i]);
  for (int i = 0; i < world->handle_count; i++) weft_handle_destroy(&world->handles[i]);
  for (int i = 0; i < world->obstacle_count; i++) weft_obstacle_input_destroy(&world->obstacles[i]);
  free(world->cloths);
  free(world->obstacles);
  free(world->frictions);
  free(world->handles);
  free(world->handle_cloth);
  free(world);
}

WeftResult weft_world_add_cloth(WeftWorld *world, const WeftClothDef *def, int32_t *cloth, WeftError *error) {
  if (!world || !def)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_world_add_cloth: no world or cloth");
  if (world->is_built) {
    return weft_fail(error, WEFT_RESULT_WRONG_TIME,
                     "cloths can be added only before the first step or read-back");
  }
  if (!weft_grow((void **)&world->cloths, &world->cloth_capacity, (size_t)world->cloth_count + 1,
                 sizeof *world->cloths)) {
    return weft_fail_memory(error, "cloth");
  }
  WeftResult result = weft_cloth_input_create(&world->cloths[world->cloth_count], def, error);
  if (result) return result;
  if (cloth) *cloth = world->cloth_count;
  world->cloth_count++;
  return WEFT_RESULT_OK;
}

/* A vertex without mass cannot be moved by forces: it stays where it is. */
static void hold_massless(WeftWorld *world) {
  int count = 0;
  for (int i = 0; i < world->model.vertex_count; i++) {
    if (world->model.mass[i] > 0) continue;
    world->state.held[i] = WEFT_AXIS_ALL;
    count++;
  }
  if (count)
    weft_log(world->def.log, WEFT_LOG_WARNING, "%d vertices belong to no triangle and are held still", count);
}

static void start_state(WeftWorld *world) {
  const WeftModel *model = &world->model;
  WeftState *state = &world->state;
  memcpy(state->gravity, world->def.gravity, sizeof state->gravity);
  state->wind = world->def.wind;
  for (int c = 0; c < world->cloth_count; c++) {
    const WeftClothInput *input = &world->cloths[c];
    for (int i = 0; i < input->def.vertex_count; i++) {
      size_t at = 3 * (size_t)model->internal_of_user[model->cloths[c].first_vertex + i];
      memcpy(state->x + at, input->positions + 3 * (size_t)i, 3 * sizeof(double));
      memcpy(state->target + at, input->positions + 3 * (size_t)i, 3 * sizeof(double));
      if (input->velocities) memcpy(state->v + at, input->velocities + 3 * (size_t)i, 3 * sizeof(double));
    }
  }
  hold_massless(world);
}

/* From the user's vertex numbers to the model's, and hold them. */
static void attach_handle(WeftWorld *world, int index) {
  WeftHandle *handle = &world->handles[index];
  const WeftModel *model = &world->model;
  int first = model->cloths[world->handle_cloth[index]].first_vertex;
  for (int i = 0; i < handle->vertex_count; i++) {
    handle->vertices[i] = model->internal_of_user[first + handle->vertices[i]];
    world->state.held[handle->vertices[i]] |= (uint8_t)handle->axes;
  }
  world->changed |= WEFT_CHANGED_HELD;
}

WeftResult weft_world_build(WeftWorld *world, WeftError *error) {
  if (world->is_built) return WEFT_RESULT_OK;
  if (world->cloth_count == 0) {
    return weft_fail(error, WEFT_RESULT_WRONG_TIME, "the world is empty: add a cloth first");
  }
  int before = weft_threads_use(world->threads);
  WeftResult result = weft_model_create(&world->model, world->cloths, world->cloth_count, world->obstacles,
                                        world->obstacle_count, error);
  if (!result)
    result = weft_model_set_friction(&world->model, world->frictions, world->friction_count, error);
  if (!result) result = weft_state_create(&world->state, world->model.vertex_count, error);
  if (!result) {
    bool is_auto = world->precond == &weft_precond_auto;
    if (is_auto)
      world->precond =
          weft_choose_precond(&world->model, &world->def, world->device && world->device->is_gpu);
    result = weft_step_create(&world->step, &world->model, &world->def, &world->state, world->integrator,
                              world->precond, &world->report, error);
    if (!result && is_auto && world->step.has_matrix)
      result = weft_choose_factor(&world->model, &world->def, &world->step.matrix, &world->precond, error);
    world->step.pcg.precond = world->precond; /* that needs no other storage */
  }
  if (world->def.collides) {
    world->step.broad = weft_registry_broad(world->def.broad_phase);
    world->step.friction = weft_registry_friction(world->def.friction);
    world->step.chain_count = world->chain_count;
    memcpy(world->step.chain, world->chain, sizeof world->chain);
    memcpy(world->step.budget, world->budget, sizeof world->budget);
  }
  weft_threads_use(before);
  if (!result && world->device) result = weft_world_attach(world, world->device, error);
  if (result) {
    weft_step_destroy(&world->step);
    weft_state_destroy(&world->state);
    weft_model_destroy(&world->model);
    return result;
  }
  start_state(world);
  for (int i = 0; i < world->handle_count; i++) attach_handle(world, i);
  world->is_built = true;
  return WEFT_RESULT_OK;
}

WeftResult weft_world_check(WeftWorld *world, int32_t cloth, WeftError *error) {
  if (!world) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "no world given");
  if (cloth < 0 || cloth >= world->cloth_count) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "there is no cloth %d; the world has %d", cloth,
                     world->cloth_count);
  }
  return weft_world_build(world, error);
}

WeftResult weft_world_look(WeftWorld *world, int32_t cloth, WeftError *error) {
  WeftResult result = weft_world_check(world, cloth, error);
  return result ? result : weft_world_pull(world, error);
}

static WeftResult check_vertex(WeftWorld *world, int32_t cloth, int32_t vertex, const double *numbers,
                               int *internal, WeftError *error) {
  WeftResult result = weft_world_check(world, cloth, error);
  if (result) return result;
  const WeftModelCloth *c = &world->model.cloths[cloth];
  if (vertex < 0 || vertex >= c->vertex_count) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "cloth '%s' has no vertex %d; it has 0 to %d",
                     c->name, vertex, c->vertex_count - 1);
  }
  for (int k = 0; numbers && k < 3; k++) {
    if (isfinite(numbers[k])) continue;
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "cloth '%s', vertex %d: a number is not finite",
                     c->name, vertex);
  }
  *internal = world->model.internal_of_user[c->first_vertex + vertex];
  return WEFT_RESULT_OK;
}

WeftResult weft_world_add_handle(WeftWorld *world, const WeftHandleDef *def, int32_t *handle,
                                 WeftError *error) {
  if (!world || !def || def->cookie != WEFT_COOKIE || !def->name) {
    return weft_fail(
        error, WEFT_RESULT_INVALID_ARGUMENT,
        "weft_world_add_handle: no world, or a definition not made by weft_default_handle_def()");
  }
  if (def->cloth < 0 || def->cloth >= world->cloth_count) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "handle '%s': there is no cloth %d; the world has %d", def->name, def->cloth,
                     world->cloth_count);
  }
  size_t needed = (size_t)world->handle_count + 1;
  if (!weft_grow((void **)&world->handles, &world->handle_capacity, needed, sizeof *world->handles) ||
      !weft_grow((void **)&world->handle_cloth, &world->handle_cloth_capacity, needed,
                 sizeof *world->handle_cloth)) {
    return weft_fail_memory(error, "handle");
  }
  const WeftClothInput *input = &world->cloths[def->cloth];
  const double *positions = input->positions;
  double *current = NULL;
  if (world->is_built) { /* a handle added on the way takes hold where the vertices are now */
    current = WEFT_NEW(double, 3 * (size_t)input->def.vertex_count);
    if (!current) return weft_fail_memory(error, "handle");
    WeftResult result = weft_world_positions(world, def->cloth, current, error);
    if (result) {
      free(current);
      return result;
    }
    positions = current;
  }
  WeftResult result = weft_handle_create(&world->handles[world->handle_count], def, input->def.vertex_count,
                                         positions, error);
  free(current);
  if (result) return result;
  world->handle_cloth[world->handle_count] = def->cloth;
  if (handle) *handle = world->handle_count;
  world->handle_count++;
  if (world->is_built) attach_handle(world, world->handle_count - 1);
  return WEFT_RESULT_OK;
}

WeftResult weft_world_pin(WeftWorld *world, int32_t cloth, int32_t vertex, int32_t axes, WeftError *error) {
  int i = 0;
  WeftResult result = check_vertex(world, cloth, vertex, NULL, &i, error);
  if (result) return result;
  if (axes < 0 || axes > WEFT_AXIS_ALL) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "weft_world_pin: axes is %d, must be a sum of WEFT_AXIS_*", axes);
  }
  result = weft_world_pull(world, error);
  if (result) return result;
  world->changed |= WEFT_CHANGED_HELD;
  world->state.held[i] = world->model.mass[i] > 0 ? (uint8_t)axes : WEFT_AXIS_ALL;
  memcpy(world->state.target + 3 * (size_t)i, world->state.x + 3 * (size_t)i, 3 * sizeof(double));
  return WEFT_RESULT_OK;
}

WeftResult weft_world_move(WeftWorld *world, int32_t cloth, int32_t vertex, const double target[3],
                           WeftError *error) {
  int i = 0;
  WeftResult result = check_vertex(world, cloth, vertex, target, &i, error);
  if (result) return result;
  memcpy(world->state.target + 3 * (size_t)i, target, 3 * sizeof(double));
  world->changed |= WEFT_CHANGED_HELD;
  return WEFT_RESULT_OK;
}

WeftResult weft_world_set_force(WeftWorld *world, int32_t cloth, int32_t vertex, const double force[3],
                                WeftError *error) {
  int i = 0;
  WeftResult result = check_vertex(world, cloth, vertex, force, &i, error);
  if (result) return result;
  memcpy(world->state.force + 3 * (size_t)i, force, 3 * sizeof(double));
  world->changed |= WEFT_CHANGED_FORCE;
  return WEFT_RESULT_OK;
}

WeftResult weft_world_set_wind(WeftWorld *world, const WeftWind *wind, WeftError *error) {
  WeftResult result = weft_world_check(world, 0, error);
  if (!result) result = check_wind(wind, error);
  if (result) return result;
  world->state.wind = *wind;
  world->changed |= WEFT_CHANGED_AIR;
  return WEFT_RESULT_OK;
}

WeftResult weft_world_set_gravity(WeftWorld *world, const double gravity[3], WeftError *error) {
  WeftResult result = weft_world_check(world, 0, error);
  if (result) return result;
  if (!isfinite(gravity[0]) || !isfinite(gravity[1]) || !isfinite(gravity[2])) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "gravity is not finite");
  }
  memcpy(world->state.gravity, gravity, sizeof world->state.gravity);
  world->changed |= WEFT_CHANGED_AIR;
  return WEFT_RESULT_OK;
}

WeftResult weft_world_set_state(WeftWorld *world, int32_t cloth, const double *positions,
                                const double *velocities, WeftError *error) {
  WeftResult result = weft_world_look(world, cloth, error);
  if (result) return result;
  const WeftModelCloth *c = &world->model.cloths[cloth];
  for (int i = 0; i < 3 * c->vertex_count; i++) {
    if ((!positions || isfinite(positions[i])) && (!velocities || isfinite(velocities[i]))) continue;
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "cloth '%s', vertex %d: a number is not finite",
                     c->name, i / 3);
  }
  world->changed |= WEFT_CHANGED_MOTION | WEFT_CHANGED_HELD;
  for (int i = 0; i < c->vertex_count; i++) {
    size_t from = 3 * (size_t)i, to = 3 * (size_t)world->model.internal_of_user[c->first_vertex + i];
    if (positions) {
      memcpy(world->state.x + to, positions + from, 3 * sizeof(double));
      memcpy(world->state.target + to, positions + from, 3 * sizeof(double));
    }
    if (velocities) memcpy(world->state.v + to, velocities + from, 3 * sizeof(double));
  }
  return WEFT_RESULT_OK;
}

WeftResult weft_world_step(WeftWorld *world, int32_t steps, WeftError *error) {
  WeftResult result = weft_world_check(world, 0, error);
  if (result) return result;
  int before = weft_threads_use(world->threads);
  for (int32_t i = 0; i < steps && !result; i++) result = weft_world_step_once(world, error);
  weft_threads_use(before);
  return result;
}

WeftResult weft_world_settle(WeftWorld *world, double max_speed, int32_t max_steps, bool *settled,
                             WeftError *error) {
  WeftResult result = weft_world_check(world, 0, error);
  if (result) return result;
  int before = weft_threads_use(world->threads);
  bool is_settled = false;
  for (int32_t i = 0; i < max_steps && !result && !is_settled; i++) {
    result = weft_world_step_once(world, error);
    is_settled = !result && world->report.max_speed < max_speed;
  }
  weft_threads_use(before);
  if (settled) *settled = is_settled;
  return result;
}
