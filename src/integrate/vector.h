/* Launches of the shared vector passes; sizes in vertices. */
#ifndef WEFT_INTEGRATE_VECTOR_H
#define WEFT_INTEGRATE_VECTOR_H

#include "device/device.h"

#include <stdint.h>

/* out = a + s b, n numbers */
void weft_vector_axpy(WeftDevice *device, int n, const double *a, double s, const double *b, double *out);
/* out = wanted on held components, v elsewhere */
void weft_vector_hold(WeftDevice *device, int vertex_count, const uint8_t *held, const double *wanted,
                      const double *v, double *out);
void weft_vector_held_velocity(WeftDevice *device, int vertex_count, const uint8_t *held,
                               const double *target, const double *x, double time, double *velocity);
/* Where a step of h leads: as it moves, with as much of gravity as dv of the step before shows; held
 * components go with held_velocity. */
void weft_vector_predict(WeftDevice *device, int vertex_count, double h, const double *gravity,
                         const uint8_t *held, const double *held_velocity, const double *x, const double *v,
                         const double *dv, double *x1);
/* reaction = scale needed - given_scale given on held components, 0 elsewhere */
void weft_vector_reaction(WeftDevice *device, int vertex_count, const uint8_t *held, const double *needed,
                          double scale, const double *given, double given_scale, double *reaction);
/* Length of the longest vector; not finite when one is not. partial: room for weft_row_items(vertex_count).
 */
double weft_vector_largest(WeftDevice *device, int vertex_count, const double *a, double *partial);
/* a . b over free components, summed in a fixed order. */
double weft_vector_dot_free(WeftDevice *device, int vertex_count, const uint8_t *held, const double *a,
                            const double *b, double *partial);
void weft_vector_body_forces(WeftDevice *device, int vertex_count, const double *mass,
                             const double gravity[3], double damping, const double *given, const double *v,
                             double *f);

#endif
