/* How much a step lengthens edges: the measure of whether it was too long for one linearised solve.
 *
 * What turns by an angle a in a step goes straight on in the solve, and its edges become longer by a^2 / 2;
 * the next step pulls them back. A ribbon drawn around a bend was stretched fivefold at times, and could go
 * on only by some 3 mm a step. Steps that would change the stretch that much are taken in smaller parts, as
 * in the adaptive time stepping of [BaraffWitkin98]. */
#ifndef WEFT_INTEGRATE_LENGTHEN_H
#define WEFT_INTEGRATE_LENGTHEN_H

#include "integrate/integrate.h"

/* The largest growth of an edge from the state's x to x1, as a part of its rest length. For cloth that
 * collides: there its edges are at hand. x1 is finite. Not a number when the device failed. */
double weft_step_lengthening(WeftStep *step);

#endif
