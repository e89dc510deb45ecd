/* Displacements without the part with which the two sides of impacts approach each other. */
#ifndef WEFT_RESPOND_APPROACH_H
#define WEFT_RESPOND_APPROACH_H

#include "respond/link.h"

/* x1 (vertex_count x 3, in and out, the ends): takes that part from x1 - x0 of each impact that still meets,
 * by inelastic impulses j = -d_n / sum(w^2 / m) between the points that touch (touch.h), one impact after the
 * other. Momentum is kept, kinetic energy does not rise; vertices with inverse_mass 0 keep their ends. */
void weft_stop_approach(const WeftImpacts *impacts, double *x1);

#endif
