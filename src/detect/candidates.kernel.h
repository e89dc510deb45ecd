/* The features of two triangles that meet, as bits: 0-2 the first's corners with the second's face, 3-5 the
 * second's corners with the first's face, 6 + 3 i + j the first's edge i with the second's edge j. */
#include "detect/box.kernel.h"

#define CANDIDATE_VERTEX_FACE 63
#define CANDIDATE_EDGE_EDGE (511 << 6)

INLINE REAL candidate_min(REAL a, REAL b) { return a < b ? a : b; }
INLINE REAL candidate_max(REAL a, REAL b) { return a > b ? a : b; }

typedef struct WideBox {
  Vec3 low, high;
} WideBox;

INLINE WideBox wide_box(GLOBAL const REAL *x0, GLOBAL const REAL *x1, int vertex) {
  Vec3 p = load3(x0, vertex), q = load3(x1, vertex);
  WideBox b;
  b.low = vec3(candidate_min(p.x, q.x), candidate_min(p.y, q.y), candidate_min(p.z, q.z));
  b.high = vec3(candidate_max(p.x, q.x), candidate_max(p.y, q.y), candidate_max(p.z, q.z));
  return b;
}

INLINE WideBox wide_join(WideBox a, WideBox b) {
  WideBox r;
  r.low =
      vec3(candidate_min(a.low.x, b.low.x), candidate_min(a.low.y, b.low.y), candidate_min(a.low.z, b.low.z));
  r.high = vec3(candidate_max(a.high.x, b.high.x), candidate_max(a.high.y, b.high.y),
                candidate_max(a.high.z, b.high.z));
  return r;
}

INLINE int wide_overlaps(WideBox a, WideBox b, REAL r) {
  return (a.low.x - r <= b.high.x + r) & (b.low.x - r <= a.high.x + r) & (a.low.y - r <= b.high.y + r) &
         (b.low.y - r <= a.high.y + r) & (a.low.z - r <= b.high.z + r) & (b.low.z - r <= a.high.z + r);
}

/* Owned corners of triangle a that meet the face of b, as three bits. */
INLINE int candidate_corners(int a, int b, GLOBAL const int *triangles, GLOBAL const int *owned,
                             GLOBAL const float *vertex_box, GLOBAL const float *triangle_box,
                             GLOBAL const REAL *x0, GLOBAL const REAL *x1, REAL radius) {
  int bits = 0, own = owned[a];
  if (!(own & 7)) return 0;
  Box face = load_box(triangle_box, b);
  int f0 = triangles[3 * b], f1 = triangles[3 * b + 1], f2 = triangles[3 * b + 2];
  for (int k = 0; k < 3; k++) {
    int v = triangles[3 * a + k];
    if (!((own >> k) & 1) || v == f0 || v == f1 || v == f2) continue;
    if (!box_overlaps(load_box(vertex_box, v), face)) continue;
    WideBox wide = wide_join(wide_join(wide_box(x0, x1, f0), wide_box(x0, x1, f1)), wide_box(x0, x1, f2));
    if (wide_overlaps(wide_box(x0, x1, v), wide, radius)) bits |= 1 << k;
  }
  return bits;
}

/* Owned edges of both that meet, as nine bits. */
INLINE int candidate_edges(int a, int b, GLOBAL const int *edges, GLOBAL const int *triangle_edges,
                           GLOBAL const int *owned, GLOBAL const float *edge_box,
                           GLOBAL const float *triangle_box, GLOBAL const REAL *x0, GLOBAL const REAL *x1,
                           REAL radius) {
  int bits = 0, own_a = owned[a] >> 3, own_b = owned[b] >> 3;
  if (!own_a || !own_b) return 0;
  Box other = load_box(triangle_box, b);
  for (int i = 0; i < 3; i++) {
    if (!((own_a >> i) & 1)) continue;
    int e = triangle_edges[3 * a + i];
    Box mine = load_box(edge_box, e);
    if (!box_overlaps(mine, other)) continue;
    int p = edges[2 * e], q = edges[2 * e + 1];
    for (int j = 0; j < 3; j++) {
      if (!((own_b >> j) & 1)) continue;
      int f = triangle_edges[3 * b + j];
      if (!box_overlaps(mine, load_box(edge_box, f))) continue;
      int r = edges[2 * f], s = edges[2 * f + 1];
      if (p == r || p == s || q == r || q == s) continue;
      if (wide_overlaps(wide_join(wide_box(x0, x1, p), wide_box(x0, x1, q)),
                        wide_join(wide_box(x0, x1, r), wide_box(x0, x1, s)), radius)) {
        bits |= 1 << (3 * i + j);
      }
    }
  }
  return bits;
}

