/* One source for C and OpenCL C.
 *
 * Work that is done for many items in every step is written once, in the common subset of C17 and OpenCL
 * C 1.2:
 *
 *   KERNEL weft_axpy(int n, REAL a, GLOBAL const REAL *x, GLOBAL REAL *y) {
 *     FOR_ITEMS(i, n) { y[i] += a * x[i]; }
 *   }
 *
 * In C this is a parallel loop and calling the function is the launch. In OpenCL C it is one guarded work
 * item. Kernels live in *.kernel.h files beside the C file that launches them and use nothing but this
 * header: no libm beyond sqrt and fabs (both exact in IEEE arithmetic), no vector types but Four, and those
 * of solve/single.kernel.h, no statics. Items never write what another item reads or writes, so results do
 * not depend on the number of threads. FOR_CHUNKS is FOR_ITEMS for items that are each a lot of work.
 * FOR_LANES is a loop inside an item, of a few rounds that do not see each other: one instruction does
 * several (gcc would unroll it instead).
 */
#ifndef WEFT_DEVICE_KERNEL_H
#define WEFT_DEVICE_KERNEL_H

#ifdef __OPENCL_C_VERSION__

#pragma OPENCL FP_CONTRACT OFF
#define KERNEL __kernel void
#define INLINE static inline
#define GLOBAL __global
#define REAL double
#define FOR_ITEMS(i, n)     \
  int i = get_global_id(0); \
  if (i < (n))
#define FOR_CHUNKS(i, n) FOR_ITEMS (i, n)
#define FOR_LANES(k, n) for (int k = 0; k < (n); k++)
#define PREFETCH(p, bytes) (void)(p)
typedef double4 Four;
#define FOUR(x, y, z) ((double4)((x), (y), (z), 0))
#define FOUR_X(v) ((v).x)
#define FOUR_Y(v) ((v).y)
#define FOUR_Z(v) ((v).z)
#define FOUR_JOIN(v, w) ((double4)((v).xyz, (w).x))
#define FOUR_NEXT(v, w) ((double4)((v).yz, (w).xy))
#define FOUR_LOAD(p) vload4(0, p)
#define FOUR_ADD(p, v) vstore4(vload4(0, p) + (v), 0, p)

#else

#include <math.h>
#include <stdint.h>

#define KERNEL static void
#define INLINE static inline
#define GLOBAL
#define REAL double
#define WEFT_PRAGMA(text) _Pragma(#text)
/* Below so many items waking the threads costs more than the loop. */
#define WEFT_ITEMS_WORTH_THREADS 2048
#define FOR_ITEMS(i, n)                                                               \
  WEFT_PRAGMA(omp parallel for schedule(static) if ((n) >= WEFT_ITEMS_WORTH_THREADS)) \
  for (int i = 0; i < (n); i++)
#define FOR_CHUNKS(i, n)                                      \
  WEFT_PRAGMA(omp parallel for schedule(static) if ((n) > 1)) \
  for (int i = 0; i < (n); i++)
/* A few alike inside an item, each on its own: for wide instructions. Without the pragma gcc unrolls a short
 * inner loop before it looks for them, and finds none; clang needs none, and warns where sanitizers keep it
 * from following. */
#ifdef __clang__
#define FOR_LANES(k, n) for (int k = 0; k < (n); k++)
#else
#define FOR_LANES(k, n) WEFT_PRAGMA(omp simd) for (int k = 0; k < (n); k++)
#endif
/* A hint that what lies so many bytes behind p is read soon; may point beyond the array. */
#ifdef __GNUC__
#define PREFETCH(p, bytes) __builtin_prefetch((const void *)((uintptr_t)(p) + (bytes)))
#else
#define PREFETCH(p, bytes)
#endif
/* Of gcc and clang, which split it where instructions are narrower. */
typedef double Four __attribute__((vector_size(32)));
#define FOUR(x, y, z) ((Four){(x), (y), (z), 0})
#define FOUR_X(v) ((v)[0])
#define FOUR_Y(v) ((v)[1])
#define FOUR_Z(v) ((v)[2])
/* v0 v1 v2 w0, and v1 v2 w0 w1 */
#define FOUR_JOIN(v, w) __builtin_shufflevector(v, w, 0, 1, 2, 4)
#define FOUR_NEXT(v, w) __builtin_shufflevector(v, w, 1, 2, 4, 5)
/* The four numbers from p on, and v added to them. */
typedef double FourAnywhere __attribute__((vector_size(32), aligned(8)));
#define FOUR_LOAD(p) (*(const FourAnywhere *)(p))
#define FOUR_ADD(p, v) (*(FourAnywhere *)(p) += (v))

#endif

typedef struct Vec3 {
  REAL x, y, z;
} Vec3;

/* Columns. */
typedef struct Mat3 {
  Vec3 a, b, c;
} Mat3;

