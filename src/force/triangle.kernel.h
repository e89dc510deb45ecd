/* What the triangle stretch forces share: from corners to the deformation gradient (w_u, w_v) and back.
 *
 *   w_u = sum a_i x_i,  w_v = sum b_i x_i,  a_0 = -a_1 - a_2,  b_0 = -b_1 - b_2     [Wong14 sec. 3.1.1]
 *
 * An energy A e(w_u, w_v) has the forces -A (a_i e_u + b_i e_v), and its 9x9 Hessian comes from the symmetric
 * 6x6 one of e by H_ij = A (a_i a_j uu + a_i b_j uv + b_i a_j uvT + b_i b_j vv). A 6x6 matrix that is
 * positive semi-definite stays so, therefore the methods project there.
 */
#ifndef WEFT_FORCE_TRIANGLE_KERNEL_H
#define WEFT_FORCE_TRIANGLE_KERNEL_H

#include "force/element.kernel.h"

typedef struct TriangleMap {
  REAL a[3], b[3]; /* [1/m] */
} TriangleMap;

/* A pair of vectors that belong to w_u and w_v. */
typedef struct Pair {
  Vec3 u, v;
} Pair;

/* Symmetric 6x6: vu is the transpose of uv, which is cheaper to make than to turn. */
typedef struct Six {
  Block uu, uv, vu, vv;
} Six;

/* Symmetric 2x2. */
typedef struct Sym2 {
  REAL a, b, c; /* [[a, b], [b, c]] */
} Sym2;

/* Its positive eigenvalues alone. */
INLINE Sym2 sym2_positive_part(Sym2 m) {
  REAL gap = 0.5 * (m.a - m.c), middle = 0.5 * (m.a + m.c);
  /* sqrt(gap^2 + b^2) without overflow: a crushed triangle's tension is -1/0 nearly */
  REAL most = fabs(gap) > fabs(m.b) ? fabs(gap) : fabs(m.b),
       least = fabs(gap) > fabs(m.b) ? fabs(m.b) : fabs(gap);
  REAL ratio = most > 0 ? least / most : 0;
  REAL spread = most * sqrt(1 + ratio * ratio), high = middle + spread;
  if (middle - spread >= 0) return m;
  Sym2 r = {0, 0, 0};
  if (!(high > 0)) return r;
  /* high times the projector on its eigenvector, (I + [[gap, b], [b, -gap]]/spread)/2; spread > 0 here */
  REAL s = 0.5 * high / spread;
  r.a = s * (spread + gap);
  r.b = s * m.b;
  r.c = s * (spread - gap);
  return r;
}

/* shape: a_1 a_2 b_1 b_2 per triangle. */
INLINE TriangleMap triangle_map(GLOBAL const REAL *shape, int e) {
  TriangleMap map;
  map.a[1] = shape[4 * e];
  map.a[2] = shape[4 * e + 1];
  map.b[1] = shape[4 * e + 2];
  map.b[2] = shape[4 * e + 3];
  map.a[0] = -map.a[1] - map.a[2];
  map.b[0] = -map.b[1] - map.b[2];
  return map;
}

/* (w_u, w_v) of positions, or their rates from velocities; differences first, so that far from the origin
 * nothing is lost and a translation gives exactly zero. */
INLINE Pair triangle_gradient(const TriangleMap *map, const Vec3 *x) {
  Vec3 d1 = v3_sub(x[1], x[0]), d2 = v3_sub(x[2], x[0]);
  Pair w;
  w.u = v3_axpy(v3_scale(map->a[1], d1), map->a[2], d2);
  w.v = v3_axpy(v3_scale(map->b[1], d1), map->b[2], d2);
  return w;
}

/* One linear solve a step goes straight on where cloth turns: by an angle a it gets longer by a^2/2. The
 * tension of that is gone after the next step, but its stiffness acts across and would hold the turn back
 * there: at 1/60 s the tails of the exam's knot unwound in every other step, by 0.9 rad/s at most, where they
 * should in a tenth of a second. So what the last way added to the lengths does not count as tension that
 * stiffens. It counts the more the faster the turn is, and all of it from this strain on, a turn by 0.1 rad:
 * else swinging sheets would gain energy at times (docs/validation.md). Rejected: the same extension in the
 * force of the step that makes it. It is predicted from velocities that the step changes: what turned in
 * every other step goes on to, and swinging silk at 1/60 s was stretched fivefold. */
#define TRIANGLE_TURN 0.005

