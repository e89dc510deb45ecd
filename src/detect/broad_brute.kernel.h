#include "detect/box.kernel.h"

/* Partners behind triangle i. first < 0: counts them; otherwise writes them from there on. */
INLINE int brute_partners(int i, int triangle_count, GLOBAL const float *box, GLOBAL const int *active,
                          int first, GLOBAL int *a, GLOBAL int *b) {
  Box own = load_box(box, i);
  int found = 0, is_active = !active || active[i];
  for (int j = i + 1; j < triangle_count; j++) {
    if (!box_overlaps(own, load_box(box, j))) continue;
    if (!is_active && !active[j]) continue;
    if (first >= 0) {
      a[first + found] = i;
      b[first + found] = j;
    }
    found++;
  }
  return found;
}

KERNEL brute_count(int triangle_count, GLOBAL const float *box, GLOBAL const int *active, GLOBAL int *count) {
  FOR_CHUNKS (i, triangle_count) {
    count[i] = brute_partners(i, triangle_count, box, active, -1, 0, 0);
  }
}

KERNEL brute_write(int triangle_count, GLOBAL const float *box, GLOBAL const int *active,
                   GLOBAL const int *start, GLOBAL int *a, GLOBAL int *b) {
  FOR_CHUNKS (i, triangle_count) {
    brute_partners(i, triangle_count, box, active, start[i], a, b);
  }
}
