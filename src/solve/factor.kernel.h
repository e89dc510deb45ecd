/* What factors of 3x3 blocks are made of: L in single precision, nine numbers a block by columns; blocks on
 * the diagonal and their inverses as xx yy zz xy xz yz. */
#ifndef WEFT_SOLVE_FACTOR_KERNEL_H
#define WEFT_SOLVE_FACTOR_KERNEL_H

#include "device/kernel.h"

INLINE Mat3 factor_load(GLOBAL const float *value, int block) {
  GLOBAL const float *v = value + 9 * block;
  Mat3 m;
  m.a = vec3(v[0], v[1], v[2]);
  m.b = vec3(v[3], v[4], v[5]);
  m.c = vec3(v[6], v[7], v[8]);
  return m;
}

INLINE void factor_store(GLOBAL float *value, int block, Mat3 m) {
  REAL v[9] = {m.a.x, m.a.y, m.a.z, m.b.x, m.b.y, m.b.z, m.c.x, m.c.y, m.c.z};
  for (int k = 0; k < 9; k++) value[9 * block + k] = (float)v[k];
}

INLINE Mat3 factor_inverse_of(GLOBAL const REAL *inverse, int row) {
  GLOBAL const REAL *m = inverse + 6 * row;
  Mat3 d;
  d.a = vec3(m[0], m[3], m[4]);
  d.b = vec3(m[3], m[1], m[5]);
  d.c = vec3(m[4], m[5], m[2]);
  return d;
}

/* a b */
INLINE Mat3 factor_times(Mat3 a, Mat3 b) {
  Mat3 m;
  m.a = m3_apply(a, b.a);
  m.b = m3_apply(a, b.b);
  m.c = m3_apply(a, b.c);
  return m;
}

/* The same with wide columns. */
INLINE Block block_times(Block a, Mat3 b) {
  Block m;
  m.a = a.a * b.a.x + a.b * b.a.y + a.c * b.a.z;
  m.b = a.a * b.b.x + a.b * b.b.y + a.c * b.b.z;
  m.c = a.a * b.c.x + a.b * b.c.y + a.c * b.c.z;
  return m;
}

/* Block (row, column) of S A S + (I - S): nothing couples to a held component. */
INLINE Mat3 factor_free(Mat3 m, int row_held, int column_held, REAL diagonal) {
  if (row_held & 1) m.a.x = m.b.x = m.c.x = 0;
  if (row_held & 2) m.a.y = m.b.y = m.c.y = 0;
  if (row_held & 4) m.a.z = m.b.z = m.c.z = 0;
  if (column_held & 1) m.a = vec3(diagonal, 0, 0);
  if (column_held & 2) m.b = vec3(0, diagonal, 0);
  if (column_held & 4) m.c = vec3(0, 0, diagonal);
  return m;
}

/* Pivots of the scalar Cholesky factorisation; not positive from the first one on that is not. */
INLINE Vec3 factor_pivots(Mat3 m) {
  Vec3 d = vec3(m.a.x, 0, 0);
  if (!(d.x > 0)) return d;
  d.y = m.b.y - m.a.y * m.a.y / d.x;
  if (!(d.y > 0)) return d;
  REAL t = m.b.z - m.a.y * m.a.z / d.x;
  d.z = m.c.z - m.a.z * m.a.z / d.x - t * t / d.y;
  return d;
}

/* xx yy zz xy xz yz of the inverse; zero when there is none, so that z is zero there. */
INLINE void factor_invert(Mat3 m, GLOBAL REAL *inverse) {
  REAL xx = m.a.x, yy = m.b.y, zz = m.c.z, xy = m.b.x, xz = m.c.x, yz = m.c.y;
  REAL cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
  REAL det = xx * cxx + xy * cxy + xz * cxz;
  REAL s = factor_pivots(m).z > 0 && det > 0 ? 1 / det : 0;
  inverse[0] = s * cxx;
  inverse[1] = s * (xx * zz - xz * xz);
  inverse[2] = s * (xx * yy - xy * xy);
  inverse[3] = s * cxy;
  inverse[4] = s * cxz;
  inverse[5] = s * (xy * xz - xx * yz);
}

#endif
