/* What all integrators share: memory of a step, and the forces. */
#include "integrate/integrate.h"

#include "base/memory.h"
#include "base/timer.h"
#include "force/element.kernel.h"
#include "force/force.h"
#include "integrate/vector.h"
#include "obstacle.h"

#include <stdlib.h>
#include <string.h>

/* Cloth at rest leaves next to nothing to solve for, and a part of nothing is not worth iterations:
 * velocities are right when they are wrong by less than the solver's tolerance of this speed [m/s], in the
 * mean over the mass. The energy norm of the error, which r.M^-1 r stands for, is the larger one. */
static const double STILL_SPEED = 0.01;

static double still_energy(const WeftModel *model) {
  double mass = 0;
  for (int i = 0; i < model->vertex_count; i++) mass += model->mass[i];
  return mass * STILL_SPEED * STILL_SPEED;
}

static WeftResult create_matrix(WeftStep *step, const WeftPrecondOps *precond, WeftError *error) {
  const WeftModel *model = step->model;
  WeftElements **sets = WEFT_NEW(WeftElements *, model->force_count);
  if (!sets) return weft_fail_memory(error, "matrix");
  for (int i = 0; i < model->force_count; i++) sets[i] = &model->forces[i]->elements;
  WeftResult result = weft_bcsr_create(&step->matrix, model->vertex_count, sets, model->force_count, error);
  free(sets);
  if (result) return result;
  step->has_matrix = true;
  result = weft_pcg_create(&step->pcg, model->vertex_count, precond, error);
  step->pcg.still = still_energy(model);
  if (!result && precond->has_coarse)
    result = weft_coarse_create(&step->pcg.coarse, model, &step->matrix, error);
  if (!result) result = weft_pcg_reserve(&step->pcg, step->matrix.block_count, error);
  if (result || !step->def->collides) return result;
  step->kept_value = WEFT_NEW(double, 9 * (size_t)step->matrix.block_count);
  for (int i = 0; i < 2; i++) step->kept[i] = WEFT_NEW(double, 3 * (size_t)model->vertex_count);
  bool has_memory = step->kept_value && step->kept[0] && step->kept[1];
  return has_memory ? WEFT_RESULT_OK : weft_fail_memory(error, "matrix");
}

WeftResult weft_step_create(WeftStep *step, const WeftModel *model, const WeftWorldDef *def, WeftState *state,
                            const WeftIntegratorOps *integrator, const WeftPrecondOps *precond,
                            WeftReport *report, WeftError *error) {
  *step = (WeftStep){.model = model, .def = def, .state = state, .report = report};
  double **vectors[] = {&step->v0,        &step->x1,         &step->v1,         &step->held_velocity,
                        &step->f,         &step->kxv,        &step->b,          &step->dv,
                        &step->reaction,  &step->scratch[0], &step->scratch[1], &step->scratch[2],
                        &step->scratch[3]};
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors && !result; i++) {
    *vectors[i] = WEFT_NEW(double, 3 * (size_t)model->vertex_count);
    if (!*vectors[i]) result = weft_fail_memory(error, "vectors of the step");
  }
  step->partial = WEFT_NEW(double, weft_row_items(model->vertex_count));
  step->sums = WEFT_NEW(double, 3 * (size_t)weft_row_items(model->vertex_count));
  if (!result && !(step->partial && step->sums)) result = weft_fail_memory(error, "vectors of the step");
  if (!result && integrator->needs_matrix) result = create_matrix(step, precond, error);
  if (result) weft_step_destroy(step);
  return result;
}

WeftResult weft_step_store_contacts(WeftStep *step, WeftError *error) {
  if (!step->has_respond || step->recalls) return WEFT_RESULT_OK;
  return weft_contacts_store(&step->contacts, &step->state->contacts, error);
}

void weft_step_drop_collision(WeftStep *step) {
  if (step->has_respond) {
    weft_step_store_contacts(step,
                             NULL); /* from a device that failed nothing comes, and the kept state is used */
    weft_respond_destroy(&step->respond);
    weft_contacts_destroy(&step->contacts);
  }
  step->has_respond = step->has_contacts = false;
  step->recalls = true;
}

