/* One step. docs/pipeline.md draws it:
 *
 *     AIM      handles and pins say where held vertices have to be
 *     DETECT   pairs that are close at x0 or will meet
 *     FORCE    f and K at x0, v0        stretch, bend, links, air, gravity, contact and friction
 *     SOLVE    A dv = b                 assembly, preconditioned CG, candidate x1 = x0 + h v1
 *              FORCE and SOLVE again while x0 -> x1 meets what is no contact yet
 *     RESPOND  until x0 -> x1 is clean  continuous collision detection, the links of the chain
 *     ACCEPT   x0 becomes x1            only when every number is finite; otherwise again with half the step,
 *                                       as when it turned out too long for one linear solve
 */
#include "step.h"

#include "base/memory.h"
#include "base/timer.h"
#include "device/launch.h"
#include "integrate/aim.kernel.h"
#include "integrate/lengthen.h"
#include "integrate/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <weft/weft.h>

/* Solves of one step, with the contacts that those before led to: rough ones, and all. */
enum { MOST_SOLVES_ROUGH = 2, MOST_SOLVES = 8 };
/* One of so many contacts may still change its mind when the rough solves end. */
enum { CONTACTS_UNSETTLED = 50 };
/* How many times the solver's tolerance a rough solution has. Eight sheets on a ball take 60 iterations a
 * step with 1, 38 with 10, 30 with 100, but then more impacts are found where there are none. */
#define ROUGHNESS 10.0

/* A step whose linear solve lengthens an edge by more than this part of its rest length is too long, and
 * taken in parts; but none of them is shorter than this [s]. A rough solve may do so by the second number,
 * since what comes after it mostly does so by less than half of that; and up to there a step is worth a try.
 */
static const double LENGTHENED = 0.15, LENGTHENED_ROUGHLY = 0.3, SHORTEST_PART = 1e-3;

/* x, v and dv of the state, to go back to when a later part of a divided step fails. */
static WeftResult back_up(WeftStep *step, WeftError *error) {
  size_t bytes = 3 * (size_t)step->model->vertex_count * sizeof(double);
  const double *const from[3] = {step->state->x, step->state->v, step->state->dv};
  WeftResult stored = weft_step_store_contacts(step, error);
  if (stored) return stored;
  for (int i = 0; i < 3; i++) {
    if (!step->backup[i]) {
      double *made = WEFT_NEW(double, 3 * (size_t)step->model->vertex_count);
      if (!made) return weft_fail_memory(error, "retry with a smaller step");
      WeftMemoryKind kind = i == 0 ? WEFT_MEMORY_POSITION : WEFT_MEMORY_VELOCITY;
      WeftResult result = weft_device_share(step->device, made, bytes, kind, error);
      if (result) {
        free(made);
        return result;
      }
      step->backup[i] = made;
    }
    weft_device_copy(step->device, step->backup[i], from[i], bytes);
  }
  return WEFT_RESULT_OK;
}

static void put_back(WeftStep *step) {
  size_t bytes = 3 * (size_t)step->model->vertex_count * sizeof(double);
  weft_device_copy(step->device, step->state->x, step->backup[0], bytes);
  weft_device_copy(step->device, step->state->v, step->backup[1], bytes);
  weft_device_copy(step->device, step->state->dv, step->backup[2], bytes);
  step->recalls = true; /* the contacts' memory as well */
}

/* AIM: v0, and the velocity that brings held vertices to their targets in the time that is left. */
static void aim(WeftStep *step, double time_left) {
  int n = step->model->vertex_count;
  const WeftState *state = step->state;
  if (step->def->quasi_static) {
    weft_device_zero(step->device, step->v0, 3 * (size_t)n * sizeof *step->v0);
  } else {
    weft_device_copy(step->device, step->v0, state->v, 3 * (size_t)n * sizeof *step->v0);
  }
  weft_vector_held_velocity(step->device, n, state->held, state->target, state->x, time_left,
                            step->held_velocity);
}

static WeftResult check_finite(WeftStep *step, WeftError *error) {
  int n = step->model->vertex_count;
  double speed = weft_vector_largest(step->device, n, step->v1, step->partial);
  double reach = weft_vector_largest(step->device, n, step->x1, step->partial);
  if (!isfinite(speed) || !isfinite(reach)) {
    return weft_fail(error, WEFT_RESULT_NOT_FINITE,
                     "positions stopped being finite; use a smaller time_step or an implicit integrator");
  }
  step->report->max_speed = speed;
  return WEFT_RESULT_OK;
}

