/* Bending by the angle between two triangles, with rest angle and damping; k = B l^2 / (A_1 + A_2) [N m]. */
#include "force/hinge.kernel.h"

KERNEL bend_dihedral_add(ELEMENT_PARAMETERS, GLOBAL const REAL *rest_angle, GLOBAL const REAL *stiffness,
                         GLOBAL const REAL *damping) {
  FOR_CHUNKS (chunk, chunk_count) {
    int row_begin = chunk * chunk_rows, row_end = row_begin + chunk_rows;
    for (int at = chunk_start[chunk]; at < chunk_start[chunk + 1]; at++) {
      int e = chunk_element[at];
      element_ahead(4, e, slots, wants, a);
      if (stiffness[e] == 0) continue;
      Vec3 vel[4], force[4], kx_v[4];
      Block m[16];
      Hinge hinge;
      REAL bend;
      if (!hinge_load(vertices + 4 * e, x, rest_angle[e], &hinge, &bend)) continue;
      for (int i = 0; i < 4; i++) vel[i] = load3(v, vertices[4 * e + i]);
      hinge_forces(&hinge, bend, stiffness[e], damping[e], wants, ax, av, vel, force, kx_v, m);
      element_scatter_all(4, e, row_begin, row_end, vertices, slots, wants, force, kx_v, m, f, kxv, a);
    }
  }
}

KERNEL bend_dihedral_energies(int n, GLOBAL const int *vertices, GLOBAL const REAL *x,
                              GLOBAL const REAL *rest_angle, GLOBAL const REAL *stiffness,
                              GLOBAL REAL *energy) {
  FOR_ITEMS (e, n) {
    REAL bend = hinge_bend_now(vertices + 4 * e, x, rest_angle[e]);
    energy[e] = 0.5 * stiffness[e] * bend * bend;
  }
}

/* curvature: K per angle, l / (A_1 + A_2); moment: M per angle, B times that. */
KERNEL bend_dihedral_moments(int n, GLOBAL const int *vertices, GLOBAL const REAL *x,
                             GLOBAL const REAL *rest_angle, GLOBAL const REAL *curvature,
                             GLOBAL const REAL *moment, GLOBAL REAL *values) {
  FOR_ITEMS (e, n) {
    REAL bend = hinge_bend_now(vertices + 4 * e, x, rest_angle[e]);
    values[2 * e] = curvature[e] * bend;
    values[2 * e + 1] = moment[e] * bend;
  }
}
