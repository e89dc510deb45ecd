/* The fold angle of a hinge and its derivatives, and the force and matrix of an energy k/2 (angle - rest)^2.
 *
 * Vertices a, b, c, d: the edge from a to b, c opposite in the first triangle, d in the second. For each
 * triangle: height h, foot t (c = a + t l e + h m), unit vectors e along the edge, m in the plane towards the
 * apex, n the normal.
 *
 * Gradient: n/h (x) W for each triangle, W = (-(1-t), -t, 1) on (a, b, apex)       [Bridson03;
 * TamstorfGrinspun13]
 *
 * Hessian: the derivative of n/h (x) W, with D = (-1, 1, 0) and for displacements z their components along e,
 * m, n:
 *
 *   z' H z = -2 [ (D z_n) ( (W z_e)/(h l) + (D z_m)/(2 l^2) ) + (W z_n) (W z_m)/h^2 ]
 *
 * each triangle's symmetric part; the skew parts, a turn about the edge, cancel between the two. (Own
 * derivation; it agrees with [TamstorfGrinspun13] and is checked against differences.)
 *
 * PSD: (angle - rest) H is indefinite for each triangle and couples the normal with the plane only, [[0, B],
 * [BT, 0]] with B of rank 2. All D and W lie in the plane of triples that add up to zero, spanned by f1 =
 * (-1, 1, 0)/sqrt 2 and f2 = (-1/2, -1/2, 1)/sqrt 1.5; there B BT is a 2x2 matrix. With its eigenvectors p_i,
 * eigenvalues s_i^2 and q_i = BT p_i / s_i the positive part is sum_i s_i/2 (p_i + q_i)(p_i + q_i)T, and (p_i
 * - q_i) for -B. So the projected matrix is a sum of five outer products: one of the gradient, two for each
 * triangle.
 */
#ifndef WEFT_FORCE_HINGE_KERNEL_H
#define WEFT_FORCE_HINGE_KERNEL_H

#include "device/kernel_math.h"
#include "force/element.kernel.h"

/* Triangles flatter than this (height over longest side) have no direction worth the name: no force. */
#define HINGE_SLIVER 1e-6

typedef struct HingeSide {
  Vec3 n; /* unit normal */
  REAL h; /* height of the apex over the edge [m] */
  REAL t; /* foot of the apex, a part of the edge */
} HingeSide;

typedef struct Hinge {
  Vec3 e; /* unit, a to b */
  REAL l; /* length of the edge [m] */
  HingeSide side[2];
  REAL angle;       /* in (-pi, pi], positive when c and d are on the side of the first normal */
  Vec3 gradient[4]; /* of the angle [1/m] */
} Hinge;

/* apex: seen from a; normal: not yet of unit length. Zero for a sliver. */
INLINE int hinge_side(HingeSide *side, Vec3 e, REAL l, Vec3 apex, Vec3 normal) {
  REAL reach = v3_dot(apex, apex), twice_area = v3_length(normal);
  REAL longest = reach > l * l ? reach : l * l;
  if (!(twice_area > HINGE_SLIVER * longest)) return 0;
  side->n = v3_scale(1 / twice_area, normal);
  side->h = twice_area / l;
  side->t = v3_dot(apex, e) / l;
  return 1;
}

/* Zero when a triangle is degenerate: then nothing is filled in. */
INLINE int hinge_measure(const Vec3 *x, Hinge *hinge) {
  Vec3 edge = v3_sub(x[1], x[0]), c = v3_sub(x[2], x[0]), d = v3_sub(x[3], x[0]);
  REAL l = v3_length(edge);
  if (!(l > 0)) return 0;
  Vec3 e = v3_scale(1 / l, edge);
  Vec3 n1 = v3_cross(edge, c), n2 = v3_cross(d, edge);
  if (!hinge_side(&hinge->side[0], e, l, c, n1) || !hinge_side(&hinge->side[1], e, l, d, n2)) return 0;
  hinge->e = e;
  hinge->l = l;
  /* (n2 x n1) . e = l (n1 . d) */
  hinge->angle = arctangent2(l * v3_dot(n1, d), v3_dot(n1, n2));
  REAL t1 = hinge->side[0].t, t2 = hinge->side[1].t;
  Vec3 gc = v3_scale(1 / hinge->side[0].h, hinge->side[0].n),
       gd = v3_scale(1 / hinge->side[1].h, hinge->side[1].n);
  hinge->gradient[0] = v3_axpy(v3_scale(t1 - 1, gc), t2 - 1, gd);
  hinge->gradient[1] = v3_axpy(v3_scale(-t1, gc), -t2, gd);
  hinge->gradient[2] = gc;
  hinge->gradient[3] = gd;
  return 1;
}

