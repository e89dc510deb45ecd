/* Scan, sort, reduce and compact on any device, with the same results. Two implementations: plain loops on
 * the CPU, passes of kernels elsewhere (primitives.kernel.h). Arrays are shared with the device by the caller
 * and stay there; only what a function returns comes back.
 */
#ifndef WEFT_DEVICE_PRIMITIVES_H
#define WEFT_DEVICE_PRIMITIVES_H

#include "device/device.h"

/* What they work with, for arrays of at most capacity numbers. */
typedef struct WeftPrimitives {
  WeftDevice *device;
  int capacity;
  int32_t *place;       /* digits x runs, or capacity, whichever is more */
  int32_t *sums;        /* of the runs of place, and their sum */
  int32_t *key, *value; /* capacity: the other side of a sorting pass */
  double *partial;
} WeftPrimitives;

WeftResult weft_primitives_create(WeftPrimitives *primitives, WeftDevice *device, int capacity,
                                  WeftError *error);
void weft_primitives_destroy(WeftPrimitives *primitives);

/* The same for arrays that grow: made anew, with room to spare, when the capacity is too small. On failure
 * they are as they were. */
WeftResult weft_primitives_reserve(WeftPrimitives *primitives, WeftDevice *device, int capacity,
                                   WeftError *error);
/* Bits that hold the numbers 0 to n - 1, for weft_sort. */
int weft_sort_bits(int n);

/* start[i] = sum of count[0..i); start may be count. Returns the sum of all, which has to fit an int; -1 when
 * the device failed. */
int32_t weft_scan(WeftPrimitives *primitives, int n, const int32_t *count, int32_t *start);
/* The sum, in runs of a fixed length: one order of additions on every device. Not a number when the device
 * failed. */
double weft_reduce(WeftPrimitives *primitives, int n, const double *value);
/* Sorts by key, 0 to 2^bits - 1, and takes the values along; equal keys keep their order. */
void weft_sort(WeftPrimitives *primitives, int n, int bits, int32_t *key, int32_t *value);
/* Sorts key[start[s]] to key[start[s + 1] - 1] for every segment s: many short ones. */
void weft_sort_segments(WeftPrimitives *primitives, int segment_count, const int32_t *start, int32_t *key);
/* index = the i with kept[i] 1 (others are 0), ascending. Returns how many; -1 when the device failed. */
int32_t weft_compact(WeftPrimitives *primitives, int n, const int32_t *kept, int32_t *index);

#endif
