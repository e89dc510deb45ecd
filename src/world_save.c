/* Saving and restoring a world's state, in memory and in files. */
#include "base/read_file.h"
#include "base/write_file.h"
#include "world.h"

#include <stdlib.h>

WeftResult weft_world_save(WeftWorld *world, void **bytes, size_t *size, WeftError *error) {
  WeftResult result = weft_world_look(world, 0, error);
  if (!result) result = weft_step_store_contacts(&world->step, error);
  if (!result) result = weft_state_save(&world->state, &world->model, bytes, size, error);
  return result;
}

WeftResult weft_world_restore(WeftWorld *world, const void *bytes, size_t size, WeftError *error) {
  WeftResult result = weft_world_look(world, 0, error);
  if (!result) result = weft_state_restore(&world->state, &world->model, bytes, size, error);
  if (!result) {
    world->changed |= WEFT_CHANGED_ALL;
    world->step.recalls = true;
  }
  return result;
}

WeftResult weft_world_save_file(WeftWorld *world, const char *path, WeftError *error) {
  void *bytes;
  size_t size;
  WeftResult result = weft_world_save(world, &bytes, &size, error);
  if (result) return result;
  result = weft_write_file(path, bytes, size, error);
  free(bytes);
  return result;
}

WeftResult weft_world_restore_file(WeftWorld *world, const char *path, WeftError *error) {
  char *bytes;
  size_t size;
  WeftResult result = weft_read_file(path, &bytes, &size, error);
  if (result) return result;
  result = weft_world_restore(world, bytes, size, error);
  free(bytes);
  return result;
}

void weft_free(void *memory) { free(memory); }
