#include "device/primitives.h"

#include "base/memory.h"
#include "device/launch.h"
#include "device/primitives.kernel.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Numbers a work item takes. */
enum { RUN = 256 };

static int runs_of(int n) { return (n + RUN - 1) / RUN; }

WeftResult weft_primitives_create(WeftPrimitives *primitives, WeftDevice *device, int capacity,
                                  WeftError *error) {
  size_t n = (size_t)capacity, runs = (size_t)runs_of(capacity);
  size_t places = n > RADIX_DIGITS * runs ? n : RADIX_DIGITS * runs, sums = places / RUN + 2;
  *primitives = (WeftPrimitives){.device = device, .capacity = capacity};
  primitives->place = WEFT_NEW(int32_t, places);
  primitives->sums = WEFT_NEW(int32_t, sums);
  primitives->key = WEFT_NEW(int32_t, n);
  primitives->value = WEFT_NEW(int32_t, n);
  primitives->partial = WEFT_NEW(double, runs);
  const struct {
    const void *array;
    size_t bytes;
  } arrays[] = {{primitives->place, places * sizeof(int32_t)},
                {primitives->sums, sums * sizeof(int32_t)},
                {primitives->key, n * sizeof(int32_t)},
                {primitives->value, n * sizeof(int32_t)},
                {primitives->partial, runs * sizeof(double)}};
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    result = arrays[i].array
                 ? weft_device_share(device, arrays[i].array, arrays[i].bytes, WEFT_MEMORY_SMALL, error)
                 : weft_fail_memory(error, "sorting");
  }
  if (result) weft_primitives_destroy(primitives);
  return result;
}

WeftResult weft_primitives_reserve(WeftPrimitives *primitives, WeftDevice *device, int capacity,
                                   WeftError *error) {
  if (primitives->capacity >= capacity) return WEFT_RESULT_OK;
  int roomy = capacity < INT_MAX / 3 * 2 ? capacity + capacity / 2 + 64 : capacity;
  WeftPrimitives made;
  WeftResult result = weft_primitives_create(&made, device, roomy, error);
  if (result) return result;
  weft_primitives_destroy(primitives);
  *primitives = made;
  return WEFT_RESULT_OK;
}

int weft_sort_bits(int n) {
  int bits = 1;
  while (bits < 31 && (1 << bits) < n) bits++;
  return bits;
}

void weft_primitives_destroy(WeftPrimitives *primitives) {
  void *arrays[] = {primitives->place, primitives->sums, primitives->key, primitives->value,
                    primitives->partial};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    weft_device_forget(primitives->device, arrays[i]);
    free(arrays[i]);
  }
  memset(primitives, 0, sizeof *primitives);
}

/* The passes; the sum of all is left in sums. */
static void scan_there(WeftPrimitives *primitives, int n, const int32_t *count, int32_t *start) {
  WeftDevice *device = primitives->device;
  int runs = runs_of(n);
  LAUNCH(device, primitive_run_sums, runs, RUN, n, count, primitives->sums);
  LAUNCH(device, primitive_scan_sums, 1, runs, primitives->sums);
  LAUNCH(device, primitive_scan_runs, runs, RUN, n, primitives->sums, count, start);
}

int32_t weft_scan(WeftPrimitives *primitives, int n, const int32_t *count, int32_t *start) {
  if (primitives->device) {
    int runs = runs_of(n);
    scan_there(primitives, n, count, start);
    if (!weft_device_download(primitives->device, primitives->sums, sizeof(int32_t) * (size_t)(runs + 1)))
      return -1;
    return primitives->sums[runs];
  }
  int32_t sum = 0;
  for (int i = 0; i < n; i++) {
    int32_t own = count[i];
    start[i] = sum;
    sum += own;
  }
  return sum;
}

double weft_reduce(WeftPrimitives *primitives, int n, const double *value) {
  int runs = runs_of(n);
  LAUNCH(primitives->device, primitive_reduce, runs, RUN, n, value, primitives->partial);
  return weft_device_sum(primitives->device, runs, primitives->partial);
}

/* One pass of the device's sort, from key and value to the others. */
static void sort_pass(WeftPrimitives *primitives, int n, int shift, const int32_t *key, const int32_t *value,
                      int32_t *key_out, int32_t *value_out) {
  int runs = runs_of(n);
  LAUNCH(primitives->device, primitive_radix_count, runs, RUN, n, shift, key, primitives->place);
  scan_there(primitives, RADIX_DIGITS * runs, primitives->place, primitives->place);
  LAUNCH(primitives->device, primitive_radix_move, runs, RUN, n, shift, primitives->place, key, value,
         key_out, value_out);
}

/* One pass of the CPU's, over eleven bits: fewer passes, and a table that stays in the first cache. */
enum { BITS_HERE = 11, DIGITS_HERE = 1 << BITS_HERE };

static void sort_pass_here(int n, int shift, const int32_t *key, const int32_t *value, int32_t *key_out,
                           int32_t *value_out) {
  int next[DIGITS_HERE] = {0}, sum = 0;
  for (int i = 0; i < n; i++) next[(key[i] >> shift) & (DIGITS_HERE - 1)]++;
  for (int d = 0; d < DIGITS_HERE; d++) {
    int own = next[d];
    next[d] = sum;
    sum += own;
  }
  for (int i = 0; i < n; i++) {
    int to = next[(key[i] >> shift) & (DIGITS_HERE - 1)]++;
    key_out[to] = key[i];
    value_out[to] = value[i];
  }
}

void weft_sort(WeftPrimitives *primitives, int n, int bits, int32_t *key, int32_t *value) {
  int32_t *from_key = key, *from_value = value, *to_key = primitives->key, *to_value = primitives->value;
  int pass_bits = primitives->device ? RADIX_BITS : BITS_HERE;
  for (int shift = 0; shift < bits; shift += pass_bits) {
    if (primitives->device)
      sort_pass(primitives, n, shift, from_key, from_value, to_key, to_value);
    else
      sort_pass_here(n, shift, from_key, from_value, to_key, to_value);
    int32_t *swapped = from_key;
    from_key = to_key;
    to_key = swapped;
    swapped = from_value;
    from_value = to_value;
    to_value = swapped;
  }
  if (from_key == key) return;
  weft_device_copy(primitives->device, key, from_key, (size_t)n * sizeof *key);
  weft_device_copy(primitives->device, value, from_value, (size_t)n * sizeof *value);
}

void weft_sort_segments(WeftPrimitives *primitives, int segment_count, const int32_t *start, int32_t *key) {
  LAUNCH(primitives->device, primitive_segment_sort, segment_count, start, key);
}

int32_t weft_compact(WeftPrimitives *primitives, int n, const int32_t *kept, int32_t *index) {
  if (primitives->device) {
    int32_t count = weft_scan(primitives, n, kept, primitives->place);
    LAUNCH(primitives->device, primitive_compact, n, kept, primitives->place, index);
    return count;
  }
  int32_t count = 0;
  for (int i = 0; i < n; i++) {
    if (kept[i]) index[count++] = i;
  }
  return count;
}
