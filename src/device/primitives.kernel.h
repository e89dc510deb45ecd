/* Scan, radix sort, segmented sort and compaction for devices: a work item takes a run of a fixed number of
 * numbers, a single one the few sums of those runs. */
#include "device/kernel.h"

#define FOR_RUN_OF(item, items_a_run, n) \
  for (int i = item * items_a_run; i < (item + 1) * items_a_run && i < n; i++)

/* Bits sorted in one pass, and how many numbers they make. */
#define RADIX_BITS 4
#define RADIX_DIGITS 16

KERNEL primitive_run_sums(int run_count, int run, int n, GLOBAL const int *count, GLOBAL int *sums) {
  FOR_CHUNKS (item, run_count) {
    int sum = 0;
    FOR_RUN_OF(item, run, n) { sum += count[i]; }
    sums[item] = sum;
  }
}

/* sums[i] becomes the sum of those before it, sums[run_count] the whole; one item does it all. */
KERNEL primitive_scan_sums(int one, int run_count, GLOBAL int *sums) {
  FOR_CHUNKS (item, one) {
    int sum = item;
    for (int i = 0; i < run_count; i++) {
      int own = sums[i];
      sums[i] = sum;
      sum += own;
    }
    sums[run_count] = sum;
  }
}

/* start may be count. */
KERNEL primitive_scan_runs(int run_count, int run, int n, GLOBAL const int *sums, GLOBAL const int *count,
                           GLOBAL int *start) {
  FOR_CHUNKS (item, run_count) {
    int sum = sums[item];
    FOR_RUN_OF(item, run, n) {
      int own = count[i];
      start[i] = sum;
      sum += own;
    }
  }
}

/* How often each digit occurs in a run; all runs' zeros first, so that a scan gives places. */
KERNEL primitive_radix_count(int run_count, int run, int n, int shift, GLOBAL const int *key,
                             GLOBAL int *histogram) {
  FOR_CHUNKS (item, run_count) {
    int digits[RADIX_DIGITS];
    for (int d = 0; d < RADIX_DIGITS; d++) digits[d] = 0;
    FOR_RUN_OF(item, run, n) { digits[(key[i] >> shift) & (RADIX_DIGITS - 1)]++; }
    for (int d = 0; d < RADIX_DIGITS; d++) histogram[d * run_count + item] = digits[d];
  }
}

KERNEL primitive_radix_move(int run_count, int run, int n, int shift, GLOBAL const int *place,
                            GLOBAL const int *key, GLOBAL const int *value, GLOBAL int *key_out,
                            GLOBAL int *value_out) {
  FOR_CHUNKS (item, run_count) {
    int next[RADIX_DIGITS];
    for (int d = 0; d < RADIX_DIGITS; d++) next[d] = place[d * run_count + item];
    FOR_RUN_OF(item, run, n) {
      int to = next[(key[i] >> shift) & (RADIX_DIGITS - 1)]++;
      key_out[to] = key[i];
      value_out[to] = value[i];
    }
  }
}

/* Shell sort of each segment: for segments of tens, rarely hundreds. */
KERNEL primitive_segment_sort(int segment_count, GLOBAL const int *start, GLOBAL int *key) {
  FOR_ITEMS (segment, segment_count) {
    GLOBAL int *item = key + start[segment];
    int n = start[segment + 1] - start[segment];
    for (int gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
      for (int i = gap; i < n; i++) {
        int moved = item[i], j = i;
        for (; j >= gap && item[j - gap] > moved; j -= gap) item[j] = item[j - gap];
        item[j] = moved;
      }
    }
  }
}

/* The index of everything that is kept, at its place. */
KERNEL primitive_compact(int n, GLOBAL const int *kept, GLOBAL const int *place, GLOBAL int *index) {
  FOR_ITEMS (i, n) {
    if (kept[i]) index[place[i]] = i;
  }
}

KERNEL primitive_reduce(int run_count, int run, int n, GLOBAL const REAL *value, GLOBAL REAL *partial) {
  FOR_CHUNKS (item, run_count) {
    REAL sum = 0;
    FOR_RUN_OF(item, run, n) { sum += value[i]; }
    partial[item] = sum;
  }
}
