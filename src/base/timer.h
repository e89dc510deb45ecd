/* Wall time, for reports only: no result depends on it. */
#ifndef WEFT_BASE_TIMER_H
#define WEFT_BASE_TIMER_H

#include <time.h>

/* Seconds since some fixed moment. */
static inline double weft_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
