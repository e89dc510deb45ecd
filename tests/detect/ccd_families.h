/* Families of queries for continuous collision: plain ones, and those in which methods are known to fail. */
#ifndef WEFT_TESTS_CCD_FAMILIES_H
#define WEFT_TESTS_CCD_FAMILIES_H

#include "check.h"
#include "device/kernel.h"

#include <stdbool.h>

typedef struct CcdQuery {
  bool is_edges;
  Vec3 x0[4], x1[4];
} CcdQuery;

typedef struct CcdFamily {
  const char *name;
  bool is_degenerate; /* made so that true misses touch within rounding, or that large hides small */
  void (*make)(CcdQuery *query, uint64_t *seed);
} CcdFamily;

enum { CCD_FAMILY_COUNT = 16 };
extern const CcdFamily ccd_families[CCD_FAMILY_COUNT];

#endif
