/* Stretch and shear of a triangle, with damping [BaraffWitkin98 sec. 4.2, 4.3, 4.5; Wong14
 * eq. 3.4-3.8, 3.28, 3.29].
 *
 *   E = A/2 [ k_u (|w_u| - 1)^2 + k_v (|w_v| - 1)^2 + k_s (w_u . w_v)^2 ]
 *
 * Differs: the energy is weighted by the rest area A; the sources' C = A (...) makes the stiffness depend on
 * the mesh. Damping is f = -A k_d dC/dx (dC/dx . v) for each of the three conditions C; its K_x part is left
 * out, not being symmetric.
 *
 * PSD, condition by condition. Stretch: k [n nT + (1 - 1/|w|)(I - n nT)], the second part only where |w| > 1;
 * this is the exact clamp. Shear: with c = w_u . w_v, g = (w_v, w_u) the matrix is g gT + c J, J = [[0, I],
 * [I, 0]]. In the coordinates p = (u + v)/sqrt 2, m = (u - v)/sqrt 2 and with s, d those of (w_u, w_v) it is
 *
 *   [ s sT + c I     -s dT     ]     c on (p, 0), p across s (twice); -c on (0, m), m across d (twice); and
 * on [  -d sT      d dT - c I   ]     (s, 0), (0, d) a 2x2 of trace T = |s|^2 + |d|^2 and determinant -3 c^2,
 *
 * so one of that pair is positive, (T + sqrt(T^2 + 12 c^2))/2. What is kept is exactly the positive
 * eigenvalues.
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

/* Stiffness across a stretched direction as a part of k. */
INLINE REAL bw_across(REAL length, int exact) {
  if (length > 1) return 1 - 1 / length;
  return exact && length > 0 ? 1 - 1 / length : 0;
}

/* h += k (g gT + c J), its positive part. */
INLINE void bw_add_shear(Six *h, const BwTriangle *t, REAL k) {
  Vec3 s = v3_scale(sqrt(0.5), v3_add(t->w.u, t->w.v)), d = v3_scale(sqrt(0.5), v3_sub(t->w.u, t->w.v));
  REAL ss = v3_dot(s, s), dd = v3_dot(d, d), c = t->c;
  REAL high = 0.5 * (ss + dd + sqrt((ss + dd) * (ss + dd) + 12 * c * c));
  /* the eigenvector is (along s, -along d); the larger of s and d is never divided by */
  REAL on_s, on_d;
  if (c >= 0) {
    on_s = high - dd + c;
    on_d = -ss;
  } else {
    on_s = -dd;
    on_d = high - ss - c;
  }
  REAL norm = on_s * on_s * ss + on_d * on_d * dd;
  if (!(norm > 0)) return;
  Pair q;
  q.u = v3_add(v3_scale(on_s, s), v3_scale(on_d, d));
  q.v = v3_sub(v3_scale(on_s, s), v3_scale(on_d, d));
  six_add_outer(h, 0.5 * k * high / norm, q);
  if (c == 0) return;
  REAL half_c = 0.5 * k * fabs(c);
  Mat3 across = c > 0 ? m3_axpy(m3_identity(half_c), -half_c / ss, m3_outer(1, s, s))
                      : m3_axpy(m3_identity(half_c), -half_c / dd, m3_outer(1, d, d));
  h->uu = m3_axpy(h->uu, 1, across);
  h->uv = m3_axpy(h->uv, c > 0 ? 1 : -1, across);
  h->vv = m3_axpy(h->vv, 1, across);
}

/* Hessian of the energy per area. */
INLINE Six bw_stiffness(const BwTriangle *t, const REAL *k, int exact) {
  REAL across_u = k[0] * bw_across(t->lu, exact), across_v = k[1] * bw_across(t->lv, exact);
  Six h;
  h.uu = m3_axpy(m3_identity(across_u), 1, m3_outer(k[0] - across_u, t->nu, t->nu));
  h.vv = m3_axpy(m3_identity(across_v), 1, m3_outer(k[1] - across_v, t->nv, t->nv));
  h.uv = m3_zero();
  if (exact) {
    Pair g;
    g.u = t->w.v;
    g.v = t->w.u;
    six_add_outer(&h, k[2], g);
    h.uv = m3_axpy(h.uv, 1, m3_identity(k[2] * t->c));
  } else {
    bw_add_shear(&h, t, k[2]);
  }
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
      Mat3 m[6];
      triangle_spread(&map, -area[e], bw_stress(&t, k, rate), force);
      if (wants & WANT_MATRIX) {
        Six h = bw_stiffness(&t, k, wants & WANT_EXACT);
        triangle_spread(&map, -area[e], six_apply(&h, rate), kx_v);
        h.uu = m3_axpy(m3_scale(ax, h.uu), av * k[3], m3_outer(1, t.nu, t.nu));
        h.uv = m3_scale(ax, h.uv);
        h.vv = m3_axpy(m3_scale(ax, h.vv), av * k[4], m3_outer(1, t.nv, t.nv));
        Pair g;
        g.u = t.w.v;
        g.v = t.w.u;
        six_add_outer(&h, av * k[5], g);
        triangle_blocks(&map, -area[e], &h, m);
      }
      element_scatter(3, row_begin, row_end, vertices + 3 * e, slots + 9 * e, wants, force, kx_v, m, f, kxv,
                      a);
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
