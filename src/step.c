/* One step. docs/pipeline.md draws it:
 *
 *     AIM      handles and pins say where held vertices have to be
 *     FORCE    f and K at x0, v0        stretch, bend, links, air, gravity
 *     SOLVE    A dv = b                 assembly, preconditioned CG, candidate x1 = x0 + h v1
 *     ACCEPT   x0 becomes x1            only when every number is finite; otherwise again with half the step
 *
 * DETECT will stand before FORCE, RESPOND before ACCEPT.
 */
#include "step.h"

#include "base/memory.h"
#include "base/timer.h"
#include "integrate/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

/* x, v and dv of the state, to go back to when a later part of a divided step fails. */
typedef struct Backup {
  double *numbers;
} Backup;

static WeftResult back_up(Backup *backup, const WeftStep *step, WeftError *error) {
  size_t n = 3 * (size_t)step->model->vertex_count;
  if (backup->numbers) return WEFT_RESULT_OK;
  backup->numbers = WEFT_NEW(double, 3 * n);
  if (!backup->numbers) return weft_fail_memory(error, "retry with a smaller step");
  memcpy(backup->numbers, step->state->x, n * sizeof(double));
  memcpy(backup->numbers + n, step->state->v, n * sizeof(double));
  memcpy(backup->numbers + 2 * n, step->state->dv, n * sizeof(double));
  return WEFT_RESULT_OK;
}

static void put_back(const Backup *backup, WeftStep *step, double time) {
  size_t n = 3 * (size_t)step->model->vertex_count;
  step->state->time = time;
  if (!backup->numbers) return;
  memcpy(step->state->x, backup->numbers, n * sizeof(double));
  memcpy(step->state->v, backup->numbers + n, n * sizeof(double));
  memcpy(step->state->dv, backup->numbers + 2 * n, n * sizeof(double));
}

/* AIM: v0, and the velocity that brings held vertices to their targets in the time that is left. */
static void aim(WeftStep *step, double time_left) {
  int n = step->model->vertex_count;
  const WeftState *state = step->state;
  if (step->def->quasi_static) {
    memset(step->v0, 0, 3 * (size_t)n * sizeof *step->v0);
  } else {
    memcpy(step->v0, state->v, 3 * (size_t)n * sizeof *step->v0);
  }
  weft_vector_held_velocity(n, state->held, state->target, state->x, time_left, step->held_velocity);
}

static WeftResult check_finite(WeftStep *step, WeftError *error) {
  int n = step->model->vertex_count;
  double speed = weft_vector_largest(n, step->v1, step->kxv); /* kxv: free by now */
  double reach = weft_vector_largest(n, step->x1, step->kxv);
  if (!isfinite(speed) || !isfinite(reach)) {
    return weft_fail(error, WEFT_RESULT_NOT_FINITE,
                     "positions stopped being finite; use a smaller time_step or an implicit integrator");
  }
  step->report->max_speed = speed;
  return WEFT_RESULT_OK;
}

static void accept(WeftStep *step, double h) {
  size_t bytes = 3 * (size_t)step->model->vertex_count * sizeof(double);
  WeftState *state = step->state;
  memcpy(state->x, step->x1, bytes);
  memcpy(state->v, step->v1, bytes);
  memcpy(state->dv, step->dv, bytes);
  state->time += h;
}

/* One attempt at a step, or part of one, of h. time_left: to the end of the whole step. */
static WeftResult attempt(WeftStep *step, const WeftIntegratorOps *integrator, double h, double time_left,
                          WeftError *error) {
  double start = weft_seconds();
  aim(step, time_left);
  step->report->stage_seconds[WEFT_STAGE_PREPARE] += weft_seconds() - start;
  WeftResult result = integrator->advance(step, h, error);
  start = weft_seconds();
  if (!result) result = check_finite(step, error);
  if (!result) accept(step, h);
  step->report->stage_seconds[WEFT_STAGE_ACCEPT] += weft_seconds() - start;
  return result;
}

/* The whole step in as few equal parts (a power of two) as work. */
static WeftResult divide(WeftStep *step, const WeftIntegratorOps *integrator, Backup *backup, WeftLog log,
                         WeftError *error) {
  WeftReport *report = step->report;
  double h = step->def->time_step, start_time = step->state->time;
  int halvings = 0;
  int64_t parts = 1, done = 0; /* parts of h / parts each */
  while (done < parts) {
    double part = h / (double)parts;
    WeftResult result = attempt(step, integrator, part, part * (double)(parts - done), error);
    if (!result) {
      done++;
      if (parts > 1) report->substeps++;
      continue;
    }
    report->retries++;
    bool is_worth_it = result == WEFT_RESULT_NOT_FINITE || result == WEFT_RESULT_NOT_CONVERGED;
    if (is_worth_it && halvings < step->def->step_halvings) {
      WeftError memory_error;
      if (back_up(backup, step, &memory_error) == WEFT_RESULT_OK) {
        halvings++;
        parts *= 2;
        done *= 2;
        weft_log(log, WEFT_LOG_WARNING, "step %lld at %g s: %s; trying again with h/%lld",
                 (long long)step->state->step + 1, start_time, weft_result_name(result), (long long)parts);
        continue;
      }
    }
    put_back(backup, step, start_time);
    return result;
  }
  return WEFT_RESULT_OK;
}

WeftResult weft_step(WeftStep *step, const WeftIntegratorOps *integrator, const WeftHandle *handles,
                     int handle_count, WeftLog log, WeftError *error) {
  double start = weft_seconds(), h = step->def->time_step;
  WeftState *state = step->state;
  double end_time = (double)(state->step + 1) * h;
  for (int i = 0; i < handle_count; i++) weft_handle_aim(&handles[i], state, state->time, end_time);
  Backup backup = {0};
  WeftResult result = divide(step, integrator, &backup, log, error);
  free(backup.numbers);
  if (!result) {
    state->step++;
    state->time = end_time;
    step->report->steps++;
  }
  step->report->seconds += weft_seconds() - start;
  return result;
}
