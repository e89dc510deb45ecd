/* The narrow phase over whole lists of pairs: an item a pair. Pairs are four vertex indices each: vertex and
 * face, or edge and edge. */
#include "detect/ccd.kernel.h"

INLINE void narrow_load(GLOBAL const int *pair, int i, GLOBAL const REAL *x, Vec3 *out) {
  for (int k = 0; k < 4; k++) out[k] = load3(x, pair[4 * i + k]);
}

INLINE void narrow_store(Closest at, int i, GLOBAL REAL *distance, GLOBAL REAL *weight) {
  distance[i] = sqrt(at.squared);
  for (int k = 0; k < 4; k++) weight[4 * i + k] = at.weight[k];
}

KERNEL narrow_distance_vertex_face(int pair_count, GLOBAL const int *pair, GLOBAL const REAL *x,
                                   GLOBAL REAL *distance, GLOBAL REAL *weight) {
  FOR_ITEMS (i, pair_count) {
    Vec3 at[4];
    narrow_load(pair, i, x, at);
    narrow_store(closest_vertex_face(at), i, distance, weight);
  }
}

KERNEL narrow_distance_edge_edge(int pair_count, GLOBAL const int *pair, GLOBAL const REAL *x,
                                 GLOBAL REAL *distance, GLOBAL REAL *weight) {
  FOR_ITEMS (i, pair_count) {
    Vec3 at[4];
    narrow_load(pair, i, x, at);
    narrow_store(closest_edge_edge(at), i, distance, weight);
  }
}

KERNEL narrow_ccd_vertex_face(int pair_count, GLOBAL const int *pair, GLOBAL const REAL *x0,
                              GLOBAL const REAL *x1, REAL gap, GLOBAL REAL *time) {
  FOR_ITEMS (i, pair_count) {
    Vec3 at0[4], at1[4];
    narrow_load(pair, i, x0, at0);
    narrow_load(pair, i, x1, at1);
    time[i] = ccd_vertex_face(at0, at1, gap).time;
  }
}

KERNEL narrow_ccd_edge_edge(int pair_count, GLOBAL const int *pair, GLOBAL const REAL *x0,
                            GLOBAL const REAL *x1, REAL gap, GLOBAL REAL *time) {
  FOR_ITEMS (i, pair_count) {
    Vec3 at0[4], at1[4];
    narrow_load(pair, i, x0, at0);
    narrow_load(pair, i, x1, at1);
    time[i] = ccd_edge_edge(at0, at1, gap).time;
  }
}
