/* Integrators: from (x0, v0) to a candidate (x1, v1). One method, one file. */
#ifndef WEFT_INTEGRATE_INTEGRATE_H
#define WEFT_INTEGRATE_INTEGRATE_H

#include "force/contact.h"
#include "model.h"
#include "respond/respond.h"
#include "solve/pcg.h"
#include "state.h"

/* What a step works with; arrays are vertex_count x 3 in internal order. */
typedef struct WeftStep {
  const WeftModel *model;
  const WeftWorldDef *def;
  WeftState *state;      /* read here; only weft_step accepts into it */
  double *v0;            /* velocities the step starts from: the state's, or zero in a quasi-static run */
  double *x1, *v1;       /* the candidate */
  double *held_velocity; /* velocity with which held components reach their targets */
  double *f, *kxv, *b, *dv, *reaction;
  double *scratch[4];
  bool has_matrix;
  WeftBcsr matrix;
  WeftPcg pcg;
  double *kept_value, *kept[2]; /* matrix, f and kxv without contact; NULL when cloth does not collide */
  WeftReport *report;           /* counters and stage times */
  double *partial;              /* one a work item */
  double *sums;                 /* three a work item */
  double *backup[3];            /* x, v, dv before a divided step; NULL until one is needed */
  WeftDevice *device;           /* that has all arrays; NULL: the CPU */
  const WeftBroadOps
      *broad; /* of detection, and the response chain; NULL and 0 when cloth does not collide */
  const WeftFrictionOps *friction;
  int chain_count;
  const WeftLinkOps *chain[WEFT_CHAIN_MOST];
  int budget[WEFT_CHAIN_MOST]; /* rounds of each */
  bool has_respond;            /* respond and contacts are there, for this device */
  bool has_contacts;           /* contacts are those of this step */
  double roughness;            /* times the solver's tolerance is enough */
  bool is_again;               /* the step is solved once more: dv is a good guess */
  bool is_same;                /* and the system is the one solved last */
  bool is_settled;             /* or differs from it in few contacts */
  bool is_shortest;            /* parts of the step get no smaller, however much it lengthens edges */
  bool is_too_long;            /* it does so too much */
  double lengthening;          /* how much the last solve did, over the square of its time [1/s^2] */
  bool recalls;                /* the contacts' memory is in the state, not yet in contacts */
  WeftRespond respond;
  WeftContacts contacts; /* with respond */
  bool is_torn;          /* the device failed and its x, v, dv are not those of a whole step */
  /* on a device: the rows that so many handles hold, and what was sent for them, four numbers a row */
  int aim_handles, aim_count;
  int32_t *aim_rows;
  double *aim_values;
} WeftStep;

typedef struct WeftIntegratorOps {
  const char *name, *citation, *summary;
  bool needs_matrix;
  /* Fills x1, v1, dv (= v1 - v0) and reaction for a step of h [s]. */
  WeftResult (*advance)(WeftStep *step, double h, WeftError *error);
} WeftIntegratorOps;

extern const WeftIntegratorOps weft_integrator_backward_euler;
extern const WeftIntegratorOps weft_integrator_explicit_euler;
extern const WeftIntegratorOps weft_integrator_rk2;
extern const WeftIntegratorOps weft_integrator_rk4;

/* Everything that needs the model's sizes; needs_matrix as the integrator says. */
WeftResult weft_step_create(WeftStep *step, const WeftModel *model, const WeftWorldDef *def, WeftState *state,
                            const WeftIntegratorOps *integrator, const WeftPrecondOps *precond,
                            WeftReport *report, WeftError *error);
void weft_step_destroy(WeftStep *step);
/* Puts model, state and step on a device; NULL takes them back to the CPU, where they are as the last
 * downloads left them. */
WeftResult weft_step_share(WeftStep *step, WeftDevice *device, WeftError *error);

/* Brings what contacts remember into the state; on failure the state has what it had. */
WeftResult weft_step_store_contacts(WeftStep *step, WeftError *error);
/* Forgets what detection, contact and response keep on the step's device; before that is closed. A step makes
 * it again. */
void weft_step_drop_collision(WeftStep *step);

/* FORCE: f at (x, v), time t; with h > 0 also matrix = M - h K_v - h^2 K_x and kxv = K_x v. */
void weft_step_forces(WeftStep *step, const double *x, const double *v, double time, double h, double *f);

#endif
