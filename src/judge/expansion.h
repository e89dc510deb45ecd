/* Exact sums and products of doubles: a number is kept as a sum of doubles that do not overlap, least first,
 * none of them zero [Shewchuk97]. Exact as long as nothing over- or underflows: the judge refuses coordinates
 * with which that could happen (predicates.h). */
#ifndef WEFT_JUDGE_EXPANSION_H
#define WEFT_JUDGE_EXPANSION_H

/* The longest one that orient3d makes: three products of a difference (2 parts) and a minor (16 parts). */
enum { WEFT_EXPANSION_SIZE = 192 };

typedef struct WeftExpansion {
  int count; /* 0: the number zero */
  double parts[WEFT_EXPANSION_SIZE];
} WeftExpansion;

void weft_expansion_difference(double a, double b, WeftExpansion *result);
/* sum += other */
void weft_expansion_add(WeftExpansion *sum, const WeftExpansion *other);
void weft_expansion_subtract(WeftExpansion *sum, const WeftExpansion *other);
void weft_expansion_multiply(const WeftExpansion *a, const WeftExpansion *b, WeftExpansion *product);
/* Has the sign of the number and is near it. */
double weft_expansion_value(const WeftExpansion *expansion);

#endif
