/* Stretch and shear of a triangle, with damping [BaraffWitkin98; Wong14 eq. 3.4-3.8, 3.28, 3.29].
 *
 *   E = A/2 [ k_u (|w_u| - 1)^2 + k_v (|w_v| - 1)^2 + k_s (w_u . w_v)^2 ]
 *
 * Differs: the energy is weighted by the rest area A; the sources' C = A (...) makes the stiffness depend on
 * the mesh. Damping is f = -A k_d dC/dx (dC/dx . v) for each of the three conditions C; its K_x part is left
 * out, not being symmetric.
 *
 * PSD: nothing couples the directions in the triangle's plane with its normal n. Along n the Hessian is
 *
 *   [[k_u (1 - 1/|w_u|), k_s c], [k_s c, k_v (1 - 1/|w_v|)]],  c = w_u . w_v
 *
 * the tension that wrinkles cloth when it turns negative: it keeps its positive eigenvalues, exactly. In the
 * plane each condition keeps k dC dCT, and tension its part across w_u and w_v; k_s c, which has either sign,
 * is left out there. Equal to the exact Hessian where the threads are not compressed and not sheared.
 *
 * Rejected, counted in linear solves of projected Newton on sheets pushed together, sheared or hung: the
 * exact clamp of each condition by itself (closed form for shear too), which adds up stiffness that the
 * conditions do not have together: 1.1 to 3.1 times as many. Leaving k_s c out along n as well: 0.9 to 3.0
 * times. The numeric clamp of the whole 6x6: as many as this form, within 3 %.
 */
#include "force/triangle.kernel.h"

#define BW_VALUES 6 /* per cloth: k_u k_v k_s and their damping [N/m, N s/m] */

typedef struct BwTriangle {
  Pair w;
  Vec3 nu, nv; /* directions of w_u and w_v, zero where there is none */
  REAL lu, lv; /* |w_u|, |w_v| */
  REAL c;      /* w_u . w_v */
} BwTriangle;

INLINE BwTriangle bw_measure(Pair w) {
  BwTriangle t;
  t.w = w;
  t.lu = v3_length(w.u);
  t.lv = v3_length(w.v);
  t.nu = v3_scale(t.lu > 0 ? 1 / t.lu : 0, w.u);
  t.nv = v3_scale(t.lv > 0 ? 1 / t.lv : 0, w.v);
  t.c = v3_dot(w.u, w.v);
  return t;
}

/* Hessian of the energy per area, as it is. */
INLINE Six bw_exact(const BwTriangle *t, const REAL *k) {
  REAL across_u = t->lu > 0 ? k[0] * (1 - 1 / t->lu) : 0, across_v = t->lv > 0 ? k[1] * (1 - 1 / t->lv) : 0;
  Six h;
  h.uu = block_axpy(block_identity(across_u), 1, block_outer(k[0] - across_u, t->nu, t->nu));
  h.vv = block_axpy(block_identity(across_v), 1, block_outer(k[1] - across_v, t->nv, t->nv));
  h.uv = h.vu = block_identity(k[2] * t->c);
  Pair g = {t->w.v, t->w.u};
  six_add_outer(&h, k[2], g);
  return h;
}

INLINE Vec3 bw_normal(const BwTriangle *t) {
  Vec3 n = v3_cross(t->w.u, t->w.v);
  REAL size = v3_length(n);
  return v3_scale(size > 0 ? 1 / size : 0, n);
}

/* The same, projected, without the tension of a turn; *along: the tension that acts along the normal n. */
INLINE Six bw_projected(const BwTriangle *t, const REAL *k, Sym2 turn, Vec3 n, Sym2 *along) {
  Vec3 across_u = v3_cross(n, t->nu), across_v = v3_cross(n, t->nv);
  Sym2 tension = {t->lu > 0 ? k[0] * (1 - 1 / t->lu) : 0, k[2] * t->c,
                  t->lv > 0 ? k[1] * (1 - 1 / t->lv) : 0};
  tension.a = triangle_without(tension.a, k[0] * turn.a);
  tension.c = triangle_without(tension.c, k[1] * turn.c);
  Sym2 kept = *along = sym2_positive_part(tension);
  Six h;
  h.uu = block_axpy(block_outer(k[0], t->nu, t->nu), kept.a, block_outer(1, n, n));
  h.uv = h.vu = block_outer(kept.b, n, n);
  h.vv = block_axpy(block_outer(k[1], t->nv, t->nv), kept.c, block_outer(1, n, n));
  if (tension.a > 0) h.uu = block_axpy(h.uu, tension.a, block_outer(1, across_u, across_u));
  if (tension.c > 0) h.vv = block_axpy(h.vv, tension.c, block_outer(1, across_v, across_v));
  Pair g = {t->w.v, t->w.u};
  six_add_outer(&h, k[2], g);
  return h;
}

