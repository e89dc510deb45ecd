/* What the three kinds of springs share: along edges, across hinges, links. */
#ifndef WEFT_FORCE_SPRINGS_H
#define WEFT_FORCE_SPRINGS_H

#include "force/select.h"

typedef struct WeftSpring {
  double rest_length; /* [m] */
  double stiffness;   /* [N/m] */
  double damping;     /* [N s/m] */
} WeftSpring;

/* The spring that stands for an edge, hinge or link of the model. */
typedef WeftSpring WeftSpringOf(const WeftModel *model, int index);

WeftResult weft_springs_create(const WeftModel *model, const WeftForceOps *ops, WeftForceKind kind,
                               WeftSpringOf *spring_of, WeftForce **force, WeftError *error);
void weft_springs_add(const WeftForce *force, const WeftForceRequest *request);
void weft_springs_energies(const WeftForce *force, const double *x, double *energy);

#endif
