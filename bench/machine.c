#include "machine.h"

#include "streams.h"

#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

enum { TRIES = 3, PASSES = 5 };

/* Products and sums in turn, as many numbers at once as registers hold; not fused, as nothing of weft is. */
static double measure_flops(double *sink) {
  enum { TURNS = 4000000 };
  double total = 0, start = weft_seconds();
#pragma omp parallel reduction(+ : total)
  {
    double lanes[STREAM_LANES];
    for (int k = 0; k < STREAM_LANES; k++) lanes[k] = 1 + 1e-3 * k;
    for (int i = 0; i < TURNS; i++)
      for (int k = 0; k < STREAM_LANES; k++) lanes[k] = lanes[k] * 0.999 + 1e-3;
    for (int k = 0; k < STREAM_LANES; k++) total += lanes[k];
  }
  *sink += total;
  return 2.0 * STREAM_LANES * TURNS * omp_get_max_threads() / (weft_seconds() - start);
}

/* Walks one cycle through all lines of 64 bytes in an order nobody can guess (Sattolo's algorithm). */
static double measure_latency(Streams *s) {
  enum { HOPS = 1000000, LINE = 8 };
  size_t lines = s->count / LINE;
  uint64_t *numbers = (uint64_t *)(void *)s->numbers, seed = 1, at = 0;
  for (size_t i = 0; i < lines; i++) numbers[i * LINE] = i;
  for (size_t i = lines - 1; i > 0; i--) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    size_t other = (size_t)(seed >> 11) % i;
    uint64_t swapped = numbers[i * LINE];
    numbers[i * LINE] = numbers[other * LINE];
    numbers[other * LINE] = swapped;
  }
  double start = weft_seconds();
  for (int i = 0; i < HOPS; i++) at = numbers[at * LINE];
  double seconds = weft_seconds() - start;
  s->sink += (double)at;
  return seconds / HOPS;
}

bool MACHINE_MEASURE(Machine *machine, int threads, size_t bytes) {
  Streams streams = {.count = bytes / sizeof(double) / STREAM_UNIT * STREAM_UNIT};
  if (threads > 0) omp_set_num_threads(threads);
  machine->threads = omp_get_max_threads();
  machine->bytes = streams.count * sizeof(double);
  streams.numbers = malloc(machine->bytes);
  if (!streams.numbers) return false;
  for (size_t i = 0; i < streams.count; i++) streams.numbers[i] = 1; /* pages never written to are one page */
  for (int i = 0; i < TRIES; i++) {
    for (int kind = 0; kind < STREAM_KINDS; kind++) {
      double rate = stream_rate(&streams, kind, PASSES);
      if (rate > machine->bandwidth) machine->bandwidth = rate;
    }
    double flops = measure_flops(&streams.sink);
    if (flops > machine->flops) machine->flops = flops;
  }
  machine->latency = measure_latency(&streams);
  bool is_used = streams.sink > -1e300; /* so that nothing measured is left out */
  free(streams.numbers);
  return is_used;
}
