/* Backward Euler [Wong14 eq. 3.20, 3.21], [BaraffWitkin98 sec. 5].
 *
 * newton_iterations = 1: forces are linearised once, at (x0, v0), and one system is solved a step:
 *     (M - h K_v - h^2 K_x) dv = h (f + h K_x v0)
 * Differs: [Wong14 eq. 3.25] lacks the h before K_x on the right; [Tang16 eq. 1] has it.
 * newton_iterations > 1: Newton's method on r(v) = h f(x0 + h v, v) - M (v - v0) = 0, started at v0. Not
 * every force has an energy (air, measured fabrics, damping), so the line search looks at the work of the
 * residual along the direction d: it wants d.r to be less negative than -half of what it was; beyond that the
 * step was too long.
 */
#include "base/timer.h"
#include "device/launch.h"
#include "integrate/balance.h"
#include "integrate/integrate.h"
#include "integrate/newton.kernel.h"
#include "integrate/vector.h"

#include <math.h>

/* SOLVE: matrix solution = b, held components of solution given. */
static WeftResult solve(WeftStep *step, double *solution, WeftError *error) {
  double start = weft_seconds();
  const WeftWorldDef *def = step->def;
  WeftReport *report = step->report;
  WeftPcgStats stats;
  step->pcg.is_prepared = step->is_same;
  step->pcg.is_near = step->is_again; /* in contacts */
  step->pcg.is_nearest = step->is_again && step->is_settled;
  step->pcg.place = step->state->x;
  int most = def->solver_max_iterations;
  if (most == 0) most = 10000 + 10 * (int)sqrt((double)step->model->vertex_count);
  WeftResult result = weft_pcg_solve(&step->pcg, &step->matrix, step->state->held, step->b, solution,
                                     def->solver_tolerance * step->roughness, most, &stats, error);
  if (!result) weft_step_balance(step, solution);
  report->solves++;
  report->solver_iterations += stats.iterations;
  if (stats.iterations > report->solver_iterations_max) report->solver_iterations_max = stats.iterations;
  if (stats.residual > report->solver_residual_max) report->solver_residual_max = stats.residual;
  report->stage_seconds[WEFT_STAGE_SOLVE] += weft_seconds() - start;
  return result;
}

static WeftResult advance_linearised(WeftStep *step, double h, WeftError *error) {
  int n = step->model->vertex_count;
  const WeftState *state = step->state;
  if (!step->is_same) {
    weft_step_forces(step, state->x, step->v0, state->time + h, h, step->f);
    LAUNCH(step->device, newton_linear_rhs, 3 * n, h, step->f, step->kxv, step->b); /* b = h (f + h K_x v0) */
  }
  if (!step->is_again) {
    weft_vector_axpy(step->device, 3 * n, step->held_velocity, -1, step->v0,
                     step->dv); /* dv on held components */
    weft_vector_hold(step->device, n, state->held, step->dv, state->dv,
                     step->dv); /* elsewhere the last step's, as a guess */
  }
  WeftResult result = solve(step, step->dv, error); /* A dv = b */
  if (result) return result;
  weft_vector_axpy(step->device, 3 * n, step->v0, 1, step->dv, step->v1);
  weft_vector_axpy(step->device, 3 * n, state->x, h, step->v1, step->x1);
  if (step->roughness > 1) return WEFT_RESULT_OK; /* it is solved once more */
  weft_bcsr_multiply(&step->matrix, step->dv, step->scratch[0]);
  weft_vector_reaction(step->device, n, state->held, step->scratch[0], 1 / h, step->b, 1 / h,
                       step->reaction); /* (A dv - b) / h */
  return WEFT_RESULT_OK;
}

/* v = v1 + a d, x = x0 + h v, r = h f(x, v) - M (v - v0); returns d . r over the free components */
static double work_along(WeftStep *step, double h, double a, const double *d, double *v, double *x,
                         double *r) {
  int n = step->model->vertex_count;
  weft_vector_axpy(step->device, 3 * n, step->v1, a, d, v);
  weft_vector_axpy(step->device, 3 * n, step->state->x, h, v, x);
  weft_step_forces(step, x, v, step->state->time + h, 0, step->f);
  LAUNCH(step->device, newton_residual, n, step->model->mass, h, step->f, v, step->v0, r);
  return weft_vector_dot_free(step->device, n, step->state->held, d, r, step->partial);
}

/* How much of the direction d to take. */
static double search_line(WeftStep *step, double h, const double *d, double work0) {
  enum { MOST_TRIES = 8 };
  double a = 1;
  for (int i = 0; i < MOST_TRIES; i++) {
    double work = work_along(step, h, a, d, step->scratch[1], step->scratch[2], step->scratch[3]);
    if (work >= -0.5 * work0) break; /* false when not a number, too */
    double crossing =
        isfinite(work) ? work0 / (work0 - work) : 0.5; /* where a straight line through both is zero */
    a *= crossing < 0.1 ? 0.1 : crossing;
  }
  return a;
}

static WeftResult advance_newton(WeftStep *step, double h, WeftError *error) {
  int n = step->model->vertex_count;
  const WeftState *state = step->state;
  double *d = step->scratch[0];
  bool is_converged = false;
  weft_vector_hold(step->device, n, state->held, step->held_velocity, step->v0, step->v1);
  weft_vector_axpy(step->device, 3 * n, state->x, h, step->v1, step->x1);
  for (int i = 0; i < step->def->newton_iterations && !is_converged; i++) {
    weft_step_forces(step, step->x1, step->v1, state->time + h, h, step->f);
    LAUNCH(step->device, newton_residual, n, step->model->mass, h, step->f, step->v1, step->v0,
           step->b); /* b = r(v1) */
    weft_device_zero(step->device, d, 3 * (size_t)n * sizeof *d);
    WeftResult result = solve(step, d, error); /* A d = r */
    if (result) return result;
    double work = weft_vector_dot_free(step->device, n, state->held, d, step->b, step->partial);
    double a = search_line(step, h, d, work);
    weft_vector_axpy(step->device, 3 * n, step->v1, a, d, step->v1);
    weft_vector_axpy(step->device, 3 * n, state->x, h, step->v1, step->x1);
    is_converged = a * weft_vector_largest(step->device, n, d, step->partial) < step->def->newton_tolerance;
  }
  if (!is_converged) step->report->newton_unconverged++;
  weft_vector_axpy(step->device, 3 * n, step->v1, -1, step->v0, step->dv);
  weft_step_forces(step, step->x1, step->v1, state->time + h, 0, step->f);
  LAUNCH(step->device, newton_residual, n, step->model->mass, h, step->f, step->v1, step->v0, step->b);
  weft_vector_reaction(step->device, n, state->held, step->b, -1 / h, step->b, 0,
                       step->reaction); /* M dv / h - f */
  return WEFT_RESULT_OK;
}

static WeftResult advance(WeftStep *step, double h, WeftError *error) {
  return step->def->newton_iterations > 1 ? advance_newton(step, h, error)
                                          : advance_linearised(step, h, error);
}

const WeftIntegratorOps weft_integrator_backward_euler = {
    "backward_euler", "BaraffWitkin98 sec. 5, Wong14 eq. 3.20",
    "implicit, first order; one linear solve a step or several Newton iterations", true, advance};
