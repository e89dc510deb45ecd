/* The friction family: what a contact's friction does in a step, from pressure, motion and what it remembers.
 *
 * One method is one law: how much friction holds at rest, and how much it pulls at a sliding speed. What all
 * laws share (does a contact stick or slide, the spring that holds, the force that pulls) is in
 * friction.kernel.h; a method is a kernel that puts its law in, and one line in registry.c. */
#ifndef WEFT_FORCE_FRICTION_H
#define WEFT_FORCE_FRICTION_H

typedef struct WeftContacts WeftContacts;

typedef struct WeftFrictionOps {
  const char *name, *citation, *summary;
  /* Fills grip, push, begun, bounds, origin and sliding of the contacts from first on, whose normals,
   * stiffness and aims are set. x0, x1 and v0 as for weft_contacts_stiffen. */
  void (*grip)(WeftContacts *contacts, int first, const double *x0, const double *x1, const double *v0,
               double h);
} WeftFrictionOps;

extern const WeftFrictionOps weft_friction_coulomb;

/* The kernel arguments common to all laws, for LAUNCH; in the order of FRICTION_PARAMETERS. */
#define FRICTION_ARGUMENTS(contacts, first, x0, x1, v0, h)                                                \
  (contacts)->count - (first), first, (contacts)->cloth_count, (contacts)->surface_count, h,              \
      (contacts)->surface, (contacts)->surface_pairs, (contacts)->mass, x0, x1, v0, (contacts)->vertices, \
      (contacts)->weight, (contacts)->arm, (contacts)->pair, (contacts)->normal, (contacts)->spring,      \
      (contacts)->aim, (contacts)->slip, (contacts)->grip, (contacts)->push, (contacts)->begun,           \
      (contacts)->bounds, (contacts)->origin, (contacts)->sliding

#endif