/* How far the hinge is from rest, the short way round: a pleat pressed a little past half a turn is pushed
 * back, not thrown open through a whole one. */
INLINE REAL hinge_bend(REAL angle, REAL rest) {
  REAL bend = angle - rest;
  if (bend > KERNEL_PI) bend -= 2 * KERNEL_PI;
  if (bend <= -KERNEL_PI) bend += 2 * KERNEL_PI;
  return bend;
}

/* In the triangle's plane towards the apex: the first triangle lies left of the edge, the second right of it.
 */
INLINE Vec3 hinge_inward(const Hinge *hinge, int s) {
  return s == 0 ? v3_cross(hinge->side[0].n, hinge->e) : v3_cross(hinge->e, hinge->side[1].n);
}

/* m += weight q qT on the vertices a, b and apex (2 or 3). */
INLINE void hinge_add_outer(Mat3 *m, int apex, REAL weight, const Vec3 *q) {
  Vec3 wa = v3_scale(weight, q[0]), wb = v3_scale(weight, q[1]), wc = v3_scale(weight, q[2]);
  m[UPPER(4, 0, 0)] = m3_axpy(m[UPPER(4, 0, 0)], 1, m3_outer(1, wa, q[0]));
  m[UPPER(4, 0, 1)] = m3_axpy(m[UPPER(4, 0, 1)], 1, m3_outer(1, wa, q[1]));
  m[UPPER(4, 1, 1)] = m3_axpy(m[UPPER(4, 1, 1)], 1, m3_outer(1, wb, q[1]));
  m[UPPER(4, 0, apex)] = m3_axpy(m[UPPER(4, 0, apex)], 1, m3_outer(1, wa, q[2]));
  m[UPPER(4, 1, apex)] = m3_axpy(m[UPPER(4, 1, apex)], 1, m3_outer(1, wb, q[2]));
  m[UPPER(4, apex, apex)] = m3_axpy(m[UPPER(4, apex, apex)], 1, m3_outer(1, wc, q[2]));
}

/* Eigenvalues s^2 of B BT, larger first, and the unit eigenvector of the larger as (cosine, sine) over f1,
 * f2. */
INLINE void hinge_spectrum(REAL l, REAL h, REAL t, REAL *large, REAL *small, REAL *cosine, REAL *sine) {
  REAL skew = (1 - 2 * t) * sqrt(0.5);
  REAL ww = skew * skew + 1.5, ll = 1 / (l * l), hh = 1 / (h * h);
  /* inner products of the two in-plane vectors, W e/(h l) + D m/(2 l^2) and W m/h^2 */
  REAL g11 = ww * ll * hh + 0.5 * ll * ll, g12 = sqrt(0.5) * skew * ll * hh, g22 = ww * hh * hh;
  REAL s11 = 2 * g11 + sqrt(8.0) * skew * g12 + skew * skew * g22;
  REAL s12 = sqrt(3.0) * g12 + sqrt(1.5) * skew * g22;
  REAL s22 = 1.5 * g22;
  REAL gap = 0.5 * (s11 - s22), spread = sqrt(gap * gap + s12 * s12);
  *large = 0.5 * (s11 + s22) + spread;
  *small = 3 * (g11 * g22 - g12 * g12) / *large;
  REAL u = gap >= 0 ? gap + spread : s12, w = gap >= 0 ? s12 : spread - gap;
  REAL norm = sqrt(u * u + w * w);
  *cosine = norm > 0 ? u / norm : 1;
  *sine = norm > 0 ? w / norm : 0;
}

/* Adds the positive part of stiff H of one triangle to kx_v and m, both with the sign of K: f = -energy's
 * gradient. stiff = k (angle - rest), of either sign. */
