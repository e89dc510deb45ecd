#include "integrate/vector.h"

#include "integrate/vector.kernel.h"
#include "solve/precond.h"

void weft_vector_axpy(int n, const double *a, double s, const double *b, double *out) {
  vector_axpy(n, a, s, b, out);
}

void weft_vector_hold(int vertex_count, const uint8_t *held, const double *wanted, const double *v,
                      double *out) {
  vector_hold(vertex_count, held, wanted, v, out);
}

void weft_vector_held_velocity(int vertex_count, const uint8_t *held, const double *target, const double *x,
                               double time, double *velocity) {
  vector_held_velocity(vertex_count, held, target, x, time, velocity);
}

void weft_vector_reaction(int vertex_count, const uint8_t *held, const double *needed, double scale,
                          const double *given, double given_scale, double *reaction) {
  vector_reaction(vertex_count, held, needed, scale, given, given_scale, reaction);
}

double weft_vector_largest(int vertex_count, const double *a, double *partial) {
  int items = weft_row_items(vertex_count);
  vector_largest(items, WEFT_ROWS_PER_ITEM, vertex_count, a, partial);
  double largest = 0;
  for (int i = 0; i < items; i++) {
    if (!(partial[i] <= largest)) largest = partial[i];
    if (isnan(largest)) break;
  }
  return largest;
}

double weft_vector_dot_free(int vertex_count, const uint8_t *held, const double *a, const double *b,
                            double *partial) {
  int items = weft_row_items(vertex_count);
  vector_dot_free(items, WEFT_ROWS_PER_ITEM, vertex_count, held, a, b, partial);
  double sum = 0;
  for (int i = 0; i < items; i++) sum += partial[i];
  return sum;
}

void weft_vector_body_forces(int vertex_count, const double *mass, const double gravity[3], double damping,
                             const double *given, const double *v, double *f) {
  vector_body_forces(vertex_count, mass, gravity[0], gravity[1], gravity[2], damping, given, v, f);
}
