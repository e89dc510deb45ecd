/* All methods by family and name. One line a method in registry.c; scenes, `weft list`, tests and benchmarks
 * walk it. */
#ifndef WEFT_REGISTRY_H
#define WEFT_REGISTRY_H

#include "detect/broad.h"
#include "force/force.h"
#include "force/friction.h"
#include "integrate/integrate.h"
#include "respond/link.h"
#include "solve/precond.h"

/* NULL when there is none of that name. family: "stretch" or "bend". */
const WeftForceOps *weft_registry_force(const char *family, const char *name);
const WeftIntegratorOps *weft_registry_integrator(const char *name);
const WeftPrecondOps *weft_registry_precond(const char *name);
const WeftBroadOps *weft_registry_broad(const char *name);
const WeftFrictionOps *weft_registry_friction(const char *name);
const WeftLinkOps *weft_registry_link(const char *name);

/* Every force, for building a model: index from 0, NULL after the last. */
const WeftForceOps *weft_registry_force_at(int index);
/* Every broad phase, in the same way. */
const WeftBroadOps *weft_registry_broad_at(int index);

/* The nearest name in a family, or NULL. */
const char *weft_registry_nearest(const char *family, const char *name);

#endif
