#include "integrate/vector.h"

#include "device/launch.h"
#include "integrate/predict.kernel.h"
#include "integrate/vector.kernel.h"
#include "solve/precond.h"

void weft_vector_axpy(WeftDevice *device, int n, const double *a, double s, const double *b, double *out) {
  LAUNCH(device, vector_axpy, n, a, s, b, out);
}

void weft_vector_hold(WeftDevice *device, int vertex_count, const uint8_t *held, const double *wanted,
                      const double *v, double *out) {
  LAUNCH(device, vector_hold, vertex_count, held, wanted, v, out);
}

void weft_vector_predict(WeftDevice *device, int vertex_count, double h, const double *gravity,
                         const uint8_t *held, const double *held_velocity, const double *x, const double *v,
                         const double *dv, double *x1) {
  LAUNCH(device, vector_predict, vertex_count, h, gravity[0], gravity[1], gravity[2], held, held_velocity, x,
         v, dv, x1);
}

void weft_vector_held_velocity(WeftDevice *device, int vertex_count, const uint8_t *held,
                               const double *target, const double *x, double time, double *velocity) {
  LAUNCH(device, vector_held_velocity, vertex_count, held, target, x, time, velocity);
}

void weft_vector_reaction(WeftDevice *device, int vertex_count, const uint8_t *held, const double *needed,
                          double scale, const double *given, double given_scale, double *reaction) {
  LAUNCH(device, vector_reaction, vertex_count, held, needed, scale, given, given_scale, reaction);
}

double weft_vector_largest(WeftDevice *device, int vertex_count, const double *a, double *partial) {
  int items = weft_row_items(vertex_count);
  LAUNCH(device, vector_largest, items, WEFT_ROWS_PER_ITEM, vertex_count, a, partial);
  if (!weft_device_download(device, partial, (size_t)items * sizeof *partial)) return NAN;
  double largest = 0;
  for (int i = 0; i < items; i++) {
    if (!(partial[i] <= largest)) largest = partial[i];
    if (isnan(largest)) break;
  }
  return largest;
}

double weft_vector_dot_free(WeftDevice *device, int vertex_count, const uint8_t *held, const double *a,
                            const double *b, double *partial) {
  int items = weft_row_items(vertex_count);
  LAUNCH(device, vector_dot_free, items, WEFT_ROWS_PER_ITEM, vertex_count, held, a, b, partial);
  return weft_device_sum(device, items, partial);
}

void weft_vector_body_forces(WeftDevice *device, int vertex_count, const double *mass,
                             const double gravity[3], double damping, const double *given, const double *v,
                             double *f) {
  LAUNCH(device, vector_body_forces, vertex_count, mass, gravity[0], gravity[1], gravity[2], damping, given,
         v, f);
}
