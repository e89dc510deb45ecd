/* Linear springs with damping along the spring [Wong14 eq. 3.1, 3.2, 3.26, 3.27].
 * Differs: 3.2 and 3.27 lack the projection on the spring's direction; it is there in f and K_v here. The
 * part of K_x that comes from damping is left out: it is not symmetric. PSD: across the spring the stiffness
 * is k (1 - l/L); it is negative under compression and is set to zero there.
 */
#include "force/element.kernel.h"

INLINE REAL spring_energy(Vec3 x0, Vec3 x1, REAL rest, REAL k) {
  REAL stretch = v3_length(v3_sub(x1, x0)) - rest;
  return 0.5 * k * stretch * stretch;
}

KERNEL spring_add(ELEMENT_PARAMETERS, GLOBAL const REAL *rest_length, GLOBAL const REAL *stiffness,
                  GLOBAL const REAL *damping) {
  FOR_CHUNKS (chunk, chunk_count) {
    int row_begin = chunk * chunk_rows, row_end = row_begin + chunk_rows;
    for (int at = chunk_start[chunk]; at < chunk_start[chunk + 1]; at++) {
      int e = chunk_element[at];
      Vec3 d = v3_sub(load3(x, vertices[2 * e + 1]), load3(x, vertices[2 * e]));
      Vec3 vel[2] = {load3(v, vertices[2 * e]), load3(v, vertices[2 * e + 1])};
      REAL length = v3_length(d);
      /* a spring of no length has no direction and so no force */
      Vec3 n = length > 0 ? v3_scale(1 / length, d) : vec3(0, 0, 0);
      REAL k = stiffness[e], c = damping[e];
      REAL pull = k * (length - rest_length[e]) + c * v3_dot(n, v3_sub(vel[1], vel[0]));
      Vec3 force[2] = {v3_scale(pull, n), v3_scale(-pull, n)};
      Vec3 kx_v[2];
      Mat3 m[3];
      if (wants & WANT_MATRIX) {
        REAL across = length > 0 ? k * (1 - rest_length[e] / length) : 0;
        if (across < 0 && !(wants & WANT_EXACT)) across = 0;
        /* K = k n nT + across (I - n nT) */
        Mat3 stiff = m3_axpy(m3_identity(across), 1, m3_outer(k - across, n, n));
        m[UPPER(2, 0, 0)] = m[UPPER(2, 1, 1)] = m3_scale(-1, stiff);
        m[UPPER(2, 0, 1)] = stiff;
        element_apply(2, m, vel, kx_v);
        Mat3 both = m3_axpy(m3_scale(ax, stiff), av, m3_outer(c, n, n));
        m[UPPER(2, 0, 0)] = m[UPPER(2, 1, 1)] = m3_scale(-1, both);
        m[UPPER(2, 0, 1)] = both;
      }
      element_scatter(2, e, row_begin, row_end, vertices, slots, wants, force, kx_v, m, f, kxv, a);
    }
  }
}

KERNEL spring_energies(int n, GLOBAL const int *vertices, GLOBAL const REAL *x,
                       GLOBAL const REAL *rest_length, GLOBAL const REAL *stiffness, GLOBAL REAL *energy) {
  FOR_ITEMS (e, n) {
    energy[e] =
        spring_energy(load3(x, vertices[2 * e]), load3(x, vertices[2 * e + 1]), rest_length[e], stiffness[e]);
  }
}
