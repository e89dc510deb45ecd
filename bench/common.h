/* What the benchmarks share: sheets to simulate, the machine, medians. Benchmarks look inside the library as
 * tests do. A benchmark that cannot go on says why and ends with exit code 1. */
#ifndef WEFT_BENCH_COMMON_H
#define WEFT_BENCH_COMMON_H

#include "mesh/generate.h"
#include "world.h"

#include <stdio.h>

/* Prints the error's message and ends the program unless result is OK. */
void bench_require(WeftResult result, const WeftError *error);
/* CPU, cores, cache, how busy it was before, compiler, instruction set. */
void bench_print_machine(void);
/* Sorts the values. */
double bench_median(int count, double *values);
/* Memory or the end of the program. */
void *bench_alloc(size_t bytes);

typedef struct BenchSheet {
  double width, height; /* [m] */
  int columns, rows;    /* cells */
  WeftPattern pattern;
  double
      roughness; /* vertices inside are moved by up to this part of a cell, in the plane: an irregular mesh */
  WeftMaterial material;
  WeftWorldDef def;
} BenchSheet;

/* 1 m x 1 m of the default material in the default world. */
BenchSheet bench_sheet(int columns, int rows);

/* A level sheet at z = 0, held at the two corners of its far side (v = height). The caller destroys the
 * world. */
WeftWorld *bench_hang(const BenchSheet *sheet);
/* An upright sheet in the plane y = 0, held along the side u = 0: a flag. */
WeftWorld *bench_flag(const BenchSheet *sheet);
void bench_step(WeftWorld *world, int steps);

#endif
