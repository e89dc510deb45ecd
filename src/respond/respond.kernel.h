#include "device/kernel.h"

KERNEL respond_gather(int n, GLOBAL const int *vertex, GLOBAL const REAL *from, GLOBAL REAL *to) {
  FOR_ITEMS (i, n) {
    store3(to, i, load3(from, vertex[i]));
  }
}

/* Obstacle vertices stand behind cloth's, and are left out. */
KERNEL respond_scatter(int n, int cloth_count, GLOBAL const int *vertex, GLOBAL const REAL *from,
                       GLOBAL REAL *to) {
  FOR_ITEMS (i, n) {
    if (vertex[i] < cloth_count) store3(to, vertex[i], load3(from, i));
  }
}

KERNEL respond_mark_vertices(int n, GLOBAL const int *vertex, GLOBAL int *is_moved) {
  FOR_ITEMS (i, n) {
    is_moved[vertex[i]] = 1;
  }
}

KERNEL respond_mark_triangles(int triangle_count, GLOBAL const int *triangles, GLOBAL const int *is_moved,
                              GLOBAL int *active) {
  FOR_ITEMS (t, triangle_count) {
    active[t] = is_moved[triangles[3 * t]] | is_moved[triangles[3 * t + 1]] | is_moved[triangles[3 * t + 2]];
  }
}
