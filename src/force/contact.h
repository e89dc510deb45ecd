/* Contact and friction between what is close, as forces of the implicit solve: [Tang16 eq. 2] with the whole
 * derivative k (w wT) x (n nT), of which [Tang16 alg. 2] stores only parts.
 *
 * A pair of features closer than its contact distance pushes along the line between its closest points, n =
 * sum of weight x position over its four vertices; weights and n are those of the beginning of the step. So
 * does a pair that will meet within the step as the velocities are; its weights and n are those of shortly
 * before.
 * Obstacles take part with the positions they will have at its end. */
#ifndef WEFT_FORCE_CONTACT_H
#define WEFT_FORCE_CONTACT_H

#include "detect/found.h"
#include "force/force.h"
#include "force/friction.h"
#include "solve/bcsr.h"
#include "state.h"

/* So many solves a step may add contacts, and detection before them. */
enum { WEFT_CONTACT_RUNS = 8 };

struct WeftContacts {
  WeftDevice *device;
  const WeftFrictionOps *friction;
  int cloth_count, vertex_count; /* of vertices: cloth's, then obstacles' */
  /* What is known of the bodies. */
  int32_t *body;         /* vertex_count: cloth, or behind the cloths obstacle */
  double *thickness;     /* a body [m] */
  int32_t *surface;      /* vertex_count: which of the model's surfaces */
  double *surface_pairs; /* surface_count x surface_count x 3, the model's */
  const double *mass;    /* cloth_count, the model's [kg] */
  double *rest; /* cloth_count x 3: rest shape, in which features of one cloth may be closer than their
                   thickness [m] */
  double *bond; /* cloth_count: what adhesion holds a vertex with [N] */
  bool sticks;  /* any adhesion? */
  double reach; /* the largest contact distance [m] */
  int cloth_bodies, surface_count;
  /* Of this step. */
  int count;
  int run_count, run_start[WEFT_CONTACT_RUNS + 1]; /* runs that are sorted by pair: what detection found, and
                                                      what each solve led to */
  int stiff_count;                                 /* so many know how stiff they are */
  int32_t *vertices;                               /* count x 4 */
  double *weight;                                  /* count x 4 */
  double *arm;       /* count x 4 x 3: lever with which a way along the normal counts as slip (slip_add) */
  double *when;      /* count: the part of the predicted way at which they are those of the closest points */
  double *normal;    /* count x 3 */
  double *spring;    /* count [N/m]; 0: not a contact */
  double *stiffness; /* count [N/m]: of those that are active, else 0 */
  double *aim;       /* count: sum of weight n x of cloth that is wanted at the end [m] */
  /* Friction is push - grip x slip, slip being sum of weight x, from origin on, across n and across push. */
  double *grip;     /* count [N/m] */
  double *push;     /* count x 3: against the motion of what slides [N]; 0 for what sticks */
  double *origin;   /* count x 3 [m] */
  double *begun;    /* count x 3: slip at the end if velocities stay what they are [m] */
  double *bounds;   /* count x 3: mass over h^2 [N/m], what friction holds with at rest and sliding [N] */
  int32_t *sliding; /* count: 1 for what slides, 0 for what sticks */
  double *pull;     /* count: of adhesion [N]; only where something sticks */
  double *given;    /* scratch: what each gives to its rows */
  int32_t *pair;    /* count x 3: kind and features, as in WeftContactMemory */
  double *slip;     /* count x 5: as in WeftContactMemory; the force is negative for a new contact */
  /* What the last step left. */
  int memory_count;
  int32_t *memory_pair; /* memory_count x 3 */
  double *memory_slip;  /* memory_count x 5 */
  size_t capacity_memory_pair, capacity_memory_slip;
  int32_t *key, *at;  /* 4 x count: rows with contacts in order, and which corner of which contact each is */
  int32_t *row_start; /* cloth_count + 1, into key */
  int32_t *loose_start, *entry; /* scratch of the pattern */
  size_t capacity_vertices, capacity_weight, capacity_arm, capacity_normal, capacity_stiffness, capacity_aim,
      capacity_grip, capacity_when, capacity_spring, capacity_push, capacity_pull, capacity_begun,
      capacity_bounds, capacity_sliding, capacity_pair, capacity_slip, capacity_origin, capacity_key,
      capacity_at, capacity_entry, capacity_given;
  WeftPrimitives primitives;
};

WeftResult weft_contacts_create(WeftContacts *contacts, WeftDevice *device, const WeftModel *model,
                                const WeftFrictionOps *friction, WeftError *error);
void weft_contacts_destroy(WeftContacts *contacts);

/* Takes over what weft_detector_ahead found, and gives the matrix the blocks it needs. */
WeftResult weft_contacts_take(WeftContacts *contacts, const WeftFound *vertex_face,
                              const WeftFound *edge_edge, WeftBcsr *matrix, WeftError *error);
/* Stiffness and aims of the contacts that came since the last call, for a step of h from x0 to the x1 of all
 * vertices that they were found with, and their friction with the velocities v0 of cloth; the matrix holds
 * all other forces. gravity [m/s^2]: what obstacles have to carry, also of what rests. */
void weft_contacts_stiffen(WeftContacts *contacts, const WeftBcsr *matrix, const double *x0, const double *x1,
                           const double *v0, double h, const double *gravity);
/* What a solve makes of the contacts it was done with; -1 when the device failed. */
typedef struct WeftContactReview {
  int changed; /* let go because they pull, or taken in because they are needed, by more than a fiftieth of
                  the contact distance */
  int pressed; /* new in this step: friction now knows what they press with */
} WeftContactReview;

/* After a solve that led to x1; x0, x1 and v0 as for weft_contacts_stiffen. */
WeftContactReview weft_contacts_review(WeftContacts *contacts, const double *x0, const double *x1,
                                       const double *v0, double h);
/* After a solve that led to x1 and is done again: what was to stick and carried more than friction can slides
 * from now on; how many, or -1 when the device failed. */
int weft_contacts_let_go(WeftContacts *contacts, const double *x0, const double *x1);
/* Adds the impacts on the way from x0 to x1 that are not among the contacts, unless there were
 * WEFT_CONTACT_RUNS of such calls; *added: how many. x0, x1: of all vertices of the surface. */
WeftResult weft_contacts_expect(WeftContacts *contacts, const WeftSurface *surface,
                                const WeftFound *vertex_face, const WeftFound *edge_edge, const double *x0,
                                const double *x1, WeftBcsr *matrix, int *added, WeftError *error);
/* After a step was accepted with x1: what the next one has to know. */
WeftResult weft_contacts_remember(WeftContacts *contacts, const double *x1, WeftError *error);
/* The memory to and from the host. */
WeftResult weft_contacts_store(const WeftContacts *contacts, WeftContactMemory *memory, WeftError *error);
WeftResult weft_contacts_load(WeftContacts *contacts, const WeftContactMemory *memory, WeftError *error);

/* Adds force and, where wanted, matrix blocks and K_x v. */
void weft_contacts_add(const WeftContacts *contacts, const WeftForceRequest *request, const WeftBcsr *matrix);

#endif
