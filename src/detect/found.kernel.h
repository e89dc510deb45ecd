#include "device/kernel.h"

KERNEL found_mark(int n, GLOBAL const REAL *value, REAL limit, GLOBAL int *kept) {
  FOR_ITEMS (i, n) {
    kept[i] = value[i] <= limit;
  }
}

/* The key of each kept candidate: its first or second feature. */
KERNEL found_keys(int n, int which, GLOBAL const int *index, GLOBAL const int *features, GLOBAL int *key) {
  FOR_ITEMS (i, n) {
    key[i] = features[2 * index[i] + which];
  }
}

KERNEL found_gather(int n, GLOBAL const int *index, GLOBAL const int *all_features,
                    GLOBAL const int *all_vertices, GLOBAL const REAL *all_value, GLOBAL int *features,
                    GLOBAL int *vertices, GLOBAL REAL *value) {
  FOR_ITEMS (i, n) {
    int from = index[i];
    features[2 * i] = all_features[2 * from];
    features[2 * i + 1] = all_features[2 * from + 1];
    for (int k = 0; k < 4; k++) vertices[4 * i + k] = all_vertices[4 * from + k];
    value[i] = all_value[from];
  }
}

KERNEL found_gather_weights(int n, GLOBAL const int *index, GLOBAL const REAL *all_weight,
                            GLOBAL REAL *weight) {
  FOR_ITEMS (i, n) {
    for (int k = 0; k < 4; k++) weight[4 * i + k] = all_weight[4 * index[i] + k];
  }
}