/* More than rounding makes of a product with a difference of positions, as a part of the largest of both. */
#define CANDIDATE_ROUNDING 1e-13

/* Where the corners of two triangles begin and end, seen from one that goes with their mean motion: only how
 * they move against each other counts. */
typedef struct TwoTriangles {
  Vec3 at[4][3]; /* first and second at x0, first and second at x1 */
  REAL far;      /* the largest coordinate, of what they were computed from, too */
} TwoTriangles;

INLINE REAL candidate_far(REAL far, Vec3 v) {
  return candidate_max(candidate_max(far, fabs(v.x)), candidate_max(fabs(v.y), fabs(v.z)));
}

INLINE TwoTriangles candidate_both(int a, int b, GLOBAL const int *triangles, GLOBAL const REAL *x0,
                                   GLOBAL const REAL *x1) {
  TwoTriangles two;
  Vec3 from = load3(x0, triangles[3 * a]), mean = vec3(0, 0, 0);
  two.far = 0;
  for (int i = 0; i < 6; i++) {
    int v = triangles[3 * (i < 3 ? a : b) + i % 3];
    Vec3 begin = v3_sub(load3(x0, v), from), end = v3_sub(load3(x1, v), from);
    two.far = candidate_far(candidate_far(two.far, begin), end);
    two.at[i / 3][i % 3] = begin;
    two.at[2 + i / 3][i % 3] = end;
    mean = v3_axpy(mean, 1.0 / 6, v3_sub(end, begin));
  }
  for (int i = 0; i < 6; i++) two.at[2 + i / 3][i % 3] = v3_sub(two.at[2 + i / 3][i % 3], mean);
  return two;
}

/* Do they stay further apart than reach along n all the way? Most that do not are not so at x0. */
INLINE int candidate_is_apart(const TwoTriangles *two, Vec3 n, REAL reach) {
  REAL low[2], high[2];
  REAL limit = reach * v3_length(n) * (1 + CANDIDATE_ROUNDING) +
               CANDIDATE_ROUNDING * (fabs(n.x) + fabs(n.y) + fabs(n.z)) * two->far;
  for (int end = 0; end < 2; end++) {
    for (int t = 0; t < 2; t++) {
      const Vec3 *at = two->at[2 * end + t];
      REAL p = v3_dot(n, at[0]), q = v3_dot(n, at[1]), r = v3_dot(n, at[2]);
      REAL lowest = candidate_min(p, candidate_min(q, r)), highest = candidate_max(p, candidate_max(q, r));
      low[t] = end ? candidate_min(low[t], lowest) : lowest;
      high[t] = end ? candidate_max(high[t], highest) : highest;
    }
    if (!(candidate_max(low[1] - high[0], low[0] - high[1]) > limit)) return 0;
  }
  return 1;
}

INLINE int candidate_shares(int a, int b, GLOBAL const int *triangles) {
  int p = triangles[3 * b], q = triangles[3 * b + 1], r = triangles[3 * b + 2], shares = 0;
  for (int k = 0; k < 3; k++) {
    int v = triangles[3 * a + k];
    shares |= (v == p) | (v == q) | (v == r);
  }
  return shares;
}

/* Do both stay further apart than twice the radius along the normal that one has at x0, or along an axis?
 * Layers of cloth lie askew in their boxes, and what flies together sweeps over all that is ahead of it. */
