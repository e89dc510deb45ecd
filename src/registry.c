#include "registry.h"

#include "force/forces.h"

#include <string.h>
#include <weft/weft.h>

/* The first of a family is its default. */
static const WeftForceOps *const FORCES[] = {
    &weft_force_stretch_baraff_witkin, &weft_force_stretch_springs, &weft_force_stretch_measured,
    &weft_force_bend_dihedral,         &weft_force_bend_springs,    &weft_force_bend_measured,
    &weft_force_link_spring,           &weft_force_air_wind,
};
static const WeftIntegratorOps *const INTEGRATORS[] = {
    &weft_integrator_backward_euler,
    &weft_integrator_explicit_euler,
    &weft_integrator_rk2,
    &weft_integrator_rk4,
};
static const WeftPrecondOps *const PRECONDS[] = {
    &weft_precond_auto,           &weft_precond_block_jacobi, &weft_precond_block_ic, &weft_precond_two_level,
    &weft_precond_block_cholesky, &weft_precond_jacobi,       &weft_precond_none,
};
static const WeftBroadOps *const BROADS[] = {
    &weft_broad_bvh, &weft_broad_front, &weft_broad_grid, &weft_broad_hash, &weft_broad_brute,
};
static const WeftLinkOps *const LINKS[] = {
    &weft_link_impulse,    &weft_link_zone_linear, &weft_link_zone_nonlinear,
    &weft_link_zone_rigid, &weft_link_truncate,
};
static const WeftFrictionOps *const FRICTIONS[] = {&weft_friction_coulomb};
enum {
  FORCE_COUNT = sizeof FORCES / sizeof *FORCES,
  INTEGRATOR_COUNT = sizeof INTEGRATORS / sizeof *INTEGRATORS,
  PRECOND_COUNT = sizeof PRECONDS / sizeof *PRECONDS,
  BROAD_COUNT = sizeof BROADS / sizeof *BROADS,
  LINK_COUNT = sizeof LINKS / sizeof *LINKS,
  FRICTION_COUNT = sizeof FRICTIONS / sizeof *FRICTIONS,
  METHOD_COUNT = FORCE_COUNT + INTEGRATOR_COUNT + PRECOND_COUNT + BROAD_COUNT + FRICTION_COUNT + LINK_COUNT
};

int32_t weft_method_count(void) { return METHOD_COUNT; }

WeftMethodInfo weft_method_info(int32_t index) {
  if (index < 0 || index >= METHOD_COUNT) return (WeftMethodInfo){0};
  if (index < FORCE_COUNT) {
    const WeftForceOps *f = FORCES[index];
    bool is_first = index == 0 || strcmp(FORCES[index - 1]->family, f->family) != 0;
    return (WeftMethodInfo){f->family, f->name, f->citation, f->summary, is_first};
  }
  index -= FORCE_COUNT;
  if (index < INTEGRATOR_COUNT) {
    const WeftIntegratorOps *i = INTEGRATORS[index];
    return (WeftMethodInfo){"integrator", i->name, i->citation, i->summary, index == 0};
  }
  index -= INTEGRATOR_COUNT;
  if (index < PRECOND_COUNT) {
    const WeftPrecondOps *p = PRECONDS[index];
    return (WeftMethodInfo){"preconditioner", p->name, p->citation, p->summary, index == 0};
  }
  index -= PRECOND_COUNT;
  if (index < BROAD_COUNT) {
    const WeftBroadOps *b = BROADS[index];
    return (WeftMethodInfo){"broad_phase", b->name, b->citation, b->summary, index == 0};
  }
  index -= BROAD_COUNT;
  if (index < FRICTION_COUNT) {
    const WeftFrictionOps *f = FRICTIONS[index];
    return (WeftMethodInfo){"friction", f->name, f->citation, f->summary, index == 0};
  }
  index -= FRICTION_COUNT;
  const WeftLinkOps *l = LINKS[index];
  return (WeftMethodInfo){"response", l->name, l->citation, l->summary, index == 0};
}

const WeftForceOps *weft_registry_force_at(int index) {
  return index >= 0 && index < FORCE_COUNT ? FORCES[index] : NULL;
}

const WeftForceOps *weft_registry_force(const char *family, const char *name) {
  for (int i = 0; i < FORCE_COUNT; i++) {
    if (!strcmp(FORCES[i]->family, family) && !strcmp(FORCES[i]->name, name)) return FORCES[i];
  }
  return NULL;
}

const WeftIntegratorOps *weft_registry_integrator(const char *name) {
  for (int i = 0; i < INTEGRATOR_COUNT; i++) {
    if (!strcmp(INTEGRATORS[i]->name, name)) return INTEGRATORS[i];
  }
  return NULL;
}

const WeftPrecondOps *weft_registry_precond(const char *name) {
  for (int i = 0; i < PRECOND_COUNT; i++) {
    if (!strcmp(PRECONDS[i]->name, name)) return PRECONDS[i];
  }
  return NULL;
}

const WeftBroadOps *weft_registry_broad(const char *name) {
  for (int i = 0; i < BROAD_COUNT; i++) {
    if (!strcmp(BROADS[i]->name, name)) return BROADS[i];
  }
  return NULL;
}

const WeftFrictionOps *weft_registry_friction(const char *name) {
  for (int i = 0; i < FRICTION_COUNT; i++) {
    if (!strcmp(FRICTIONS[i]->name, name)) return FRICTIONS[i];
  }
  return NULL;
}

const WeftLinkOps *weft_registry_link(const char *name) {
  for (int i = 0; i < LINK_COUNT; i++) {
    if (!strcmp(LINKS[i]->name, name)) return LINKS[i];
  }
  return NULL;
}

const WeftBroadOps *weft_registry_broad_at(int index) {
  return index >= 0 && index < BROAD_COUNT ? BROADS[index] : NULL;
}

const char *weft_registry_nearest(const char *family, const char *name) {
  const char *names[METHOD_COUNT];
  int count = 0;
  for (int i = 0; i < METHOD_COUNT; i++) {
    WeftMethodInfo info = weft_method_info(i);
    if (!strcmp(info.family, family)) names[count++] = info.name;
  }
  return weft_nearest_name(name, names, count);
}