static WeftResult accept(WeftStep *step, double h, WeftError *error) {
  size_t bytes = 3 * (size_t)step->model->vertex_count * sizeof(double);
  WeftState *state = step->state;
  if (step->has_contacts) {
    WeftResult remembered = weft_contacts_remember(&step->contacts, step->x1, error);
    if (remembered) return remembered;
  }
  weft_device_copy(step->device, state->x, step->x1, bytes);
  weft_device_copy(step->device, state->v, step->v1, bytes);
  weft_device_copy(step->device, state->dv, step->dv, bytes);
  state->time += h;
  weft_device_finish(step->device);
  WeftResult result = weft_device_check(step->device, error);
  step->is_torn = result != WEFT_RESULT_OK;
  return result;
}

/* What detection and response need, on the device where the step is now. */
static WeftResult prepare_response(WeftStep *step, WeftError *error) {
  if (step->has_respond && step->respond.device == step->device) return WEFT_RESULT_OK;
  weft_step_drop_collision(step);
  WeftResult result = weft_respond_create(&step->respond, step->device, step->model, step->broad,
                                          step->chain_count, step->chain, step->budget, error);
  if (result) return result;
  result = weft_contacts_create(&step->contacts, step->device, step->model, step->friction, error);
  if (result) weft_respond_destroy(&step->respond);
  step->has_respond = !result;
  return result;
}

/* DETECT: what is close at x0, or will meet as the velocities are, becomes contacts. */
static WeftResult detect(WeftStep *step, double h, WeftError *error) {
  step->has_contacts = false;
  if (!step->broad) return WEFT_RESULT_OK;
  double start = weft_seconds();
  WeftResult result = prepare_response(step, error);
  if (!result) weft_respond_aim(&step->respond, step->state, NULL, step->state->time, h);
  if (!result && step->has_matrix && step->contacts.reach > 0) {
    const WeftDetectQuery query = {.x0 = step->respond.x0,
                                   .x1 = step->respond.x1,
                                   .distance = step->contacts.reach,
                                   .margin_at_rest = step->contacts.reach / 2,
                                   .prunes = true,
                                   .goes_on = true};
    weft_vector_predict(step->device, step->model->vertex_count, h, step->state->gravity, step->state->held,
                        step->held_velocity, step->state->x, step->v0, step->state->dv, step->respond.x1);
    WeftDetector *detector = &step->respond.detector;
    if (step->recalls) result = weft_contacts_load(&step->contacts, &step->state->contacts, error);
    if (result) return result;
    step->recalls = false;
    result = weft_detector_ahead(detector, &query, error);
    if (!result) {
      result = weft_contacts_take(&step->contacts, &detector->vertex_face, &detector->edge_edge,
                                  &step->matrix, error);
    }
    step->has_contacts = !result;
    step->report->contacts += step->contacts.count;
  }
  step->report->stage_seconds[WEFT_STAGE_DETECT] += weft_seconds() - start;
  return result;
}

/* What a solve led to. */
typedef struct Review {
  int impacts; /* on the way to x1; they have become contacts */
  WeftContactReview contacts;
  int let_go; /* contacts that slide now */
} Review;

static WeftResult review(WeftStep *step, double h, bool is_rough, Review *found, WeftError *error) {
  int added;
  *found = (Review){0};
  if (!step->broad) return WEFT_RESULT_OK;
  weft_respond_aim(&step->respond, step->state, step->x1, step->state->time, h);
  WeftResult result =
      weft_respond_look(&step->respond, step->contacts.reach / 2, &found->impacts, step->report, error);
  if (result || !step->has_contacts) return result;
  double start = weft_seconds();
  const WeftDetector *detector = &step->respond.detector;
  result = weft_contacts_expect(&step->contacts, &step->respond.surface, &detector->vertex_face,
                                &detector->edge_edge, step->respond.x0, step->respond.x1, &step->matrix,
                                &added, error);
  found->contacts = weft_contacts_review(&step->contacts, step->respond.x0, step->respond.x1, step->v0, h);
  if (is_rough) found->let_go = weft_contacts_let_go(&step->contacts, step->respond.x0, step->respond.x1);
  step->report->contacts += added;
  step->report->stage_seconds[WEFT_STAGE_DETECT] += weft_seconds() - start;
  return result;
}

/* Is it worth to go on from this solution? Where nothing touches, a step is as long as it is said
 * to be. */
static WeftResult check_length(WeftStep *step, double h, bool is_rough, WeftError *error) {
  if (!step->has_contacts || !step->contacts.count || step->def->newton_iterations > 1) return WEFT_RESULT_OK;
  if (step->is_shortest && is_rough) return WEFT_RESULT_OK;
  double growth = weft_step_lengthening(step);
  step->lengthening = growth / (h * h);
  step->is_too_long = !step->is_shortest && growth > (is_rough ? LENGTHENED_ROUGHLY : LENGTHENED);
  return step->is_too_long ? weft_fail(error, WEFT_RESULT_NOT_CONVERGED, "the step is too long for one solve")
                           : weft_device_check(step->device, error);
}

