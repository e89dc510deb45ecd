#include "detect/box_round.kernel.h"

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
