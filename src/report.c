/* Energies, momenta and the report. docs/report.md describes the JSON form. */
#include "base/json_write.h"
#include "base/memory.h"
#include "device/threads.h"
#include "force/force.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Sum of one force's energies, in the order of its elements. */
static WeftResult sum_energy(const WeftForce *force, const double *x, double *sum, WeftError *error) {
  double *energy = WEFT_NEW(double, force->elements.count);
  if (!energy) return weft_fail_memory(error, "energies");
  force->ops->energies(force, x, energy);
  for (int i = 0; i < force->elements.count; i++) *sum += energy[i];
  free(energy);
  return WEFT_RESULT_OK;
}

WeftResult weft_world_energies(WeftWorld *world, WeftEnergies *energies, WeftError *error) {
  WeftResult result = weft_world_look(world, 0, error);
  if (result) return result;
  const WeftModel *model = &world->model;
  const WeftState *state = &world->state;
  WeftEnergies sum = {0};
  for (int i = 0; i < model->vertex_count; i++) {
    const double *x = state->x + 3 * (size_t)i, *v = state->v + 3 * (size_t)i, *g = state->gravity;
    sum.kinetic += 0.5 * model->mass[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    sum.gravity -= model->mass[i] * (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]);
  }
  int before = weft_threads_use(world->threads);
  for (int i = 0; i < model->force_count && !result; i++) {
    const WeftForce *force = model->forces[i];
    if (!force->ops->energies) continue;
    double *kind = !strcmp(force->ops->family, "stretch") ? &sum.stretch
                   : !strcmp(force->ops->family, "bend")  ? &sum.bend
                                                          : &sum.link;
    result = sum_energy(force, state->x, kind, error);
  }
  weft_threads_use(before);
  sum.total = sum.kinetic + sum.gravity + sum.stretch + sum.bend + sum.link;
  if (!result) *energies = sum;
  return result;
}

WeftResult weft_world_momenta(WeftWorld *world, WeftMomenta *momenta, WeftError *error) {
  WeftResult result = weft_world_look(world, 0, error);
  if (result) return result;
  WeftMomenta sum = {0};
  for (int i = 0; i < world->model.vertex_count; i++) {
    double m = world->model.mass[i];
    const double *x = world->state.x + 3 * (size_t)i, *v = world->state.v + 3 * (size_t)i;
    sum.mass += m;
    for (int k = 0; k < 3; k++) {
      int a = (k + 1) % 3, b = (k + 2) % 3;
      sum.center[k] += m * x[k];
      sum.linear[k] += m * v[k];
      sum.angular[k] += m * (x[a] * v[b] - x[b] * v[a]);
    }
  }
  for (int k = 0; k < 3 && sum.mass > 0; k++) sum.center[k] /= sum.mass;
  *momenta = sum;
  return WEFT_RESULT_OK;
}

static uint64_t peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

WeftResult weft_world_report(WeftWorld *world, WeftReport *report, WeftError *error) {
  WeftResult result = weft_world_look(world, 0, error);
  if (result) return result;
  const WeftModel *model = &world->model;
  WeftReport filled = world->report;
  snprintf(filled.integrator, sizeof filled.integrator, "%s", world->integrator->name);
  snprintf(filled.preconditioner, sizeof filled.preconditioner, "%s", world->precond->name);
  if (world->device)
    snprintf(filled.device, sizeof filled.device, "%s", world->device->name);
  else
    snprintf(filled.device, sizeof filled.device, "cpu %.20s%s%.30s", weft_instruction_set(),
             world->lost_device[0] ? ", was " : "", world->lost_device);
  filled.threads = world->threads;
  filled.cloth_count = model->cloth_count;
  filled.vertex_count = model->vertex_count;
  filled.triangle_count = model->triangle_count;
  filled.edge_count = model->edge_count;
  filled.hinge_count = model->hinge_count;
  filled.link_count = model->link_count;
  filled.obstacle_count = model->obstacle_count;
  filled.obstacle_vertex_count = model->obstacle_vertex_count;
  filled.obstacle_triangle_count = model->obstacle_triangle_count;
  filled.time_step = world->def.time_step;
  filled.time = world->state.time;
  filled.matrix_blocks = world->step.has_matrix ? world->step.matrix.block_count : 0;
  filled.state_hash = weft_state_hash(&world->state, model);
  filled.link_in_chain_count = world->def.collides ? world->chain_count : 0;
  for (int i = 0; i < filled.link_in_chain_count; i++) {
    snprintf(filled.link_in_chain[i], sizeof filled.link_in_chain[i], "%s", world->chain[i]->name);
  }
  filled.peak_memory = peak_memory();
  if (!filled.check.checks_with_hits) filled.check.first_step = -1;
  result = weft_world_energies(world, &filled.energies, error);
  if (!result) result = weft_world_momenta(world, &filled.momenta, error);
  if (!result) *report = filled;
  return result;
}

