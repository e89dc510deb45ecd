#include "force/friction.kernel.h"

/* Coulomb: a part of the pressure, one at rest and one while sliding, at any speed. */
INLINE FrictionLimit friction_coulomb_limit(Friction f) {
  FrictionLimit limit;
  limit.rest = f.coefficient_rest * f.pressure;
  limit.sliding = f.coefficient_sliding * f.pressure;
  if (limit.sliding > limit.rest) limit.sliding = limit.rest;
  return limit;
}

KERNEL friction_coulomb(FRICTION_PARAMETERS) {
  FOR_ITEMS (i, new_count) {
    int c = first + i;
    Friction f = FRICTION_BEGIN(c);
    friction_decide(c, f, friction_coulomb_limit(f), grip, push, begun, bounds, origin, sliding);
  }
}