void weft_step_destroy(WeftStep *step) {
  double *vectors[] = {step->v0,         step->x1,         step->v1,         step->held_velocity,
                       step->f,          step->kxv,        step->b,          step->dv,
                       step->reaction,   step->scratch[0], step->scratch[1], step->scratch[2],
                       step->scratch[3], step->partial,    step->sums,       step->backup[0],
                       step->backup[1],  step->backup[2],  step->kept_value, step->kept[0],
                       step->kept[1]};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) free(vectors[i]);
  free(step->aim_rows);
  free(step->aim_values);
  weft_step_drop_collision(step);
  weft_bcsr_destroy(&step->matrix);
  weft_pcg_destroy(&step->pcg);
  memset(step, 0, sizeof *step);
}

/* One array of the step and how much of it. */
typedef struct Shared {
  const void *array;
  size_t bytes;
  WeftMemoryKind kind;
} Shared;

static WeftResult share_all(WeftDevice *device, const Shared *shared, size_t count, WeftError *error) {
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < count && !result; i++) {
    if (!shared[i].array) continue;
    result = weft_device_share(device, shared[i].array, shared[i].bytes, shared[i].kind, error);
  }
  return result;
}

static WeftResult share_arrays(WeftStep *step, WeftDevice *device, WeftError *error) {
  const WeftModel *model = step->model;
  const WeftState *state = step->state;
  size_t n = (size_t)model->vertex_count, vector = 3 * n * sizeof(double);
  size_t items = (size_t)weft_row_items(model->vertex_count);
  const Shared shared[] = {
      {state->x, vector, WEFT_MEMORY_POSITION},
      {step->x1, vector, WEFT_MEMORY_POSITION},
      {step->backup[0], vector, WEFT_MEMORY_POSITION},
      {state->v, vector, WEFT_MEMORY_VELOCITY},
      {state->dv, vector, WEFT_MEMORY_VELOCITY},
      {step->v0, vector, WEFT_MEMORY_VELOCITY},
      {step->v1, vector, WEFT_MEMORY_VELOCITY},
      {step->dv, vector, WEFT_MEMORY_VELOCITY},
      {step->backup[1], vector, WEFT_MEMORY_VELOCITY},
      {step->backup[2], vector, WEFT_MEMORY_VELOCITY},
      {step->held_velocity, vector, WEFT_MEMORY_VELOCITY},
      {state->force, vector, WEFT_MEMORY_FORCE},
      {step->f, vector, WEFT_MEMORY_FORCE},
      {step->kxv, vector, WEFT_MEMORY_FORCE},
      {step->kept[0], vector, WEFT_MEMORY_FORCE},
      {step->kept[1], vector, WEFT_MEMORY_FORCE},
      {step->kept_value, step->kept_value ? weft_bcsr_kept_bytes(&step->matrix) : 0, WEFT_MEMORY_MATRIX},
      {step->reaction, vector, WEFT_MEMORY_FORCE},
      {step->b, vector, WEFT_MEMORY_SOLVER},
      {step->scratch[0], vector, WEFT_MEMORY_SOLVER},
      {step->scratch[1], vector, WEFT_MEMORY_SOLVER},
      {step->scratch[2], vector, WEFT_MEMORY_SOLVER},
      {step->scratch[3], vector, WEFT_MEMORY_SOLVER},
      {state->target, vector, WEFT_MEMORY_HELD},
      {state->held, n, WEFT_MEMORY_HELD},
      {model->mass, n * sizeof(double), WEFT_MEMORY_MODEL},
      {model->internal_of_user, n * sizeof(int32_t), WEFT_MEMORY_MODEL},
      {step->partial, items * sizeof(double), WEFT_MEMORY_SMALL},
      {step->sums, 3 * items * sizeof(double), WEFT_MEMORY_SMALL},
  };
  return share_all(device, shared, sizeof shared / sizeof *shared, error);
}

