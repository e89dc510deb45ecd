/* What all integrators share: memory of a step, and the forces. */
#include "integrate/integrate.h"

#include "base/memory.h"
#include "base/timer.h"
#include "force/element.kernel.h"
#include "force/force.h"
#include "integrate/vector.h"

#include <stdlib.h>
#include <string.h>

static WeftResult create_matrix(WeftStep *step, const WeftPrecondOps *precond, WeftError *error) {
  const WeftModel *model = step->model;
  WeftElements **sets = WEFT_NEW(WeftElements *, model->force_count);
  if (!sets) return weft_fail_memory(error, "matrix");
  for (int i = 0; i < model->force_count; i++) sets[i] = &model->forces[i]->elements;
  WeftResult result = weft_bcsr_create(&step->matrix, model->vertex_count, sets, model->force_count, error);
  free(sets);
  if (result) return result;
  step->has_matrix = true;
  return weft_pcg_create(&step->pcg, model->vertex_count, precond, error);
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
  if (!result && integrator->needs_matrix) result = create_matrix(step, precond, error);
  if (result) weft_step_destroy(step);
  return result;
}

void weft_step_destroy(WeftStep *step) {
  double *vectors[] = {step->v0,        step->x1,         step->v1,         step->held_velocity,
                       step->f,         step->kxv,        step->b,          step->dv,
                       step->reaction,  step->scratch[0], step->scratch[1], step->scratch[2],
                       step->scratch[3]};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) free(vectors[i]);
  weft_bcsr_destroy(&step->matrix);
  weft_pcg_destroy(&step->pcg);
  memset(step, 0, sizeof *step);
}

void weft_step_forces(WeftStep *step, const double *x, const double *v, double time, double h, double *f) {
  double start = weft_seconds();
  const WeftModel *model = step->model;
  const WeftState *state = step->state;
  double damping = step->def->mass_damping;
  WeftForceRequest request = {.x = x, .v = v, .wind = &state->wind, .time = time, .f = f};
  weft_vector_body_forces(model->vertex_count, model->mass, state->gravity, damping, state->force, v, f);
  if (h > 0) {
    weft_bcsr_set_mass(&step->matrix, model->mass, 1 + h * damping);
    memset(step->kxv, 0, 3 * (size_t)model->vertex_count * sizeof *step->kxv);
    request.wants = WANT_MATRIX;
    request.ax = -h * h; /* A = M - h K_v - h^2 K_x [Wong14 eq. 3.25] */
    request.av = -h;
    request.kxv = step->kxv;
    request.a = step->matrix.value;
  }
  for (int i = 0; i < model->force_count; i++) model->forces[i]->ops->add(model->forces[i], &request);
  step->report->stage_seconds[WEFT_STAGE_FORCE] += weft_seconds() - start;
}