/* Stress per area of the energy, and of damping where the rates of (w_u, w_v) are r. */
INLINE Pair bw_stress(const BwTriangle *t, const REAL *k, Pair r) {
  REAL on_u = k[0] * (t->lu - 1) + k[3] * v3_dot(t->nu, r.u);
  REAL on_v = k[1] * (t->lv - 1) + k[4] * v3_dot(t->nv, r.v);
  REAL shear = k[2] * t->c + k[5] * (v3_dot(t->w.v, r.u) + v3_dot(t->w.u, r.v));
  Pair p;
  p.u = v3_axpy(v3_scale(on_u, t->nu), shear, t->w.v);
  p.v = v3_axpy(v3_scale(on_v, t->nv), shear, t->w.u);
  return p;
}

KERNEL stretch_baraff_witkin_add(ELEMENT_PARAMETERS, GLOBAL const REAL *shape, GLOBAL const REAL *area,
                                 GLOBAL const int *cloth, GLOBAL const REAL *values) {
  FOR_CHUNKS (chunk, chunk_count) {
    int row_begin = chunk * chunk_rows, row_end = row_begin + chunk_rows;
    for (int at = chunk_start[chunk]; at < chunk_start[chunk + 1]; at++) {
      int e = chunk_element[at];
      element_ahead(3, e, slots, wants, a);
      Vec3 pos[3], vel[3];
      for (int i = 0; i < 3; i++) {
        pos[i] = load3(x, vertices[3 * e + i]);
        vel[i] = load3(v, vertices[3 * e + i]);
      }
      REAL k[BW_VALUES];
      for (int i = 0; i < BW_VALUES; i++) k[i] = values[BW_VALUES * cloth[e] + i];
      TriangleMap map = triangle_map(shape, e);
      BwTriangle t = bw_measure(triangle_gradient(&map, pos));
      Pair rate = triangle_gradient(&map, vel);
      Vec3 force[3], kx_v[3];
      Block m[9];
      triangle_spread(&map, -area[e], bw_stress(&t, k, rate), force);
      if (wants & WANT_MATRIX) {
        Sym2 turn = {0, 0, 0}, along = {0, 0, 0};
        Vec3 n = bw_normal(&t);
        if (wants & WANT_TURN) turn = triangle_turn(&t.w, &rate, av);
        Six h = wants & WANT_EXACT ? bw_exact(&t, k) : bw_projected(&t, k, turn, n, &along);
        Pair pull = six_apply(&h, rate);
        if (wants & WANT_TURN) {
          Sym2 slight = triangle_slight(along);
          REAL u = v3_dot(rate.u, n), w = v3_dot(rate.v, n);
          pull.u = v3_axpy(pull.u, -(slight.a * u + slight.b * w), n);
          pull.v = v3_axpy(pull.v, -(slight.b * u + slight.c * w), n);
        }
        triangle_spread(&map, -area[e], pull, kx_v);
        h.uu = block_axpy(block_scale(ax, h.uu), av * k[3], block_outer(1, t.nu, t.nu));
        h.uv = block_scale(ax, h.uv);
        h.vu = block_scale(ax, h.vu);
        h.vv = block_axpy(block_scale(ax, h.vv), av * k[4], block_outer(1, t.nv, t.nv));
        Pair g = {t.w.v, t.w.u};
        six_add_outer(&h, av * k[5], g);
        triangle_blocks(&map, -area[e], &h, m);
      }
      element_scatter_all(3, e, row_begin, row_end, vertices, slots, wants, force, kx_v, m, f, kxv, a);
    }
  }
}

KERNEL stretch_baraff_witkin_energies(int n, GLOBAL const int *vertices, GLOBAL const REAL *x,
                                      GLOBAL const REAL *shape, GLOBAL const REAL *area,
                                      GLOBAL const int *cloth, GLOBAL const REAL *values,
                                      GLOBAL REAL *energy) {
  FOR_ITEMS (e, n) {
    Vec3 pos[3];
    for (int i = 0; i < 3; i++) pos[i] = load3(x, vertices[3 * e + i]);
    TriangleMap map = triangle_map(shape, e);
    BwTriangle t = bw_measure(triangle_gradient(&map, pos));
    GLOBAL const REAL *k = values + BW_VALUES * cloth[e];
    energy[e] =
        0.5 * area[e] * (k[0] * (t.lu - 1) * (t.lu - 1) + k[1] * (t.lv - 1) * (t.lv - 1) + k[2] * t.c * t.c);
  }
}