int32_t weft_world_response(const WeftWorld *world, WeftLinkReport *links) {
  if (!world || !world->def.collides) return 0;
  memcpy(links, world->report.links, (size_t)world->chain_count * sizeof *links);
  return world->chain_count;
}

static void write_vector(WeftJsonWriter *json, const char *key, const double v[3]) {
  weft_json_write_key(json, key);
  weft_json_begin_list(json);
  for (int k = 0; k < 3; k++) weft_json_write_number(json, v[k]);
  weft_json_end_list(json);
}

static void begin(WeftJsonWriter *json, const char *key) {
  weft_json_write_key(json, key);
  weft_json_begin_object(json);
}

static void write_obstacles(WeftJsonWriter *json, const WeftReport *r, const WeftModel *model) {
  weft_json_write_integer_at(json, "obstacles", r->obstacle_count);
  weft_json_write_integer_at(json, "obstacle_vertices", r->obstacle_vertex_count);
  weft_json_write_integer_at(json, "obstacle_triangles", r->obstacle_triangle_count);
  weft_json_write_key(json, "obstacle_names");
  weft_json_begin_list(json);
  for (int i = 0; i < model->obstacle_count; i++) weft_json_write_text(json, model->obstacles[i].name);
  weft_json_end_list(json);
}

/* What each link of the chain has done, and what was left after the last. */
static void write_response(WeftJsonWriter *json, const WeftReport *r) {
  begin(json, "response");
  weft_json_write_key(json, "links");
  weft_json_begin_list(json);
  for (int i = 0; i < r->link_in_chain_count; i++) {
    const WeftLinkReport *link = &r->links[i];
    weft_json_begin_object(json);
    weft_json_write_text_at(json, "name", r->link_in_chain[i]);
    weft_json_write_integer_at(json, "steps", link->steps);
    weft_json_write_integer_at(json, "impacts", link->impacts);
    weft_json_write_integer_at(json, "rounds", link->rounds);
    weft_json_write_integer_at(json, "iterations", link->iterations);
    weft_json_write_integer_at(json, "limited", link->limited);
    weft_json_write_integer_at(json, "left", link->left);
    weft_json_write_number_at(json, "seconds", link->seconds);
    weft_json_end_object(json);
  }
  weft_json_end_list(json);
  weft_json_write_integer_at(json, "impacts_left", r->impacts_left);
  weft_json_end_object(json);
}

