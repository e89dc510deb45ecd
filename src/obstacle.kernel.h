/* Where the vertices of an obstacle are. */
#include "device/kernel.h"

/* positions[first + i] = A x + t, with x between vertex i of two shapes that begin at vertices `from` and
 * `to`. At s = 0 it is the first shape to the last bit. */
KERNEL obstacle_place(int n, GLOBAL const REAL *shapes, int from, int to, REAL s, REAL a00, REAL a01,
                      REAL a02, REAL a10, REAL a11, REAL a12, REAL a20, REAL a21, REAL a22, REAL tx, REAL ty,
                      REAL tz, int first, GLOBAL REAL *positions) {
  FOR_ITEMS (i, n) {
    Vec3 x = load3(shapes, from + i);
    x = v3_axpy(x, s, v3_sub(load3(shapes, to + i), x));
    store3(positions, first + i,
           vec3(a00 * x.x + a01 * x.y + a02 * x.z + tx, a10 * x.x + a11 * x.y + a12 * x.z + ty,
                a20 * x.x + a21 * x.y + a22 * x.z + tz));
  }
}
