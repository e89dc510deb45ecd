/* The fold angle of a hinge and its derivatives, and the force and matrix of an energy k/2 (angle - rest)^2.
 *
 * Vertices a, b, c, d: the edge from a to b, c opposite in the first triangle, d in the second. For each
 * triangle: height h, foot t (c = a + t l e + h m), unit vectors e along the edge, m in the plane towards the
 * apex, n the normal.
 *
 * Gradient [Bridson03]: n/h (x) W for each triangle, W = (-(1-t), -t, 1) on (a, b, apex).
 *
 * Hessian: the derivative of n/h (x) W. With D = (-1, 1, 0) and z_e, z_m, z_n the parts of displacements z:
 *
 *   zT H z = -2 [ (D z_n) ( (W z_e)/(h l) + (D z_m)/(2 l^2) ) + (W z_n) (W z_m)/h^2 ]
 *
 * This is each triangle's symmetric part; the skew parts, a turn about the edge, cancel between the two. (Own
 * derivation, checked against differences; [TamstorfGrinspun13] has another form.)
 *
 * PSD: the gradient's part k g gT alone [Wong14 eq. 3.28 without its second term]. The rest, k (angle - rest)
 * H, is kept with WANT_EXACT only.
 *
 * Rejected: adding the positive part of the rest. For each triangle it couples the normal with the plane by a
 * matrix of rank two, so its positive part is two outer products in closed form. But it takes 530 instead of
 * 259 ns a hinge, and projected Newton took more linear solves with it in every one of nine scenes (sheets of
 * 81 vertices pushed together, sheared, hung, clamped): 2 to 13 % more where bending is soft, 8 to 89 % where
 * it is stiff (B = 1e-3 N m).
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

/* The hinge of four vertices as it is now, and how far it is from rest. Zero when a triangle is degenerate.
 */
INLINE int hinge_load(GLOBAL const int *vertices, GLOBAL const REAL *x, REAL rest, Hinge *hinge, REAL *bend) {
  Vec3 pos[4];
  for (int i = 0; i < 4; i++) pos[i] = load3(x, vertices[i]);
  if (!hinge_measure(pos, hinge)) return 0;
  *bend = hinge_bend(hinge->angle, rest);
  return 1;
}

/* Angle beyond rest; zero for a degenerate hinge. */
INLINE REAL hinge_bend_now(GLOBAL const int *vertices, GLOBAL const REAL *x, REAL rest) {
  Hinge hinge;
  REAL bend = 0;
  return hinge_load(vertices, x, rest, &hinge, &bend) ? bend : 0;
}

/* In the triangle's plane towards the apex: the first triangle lies left of the edge, the second right of it.
 */
INLINE Vec3 hinge_inward(const Hinge *hinge, int s) {
  return s == 0 ? v3_cross(hinge->side[0].n, hinge->e) : v3_cross(hinge->e, hinge->side[1].n);
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

/* Force, K_x v and all blocks of ax K_x + av K_v, row by row, for the energy k/2 bend^2 and the damping -c
 * gradient (gradient . v) [Wong14 eq. 3.4, 3.8, 3.28, 3.29], k and c held constant. */
INLINE void hinge_forces(const Hinge *hinge, REAL bend, REAL k, REAL c, int wants, REAL ax, REAL av,
                         const Vec3 *vel, Vec3 *force, Vec3 *kx_v, Block *m) {
  REAL rate = 0;
  for (int i = 0; i < 4; i++) rate += v3_dot(hinge->gradient[i], vel[i]);
  for (int i = 0; i < 4; i++) force[i] = v3_scale(-(k * bend + c * rate), hinge->gradient[i]);
  if (!(wants & WANT_MATRIX)) return;
  for (int i = 0; i < 4; i++) {
    kx_v[i] = v3_scale(-k * rate, hinge->gradient[i]);
    for (int j = 0; j < 4; j++) {
      m[4 * i + j] = block_outer(-(ax * k + av * c), hinge->gradient[i], hinge->gradient[j]);
    }
  }
  if (!(wants & WANT_EXACT)) return;
  Mat3 rest[10];
  Vec3 rest_v[4];
  hinge_exact(hinge, k * bend, rest);
  element_apply(4, rest, vel, rest_v);
  for (int i = 0; i < 4; i++) {
    kx_v[i] = v3_add(kx_v[i], rest_v[i]);
    for (int j = 0; j < 4; j++) {
      Mat3 part = i <= j ? rest[UPPER(4, i, j)] : m3_transpose(rest[UPPER(4, j, i)]);
      m[4 * i + j] = block_axpy(m[4 * i + j], ax, block_wide(part));
    }
  }
}

#endif
