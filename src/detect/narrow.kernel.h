/* The narrow phase over whole lists of pairs: an item a pair. Pairs are four vertex indices each: vertex and
 * face, or edge and edge. */
#include "detect/ahead.kernel.h"

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

/* when: the part of the way from x0 to x1 at which the weights are those of the closest points: 0 for pairs
 * that are close now; CCD_NONE for pairs that are not, and will not meet. */
KERNEL narrow_ahead(int pair_count, int is_edges, GLOBAL const int *features, GLOBAL const int *pair,
                    GLOBAL const REAL *x0, GLOBAL const REAL *x1, REAL distance, GLOBAL const int *is_fixed,
                    GLOBAL const int *opposite, GLOBAL const int *around_start, GLOBAL const int *around,
                    GLOBAL REAL *when, GLOBAL REAL *weight) {
  FOR_ITEMS (i, pair_count) {
    Vec3 at0[4], at1[4];
    for (int k = 0; k < 4; k++) {
      at0[k] = load3(x0, pair[4 * i + k]);
      at1[k] = load3(x1, pair[4 * i + k]);
    }
    Ahead ahead;
    ahead.when = 0;
    ahead.at = ahead_closest(at0, is_edges);
    if (ahead.at.squared > distance * distance || !ahead_is_upright(at0, is_edges, ahead.at)) {
      REAL time = (is_edges ? ccd_edge_edge(at0, at1, 0) : ccd_vertex_face(at0, at1, 0)).time;
      ahead.when = time;
      if (time <= 1) ahead = ahead_meeting(at0, at1, is_edges, time);
    }
    if (ahead.when <= 1 && !ahead_is_met(at0, at1, is_edges, ahead, features + 2 * i, pair + 4 * i, x0,
                                         is_fixed, opposite, around_start, around))
      ahead.when = CCD_NONE;
    when[i] = ahead.when;
    for (int k = 0; k < 4; k++) weight[4 * i + k] = ahead.at.weight[k];
  }
}
