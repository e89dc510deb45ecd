#include "detect/box.kernel.h"

/* Beyond every coordinate and distance that detection takes (boxes.h). A step may try positions farther out
 * still; there boxes end here: what overlapped does so as before, and no box becomes infinite, for an
 * infinite one would overlap an empty one. */
#define BOX_FARTHEST 4e30

INLINE REAL box_bounded(REAL x) {
  return x > BOX_FARTHEST ? BOX_FARTHEST : x < -BOX_FARTHEST ? -BOX_FARTHEST : x;
}

/* A float at or below x: x less 2^-23 of itself stays below after it was rounded to a float, which moves it
 * by at most 2^-24 of itself; the constant does the same for numbers below 1.2e-38, which a float holds with
 * less precision and a device may round to zero. */
INLINE float float_below(REAL x) {
  REAL y = box_bounded(x);
  return (float)(y - fabs(y) * 1.1920928955078125e-7 - 2.4e-38);
}
INLINE float float_above(REAL x) {
  REAL y = box_bounded(x);
  return (float)(y + fabs(y) * 1.1920928955078125e-7 + 2.4e-38);
}

INLINE REAL least(REAL a, REAL b) { return a < b ? a : b; }
INLINE REAL most(REAL a, REAL b) { return a > b ? a : b; }

KERNEL boxes_fit_vertices(int vertex_count, GLOBAL const REAL *x0, GLOBAL const REAL *x1, REAL radius,
                          GLOBAL float *box) {
  FOR_ITEMS (i, vertex_count) {
    Vec3 p = load3(x0, i), q = load3(x1, i);
    Box b;
    b.low_x = float_below(least(p.x, q.x) - radius);
    b.low_y = float_below(least(p.y, q.y) - radius);
    b.low_z = float_below(least(p.z, q.z) - radius);
    b.high_x = float_above(most(p.x, q.x) + radius);
    b.high_y = float_above(most(p.y, q.y) + radius);
    b.high_z = float_above(most(p.z, q.z) + radius);
    store_box(box, i, b);
  }
}

/* What moves linearly stays in the box of its corners' boxes. */
KERNEL boxes_fit_edges(int edge_count, GLOBAL const int *edges, GLOBAL const float *vertex,
                       GLOBAL float *box) {
  FOR_ITEMS (i, edge_count) {
    store_box(box, i, box_join(load_box(vertex, edges[2 * i]), load_box(vertex, edges[2 * i + 1])));
  }
}

KERNEL boxes_fit_triangles(int triangle_count, GLOBAL const int *triangles, GLOBAL const float *vertex,
                           GLOBAL float *box) {
  FOR_ITEMS (i, triangle_count) {
    Box b = box_join(load_box(vertex, triangles[3 * i]), load_box(vertex, triangles[3 * i + 1]));
    store_box(box, i, box_join(b, load_box(vertex, triangles[3 * i + 2])));
  }
}
