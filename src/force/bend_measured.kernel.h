/* Bending by dihedral angles with a stiffness that depends on the curvature; see bend_measured.c. */
#include "force/hinge.kernel.h"

#define MEASURED_SAMPLES 5
/* Spacing of the samples: curvature/2 of 5 1/m. */
#define MEASURED_SPACING 10.0

/* k_e at a curvature, piecewise linear, constant beyond the last sample. */
INLINE REAL measured_stiffness(GLOBAL const REAL *samples, REAL curvature) {
  REAL at = fabs(curvature) / MEASURED_SPACING;
  if (!(at < MEASURED_SAMPLES - 1)) return samples[MEASURED_SAMPLES - 1];
  int i = (int)at;
  REAL part = at - i;
  return samples[i] * (1 - part) + samples[i + 1] * part;
}

/* values, three per hinge: rest angle [rad], K per angle (l / (A_1 + A_2)) [1/m], k per k_e (l^2 / (4 (A_1 +
 * A_2))). */
KERNEL bend_measured_add(ELEMENT_PARAMETERS, GLOBAL const REAL *values, GLOBAL const REAL *samples,
                         GLOBAL const REAL *damping) {
  FOR_CHUNKS (chunk, chunk_count) {
    int row_begin = chunk * chunk_rows, row_end = row_begin + chunk_rows;
    for (int at = chunk_start[chunk]; at < chunk_start[chunk + 1]; at++) {
      int e = chunk_element[at];
      element_ahead(4, e, slots, wants, a);
      Vec3 vel[4], force[4], kx_v[4];
      Block m[16];
      Hinge hinge;
      REAL bend;
      if (!hinge_load(vertices + 4 * e, x, values[3 * e], &hinge, &bend)) continue;
      for (int i = 0; i < 4; i++) vel[i] = load3(v, vertices[4 * e + i]);
      REAL k =
          values[3 * e + 2] * measured_stiffness(samples + MEASURED_SAMPLES * e, values[3 * e + 1] * bend);
      hinge_forces(&hinge, bend, k, damping[e] * k, wants, ax, av, vel, force, kx_v, m);
      element_scatter_all(4, e, row_begin, row_end, vertices, slots, wants, force, kx_v, m, f, kxv, a);
    }
  }
}

KERNEL bend_measured_energies(int n, GLOBAL const int *vertices, GLOBAL const REAL *x,
                              GLOBAL const REAL *values, GLOBAL const REAL *samples, GLOBAL REAL *energy) {
  FOR_ITEMS (e, n) {
    REAL bend = hinge_bend_now(vertices + 4 * e, x, values[3 * e]);
    REAL k_e = measured_stiffness(samples + MEASURED_SAMPLES * e, values[3 * e + 1] * bend);
    energy[e] = 0.5 * values[3 * e + 2] * k_e * bend * bend;
  }
}

/* M = k_e K / 4 */
KERNEL bend_measured_moments(int n, GLOBAL const int *vertices, GLOBAL const REAL *x,
                             GLOBAL const REAL *values, GLOBAL const REAL *samples, GLOBAL REAL *moments) {
  FOR_ITEMS (e, n) {
    REAL curvature = values[3 * e + 1] * hinge_bend_now(vertices + 4 * e, x, values[3 * e]);
    moments[2 * e] = curvature;
    moments[2 * e + 1] = 0.25 * measured_stiffness(samples + MEASURED_SAMPLES * e, curvature) * curvature;
  }
}