INLINE Vec3 vec3(REAL x, REAL y, REAL z) {
  Vec3 r;
  r.x = x;
  r.y = y;
  r.z = z;
  return r;
}
INLINE Vec3 load3(GLOBAL const REAL *p, int i) { return vec3(p[3 * i], p[3 * i + 1], p[3 * i + 2]); }
INLINE void store3(GLOBAL REAL *p, int i, Vec3 v) {
  p[3 * i] = v.x;
  p[3 * i + 1] = v.y;
  p[3 * i + 2] = v.z;
}
INLINE void add3(GLOBAL REAL *p, int i, Vec3 v) {
  p[3 * i] += v.x;
  p[3 * i + 1] += v.y;
  p[3 * i + 2] += v.z;
}
INLINE Vec3 v3_add(Vec3 a, Vec3 b) { return vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
INLINE Vec3 v3_sub(Vec3 a, Vec3 b) { return vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
INLINE Vec3 v3_scale(REAL s, Vec3 a) { return vec3(s * a.x, s * a.y, s * a.z); }
/* a + s b */
INLINE Vec3 v3_axpy(Vec3 a, REAL s, Vec3 b) { return vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z); }
INLINE REAL v3_dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
INLINE Vec3 v3_cross(Vec3 a, Vec3 b) {
  return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
INLINE REAL v3_length(Vec3 a) { return sqrt(v3_dot(a, a)); }

INLINE Mat3 m3_zero(void) {
  Mat3 m;
  m.a = m.b = m.c = vec3(0, 0, 0);
  return m;
}
/* s I */
INLINE Mat3 m3_identity(REAL s) {
  Mat3 m;
  m.a = vec3(s, 0, 0);
  m.b = vec3(0, s, 0);
  m.c = vec3(0, 0, s);
  return m;
}
/* s a bT */
INLINE Mat3 m3_outer(REAL s, Vec3 a, Vec3 b) {
  Mat3 m;
  m.a = v3_scale(s * b.x, a);
  m.b = v3_scale(s * b.y, a);
  m.c = v3_scale(s * b.z, a);
  return m;
}
/* m + s n */
INLINE Mat3 m3_axpy(Mat3 m, REAL s, Mat3 n) {
  m.a = v3_axpy(m.a, s, n.a);
  m.b = v3_axpy(m.b, s, n.b);
  m.c = v3_axpy(m.c, s, n.c);
  return m;
}
INLINE Mat3 m3_scale(REAL s, Mat3 m) {
  m.a = v3_scale(s, m.a);
  m.b = v3_scale(s, m.b);
  m.c = v3_scale(s, m.c);
  return m;
}
INLINE Mat3 m3_transpose(Mat3 m) {
  Mat3 t;
  t.a = vec3(m.a.x, m.b.x, m.c.x);
  t.b = vec3(m.a.y, m.b.y, m.c.y);
  t.c = vec3(m.a.z, m.b.z, m.c.z);
  return t;
}
INLINE Vec3 m3_apply(Mat3 m, Vec3 v) {
  return vec3(m.a.x * v.x + m.b.x * v.y + m.c.x * v.z, m.a.y * v.x + m.b.y * v.y + m.c.y * v.z,
              m.a.z * v.x + m.b.z * v.y + m.c.z * v.z);
}
INLINE Mat3 load_mat3(GLOBAL const REAL *p, int i) {
  Mat3 m;
  m.a = load3(p, 3 * i);
  m.b = load3(p, 3 * i + 1);
  m.c = load3(p, 3 * i + 2);
  return m;
}
INLINE void store_mat3(GLOBAL REAL *p, int i, Mat3 m) {
  store3(p, 3 * i, m.a);
  store3(p, 3 * i + 1, m.b);
  store3(p, 3 * i + 2, m.c);
}
INLINE void add_mat3(GLOBAL REAL *p, int i, Mat3 m) {
  add3(p, 3 * i, m.a);
  add3(p, 3 * i + 1, m.b);
  add3(p, 3 * i + 2, m.c);
}

/* A Mat3 whose columns are wide, for where much is computed with it: a third of the instructions. The
 * compiler does not find that by itself. Sums and products are those of Mat3, to the bit. */
typedef struct Block {
  Four a, b, c;
} Block;

INLINE Four four_of(Vec3 v) { return FOUR(v.x, v.y, v.z); }
INLINE Vec3 three_of(Four v) { return vec3(FOUR_X(v), FOUR_Y(v), FOUR_Z(v)); }

INLINE Block block_wide(Mat3 m) {
  Block b;
  b.a = four_of(m.a);
  b.b = four_of(m.b);
  b.c = four_of(m.c);
  return b;
}
INLINE Mat3 block_narrow(Block b) {
  Mat3 m;
  m.a = three_of(b.a);
  m.b = three_of(b.b);
  m.c = three_of(b.c);
  return m;
}
/* s I */
INLINE Block block_identity(REAL s) {
  Block m;
  m.a = FOUR(s, 0, 0);
  m.b = FOUR(0, s, 0);
  m.c = FOUR(0, 0, s);
  return m;
}
/* s p qT */
INLINE Block block_outer(REAL s, Vec3 p, Vec3 q) {
  Four wide = four_of(p);
  Block m;
  m.a = (s * q.x) * wide;
  m.b = (s * q.y) * wide;
  m.c = (s * q.z) * wide;
  return m;
}
INLINE Block block_scale(REAL s, Block m) {
  m.a = s * m.a;
  m.b = s * m.b;
  m.c = s * m.c;
  return m;
}
/* m + s n */
INLINE Block block_axpy(Block m, REAL s, Block n) {
  m.a = m.a + s * n.a;
  m.b = m.b + s * n.b;
  m.c = m.c + s * n.c;
  return m;
}
/* -(m + n) */
INLINE Block block_minus_sum(Block m, Block n) {
  m.a = -(m.a + n.a);
  m.b = -(m.b + n.b);
  m.c = -(m.c + n.c);
  return m;
}
INLINE Vec3 block_apply(Block m, Vec3 v) { return three_of(m.a * v.x + m.b * v.y + m.c * v.z); }
INLINE void add_block(GLOBAL REAL *p, int i, Block m) {
  FOUR_ADD(p + 9 * i, FOUR_JOIN(m.a, m.b));
  FOUR_ADD(p + 9 * i + 4, FOUR_NEXT(m.b, m.c));
  p[9 * i + 8] += FOUR_Z(m.c);
}

#endif