INLINE void hinge_add_curved(const Hinge *hinge, int s, REAL stiff, REAL ax, const Vec3 *vel, Vec3 *kx_v,
                             Mat3 *m) {
  const HingeSide *side = &hinge->side[s];
  REAL l = hinge->l, h = side->h, t = side->t, value[2], cosine, sine;
  hinge_spectrum(l, h, t, &value[0], &value[1], &cosine, &sine);
  Vec3 inward = hinge_inward(hinge, s);
  REAL w[3] = {t - 1, -t, 1}, d[3] = {-1, 1, 0}, f1[3] = {-sqrt(0.5), sqrt(0.5), 0};
  REAL f2[3] = {-sqrt(1.0 / 6), -sqrt(1.0 / 6), sqrt(2.0 / 3)};
  int apex = 2 + s;
  for (int i = 0; i < 2; i++) {
    REAL p1 = i == 0 ? cosine : -sine, p2 = i == 0 ? sine : cosine;
    REAL size = sqrt(value[i] > 0 ? value[i] : 0);
    if (!(size > 0)) continue;
    /* q = p n -+ BT p / s; H carries a minus, so a positive bend takes the difference */
    REAL turn = stiff > 0 ? -1 / size : 1 / size;
    REAL on_d = turn * sqrt(2.0) * p1, on_w = turn * ((1 - 2 * t) * sqrt(0.5) * p1 + sqrt(1.5) * p2);
    Vec3 q[3];
    for (int j = 0; j < 3; j++) {
      Vec3 sum = v3_scale(p1 * f1[j] + p2 * f2[j], side->n);
      sum = v3_axpy(sum, on_d * w[j] / (h * l), hinge->e);
      q[j] = v3_axpy(sum, on_d * d[j] / (2 * l * l) + on_w * w[j] / (h * h), inward);
    }
    REAL weight = -0.5 * size * fabs(stiff);
    REAL rate = weight * (v3_dot(q[0], vel[0]) + v3_dot(q[1], vel[1]) + v3_dot(q[2], vel[apex]));
    kx_v[0] = v3_axpy(kx_v[0], rate, q[0]);
    kx_v[1] = v3_axpy(kx_v[1], rate, q[1]);
    kx_v[apex] = v3_axpy(kx_v[apex], rate, q[2]);
    hinge_add_outer(m, apex, ax * weight, q);
  }
}

/* m = -stiff H of both triangles, as it is. */
INLINE void hinge_exact(const Hinge *hinge, REAL stiff, Mat3 *m) {
  for (int i = 0; i < 10; i++) m[i] = m3_zero();
  for (int s = 0; s < 2; s++) {
    const HingeSide *side = &hinge->side[s];
    REAL l = hinge->l, h = side->h, w[3] = {side->t - 1, -side->t, 1}, d[3] = {-1, 1, 0};
    Vec3 inward = hinge_inward(hinge, s);
    int vertex[3] = {0, 1, 2 + s};
    for (int i = 0; i < 3; i++) {
      for (int j = i; j < 3; j++) {
        Vec3 qi = v3_axpy(v3_scale(w[i] / (h * l), hinge->e), d[i] / (2 * l * l), inward);
        Vec3 qj = v3_axpy(v3_scale(w[j] / (h * l), hinge->e), d[j] / (2 * l * l), inward);
        Vec3 to_j = v3_axpy(v3_scale(d[i], qj), w[i] * w[j] / (h * h), inward);
        Vec3 to_i = v3_axpy(v3_scale(d[j], qi), w[i] * w[j] / (h * h), inward);
        Mat3 block = m3_axpy(m3_outer(1, side->n, to_j), 1, m3_outer(1, to_i, side->n));
        int at = UPPER(4, vertex[i], vertex[j]);
        m[at] = m3_axpy(m[at], stiff, block);
      }
    }
  }
}

/* Force, K_x v and upper blocks of ax K_x + av K_v for the energy k/2 bend^2 and the damping -c gradient
 * (gradient . v) [Wong14 eq. 3.4, 3.8, 3.28, 3.29], k and c held constant. */
INLINE void hinge_forces(const Hinge *hinge, REAL bend, REAL k, REAL c, int wants, REAL ax, REAL av,
                         const Vec3 *vel, Vec3 *force, Vec3 *kx_v, Mat3 *m) {
  REAL rate = 0;
  for (int i = 0; i < 4; i++) rate += v3_dot(hinge->gradient[i], vel[i]);
  for (int i = 0; i < 4; i++) force[i] = v3_scale(-(k * bend + c * rate), hinge->gradient[i]);
  if (!(wants & WANT_MATRIX)) return;
  REAL both = -(ax * k + av * c);
  if (wants & WANT_EXACT) {
    hinge_exact(hinge, k * bend, m);
    element_apply(4, m, vel, kx_v);
    for (int i = 0; i < 10; i++) m[i] = m3_scale(ax, m[i]);
  } else {
    for (int i = 0; i < 10; i++) m[i] = m3_zero();
    for (int i = 0; i < 4; i++) kx_v[i] = vec3(0, 0, 0);
    for (int s = 0; s < 2; s++) hinge_add_curved(hinge, s, k * bend, ax, vel, kx_v, m);
  }
  for (int i = 0; i < 4; i++) {
    Vec3 scaled = v3_scale(both, hinge->gradient[i]);
    kx_v[i] = v3_axpy(kx_v[i], -k * rate, hinge->gradient[i]);
    for (int j = i; j < 4; j++) {
      m[UPPER(4, i, j)] = m3_axpy(m[UPPER(4, i, j)], 1, m3_outer(1, scaled, hinge->gradient[j]));
    }
  }
}

#endif