/* The parts of |w_u| and |w_v| that the way h r to here added in second order and that do not count. */
INLINE Sym2 triangle_turn(const Pair *w, const Pair *r, REAL h) {
  REAL uu = v3_dot(w->u, w->u), vv = v3_dot(w->v, w->v), u = v3_dot(r->u, w->u), v = v3_dot(r->v, w->v);
  Sym2 turn = {0, 0, 0};
  if (uu > 0) turn.a = 0.5 * h * h * (v3_dot(r->u, r->u) - u * u / uu) / uu;
  if (vv > 0) turn.c = 0.5 * h * h * (v3_dot(r->v, r->v) - v * v / vv) / vv;
  REAL part = 1 - (turn.a > turn.c ? turn.a : turn.c) / TRIANGLE_TURN;
  turn.a *= part > 0 ? part : 0;
  turn.c *= part > 0 ? part : 0;
  return turn;
}

/* Tension without that of a turn: less, but no pressure. */
INLINE REAL triangle_without(REAL tension, REAL of_turn) {
  if (!(tension > 0)) return tension;
  return tension > of_turn ? tension - of_turn : 0;
}

/* Of tension (positive, or not negative at least) the part that the next velocity feels and the last one
 * does not. Tension holds back what turns about its direction and what turns about the other one: there the
 * smaller of both principal tensions. A linear solve does so even with what turns as a whole, and where one
 * tension is far smaller than the other, it is the trace of an earlier turn or of stress that varies from
 * triangle to triangle, of which the projection keeps what is positive: 0.01 N/m of it stop a ribbon of 12 mm
 * at 1/60 s. A ribbon under 0.5 N, twisted by half a turn, took two seconds to unwind, which it does in 0.25
 * s. So up to this part of the larger tension the smaller one brakes less than it steadies: the matrix has
 * all of it, K_x v in proportion. */
#define TRIANGLE_SLIGHT 0.1

INLINE Sym2 triangle_slight(Sym2 tension) {
  REAL gap = 0.5 * (tension.a - tension.c), middle = 0.5 * (tension.a + tension.c);
  REAL spread = sqrt(gap * gap + tension.b * tension.b), low = middle - spread, high = middle + spread;
  Sym2 part = {0, 0, 0};
  if (!(low > 0 && low < TRIANGLE_SLIGHT * high)) return part;
  /* times the projector on the eigenvector of low */
  REAL s = 0.5 * low * (1 - low / (TRIANGLE_SLIGHT * high)) / spread;
  part.a = s * (spread - gap);
  part.b = -s * tension.b;
  part.c = s * (spread + gap);
  return part;
}

/* out_i = scale (a_i p_u + b_i p_v); the three add up to zero. */
INLINE void triangle_spread(const TriangleMap *map, REAL scale, Pair p, Vec3 *out) {
  for (int i = 1; i < 3; i++) out[i] = v3_axpy(v3_scale(scale * map->a[i], p.u), scale * map->b[i], p.v);
  out[0] = v3_scale(-1, v3_add(out[1], out[2]));
}

INLINE Pair six_apply(const Six *h, Pair p) {
  Pair r;
  r.u = v3_add(block_apply(h->uu, p.u), block_apply(h->uv, p.v));
  r.v = v3_add(block_apply(h->vu, p.u), block_apply(h->vv, p.v));
  return r;
}
/* h += s q qT */
INLINE void six_add_outer(Six *h, REAL s, Pair q) {
  h->uu = block_axpy(h->uu, s, block_outer(1, q.u, q.u));
  h->uv = block_axpy(h->uv, s, block_outer(1, q.u, q.v));
  h->vu = block_axpy(h->vu, s, block_outer(1, q.v, q.u));
  h->vv = block_axpy(h->vv, s, block_outer(1, q.v, q.v));
}

/* scale (a_i a_j uu + a_i b_j uv + b_i a_j vu + b_i b_j vv) */
INLINE Block triangle_block(const TriangleMap *map, REAL scale, const Six *h, int i, int j) {
  Block sum = block_scale(scale * map->a[i] * map->a[j], h->uu);
  sum = block_axpy(sum, scale * map->a[i] * map->b[j], h->uv);
  sum = block_axpy(sum, scale * map->b[i] * map->a[j], h->vu);
  return block_axpy(sum, scale * map->b[i] * map->b[j], h->vv);
}

/* All blocks of scale x the 9x9 matrix of h, row by row. Rows and columns add up to zero: translation is left
 * alone. */
INLINE void triangle_blocks(const TriangleMap *map, REAL scale, const Six *h, Block *m) {
  for (int i = 1; i < 3; i++) {
    for (int j = 1; j < 3; j++) m[3 * i + j] = triangle_block(map, scale, h, i, j);
  }
  for (int i = 1; i < 3; i++) {
    m[i] = block_minus_sum(m[3 + i], m[6 + i]);
    m[3 * i] = block_minus_sum(m[3 * i + 1], m[3 * i + 2]);
  }
  m[0] = block_minus_sum(m[1], m[2]);
}

#endif
