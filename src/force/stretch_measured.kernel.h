/* Measured anisotropic stretch of a triangle [Wang11; Tang16 sec. 2]; tables and semantics in
 * stretch_measured.c.
 *
 *   G = ((w_u, w_v)T (w_u, w_v) - I)/2,  S11 = k1 G11 + k2 G22,  S22 = k3 G22 + k2 G11,  S12 = k4 G12
 *
 * with the virtual work S11 dG11 + S22 dG22 + 2 S12 dG12 per area, so stresses S11 w_u + S12 w_v on w_u and
 * S22 w_v + S12 w_u on w_v.
 *
 * k = k(G) is read from a grid and held constant in the derivative. Then the Hessian has a material part,
 * quadratic in dG, and a geometric part S (x) I.
 *
 * PSD: [[k1, k2], [k2, k3]] and S, both 2x2, keep their positive eigenvalues.
 *
 * Damping: the material part (projected) times a factor, acting on the rate of G: rotations feel nothing.
 */
#include "force/triangle.kernel.h"

#define GRID_SIDE 30 /* samples along each of G11, G22, |G12| */
#define GRID_LOW (-0.25)
#define GRID_VALUES (GRID_SIDE * GRID_SIDE * GRID_SIDE * 4)

/* Cell and place in it along one axis of the grid, kept inside. */
INLINE int grid_cell(REAL at, REAL *part) {
  if (!(at > 0)) at = 0;
  if (at > GRID_SIDE - 1) at = GRID_SIDE - 1;
  int cell = (int)at;
  if (cell > GRID_SIDE - 2) cell = GRID_SIDE - 2;
  *part = at - cell;
  return cell;
}

/* Trilinear in the table of one material. */
INLINE void measured_moduli(GLOBAL const REAL *table, REAL g11, REAL g22, REAL g12, REAL *k) {
  REAL p, q, r;
  int i = grid_cell((g11 - GRID_LOW) * GRID_SIDE, &p), j = grid_cell((g22 - GRID_LOW) * GRID_SIDE, &q);
  int l = grid_cell(fabs(g12) * GRID_SIDE, &r);
  for (int m = 0; m < 4; m++) k[m] = 0;
  for (int di = 0; di < 2; di++) {
    for (int dj = 0; dj < 2; dj++) {
      GLOBAL const REAL *row = table + 4 * (((i + di) * GRID_SIDE + j + dj) * GRID_SIDE + l);
      REAL weight = (di ? p : 1 - p) * (dj ? q : 1 - q);
      for (int m = 0; m < 4; m++) k[m] += weight * ((1 - r) * row[m] + r * row[4 + m]);
    }
  }
}

typedef struct MeasuredTriangle {
  Pair w;
  REAL g11, g22, g12; /* Green strain */
  REAL k[4];
} MeasuredTriangle;

INLINE MeasuredTriangle measured_triangle(Pair w, GLOBAL const REAL *table) {
  MeasuredTriangle t;
  t.w = w;
  t.g11 = 0.5 * (v3_dot(w.u, w.u) - 1);
  t.g22 = 0.5 * (v3_dot(w.v, w.v) - 1);
  t.g12 = 0.5 * v3_dot(w.u, w.v);
  measured_moduli(table, t.g11, t.g22, t.g12, t.k);
  return t;
}

/* Stress on (w_u, w_v) for (S11, S12, S22). */
INLINE Pair measured_pull(Pair w, Sym2 s) {
  Pair p;
  p.u = v3_axpy(v3_scale(s.a, w.u), s.b, w.v);
  p.v = v3_axpy(v3_scale(s.c, w.v), s.b, w.u);
  return p;
}

/* h = material part: dGT [[k1, k2], [k2, k3]] dG + 2 k4 dG12 dG12T. */
INLINE void measured_material(Six *h, Pair w, Sym2 c, REAL k4) {
  h->uu = block_axpy(block_outer(c.a, w.u, w.u), 0.5 * k4, block_outer(1, w.v, w.v));
  h->uv = block_axpy(block_outer(c.b, w.u, w.v), 0.5 * k4, block_outer(1, w.v, w.u));
  h->vu = block_axpy(block_outer(c.b, w.v, w.u), 0.5 * k4, block_outer(1, w.u, w.v));
  h->vv = block_axpy(block_outer(c.c, w.v, w.v), 0.5 * k4, block_outer(1, w.u, w.u));
}

INLINE void measured_add_geometric(Six *h, Sym2 s) {
  h->uu = block_axpy(h->uu, 1, block_identity(s.a));
  h->uv = block_axpy(h->uv, 1, block_identity(s.b));
  h->vu = block_axpy(h->vu, 1, block_identity(s.b));
  h->vv = block_axpy(h->vv, 1, block_identity(s.c));
}

