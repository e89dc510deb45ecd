/* The world behind the public handle. */
#ifndef WEFT_WORLD_H
#define WEFT_WORLD_H

#include "friction_pairs.h"
#include "handle.h"
#include "integrate/integrate.h"
#include "model_build.h"
#include "state.h"

#include <weft/weft.h>

struct WeftWorld {
  WeftWorldDef def; /* its strings are the registry's */
  const WeftIntegratorOps *integrator;
  const WeftPrecondOps *precond; /* "auto" only until the model is built */
  int threads;
  int chain_count;             /* of the response */
  int budget[WEFT_CHAIN_MOST]; /* rounds of each link */
  const WeftLinkOps *chain[WEFT_CHAIN_MOST];

  int cloth_count;
  size_t cloth_capacity;
  WeftClothInput *cloths; /* kept after the model is made, for names and the user's triangles */
  int handle_count;
  size_t handle_capacity;
  WeftHandle *handles;
  int32_t *handle_cloth; /* per handle */
  size_t handle_cloth_capacity;

  int obstacle_count;
  size_t obstacle_capacity;
  WeftObstacleInput *obstacles; /* the model points to their arrays */

  int friction_count;
  size_t friction_capacity;
  WeftFrictionPair *frictions;

  bool is_built; /* model, state and step are there */
  WeftModel model;
  WeftState state;
  WeftStep step;
  WeftReport report;

  /* On another device than the CPU. The host's x, v, dv are then a mirror; the rest of the state is the
   * host's own. */
  WeftDevice *device;               /* NULL: the CPU */
  bool is_stale;                    /* the device has taken steps that the mirror does not show */
  unsigned changed;                 /* what the host changed since the last step, bits of WEFT_CHANGED_* */
  WeftState kept;                   /* the state at the last look: where a lost device leaves the world */
  bool is_kept;                     /* from there the steps since can be repeated */
  char lost_device[WEFT_NAME_SIZE]; /* "" while none was */
};

enum {
  WEFT_CHANGED_MOTION = 1, /* x, v, dv */
  WEFT_CHANGED_FORCE = 2,
  WEFT_CHANGED_HELD = 4, /* held and target */
  WEFT_CHANGED_AIR = 8,  /* wind or gravity, which kernels get as numbers */
  WEFT_CHANGED_ALL = 15
};

/* Makes model, state and step when they are not there yet. */
WeftResult weft_world_build(WeftWorld *world, WeftError *error);
/* world is there, is built, and cloth is one of its. */
WeftResult weft_world_check(WeftWorld *world, int32_t cloth, WeftError *error);
/* world is there, is built, and obstacle is one of its. */
WeftResult weft_world_check_obstacle(WeftWorld *world, int32_t obstacle, WeftError *error);
/* As weft_world_check, and the host's state is up to date: for whoever reads or edits x and v. */
WeftResult weft_world_look(WeftWorld *world, int32_t cloth, WeftError *error);

/* world_device.c */
/* After weft_world_build, and when the device changes: model, state and step go there. */
WeftResult weft_world_attach(WeftWorld *world, WeftDevice *device, WeftError *error);
/* Brings the mirror up to date. */
WeftResult weft_world_pull(WeftWorld *world, WeftError *error);
/* One step on the world's device; on the CPU when that fails. */
WeftResult weft_world_step_once(WeftWorld *world, WeftError *error);

#endif
