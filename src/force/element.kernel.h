/* What every force kernel shares: the walk over elements and the scatter into vectors and matrix.
 *
 * Owner computes. Rows (vertices) are cut into chunks of a fixed size; a work item is a chunk, walks in
 * ascending order over all elements that touch one of its rows, and writes only to its own rows. An element
 * on a seam between chunks is computed once for each of them. So there are no atomics, every sum has one
 * order whatever the number of threads, and nothing but the result goes to memory. Rejected: elements write
 * their blocks to a buffer and rows gather them: 720 bytes a hinge, 300 MB of traffic a step for 200K
 * triangles.
 */
#ifndef WEFT_FORCE_ELEMENT_KERNEL_H
#define WEFT_FORCE_ELEMENT_KERNEL_H

#include "device/kernel.h"

/* What is asked for, bits of `wants`. */
#define WANT_MATRIX \
  1 /* also kxv and a, with K_x projected to negative semi-definite (so that a stays positive) */
#define WANT_EXACT 2 /* with WANT_MATRIX: K_x as it is, not projected; for tests */
#define WANT_TURN                                                                                            \
  4 /* with WANT_MATRIX: x was reached straight on, by -av v, which stretched what turned; see triangle_turn \
     */

/* a: block values, column-major 3x3, see solve/bcsr.h. a += ax K_x + av K_v, kxv += K_x v, f += force. */
#define ELEMENT_PARAMETERS                                                                             \
  int chunk_count, int chunk_rows, GLOBAL const int *chunk_start, GLOBAL const int *chunk_element,     \
      GLOBAL const int *vertices, GLOBAL const int *slots, GLOBAL const REAL *x, GLOBAL const REAL *v, \
      int wants, REAL ax, REAL av, GLOBAL REAL *f, GLOBAL REAL *kxv, GLOBAL REAL *a

/* Upper blocks (i <= j) of a symmetric block matrix of n vertices are stored row by row: */
#define UPPER(n, i, j) ((i) * (n) - (i) * ((i)-1) / 2 + (j) - (i))

/* out = K v for upper blocks k. */
INLINE void element_apply(int n, const Mat3 *k, const Vec3 *v, Vec3 *out) {
  for (int i = 0; i < n; i++) {
    Vec3 sum = m3_apply(k[UPPER(n, i, i)], v[i]);
    for (int j = 0; j < i; j++) sum = v3_add(sum, m3_apply(m3_transpose(k[UPPER(n, j, i)]), v[j]));
    for (int j = i + 1; j < n; j++) sum = v3_add(sum, m3_apply(k[UPPER(n, i, j)], v[j]));
    out[i] = sum;
  }
}

/* Asks for the blocks that the element is added to, so that they come while it is computed. A block covers
 * two lines of a cache. */
INLINE void element_ahead(int n, int e, GLOBAL const int *slots, int wants, GLOBAL const REAL *a) {
  if (!(wants & WANT_MATRIX)) return;
  for (int k = 0; k < n * n; k++) {
    PREFETCH(a + 9 * slots[e * n * n + k], 0);
    PREFETCH(a + 9 * slots[e * n * n + k], 8 * sizeof(REAL));
  }
}

/* Adds the force of element e and, where wanted, its K_x v and its upper blocks m (= ax K_x + av K_v) to the
 * rows in [row_begin, row_end). slots may be NULL when no matrix is wanted. */
INLINE void element_scatter(int n, int e, int row_begin, int row_end, GLOBAL const int *vertices,
                            GLOBAL const int *slots, int wants, const Vec3 *force, const Vec3 *kx_v,
                            const Mat3 *m, GLOBAL REAL *f, GLOBAL REAL *kxv, GLOBAL REAL *a) {
  for (int i = 0; i < n; i++) {
    int row = vertices[e * n + i];
    if (row < row_begin || row >= row_end) continue;
    add3(f, row, force[i]);
    if (!(wants & WANT_MATRIX)) continue;
    add3(kxv, row, kx_v[i]);
    for (int j = 0; j < n; j++) {
      Mat3 block = i <= j ? m[UPPER(n, i, j)] : m3_transpose(m[UPPER(n, j, i)]);
      add_mat3(a, slots[(e * n + i) * n + j], block);
    }
  }
}

/* The same with all n x n blocks, row by row. */
INLINE void element_scatter_all(int n, int e, int row_begin, int row_end, GLOBAL const int *vertices,
                                GLOBAL const int *slots, int wants, const Vec3 *force, const Vec3 *kx_v,
                                const Block *m, GLOBAL REAL *f, GLOBAL REAL *kxv, GLOBAL REAL *a) {
  for (int i = 0; i < n; i++) {
    int row = vertices[e * n + i];
    if (row < row_begin || row >= row_end) continue;
    add3(f, row, force[i]);
    if (!(wants & WANT_MATRIX)) continue;
    add3(kxv, row, kx_v[i]);
    for (int j = 0; j < n; j++) add_block(a, slots[(e * n + i) * n + j], m[i * n + j]);
  }
}

#endif
