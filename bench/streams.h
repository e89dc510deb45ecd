/* How fast this machine moves memory: reading, reading with the solver's prefetches, copying, a = b + s c, by
 * all threads. In a header, so that each program has them for its own instruction set. */
#ifndef WEFT_BENCH_STREAMS_H
#define WEFT_BENCH_STREAMS_H

#include "base/timer.h"
#include "solve/bcsr_row.kernel.h"

#include <stdbool.h>
#include <stddef.h>

enum {
  STREAM_LANES = 32,
  STREAM_PARTS = 64,
  STREAM_UNIT = 6 * STREAM_LANES * STREAM_PARTS,
  STREAM_KINDS = 4
};

typedef struct Streams {
  size_t count; /* doubles in all; a multiple of STREAM_UNIT */
  double *numbers;
  double sink; /* sums go where the compiler must believe that they are used */
} Streams;

/* Each returns the bytes it moved. */
static inline double stream_lanes(const Streams *s, bool is_ahead, double *sink) {
  long blocks = (long)(s->count / STREAM_LANES);
  double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (long part = 0; part < STREAM_PARTS; part++) {
    double lanes[STREAM_LANES] = {0};
    for (long i = blocks * part / STREAM_PARTS; i < blocks * (part + 1) / STREAM_PARTS; i++) {
      const double *numbers = s->numbers + i * STREAM_LANES;
      for (int k = 0; k < STREAM_LANES && is_ahead; k += 8) PREFETCH(numbers + k, BCSR_AHEAD);
      for (int k = 0; k < STREAM_LANES; k++) lanes[k] += numbers[k];
    }
    for (int k = 0; k < STREAM_LANES; k++) total += lanes[k];
  }
  *sink += total;
  return 8.0 * (double)s->count;
}

static inline double stream_copy(Streams *s) {
  long n = (long)(s->count / 2);
  const double *from = s->numbers;
  double *to = s->numbers + n;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++) to[i] = from[i];
  return 16.0 * (double)n;
}

static inline double stream_triad(Streams *s) {
  long n = (long)(s->count / 3);
  const double *b = s->numbers, *c = s->numbers + n;
  double *a = s->numbers + 2 * n;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++) a[i] = b[i] + 0.5 * c[i];
  return 24.0 * (double)n;
}

/* Bytes a second over so many passes; kind: 0 read, 1 read ahead, 2 copy, 3 triad. */
static inline double stream_rate(Streams *s, int kind, int passes) {
  double bytes = 0, start = weft_seconds();
  for (int i = 0; i < passes; i++)
    bytes += kind < 2 ? stream_lanes(s, kind == 1, &s->sink) : kind == 2 ? stream_copy(s) : stream_triad(s);
  return bytes / (weft_seconds() - start);
}

#endif
