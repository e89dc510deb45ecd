#include "device/kernel.h"

/* 1 for vertices that begin or end further than slack from where they were thought to; also where a number is
 * not one. */
KERNEL cover_mark_vertices(int vertex_count, GLOBAL const REAL *begun, GLOBAL const REAL *x0,
                           GLOBAL const REAL *reached, GLOBAL const REAL *x1, REAL slack,
                           GLOBAL int *is_outside) {
  FOR_ITEMS (i, vertex_count) {
    Vec3 first = v3_sub(load3(x0, i), load3(begun, i)), last = v3_sub(load3(x1, i), load3(reached, i));
    REAL within = slack * slack;
    is_outside[i] = !(v3_dot(first, first) <= within && v3_dot(last, last) <= within);
  }
}

KERNEL cover_extend(int outside_count, GLOBAL const int *outside, GLOBAL const REAL *x,
                    GLOBAL REAL *covered) {
  FOR_ITEMS (i, outside_count) {
    store3(covered, outside[i], load3(x, outside[i]));
  }
}

KERNEL cover_mark_triangles(int triangle_count, GLOBAL const int *triangles, GLOBAL const int *is_outside,
                            GLOBAL int *active) {
  FOR_ITEMS (t, triangle_count) {
    active[t] =
        is_outside[triangles[3 * t]] | is_outside[triangles[3 * t + 1]] | is_outside[triangles[3 * t + 2]];
  }
}

/* 1 for pairs that have a vertex outside (is_new), or have none. */
KERNEL cover_mark_pairs(int pair_count, int is_new, GLOBAL const int *vertices, GLOBAL const int *is_outside,
                        GLOBAL int *is_kept) {
  FOR_ITEMS (i, pair_count) {
    GLOBAL const int *v = vertices + 4 * i;
    is_kept[i] = (is_outside[v[0]] | is_outside[v[1]] | is_outside[v[2]] | is_outside[v[3]]) == is_new;
  }
}

KERNEL cover_copy_pairs(int count, int first, GLOBAL const int *index, GLOBAL const int *from_features,
                        GLOBAL const int *from_vertices, GLOBAL int *features, GLOBAL int *vertices) {
  FOR_ITEMS (i, count) {
    int from = index[i], to = first + i;
    for (int k = 0; k < 2; k++) features[2 * to + k] = from_features[2 * from + k];
    for (int k = 0; k < 4; k++) vertices[4 * to + k] = from_vertices[4 * from + k];
  }
}
