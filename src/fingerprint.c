/* What tells one run from another: everything that decides where a world goes. Threads and the log do not. */
#include "base/hash.h"
#include "world.h"

#include <string.h>

static uint64_t hash_text(uint64_t hash, const char *text) { return weft_hash(hash, text, strlen(text) + 1); }

static uint64_t hash_def(uint64_t hash, const WeftWorldDef *def) {
  double numbers[] = {def->time_step,        def->mass_damping,          def->solver_tolerance,
                      def->newton_tolerance, def->solver_max_iterations, def->newton_iterations,
                      def->step_halvings,    def->quasi_static,          def->collides};
  hash = weft_hash(hash, numbers, sizeof numbers);
  hash = hash_text(hash_text(hash, def->integrator), def->preconditioner);
  return hash_text(hash, def->friction);
}

static uint64_t hash_handle(uint64_t hash, const WeftHandle *handle) {
  size_t vertices = (size_t)handle->vertex_count;
  const WeftMotion *motion = &handle->motion;
  double numbers[] = {motion->pivot[0], motion->pivot[1],     motion->pivot[2],     motion->interpolation,
                      handle->axes,     handle->release_time, handle->vertex_count, motion->key_count};
  hash = weft_hash(hash, numbers, sizeof numbers);
  hash = weft_hash(hash, handle->vertices, vertices * sizeof *handle->vertices);
  hash = weft_hash(hash, handle->start, 3 * vertices * sizeof *handle->start);
  for (int i = 0; i < motion->key_count; i++) {
    const WeftObstacleKey *key = &motion->keys[i]; /* a handle's scale is 1 */
    hash = weft_hash(hash, &key->time, sizeof key->time);
    hash = weft_hash(hash, key->translation, sizeof key->translation);
    hash = weft_hash(hash, key->rotation, sizeof key->rotation);
  }
  return hash;
}

static uint64_t hash_state(uint64_t hash, const WeftState *state, size_t vertex_count) {
  const WeftWind *wind = &state->wind;
  double numbers[] = {state->time, (double)state->step, wind->gust_frequency, wind->gust_length,
                      wind->air_density};
  const double *vectors[] = {state->x, state->v, state->dv, state->force, state->target};
  hash = weft_hash(hash, numbers, sizeof numbers);
  hash = weft_hash(hash, state->gravity, sizeof state->gravity);
  hash = weft_hash(hash, wind->velocity, sizeof wind->velocity);
  hash = weft_hash(hash, wind->gust_amplitude, sizeof wind->gust_amplitude);
  for (int i = 0; i < 5; i++) hash = weft_hash(hash, vectors[i], 3 * vertex_count * sizeof(double));
  return weft_hash(hash, state->held, vertex_count);
}

WeftResult weft_world_fingerprint(WeftWorld *world, uint64_t *fingerprint, WeftError *error) {
  if (!fingerprint)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_world_fingerprint: nowhere to put it");
  WeftResult result = weft_world_check(world, 0, error);
  if (result) return result;
  uint64_t hash = weft_hash(WEFT_HASH_START, &world->model.fingerprint, sizeof world->model.fingerprint);
  hash = hash_def(hash, &world->def);
  for (int i = 0; i < world->chain_count; i++) hash = hash_text(hash, world->chain[i]->name);
  for (int i = 0; i < world->handle_count; i++) hash = hash_handle(hash, &world->handles[i]);
  *fingerprint = hash_state(hash, &world->state, (size_t)world->model.vertex_count);
  return WEFT_RESULT_OK;
}
