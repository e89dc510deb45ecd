#include "base/memory.h"
#include "world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What has this name: 1 a fabric, 2 an obstacle, 3 both, 0 nothing. */
static int kind_of(const WeftWorld *world, const char *name) {
  int kind = 0;
  for (int i = 0; i < world->cloth_count; i++) {
    if (!strcmp(world->cloths[i].def.material.name, name)) kind |= 1;
  }
  for (int i = 0; i < world->obstacle_count; i++) {
    if (!strcmp(world->obstacles[i].name, name)) kind |= 2;
  }
  return kind;
}

WeftResult weft_world_set_friction(WeftWorld *world, const char *a, const char *b, double friction_static,
                                   double friction_kinetic, WeftError *error) {
  const char *const names[2] = {a, b};
  if (!world || !a || !*a || !b || !*b)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_world_set_friction: no world or name");
  if (world->is_built) {
    return weft_fail(error, WEFT_RESULT_WRONG_TIME,
                     "friction of pairs can be set only before the first step or read-back");
  }
  if (!(friction_static >= 0 && isfinite(friction_static) && friction_kinetic >= 0 &&
        isfinite(friction_kinetic))) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "friction of \"%s\" on \"%s\": %g and %g; give numbers from 0 on", a, b, friction_static,
                     friction_kinetic);
  }
  for (int i = 0; i < 2; i++) {
    if (!kind_of(world, names[i]))
      return weft_fail(
          error, WEFT_RESULT_INVALID_ARGUMENT,
          "friction of \"%s\" on \"%s\": no cloth has a material, and no obstacle has the name \"%s\"", a, b,
          names[i]);
  }
  if (kind_of(world, a) == 2 && kind_of(world, b) == 2)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "friction of \"%s\" on \"%s\": both are obstacles, which do not meet", a, b);
  if (!weft_grow((void **)&world->frictions, &world->friction_capacity, (size_t)world->friction_count + 1,
                 sizeof *world->frictions)) {
    return weft_fail_memory(error, "friction of pairs");
  }
  WeftFrictionPair *pair = &world->frictions[world->friction_count++];
  memset(pair, 0, sizeof *pair);
  snprintf(pair->a, sizeof pair->a, "%s", a);
  snprintf(pair->b, sizeof pair->b, "%s", b);
  pair->at_rest = friction_static;
  pair->sliding = friction_kinetic;
  return WEFT_RESULT_OK;
}
