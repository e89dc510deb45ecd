#include "detect/box_round.kernel.h"
#include "detect/slab.kernel.h"

INLINE REAL slab_far(REAL far, Vec3 v) { return most(most(far, fabs(v.x)), most(fabs(v.y), fabs(v.z))); }

INLINE Box slab_box(Vec3 p, Vec3 q, Vec3 r, REAL radius) {
  Box b;
  b.low_x = float_below(least(p.x, least(q.x, r.x)) - radius);
  b.low_y = float_below(least(p.y, least(q.y, r.y)) - radius);
  b.low_z = float_below(least(p.z, least(q.z, r.z)) - radius);
  b.high_x = float_above(most(p.x, most(q.x, r.x)) + radius);
  b.high_y = float_above(most(p.y, most(q.y, r.y)) + radius);
  b.high_z = float_above(most(p.z, most(q.z, r.z)) + radius);
  return b;
}

INLINE void slab_fit(int t, GLOBAL const int *triangles, GLOBAL const REAL *x0, GLOBAL const REAL *x1,
                     REAL radius, GLOBAL float *slab, GLOBAL float *begin, GLOBAL float *end,
                     GLOBAL float *corner) {
  Vec3 a[3], b[3];
  REAL far = 0;
  for (int k = 0; k < 3; k++) {
    a[k] = load3(x0, triangles[3 * t + k]);
    b[k] = load3(x1, triangles[3 * t + k]);
    far = slab_far(slab_far(far, a[k]), b[k]);
  }
  Vec3 n = v3_cross(v3_sub(a[1], a[0]), v3_sub(a[2], a[0]));
  REAL length = v3_length(n);
  n = v3_scale(length > 0 ? 1 / length : 0, n);
  REAL p = v3_dot(n, b[0]), q = v3_dot(n, b[1]), r = v3_dot(n, b[2]);
  REAL values[SLAB_VALUES] = {n.x, n.y, n.z, v3_dot(n, a[0]), least(p, least(q, r)), most(p, most(q, r)),
                              far, 0};
  for (int k = 0; k < SLAB_VALUES; k++) slab[k] = (float)values[k];
  store_box(begin, t, slab_box(a[0], a[1], a[2], radius));
  store_box(end, t, slab_box(b[0], b[1], b[2], radius));
  for (int k = 0; k < 8; k++) {
    Vec3 v = k < 4 ? a[k % 4 % 3] : b[k % 4 % 3];
    corner[k] = (float)v.x;
    corner[8 + k] = (float)v.y;
    corner[16 + k] = (float)v.z;
  }
}

/* is_local: of active triangles alone. */
KERNEL slabs_fit(int triangle_count, int is_local, GLOBAL const int *active, GLOBAL const int *triangles,
                 GLOBAL const REAL *x0, GLOBAL const REAL *x1, REAL radius, GLOBAL float *plane,
                 GLOBAL float *begin, GLOBAL float *end, GLOBAL float *corner) {
  FOR_ITEMS (t, triangle_count) {
    if (!is_local || active[t])
      slab_fit(t, triangles, x0, x1, radius, plane + SLAB_VALUES * t, begin, end, corner + SLAB_CORNERS * t);
  }
}
