/* One impulse between two features; here so that it can be tested on its own. */
#ifndef WEFT_RESPOND_IMPULSE_H
#define WEFT_RESPOND_IMPULSE_H

/* The impulse that gives two points, which move along a normal with the relative velocity before, the
 * relative velocity after: j = (after - before) / sum w^2/m, and change[i] = j w[i] / m[i] of the velocity of
 * vertex i along the normal. after = 0 is the inelastic collision. Displacements per step may stand for
 * velocities. Returns j, or 0 with no change where no vertex of any weight can move. */
double weft_impulse(const double weight[4], const double inverse_mass[4], double before, double after,
                    double change[4]);

#endif