/* FORCE and SOLVE, again as long as that asks for other contacts. Which there are is decided with rough
 * solutions; the last one is as exact as is wanted. */
static WeftResult advance(WeftStep *step, const WeftIntegratorOps *integrator, double h, WeftError *error) {
  bool is_rough = step->has_contacts && step->contacts.count > 0 && step->def->newton_iterations <= 1;
  bool is_again = true;
  step->is_again = step->is_same = false;
  WeftResult result = WEFT_RESULT_OK;
  for (int solves = 1; is_again && !result; solves++) {
    Review found;
    step->roughness = is_rough ? ROUGHNESS : 1;
    result = integrator->advance(step, h, error);
    if (!result) result = check_finite(step, error);
    if (!result) result = check_length(step, h, is_rough, error);
    if (!result) result = review(step, h, is_rough, &found, error);
    if (result) break;
    bool is_same = !found.impacts && !found.contacts.changed && !found.contacts.pressed && !found.let_go;
    bool is_settled = !found.impacts && found.contacts.changed <= step->contacts.count / CONTACTS_UNSETTLED;
    bool is_open = found.impacts || (!is_settled && solves < MOST_SOLVES_ROUGH);
    is_again = is_rough || (step->has_contacts && is_open && solves < MOST_SOLVES);
    step->is_again = is_again;
    step->is_same = is_rough && is_same;
    step->is_settled = is_settled;
    is_rough = is_rough && !is_settled && solves < MOST_SOLVES_ROUGH;
  }
  step->is_again = step->is_same = false;
  return result;
}

/* RESPOND: x1 and v1 become those of a step without collisions. */
static WeftResult respond(WeftStep *step, double h, bool is_final, WeftError *error) {
  if (!step->broad) return WEFT_RESULT_OK;
  double start = weft_seconds(), detecting = step->report->stage_seconds[WEFT_STAGE_DETECT];
  WeftResult result =
      weft_respond(&step->respond, step->state, step->x1, step->v1, h, is_final, step->report, error);
  detecting = step->report->stage_seconds[WEFT_STAGE_DETECT] - detecting;
  step->report->stage_seconds[WEFT_STAGE_RESPOND] += weft_seconds() - start - detecting;
  return result;
}

/* One attempt at a step, or part of one, of h. time_left: to the end of the whole step; is_final: a failure
 * will not be followed by a smaller part. */
static WeftResult attempt(WeftStep *step, const WeftIntegratorOps *integrator, double h, double time_left,
                          bool is_final, WeftError *error) {
  double start = weft_seconds();
  aim(step, time_left);
  weft_device_finish(step->device);
  step->report->stage_seconds[WEFT_STAGE_PREPARE] += weft_seconds() - start;
  step->lengthening = 0;
  WeftResult result = detect(step, h, error);
  if (!result) result = advance(step, integrator, h, error);
  if (!result) result = respond(step, h, is_final, error);
  start = weft_seconds();
  WeftResult lost = weft_device_check(step->device, error); /* then all that was computed means nothing */
  if (lost) result = lost;
  if (!result) result = accept(step, h, error);
  step->report->stage_seconds[WEFT_STAGE_ACCEPT] += weft_seconds() - start;
  return result;
}

/* How often the step is halved from the start, so that its parts may not lengthen edges too much, by what the
 * last step did: what turns does so by the square of the time. */
static int first_halvings(const WeftStep *step) {
  int halvings = 0;
  double part = step->def->time_step;
  while (step->state->lengthening * part * part > LENGTHENED_ROUGHLY && part / 2 >= SHORTEST_PART &&
         halvings < step->def->step_halvings) {
    part /= 2;
    halvings++;
  }
  return halvings;
}

