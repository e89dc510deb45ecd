/* The world behind the public handle. */
#ifndef WEFT_WORLD_H
#define WEFT_WORLD_H

#include "handle.h"
#include "integrate/integrate.h"
#include "model_build.h"
#include "state.h"

#include <weft/weft.h>

struct WeftWorld {
  WeftWorldDef def; /* its strings are the registry's */
  const WeftIntegratorOps *integrator;
  const WeftPrecondOps *precond;
  int threads;

  int cloth_count;
  size_t cloth_capacity;
  WeftClothInput *cloths; /* kept after the model is made, for names and the user's triangles */
  int handle_count;
  size_t handle_capacity;
  WeftHandle *handles;
  int32_t *handle_cloth; /* per handle */
  size_t handle_cloth_capacity;

  bool is_built; /* model, state and step are there */
  WeftModel model;
  WeftState state;
  WeftStep step;
  WeftReport report;
};

/* Makes model, state and step when they are not there yet. */
WeftResult weft_world_build(WeftWorld *world, WeftError *error);
/* world is there, is built, and cloth is one of its. */
WeftResult weft_world_check(WeftWorld *world, int32_t cloth, WeftError *error);

#endif