WeftResult weft_step_share(WeftStep *step, WeftDevice *device, WeftError *error) {
  weft_step_drop_collision(step);
  const WeftModel *model = step->model;
  WeftResult result = device ? share_arrays(step, device, error) : WEFT_RESULT_OK;
  for (int i = 0; i < model->force_count && !result; i++)
    result = weft_force_share(model->forces[i], device, error);
  if (!result) result = weft_obstacles_share(model, device, error);
  if (!result && step->has_matrix) result = weft_bcsr_share(&step->matrix, device, error);
  if (!result && step->has_matrix) result = weft_pcg_share(&step->pcg, device, error);
  if (result) return result;
  step->device = device;
  step->is_torn = false;
  step->aim_handles = 0; /* sent anew */
  return WEFT_RESULT_OK;
}

/* Contact forces are the last: how stiff they are depends on the matrix of all others, where the step begins.
 */
static void add_contacts(WeftStep *step, const WeftForceRequest *request, double h) {
  const WeftRespond *respond = &step->respond;
  if (h > 0)
    weft_contacts_stiffen(&step->contacts, &step->matrix, respond->x0, respond->x1, step->v0, h,
                          step->state->gravity);
  weft_contacts_add(&step->contacts, request, &step->matrix);
}

/* What cloth does by itself, and what acts on it: all but contact. */
static void own_forces(WeftStep *step, const WeftForceRequest *request, double h) {
  const WeftModel *model = step->model;
  const WeftState *state = step->state;
  double damping = step->def->mass_damping;
  weft_vector_body_forces(step->device, model->vertex_count, model->mass, state->gravity, damping,
                          state->force, request->v, request->f);
  if (h > 0) {
    weft_bcsr_set_mass(&step->matrix, model->mass, 1 + h * damping);
    weft_device_zero(step->device, step->kxv, 3 * (size_t)model->vertex_count * sizeof *step->kxv);
  }
  for (int i = 0; i < model->force_count; i++) model->forces[i]->ops->add(model->forces[i], request);
}

/* Solves of one step that differ in their contacts have everything else in common. */
static void keep_own(WeftStep *step, const double *f) {
  size_t bytes = 3 * (size_t)step->model->vertex_count * sizeof *f;
  weft_bcsr_keep(&step->matrix, step->kept_value);
  weft_device_copy(step->device, step->kept[0], f, bytes);
  weft_device_copy(step->device, step->kept[1], step->kxv, bytes);
}

static void recall_own(WeftStep *step, double *f) {
  size_t bytes = 3 * (size_t)step->model->vertex_count * sizeof *f;
  weft_bcsr_recall(&step->matrix, step->kept_value);
  weft_device_copy(step->device, f, step->kept[0], bytes);
  weft_device_copy(step->device, step->kxv, step->kept[1], bytes);
}

void weft_step_forces(WeftStep *step, const double *x, const double *v, double time, double h, double *f) {
  double start = weft_seconds();
  WeftForceRequest request = {
      .device = step->device, .x = x, .v = v, .wind = &step->state->wind, .time = time, .f = f};
  if (h > 0) {
    request.wants = WANT_MATRIX;
    request.ax = -h * h; /* A = M - h K_v - h^2 K_x [Wong14 eq. 3.25] */
    request.av = -h;
    request.kxv = step->kxv;
    request.a = step->matrix.value;
  }
  bool is_linear = h > 0 && step->def->newton_iterations <= 1;
  if (is_linear) request.wants |= WANT_TURN;
  if (is_linear && step->is_again) {
    recall_own(step, f);
  } else {
    own_forces(step, &request, h);
    if (is_linear && step->has_contacts) keep_own(step, f);
  }
  if (step->has_contacts) add_contacts(step, &request, h);
  weft_device_finish(step->device);
  step->report->stage_seconds[WEFT_STAGE_FORCE] += weft_seconds() - start;
}
