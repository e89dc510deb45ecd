/* Where a run of entries puts the pairs it finds. */
#ifndef WEFT_DETECT_RUN_POOL_KERNEL_H
#define WEFT_DETECT_RUN_POOL_KERNEL_H

#include "device/kernel.h"

#define POOL_RUN 32 /* entries in a run */

typedef struct RunOutput {
  GLOBAL int *a, *b;
  int room;         /* pairs that fit; the rest are counted */
  int found, tests; /* pairs, boxes compared */
} RunOutput;

INLINE RunOutput run_output(GLOBAL int *a, GLOBAL int *b, int room) {
  RunOutput out;
  out.a = a;
  out.b = b;
  out.room = room;
  out.found = out.tests = 0;
  return out;
}

INLINE RunOutput run_put(RunOutput out, int p, int q) {
  if (out.found < out.room) {
    out.a[out.found] = p < q ? p : q;
    out.b[out.found] = p < q ? q : p;
  }
  out.found++;
  return out;
}

#endif
