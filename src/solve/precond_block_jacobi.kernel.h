/* Rows without a usable block (vertices without mass, always held) get zero. */
#include "solve/rows.kernel.h"
#include "solve/single.kernel.h"

/* Inverse of a symmetric block by cofactors, stored as xx yy zz xy xz yz: six doubles to move instead of
 * nine. */

KERNEL precond_block_update(int row_count, GLOBAL const int *diagonal, GLOBAL const REAL *value,
                            GLOBAL REAL *inverse) {
  FOR_ITEMS (row, row_count) {
    Mat3 m = load_mat3(value, diagonal[row]);
    REAL xx = m.a.x, yy = m.b.y, zz = m.c.z, xy = m.b.x, xz = m.c.x, yz = m.c.y;
    REAL cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
    REAL det = xx * cxx + xy * cxy + xz * cxz;
    REAL s = det > 0 ? 1 / det : 0;
    inverse[6 * row] = s * cxx;
    inverse[6 * row + 1] = s * (xx * zz - xz * xz);
    inverse[6 * row + 2] = s * (xx * yy - xy * xy);
    inverse[6 * row + 3] = s * cxy;
    inverse[6 * row + 4] = s * cxz;
    inverse[6 * row + 5] = s * (xy * xz - xx * yz);
  }
}

/* r -= alpha q, z = M^-1 r in place of q */
#define BLOCK_DESCEND(name, NUMBER, load, store)                                                         \
  KERNEL name(int item_count, int rows_per_item, int row_count, GLOBAL const REAL *inverse, REAL alpha,  \
              GLOBAL NUMBER *r, GLOBAL NUMBER *qz, GLOBAL REAL *rr, GLOBAL REAL *rz) {                   \
    FOR_CHUNKS (item, item_count) {                                                                      \
      REAL sum_rr = 0, sum_rz = 0;                                                                       \
      FOR_ROWS_OF(item, rows_per_item, row_count) {                                                      \
        Vec3 ri = v3_axpy(load(r, row), -alpha, load(qz, row));                                          \
        store(r, row, ri);                                                                               \
        GLOBAL const REAL *m = inverse + 6 * row;                                                        \
        Vec3 zi = vec3(m[0] * ri.x + m[3] * ri.y + m[4] * ri.z, m[3] * ri.x + m[1] * ri.y + m[5] * ri.z, \
                       m[4] * ri.x + m[5] * ri.y + m[2] * ri.z);                                         \
        store(qz, row, zi);                                                                              \
        sum_rr += v3_dot(ri, ri);                                                                        \
        sum_rz += v3_dot(ri, zi);                                                                        \
      }                                                                                                  \
      rr[item] = sum_rr;                                                                                 \
      rz[item] = sum_rz;                                                                                 \
    }                                                                                                    \
  }

BLOCK_DESCEND(precond_block_descend, REAL, load3, store3)
BLOCK_DESCEND(precond_block_descend_narrow, float, single_load, single_store)
