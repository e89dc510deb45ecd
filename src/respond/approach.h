/* Velocities after a link has moved the ends of vertices. */
#ifndef WEFT_RESPOND_APPROACH_H
#define WEFT_RESPOND_APPROACH_H

#include "respond/link.h"

/* v (vertex_count x 3, in and out): takes away the part with which the two sides of each impact approach each
 * other at x0, by inelastic impulses j = -v_n / sum(w^2 / m) along the line between their closest points, one
 * impact after the other. Momentum is kept, kinetic energy does not rise; vertices with inverse_mass 0 keep
 * their velocity. */
void weft_stop_approach(const WeftImpacts *impacts, double *v);

#endif
