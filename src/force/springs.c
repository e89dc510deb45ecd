#include "force/springs.h"

#include "device/launch.h"
#include "force/spring.kernel.h"

typedef struct Springs {
  WeftForce force;
  double *rest_length, *stiffness, *damping; /* count [m, N/m, N s/m] */
} Springs;

WeftResult weft_springs_create(const WeftModel *model, const WeftForceOps *ops, WeftForceKind kind,
                               WeftSpringOf *spring_of, WeftForce **force, WeftError *error) {
  WeftResult result = weft_force_select(model, ops, kind, weft_force_is_named, sizeof(Springs), force, error);
  if (!*force) return result;
  Springs *self = (Springs *)*force;
  int count = self->force.elements.count;
  self->rest_length = WEFT_FORCE_NEW(&self->force, double, count);
  self->stiffness = WEFT_FORCE_NEW(&self->force, double, count);
  self->damping = WEFT_FORCE_NEW(&self->force, double, count);
  if (!self->rest_length || !self->stiffness || !self->damping) {
    weft_force_free(*force);
    *force = NULL;
    return weft_fail_memory(error, "springs");
  }
  for (int e = 0; e < count; e++) {
    WeftSpring spring = spring_of(model, self->force.source[e]);
    self->rest_length[e] = spring.rest_length;
    self->stiffness[e] = spring.stiffness;
    self->damping[e] = spring.damping;
  }
  return WEFT_RESULT_OK;
}

void weft_springs_add(const WeftForce *force, const WeftForceRequest *request) {
  const Springs *self = (const Springs *)force;
  LAUNCH(request->device, spring_add, ELEMENT_ARGUMENTS(force, request), self->rest_length, self->stiffness,
         self->damping);
}

void weft_springs_energies(const WeftForce *force, const double *x, double *energy) {
  const Springs *self = (const Springs *)force;
  spring_energies(force->elements.count, force->elements.vertices, x, self->rest_length, self->stiffness,
                  energy);
}
