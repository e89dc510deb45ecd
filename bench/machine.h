/* What the machine can do at best, measured: the yardstick of `weft bench`. */
#ifndef WEFT_BENCH_MACHINE_H
#define WEFT_BENCH_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Machine {
  char cpu[128];
  int threads;
  size_t bytes;     /* the arrays that were moved */
  double bandwidth; /* best of reading, reading ahead, copying and triad, by all threads [bytes/s] */
  double flops;     /* products and sums of doubles in registers, by all threads [1/s] */
  double latency;   /* of a read that depends on the one before, anywhere in as many bytes [s] */
  double load;      /* runnable processes before, mean over a minute */
} Machine;

/* The same for every x86-64 and, where it was built, for AVX2; one of them fits the library in use. Arrays of
 * so many bytes. False when out of memory. */
bool machine_measure(Machine *machine, int threads, size_t bytes);
bool machine_measure_v3(Machine *machine, int threads, size_t bytes);

#endif