static void write_report(WeftJsonWriter *json, const WeftReport *r, const WeftModel *model,
                         const char *scene) {
  static const char *const STAGES[WEFT_STAGE_COUNT] = {"prepare", "detect",  "force",
                                                       "solve",   "respond", "accept"};
  weft_json_begin_object(json);
  weft_json_write_integer_at(json, "report_version", 1);
  weft_json_write_text_at(json, "weft_version", weft_version());
  weft_json_write_text_at(json, "scene", scene ? scene : "");
  weft_json_write_text_at(json, "device", r->device);
  weft_json_write_integer_at(json, "threads", r->threads);
  weft_json_write_text_at(json, "integrator", r->integrator);
  weft_json_write_text_at(json, "preconditioner", r->preconditioner);
  weft_json_write_integer_at(json, "cloths", r->cloth_count);
  weft_json_write_integer_at(json, "vertices", r->vertex_count);
  weft_json_write_integer_at(json, "triangles", r->triangle_count);
  weft_json_write_integer_at(json, "edges", r->edge_count);
  weft_json_write_integer_at(json, "hinges", r->hinge_count);
  weft_json_write_integer_at(json, "links", r->link_count);
  write_obstacles(json, r, model);
  weft_json_write_number_at(json, "time_step", r->time_step);
  weft_json_write_number_at(json, "time", r->time);
  weft_json_write_integer_at(json, "steps", r->steps);
  weft_json_write_integer_at(json, "resumes", r->resumes);
  weft_json_write_integer_at(json, "substeps", r->substeps);
  weft_json_write_integer_at(json, "retries", r->retries);
  weft_json_write_integer_at(json, "contacts", r->contacts);
  begin(json, "seconds");
  weft_json_write_number_at(json, "total", r->seconds);
  for (int i = 0; i < WEFT_STAGE_COUNT; i++) weft_json_write_number_at(json, STAGES[i], r->stage_seconds[i]);
  weft_json_end_object(json);
  begin(json, "solver");
  weft_json_write_integer_at(json, "solves", r->solves);
  weft_json_write_integer_at(json, "iterations", r->solver_iterations);
  weft_json_write_number_at(json, "iterations_mean",
                            r->solves ? (double)r->solver_iterations / (double)r->solves : 0);
  weft_json_write_integer_at(json, "iterations_max", r->solver_iterations_max);
  weft_json_write_number_at(json, "residual_max", r->solver_residual_max);
  weft_json_write_integer_at(json, "newton_unconverged", r->newton_unconverged);
  weft_json_write_integer_at(json, "matrix_blocks", r->matrix_blocks);
  weft_json_end_object(json);
  write_response(json, r);
  begin(json, "check");
  weft_json_write_integer_at(json, "checks", r->check.checks);
  weft_json_write_integer_at(json, "checks_with_hits", r->check.checks_with_hits);
  weft_json_write_integer_at(json, "first_step", r->check.first_step);
  weft_json_write_integer_at(json, "hits", r->check.hits);
  weft_json_write_integer_at(json, "hits_max", r->check.hits_max);
  weft_json_write_number_at(json, "seconds", r->check.seconds);
  weft_json_end_object(json);
  weft_json_write_number_at(json, "max_speed", r->max_speed);
  begin(json, "energies");
  weft_json_write_number_at(json, "kinetic", r->energies.kinetic);
  weft_json_write_number_at(json, "gravity", r->energies.gravity);
  weft_json_write_number_at(json, "stretch", r->energies.stretch);
  weft_json_write_number_at(json, "bend", r->energies.bend);
  weft_json_write_number_at(json, "link", r->energies.link);
  weft_json_write_number_at(json, "total", r->energies.total);
  weft_json_end_object(json);
  begin(json, "momenta");
  weft_json_write_number_at(json, "mass", r->momenta.mass);
  write_vector(json, "center", r->momenta.center);
  write_vector(json, "linear", r->momenta.linear);
  write_vector(json, "angular", r->momenta.angular);
  weft_json_end_object(json);
  weft_json_write_integer_at(json, "peak_memory", (int64_t)r->peak_memory);
  weft_json_write_key(json, "state_hash");
  weft_json_write_hash(json, r->state_hash);
  weft_json_end_object(json);
}

WeftResult weft_world_report_json(WeftWorld *world, const char *scene, char **text, WeftError *error) {
  WeftReport report;
  *text = NULL;
  WeftResult result = weft_world_report(world, &report, error);
  if (result) return result;
  WeftJsonWriter json = weft_json_writer(true);
  write_report(&json, &report, &world->model, scene);
  size_t size;
  return weft_json_finish(&json, text, &size, error);
}