INLINE int candidate_is_beside(int a, int b, GLOBAL const int *triangles, GLOBAL const REAL *x0,
                               GLOBAL const REAL *x1, REAL radius) {
  if (candidate_shares(a, b, triangles)) return 0;
  TwoTriangles two = candidate_both(a, b, triangles, x0, x1);
  for (int t = 0; t < 2; t++) {
    Vec3 n = v3_cross(v3_sub(two.at[t][1], two.at[t][0]), v3_sub(two.at[t][2], two.at[t][0]));
    if (candidate_is_apart(&two, n, 2 * radius)) return 1;
  }
  return candidate_is_apart(&two, vec3(1, 0, 0), 2 * radius) ||
         candidate_is_apart(&two, vec3(0, 1, 0), 2 * radius) ||
         candidate_is_apart(&two, vec3(0, 0, 1), 2 * radius);
}

/* prunes: what only the boxes of two triangles hold together is left out. */
KERNEL candidates_mark(int pair_count, int prunes, GLOBAL const int *a, GLOBAL const int *b,
                       GLOBAL const int *triangles, GLOBAL const int *edges, GLOBAL const int *triangle_edges,
                       GLOBAL const int *owned, GLOBAL const float *vertex_box, GLOBAL const float *edge_box,
                       GLOBAL const float *triangle_box, GLOBAL const REAL *x0, GLOBAL const REAL *x1,
                       REAL radius, GLOBAL int *mask) {
  FOR_ITEMS (i, pair_count) {
    int p = a[i], q = b[i];
    mask[i] = 0;
    if (!(prunes && candidate_is_beside(p, q, triangles, x0, x1, radius))) {
      mask[i] = candidate_corners(p, q, triangles, owned, vertex_box, triangle_box, x0, x1, radius) |
                candidate_corners(q, p, triangles, owned, vertex_box, triangle_box, x0, x1, radius) << 3 |
                candidate_edges(p, q, edges, triangle_edges, owned, edge_box, triangle_box, x0, x1, radius)
                    << 6;
    }
  }
}

/* How many bits of each mask are among those. */
KERNEL candidates_count(int pair_count, int among, GLOBAL const int *mask, GLOBAL int *count) {
  FOR_ITEMS (i, pair_count) {
    int bits = mask[i] & among, n = 0;
    for (; bits; bits &= bits - 1) n++;
    count[i] = n;
  }
}

INLINE void candidate_write(GLOBAL int *features, GLOBAL int *vertices, int at, int feature, int other,
                            int v0, int v1, int v2, int v3) {
  features[2 * at] = feature;
  features[2 * at + 1] = other;
  vertices[4 * at] = v0;
  vertices[4 * at + 1] = v1;
  vertices[4 * at + 2] = v2;
  vertices[4 * at + 3] = v3;
}

KERNEL candidates_write_vertex_face(int pair_count, GLOBAL const int *a, GLOBAL const int *b,
                                    GLOBAL const int *triangles, GLOBAL const int *mask,
                                    GLOBAL const int *start, GLOBAL int *features, GLOBAL int *vertices) {
  FOR_ITEMS (i, pair_count) {
    int at = start[i];
    for (int k = 0; k < 6; k++) {
      if (!((mask[i] >> k) & 1)) continue;
      int owner = k < 3 ? a[i] : b[i], face = k < 3 ? b[i] : a[i];
      int v = triangles[3 * owner + (k < 3 ? k : k - 3)];
      candidate_write(features, vertices, at, v, face, v, triangles[3 * face], triangles[3 * face + 1],
                      triangles[3 * face + 2]);
      at++;
    }
  }
}

/* The edge with the lower number first. */
KERNEL candidates_write_edge_edge(int pair_count, GLOBAL const int *a, GLOBAL const int *b,
                                  GLOBAL const int *edges, GLOBAL const int *triangle_edges,
                                  GLOBAL const int *mask, GLOBAL const int *start, GLOBAL int *features,
                                  GLOBAL int *vertices) {
  FOR_ITEMS (i, pair_count) {
    int at = start[i];
    for (int k = 0; k < 9; k++) {
      if (!((mask[i] >> (6 + k)) & 1)) continue;
      int e = triangle_edges[3 * a[i] + k / 3], f = triangle_edges[3 * b[i] + k % 3];
      int first = e < f ? e : f, second = e < f ? f : e;
      candidate_write(features, vertices, at, first, second, edges[2 * first], edges[2 * first + 1],
                      edges[2 * second], edges[2 * second + 1]);
      at++;
    }
  }
}
