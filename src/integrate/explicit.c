/* Explicit Euler [Wong14 eq. 3.12, 3.13], the midpoint method [Wong14 eq. 3.16-3.19] and the classical
 * fourth-order Runge-Kutta method. All are one scheme: slopes k_i = (v, M^-1 f) at x0 + c_i h k_{i-1},
 * combined with weights w_i. Held components move with their own velocity and feel no force. For small or
 * soft cloth: the step has to resolve the stiffest spring. */
#include "integrate/explicit.kernel.h"

#include "device/launch.h"
#include "integrate/integrate.h"
#include "integrate/vector.h"

typedef struct Tableau {
  int stages;
  double c[4], w[4];
} Tableau;

static WeftResult advance(WeftStep *step, double h, const Tableau *tableau) {
  int n = step->model->vertex_count;
  size_t bytes = 3 * (size_t)n * sizeof(double);
  const WeftState *state = step->state;
  double *x = step->scratch[0], *v = step->scratch[1], *a = step->scratch[2], *f_sum = step->scratch[3];
  weft_vector_hold(step->device, n, state->held, step->held_velocity, step->v0,
                   step->b); /* b: v at the step's start */
  weft_device_copy(step->device, step->x1, state->x, bytes);
  weft_device_copy(step->device, step->v1, step->b, bytes);
  weft_device_zero(step->device, f_sum, bytes);
  for (int i = 0; i < tableau->stages; i++) {
    double reach = tableau->c[i] * h;
    /* x = x0 + reach v_before, v = v0 + reach a_before; the first stage has nothing before it */
    if (i == 0) {
      weft_device_copy(step->device, x, state->x, bytes);
      weft_device_copy(step->device, v, step->b, bytes);
    } else {
      weft_vector_axpy(step->device, 3 * n, state->x, reach, v, x);
      weft_vector_axpy(step->device, 3 * n, step->b, reach, a, v);
    }
    weft_step_forces(step, x, v, state->time + reach, 0, step->f);
    LAUNCH(step->device, explicit_acceleration, n, state->held, step->model->mass, step->f, a);
    weft_vector_axpy(step->device, 3 * n, step->x1, tableau->w[i] * h, v, step->x1);
    weft_vector_axpy(step->device, 3 * n, step->v1, tableau->w[i] * h, a, step->v1);
    weft_vector_axpy(step->device, 3 * n, f_sum, tableau->w[i], step->f, f_sum);
  }
  weft_vector_axpy(step->device, 3 * n, step->v1, -1, step->v0, step->dv);
  LAUNCH(step->device, explicit_times_mass, n, step->model->mass, step->dv, step->b);
  weft_vector_reaction(step->device, n, state->held, step->b, 1 / h, f_sum, 1,
                       step->reaction); /* M dv / h - f */
  return WEFT_RESULT_OK;
}

static WeftResult advance_euler(WeftStep *step, double h, WeftError *error) {
  (void)error;
  return advance(step, h, &(Tableau){1, {0}, {1}});
}

static WeftResult advance_rk2(WeftStep *step, double h, WeftError *error) {
  (void)error;
  return advance(step, h, &(Tableau){2, {0, 0.5}, {0, 1}});
}

static WeftResult advance_rk4(WeftStep *step, double h, WeftError *error) {
  (void)error;
  return advance(step, h, &(Tableau){4, {0, 0.5, 0.5, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}});
}

const WeftIntegratorOps weft_integrator_explicit_euler = {"explicit_euler", "Wong14 eq. 3.12, 3.13",
                                                          "first order, gains energy; for comparison", false,
                                                          advance_euler};
const WeftIntegratorOps weft_integrator_rk2 = {"rk2", "Wong14 eq. 3.16-3.19",
                                               "explicit midpoint, second order", false, advance_rk2};
const WeftIntegratorOps weft_integrator_rk4 = {"rk4", "Wong14 sec. 3.2.1",
                                               "classical Runge-Kutta, fourth order", false, advance_rk4};
