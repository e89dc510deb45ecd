/* A symmetric sparse matrix of 3x3 blocks, one block row a vertex, assembled by [Tang16 alg. 1].
 *
 * The pattern has two parts. The base part comes from elements that exist for ever (triangles, hinges, links)
 * and is made once. The extra part holds blocks that the base does not, from elements of this step
 * (contacts); it is made anew when they change, and its blocks stand behind the base's in the same arrays. A
 * row is its base range and its extra range. So slots of lasting elements never move.
 *
 *   column   [ base blocks, row by row | extra blocks, row by row ]
 *   value    9 doubles a block, column-major, in the same order
 */
#ifndef WEFT_SOLVE_BCSR_H
#define WEFT_SOLVE_BCSR_H

#include "device/primitives.h"
#include "solve/elements.h"

typedef struct WeftBcsr {
  int row_count;
  int32_t *base_start;  /* row_count + 1, into column */
  int32_t *extra_start; /* row_count + 1, into column, from base_start[row_count] on */
  int32_t *column;      /* ascending in each range of a row */
  int32_t *diagonal;    /* row_count: slot of (i, i) */
  double *value;        /* 9 x block_count, and one more so that a column can be read as four doubles */
  int block_count;      /* base and extra */
  int64_t pattern;      /* a number that changes with the extra part */
  size_t block_capacity;
  WeftDevice *device; /* that has its arrays; NULL: the CPU */
} WeftBcsr;

/* Makes the base pattern (always with the diagonal) and fills in the slots of the sets. */
WeftResult weft_bcsr_create(WeftBcsr *matrix, int row_count, WeftElements *const *sets, int set_count,
                            WeftError *error);
/* The same from lists of columns: row i has entry[start[i]] to entry[start[i + 1] - 1], itself among them, in
 * any order; entry is scratch afterwards. */
WeftResult weft_bcsr_create_rows(WeftBcsr *matrix, int row_count, const int32_t *start, int32_t *entry,
                                 WeftError *error);
void weft_bcsr_destroy(WeftBcsr *matrix);
/* Puts the matrix on a device, where set_mass and multiply then run; the pattern is made on the host. */
WeftResult weft_bcsr_share(WeftBcsr *matrix, WeftDevice *device, WeftError *error);
/* Replaces the extra part by what these sets need, and fills in their slots, which the caller shares with the
 * device again. No sets: no extra part. */
WeftResult weft_bcsr_set_extra(WeftBcsr *matrix, WeftElements *const *sets, int set_count, WeftError *error);

/* The same on the device: row i needs the columns entry[start[i]] to entry[start[i + 1] - 1], which may
 * repeat and may be in the base part; entry is scratch afterwards. primitives: for row_count + 1 numbers. */
WeftResult weft_bcsr_set_extra_rows(WeftBcsr *matrix, WeftPrimitives *primitives, const int32_t *start,
                                    int32_t *entry, WeftError *error);

/* Brings the extra part's pattern, which is made where the matrix is, to the host. */
WeftResult weft_bcsr_download_pattern(const WeftBcsr *matrix, WeftError *error);

/* Slot of block (row, column), -1 when it is not stored. */
int weft_bcsr_slot(const WeftBcsr *matrix, int row, int column);
/* Sets all values to zero and the diagonal to mass times the identity, times scale. */
void weft_bcsr_set_mass(WeftBcsr *matrix, const double *mass, double scale);
/* Values of the base part, weft_bcsr_kept_bytes of them, to come back to; extra blocks become zero. */
size_t weft_bcsr_kept_bytes(const WeftBcsr *matrix);
void weft_bcsr_keep(const WeftBcsr *matrix, double *kept);
void weft_bcsr_recall(WeftBcsr *matrix, const double *kept);
/* y = A x */
void weft_bcsr_multiply(const WeftBcsr *matrix, const double *x, double *y);

#endif
