/* Vectors in single precision: four numbers a row, so that it is one wide load. The fourth is zero, or means
 * nothing. */
#ifndef WEFT_SOLVE_SINGLE_KERNEL_H
#define WEFT_SOLVE_SINGLE_KERNEL_H

#include "device/kernel.h"

INLINE Vec3 single_load(GLOBAL const float *p, int row) {
  return vec3(p[4 * row], p[4 * row + 1], p[4 * row + 2]);
}
INLINE void single_store(GLOBAL float *p, int row, Vec3 v) {
  p[4 * row] = (float)v.x;
  p[4 * row + 1] = (float)v.y;
  p[4 * row + 2] = (float)v.z;
  p[4 * row + 3] = 0;
}

/* Wide numbers for products with blocks: the first eight of the nine of a block, by columns, at once. */
#ifdef __OPENCL_C_VERSION__
typedef float4 Single4;
typedef float8 Single8;
#define SINGLE4(p) vload4(0, p)
#define SINGLE8(p) vload8(0, p)
#define SINGLE_SPREAD(v) ((float8)((v).xxx, (v).yyy, (v).zz))
#define SINGLE_X(v) ((v).s0)
#define SINGLE_Y(v) ((v).s1)
#define SINGLE_Z(v) ((v).s2)
#define SINGLE_FOLD(v, ninth) \
  ((float4)((v).s012, (v).s0) + (float4)((v).s345, (v).s3) + (float4)((v).s67, (ninth), (v).s6))
#define SINGLE_STORE(v, p) vstore4(v, 0, p)
#define SINGLE8_ZERO ((float8)(0))
#define SINGLE_TWICE(p) ((float8)(vload4(0, p), vload4(0, p)))
#define SINGLE_TILE(v) ((v).s01201201)
#define SINGLE_FOLD_ROWS(v, ninth) \
  ((float4)((v).s036, (v).s0) + (float4)((v).s147, (v).s1) + (float4)((v).s25, (ninth), (v).s2))
#else
typedef float Single4 __attribute__((vector_size(16), aligned(4)));
typedef float Single8 __attribute__((vector_size(32), aligned(4)));
#define SINGLE4(p) (*(const Single4 *)(p))
#define SINGLE8(p) (*(const Single8 *)(p))
/* What each of them is multiplied with. */
#define SINGLE_SPREAD(v) __builtin_shufflevector(v, v, 0, 0, 0, 1, 1, 1, 2, 2)
#define SINGLE_X(v) ((v)[0])
#define SINGLE_Y(v) ((v)[1])
#define SINGLE_Z(v) ((v)[2])
/* The three columns added up. */
#define SINGLE_FOLD(v, ninth)                                                              \
  (__builtin_shufflevector(v, v, 0, 1, 2, 0) + __builtin_shufflevector(v, v, 3, 4, 5, 3) + \
   __builtin_shufflevector(__builtin_shufflevector(v, v, 6, 7, 6, 7), (Single4){ninth}, 0, 1, 4, 0))
#define SINGLE_STORE(v, p) (*(Single4 *)(p) = (v))
#define SINGLE8_ZERO ((Single8){0})
/* The same for blocks by rows: the vector twice, what each number is multiplied with, and rows added up. */
#define SINGLE_TWICE(p) __builtin_shufflevector(SINGLE4(p), SINGLE4(p), 0, 1, 2, 3, 0, 1, 2, 3)
#define SINGLE_TILE(v) __builtin_shufflevector(v, v, 0, 1, 2, 0, 5, 6, 4, 5)
#define SINGLE_FOLD_ROWS(v, ninth)                                                         \
  (__builtin_shufflevector(v, v, 0, 3, 6, 0) + __builtin_shufflevector(v, v, 1, 4, 7, 1) + \
   __builtin_shufflevector(__builtin_shufflevector(v, v, 2, 5, 2, 5), (Single4){ninth}, 0, 1, 4, 0))
#endif

#endif