/* The whole step in as few equal parts (a power of two) as work. */
static WeftResult divide(WeftStep *step, const WeftIntegratorOps *integrator, WeftLog log, WeftError *error) {
  WeftReport *report = step->report;
  double h = step->def->time_step, start_time = step->state->time, lengthening = 0;
  int halvings = first_halvings(step);
  bool is_backed_up = halvings > 0;
  int64_t parts = (int64_t)1 << halvings, done = 0; /* parts of h / parts each */
  if (is_backed_up) {
    WeftResult result = back_up(step, error);
    if (result) return result;
  }
  while (done < parts) {
    double part = h / (double)parts;
    step->is_too_long = false;
    step->is_shortest = part / 2 < SHORTEST_PART || halvings >= step->def->step_halvings;
    WeftResult result = attempt(step, integrator, part, part * (double)(parts - done),
                                halvings >= step->def->step_halvings, error);
    if (!result) {
      done++;
      lengthening = fmax(lengthening, step->lengthening);
      if (parts > 1) report->substeps++;
      continue;
    }
    report->retries++;
    bool is_worth_it = result == WEFT_RESULT_NOT_FINITE || result == WEFT_RESULT_NOT_CONVERGED;
    if (is_worth_it && halvings < step->def->step_halvings) {
      WeftError memory_error;
      if (is_backed_up || back_up(step, &memory_error) == WEFT_RESULT_OK) {
        is_backed_up = true;
        halvings++;
        parts *= 2;
        done *= 2;
        if (step->is_too_long) continue;
        weft_log(log, WEFT_LOG_WARNING, "step %lld at %g s: %s; trying again with h/%lld",
                 (long long)step->state->step + 1, start_time, weft_result_name(result), (long long)parts);
        continue;
      }
    }
    step->is_torn = step->is_torn || (result == WEFT_RESULT_DEVICE && done > 0);
    step->state->time = start_time;
    if (is_backed_up) put_back(step);
    return result;
  }
  step->state->lengthening = lengthening;
  return WEFT_RESULT_OK;
}

/* The rows that handles hold; made anew when there are more handles. */
static WeftResult list_rows(WeftStep *step, const WeftHandle *handles, int handle_count, WeftError *error) {
  size_t most = 0;
  int n = step->model->vertex_count, count = 0;
  for (int i = 0; i < handle_count; i++) most += (size_t)handles[i].vertex_count;
  uint8_t *is_listed = WEFT_NEW(uint8_t, n);
  int32_t *rows = WEFT_NEW(int32_t, most);
  double *values = WEFT_NEW(double, 4 * most);
  for (int i = 0; is_listed && rows && values && i < handle_count; i++) {
    for (int k = 0; k < handles[i].vertex_count; k++) {
      int row = handles[i].vertices[k];
      if (!is_listed[row]) rows[count++] = row;
      is_listed[row] = 1;
    }
  }
  bool has_memory = is_listed && rows && values;
  free(is_listed);
  weft_device_forget(step->device, step->aim_rows);
  weft_device_forget(step->device, step->aim_values);
  free(step->aim_rows);
  free(step->aim_values);
  step->aim_rows = rows;
  step->aim_values = values;
  step->aim_count = count;
  step->aim_handles = handle_count;
  if (!has_memory) return weft_fail_memory(error, "rows of handles");
  WeftResult result = weft_device_share(step->device, rows, most * sizeof *rows, WEFT_MEMORY_SMALL, error);
  if (result) return result;
  return weft_device_share(step->device, values, 4 * most * sizeof *values, WEFT_MEMORY_SMALL, error);
}

/* AIM on a device: targets are computed on the host, and the rows that handles hold are sent. */
static WeftResult send_targets(WeftStep *step, const WeftHandle *handles, int handle_count,
                               WeftError *error) {
  const WeftState *state = step->state;
  if (!step->device || !handle_count) return WEFT_RESULT_OK;
  bool is_new = step->aim_handles != handle_count;
  WeftResult result = is_new ? list_rows(step, handles, handle_count, error) : WEFT_RESULT_OK;
  if (result) {
    step->aim_handles = 0;
    return result;
  }
  for (int i = 0; i < step->aim_count; i++) {
    size_t row = (size_t)step->aim_rows[i];
    const double *target = state->target + 3 * row;
    const double wanted[4] = {target[0], target[1], target[2], state->held[row]};
    double *sent = step->aim_values + 4 * (size_t)i;
    if (memcmp(sent, wanted, sizeof wanted) != 0) is_new = true;
    memcpy(sent, wanted, sizeof wanted);
  }
  if (!is_new) return WEFT_RESULT_OK;
  weft_device_upload(step->device, step->aim_values, 4 * (size_t)step->aim_count * sizeof(double));
  LAUNCH(step->device, aim_set_targets, step->aim_count, step->aim_rows, step->aim_values, state->target,
         state->held);
  return WEFT_RESULT_OK;
}

WeftResult weft_step(WeftStep *step, const WeftIntegratorOps *integrator, const WeftHandle *handles,
                     int handle_count, WeftLog log, WeftError *error) {
  double start = weft_seconds(), h = step->def->time_step;
  WeftState *state = step->state;
  double end_time = (double)(state->step + 1) * h;
  for (int i = 0; i < handle_count; i++) weft_handle_aim(&handles[i], state, state->time, end_time);
  WeftResult result = send_targets(step, handles, handle_count, error);
  if (!result) result = divide(step, integrator, log, error);
  if (!result) {
    state->step++;
    state->time = end_time;
    step->report->steps++;
  }
  step->report->seconds += weft_seconds() - start;
  return result;
}