KERNEL stretch_measured_add(ELEMENT_PARAMETERS, GLOBAL const REAL *shape, GLOBAL const REAL *area,
                            GLOBAL const int *table_of, GLOBAL const REAL *damping,
                            GLOBAL const REAL *tables) {
  FOR_CHUNKS (chunk, chunk_count) {
    int row_begin = chunk * chunk_rows, row_end = row_begin + chunk_rows;
    for (int at = chunk_start[chunk]; at < chunk_start[chunk + 1]; at++) {
      int e = chunk_element[at];
      element_ahead(3, e, slots, wants, a);
      Vec3 pos[3], vel[3], force[3], kx_v[3];
      Block m[9];
      for (int i = 0; i < 3; i++) {
        pos[i] = load3(x, vertices[3 * e + i]);
        vel[i] = load3(v, vertices[3 * e + i]);
      }
      TriangleMap map = triangle_map(shape, e);
      MeasuredTriangle t =
          measured_triangle(triangle_gradient(&map, pos), tables + (long)GRID_VALUES * table_of[e]);
      Pair rate = triangle_gradient(&map, vel);
      REAL d = damping[e];
      Sym2 moduli = {t.k[0], t.k[1], t.k[2]}, kept = sym2_positive_part(moduli);
      REAL r11 = v3_dot(t.w.u, rate.u), r22 = v3_dot(t.w.v, rate.v);
      REAL r12 = 0.5 * (v3_dot(t.w.u, rate.v) + v3_dot(t.w.v, rate.u));
      Sym2 elastic = {t.k[0] * t.g11 + t.k[1] * t.g22, t.k[3] * t.g12, t.k[2] * t.g22 + t.k[1] * t.g11};
      Sym2 stress = {elastic.a + d * (kept.a * r11 + kept.b * r22), elastic.b + d * t.k[3] * r12,
                     elastic.c + d * (kept.c * r22 + kept.b * r11)};
      triangle_spread(&map, -area[e], measured_pull(t.w, stress), force);
      if (wants & WANT_MATRIX) {
        int exact = wants & WANT_EXACT;
        Six h, viscous;
        measured_material(&h, t.w, exact ? moduli : kept, t.k[3]);
        measured_material(&viscous, t.w, kept, t.k[3]);
        Sym2 slight = {0, 0, 0};
        if (wants & WANT_TURN) {
          Sym2 turn = triangle_turn(&t.w, &rate, av);
          elastic.a = triangle_without(elastic.a, t.k[0] * turn.a + t.k[1] * turn.c);
          elastic.c = triangle_without(elastic.c, t.k[2] * turn.c + t.k[1] * turn.a);
          slight = triangle_slight(sym2_positive_part(elastic));
        }
        measured_add_geometric(&h, exact ? elastic : sym2_positive_part(elastic));
        Pair pull = six_apply(&h, rate);
        pull.u = v3_sub(pull.u, v3_axpy(v3_scale(slight.a, rate.u), slight.b, rate.v));
        pull.v = v3_sub(pull.v, v3_axpy(v3_scale(slight.b, rate.u), slight.c, rate.v));
        triangle_spread(&map, -area[e], pull, kx_v);
        h.uu = block_axpy(block_scale(ax, h.uu), av * d, viscous.uu);
        h.uv = block_axpy(block_scale(ax, h.uv), av * d, viscous.uv);
        h.vu = block_axpy(block_scale(ax, h.vu), av * d, viscous.vu);
        h.vv = block_axpy(block_scale(ax, h.vv), av * d, viscous.vv);
        triangle_blocks(&map, -area[e], &h, m);
      }
      element_scatter_all(3, e, row_begin, row_end, vertices, slots, wants, force, kx_v, m, f, kxv, a);
    }
  }
}

/* S : G / 2 at the present k: a measure, see stretch_measured.c. */
KERNEL stretch_measured_energies(int n, GLOBAL const int *vertices, GLOBAL const REAL *x,
                                 GLOBAL const REAL *shape, GLOBAL const REAL *area,
                                 GLOBAL const int *table_of, GLOBAL const REAL *tables, GLOBAL REAL *energy) {
  FOR_ITEMS (e, n) {
    Vec3 pos[3];
    for (int i = 0; i < 3; i++) pos[i] = load3(x, vertices[3 * e + i]);
    TriangleMap map = triangle_map(shape, e);
    MeasuredTriangle t =
        measured_triangle(triangle_gradient(&map, pos), tables + (long)GRID_VALUES * table_of[e]);
    energy[e] = 0.5 * area[e] *
                (t.k[0] * t.g11 * t.g11 + 2 * t.k[1] * t.g11 * t.g22 + t.k[2] * t.g22 * t.g22 +
                 2 * t.k[3] * t.g12 * t.g12);
  }
}
