/* A world on another device than the CPU: what goes there, what comes back and when, and what happens when it
 * fails.
 *
 * Steps leave everything on the device. The host's copies of x, v and dv are brought up to date when somebody
 * looks (weft_world_pull), and that moment is kept. What the host changes between steps is sent before the
 * next one. When the device fails the run goes on on the CPU: with the state read back from it, or, where
 * that fails too, from the kept state by repeating the steps since, which are the same, bit for bit, as long
 * as nothing was changed in between.
 */
#include "base/memory.h"
#include "device/threads.h"
#include "step.h"
#include "world.h"

#include <stdio.h>
#include <string.h>

static size_t vector_bytes(const WeftWorld *world) {
  return 3 * (size_t)world->model.vertex_count * sizeof(double);
}

static void keep(WeftWorld *world) {
  world->is_kept = weft_step_store_contacts(&world->step, NULL) == WEFT_RESULT_OK &&
                   weft_state_copy(&world->kept, &world->state, world->model.vertex_count);
}

WeftResult weft_world_attach(WeftWorld *world, WeftDevice *device, WeftError *error) {
  WeftResult result = WEFT_RESULT_OK;
  if (device && !world->kept.x) result = weft_state_create(&world->kept, world->model.vertex_count, error);
  if (!result) result = weft_step_share(&world->step, device, error);
  if (result) return result;
  bool has_long_items =
      world->precond == &weft_precond_block_ic || world->precond == &weft_precond_block_cholesky;
  if (device && device->is_gpu && has_long_items) {
    weft_log(world->def.log, WEFT_LOG_WARNING,
             "the preconditioner %s has few, long work items and is slow on %s; block_jacobi suits it",
             world->precond->name, device->name);
  }
  world->device = device;
  world->is_stale = false;
  world->changed = WEFT_CHANGED_ALL; /* of what is set between here and the first step */
  return WEFT_RESULT_OK;
}

/* Sends what the host changed since the last step. */
static void push(WeftWorld *world) {
  const WeftState *state = &world->state;
  size_t vector = vector_bytes(world);
  if (world->changed & WEFT_CHANGED_MOTION) {
    weft_device_upload(world->device, state->x, vector);
    weft_device_upload(world->device, state->v, vector);
    weft_device_upload(world->device, state->dv, vector);
  }
  if (world->changed & WEFT_CHANGED_FORCE) weft_device_upload(world->device, state->force, vector);
  if (world->changed & WEFT_CHANGED_HELD) {
    weft_device_upload(world->device, state->target, vector);
    weft_device_upload(world->device, state->held, (size_t)world->model.vertex_count);
  }
  if (world->changed && world->is_stale) world->is_kept = false; /* the change belongs to a later state */
  if (world->changed && !world->is_stale) keep(world);
  world->changed = 0;
}

static bool read_back(WeftWorld *world) {
  size_t vector = vector_bytes(world);
  return weft_device_download(world->device, world->state.x, vector) &&
         weft_device_download(world->device, world->state.v, vector) &&
         weft_device_download(world->device, world->state.dv, vector);
}

static WeftResult step_here(WeftWorld *world, WeftError *error) {
  return weft_step(&world->step, world->integrator, world->handles, world->handle_count, world->def.log,
                   error);
}

/* From the failed device to the CPU, in the state of the last whole step. */
static WeftResult leave_device(WeftWorld *world, WeftError *error) {
  WeftError failure = world->device->failure;
  int64_t wanted = world->state.step;
  world->device->failure.result = WEFT_RESULT_OK; /* it may still be good for reading */
  bool is_read = !world->is_stale || (!world->step.is_torn && read_back(world));
  weft_step_drop_collision(&world->step);
  if (!is_read) weft_state_copy(&world->state, &world->kept, world->model.vertex_count);
  snprintf(world->lost_device, sizeof world->lost_device, "%s", world->device->name);
  WeftResult result = weft_step_share(&world->step, NULL, error); /* takes arrays back, so before it closes */
  weft_device_close(world->device);
  world->device = NULL;
  bool can_repeat = is_read || world->is_kept;
  weft_log(world->def.log, WEFT_LOG_WARNING, "%s; going on on the CPU from step %lld", failure.message,
           (long long)world->state.step);
  world->is_stale = false;
  world->changed = 0;
  if (result) return result;
  if (!can_repeat) {
    return weft_fail(error, WEFT_RESULT_DEVICE,
                     "%.600s. The steps since %g s are lost with it, and what was changed in between: the "
                     "world is on the CPU in the state of step %lld",
                     failure.message, world->state.time, (long long)world->state.step);
  }
  int before = weft_threads_use(world->threads);
  while (!result && world->state.step < wanted) result = step_here(world, error);
  weft_threads_use(before);
  return result;
}

WeftResult weft_world_pull(WeftWorld *world, WeftError *error) {
  if (!world->device || !world->is_stale) return WEFT_RESULT_OK;
  if (!read_back(world)) return leave_device(world, error);
  world->is_stale = false;
  keep(world);
  return WEFT_RESULT_OK;
}

WeftResult weft_world_step_once(WeftWorld *world, WeftError *error) {
  if (!world->device) return step_here(world, error);
  push(world);
  WeftResult result = step_here(world, error);
  if (result == WEFT_RESULT_OK) world->is_stale = true;
  if (result != WEFT_RESULT_DEVICE) return result;
  result = leave_device(world, error);
  return result ? result : step_here(world, error);
}

WeftResult weft_world_use_device(WeftWorld *world, const char *name, WeftError *error) {
  if (!world) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "no world given");
  WeftDevice *device, *before = world->device;
  WeftResult result = weft_device_open(name, &device, error);
  if (result) return result;
  if (!world->is_built) {
    world->device = device;
  } else {
    result = weft_world_pull(world, error);
    before = world->device; /* a device that failed just now is gone */
    if (!result) {
      result = weft_world_attach(world, device, error);
      if (result) weft_step_share(&world->step, before, NULL); /* what already went there comes back */
    }
  }
  weft_device_close(result ? device : before);
  return result;
}
