/* The features of two triangles that meet, as bits: 0-2 the first's corners with the second's face, 3-5 the
 * second's corners with the first's face, 6 + 3 i + j the first's edge i with the second's edge j. */
#include "detect/slab.kernel.h"

#define CANDIDATE_VERTEX_FACE 63
#define CANDIDATE_EDGE_EDGE SLAB_EDGES

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

/* Owned corners of triangle a whose boxes meet that of the face of b, as three bits. */
INLINE int candidate_corners(int a, int b, GLOBAL const int *triangles, GLOBAL const int *owned,
                             GLOBAL const float *vertex_box, Box face) {
  int bits = 0, own = owned[a] & 7;
  for (int k = 0; own >> k; k++) {
    if (!((own >> k) & 1)) continue;
    int v = triangles[3 * a + k];
    if (v == triangles[3 * b] || v == triangles[3 * b + 1] || v == triangles[3 * b + 2]) continue;
    bits |= box_overlaps(load_box(vertex_box, v), face) << k;
  }
  return bits;
}

/* Owned edges of both whose boxes meet, as nine bits. */
INLINE int candidate_edges(int a, int b, GLOBAL const int *edges, GLOBAL const int *triangle_edges,
                           GLOBAL const int *owned, GLOBAL const float *edge_box, Box other) {
  int bits = 0, own_a = owned[a] >> 3, own_b = owned[b] >> 3;
  for (int i = 0; own_b && own_a >> i; i++) {
    if (!((own_a >> i) & 1)) continue;
    int e = triangle_edges[3 * a + i];
    Box mine = load_box(edge_box, e);
    if (!box_overlaps(mine, other)) continue;
    int p = edges[2 * e], q = edges[2 * e + 1];
    for (int j = 0; own_b >> j; j++) {
      if (!((own_b >> j) & 1)) continue;
      int f = triangle_edges[3 * b + j], r = edges[2 * f], s = edges[2 * f + 1];
      if (p == r || p == s || q == r || q == s) continue;
      bits |= box_overlaps(mine, load_box(edge_box, f)) << (3 * i + j);
    }
  }
  return bits;
}

/* Which of these pairs of a corner and a face meet, in double. */
INLINE int candidate_wide_corners(int a, int b, int bits, GLOBAL const int *triangles, GLOBAL const REAL *x0,
                                  GLOBAL const REAL *x1, REAL radius) {
  if (!bits) return 0;
  WideBox face =
      wide_join(wide_join(wide_box(x0, x1, triangles[3 * b]), wide_box(x0, x1, triangles[3 * b + 1])),
                wide_box(x0, x1, triangles[3 * b + 2]));
  for (int k = 0; k < 3; k++) {
    if ((bits >> k) & 1 && !wide_overlaps(wide_box(x0, x1, triangles[3 * a + k]), face, radius))
      bits &= ~(1 << k);
  }
  return bits;
}

INLINE WideBox wide_edge(int e, GLOBAL const int *edges, GLOBAL const REAL *x0, GLOBAL const REAL *x1) {
  return wide_join(wide_box(x0, x1, edges[2 * e]), wide_box(x0, x1, edges[2 * e + 1]));
}

/* Which of these pairs of edges do. */
INLINE int candidate_wide_edges(int a, int b, int bits, GLOBAL const int *edges,
                                GLOBAL const int *triangle_edges, GLOBAL const REAL *x0,
                                GLOBAL const REAL *x1, REAL radius) {
  for (int i = 0; bits >> 3 * i; i++) {
    if (!(bits >> 3 * i & 7)) continue;
    WideBox mine = wide_edge(triangle_edges[3 * a + i], edges, x0, x1);
    for (int j = 0; j < 3; j++) {
      int bit = 1 << (3 * i + j);
      if (bits & bit && !wide_overlaps(mine, wide_edge(triangle_edges[3 * b + j], edges, x0, x1), radius))
        bits &= ~bit;
    }
  }
  return bits;
}

/* Which of these pairs of a corner and a face do not stay apart along the line between their middles. */
INLINE int candidate_near_corners(int a, int b, int bits, GLOBAL const int *triangles, GLOBAL const REAL *x0,
                                  GLOBAL const REAL *x1, REAL limit, REAL far) {
  Vec3 face[6], corner[2];
  for (int k = 0; k < 3 && bits; k++) {
    face[k] = load3(x0, triangles[3 * b + k]);
    face[3 + k] = load3(x1, triangles[3 * b + k]);
  }
  for (int k = 0; bits >> k; k++) {
    if (!((bits >> k) & 1)) continue;
    corner[0] = load3(x0, triangles[3 * a + k]);
    corner[1] = load3(x1, triangles[3 * a + k]);
    if (slab_is_apart(corner, 1, face, 3, limit, far)) bits &= ~(1 << k);
  }
  return bits;
}

INLINE void candidate_load_edge(int e, GLOBAL const int *edges, GLOBAL const REAL *x0, GLOBAL const REAL *x1,
                                Vec3 *out) {
  for (int k = 0; k < 2; k++) {
    out[k] = load3(x0, edges[2 * e + k]);
    out[2 + k] = load3(x1, edges[2 * e + k]);
  }
}

/* The same for pairs of edges. */
INLINE int candidate_near_edges(int a, int b, int bits, GLOBAL const int *edges,
                                GLOBAL const int *triangle_edges, GLOBAL const REAL *x0,
                                GLOBAL const REAL *x1, REAL limit, REAL far) {
  Vec3 mine[4], other[4];
  for (int i = 0; bits >> 3 * i; i++) {
    if (!(bits >> 3 * i & 7)) continue;
    candidate_load_edge(triangle_edges[3 * a + i], edges, x0, x1, mine);
    for (int j = 0; j < 3; j++) {
      int bit = 1 << (3 * i + j);
      if (!(bits & bit)) continue;
      candidate_load_edge(triangle_edges[3 * b + j], edges, x0, x1, other);
      if (slab_is_apart(mine, 2, other, 2, limit, far)) bits &= ~bit;
    }
  }
  return bits;
}

/* prunes: what only the boxes hold together is left out. Most pairs are neighbours in one cloth: the line
 * between their middles tells most of them apart, which no plane of a triangle can, since they lie in one.
 * Then come planes, and boxes of features, in single precision; last the line between the middles of two
 * features. */
KERNEL candidates_mark(int pair_count, int prunes, GLOBAL const float *plane, GLOBAL const float *begin,
                       GLOBAL const float *end, GLOBAL const float *corner, GLOBAL const int *a,
                       GLOBAL const int *b, GLOBAL const int *triangles, GLOBAL const int *edges,
                       GLOBAL const int *triangle_edges, GLOBAL const int *owned,
                       GLOBAL const float *vertex_box, GLOBAL const float *edge_box,
                       GLOBAL const float *triangle_box, GLOBAL const REAL *x0, GLOBAL const REAL *x1,
                       REAL radius, GLOBAL int *mask) {
  FOR_ITEMS (i, pair_count) {
    int p = a[i], q = b[i], among = SLAB_ALL, bits = 0;
    float far = prunes ? plane[SLAB_VALUES * p + 6] + plane[SLAB_VALUES * q + 6] : 0;
    float limit = slab_limit(2 * radius, far);
    if (prunes) among = slab_neighbours(p, q, triangles, corner, limit);
    if (among && prunes) among &= slab_leaves(p, q, plane, begin, end, corner, limit);
    if (among & CANDIDATE_VERTEX_FACE) {
      bits = candidate_corners(p, q, triangles, owned, vertex_box, load_box(triangle_box, q));
      bits |= candidate_corners(q, p, triangles, owned, vertex_box, load_box(triangle_box, p)) << 3;
    }
    if (among & CANDIDATE_EDGE_EDGE) {
      Box box_q = load_box(triangle_box, q);
      bits |= candidate_edges(p, q, edges, triangle_edges, owned, edge_box, box_q) << 6;
    }
    bits &= among;
    if (bits) {
      int left = candidate_wide_corners(p, q, bits & 7, triangles, x0, x1, radius);
      left |= candidate_wide_corners(q, p, bits >> 3 & 7, triangles, x0, x1, radius) << 3;
      bits = left | candidate_wide_edges(p, q, bits >> 6, edges, triangle_edges, x0, x1, radius) << 6;
    }
    if (bits && prunes) {
      int left = candidate_near_corners(p, q, bits & 7, triangles, x0, x1, 2 * radius, far);
      left |= candidate_near_corners(q, p, bits >> 3 & 7, triangles, x0, x1, 2 * radius, far) << 3;
      bits = left | candidate_near_edges(p, q, bits >> 6, edges, triangle_edges, x0, x1, 2 * radius, far)
                        << 6;
    }
    mask[i] = bits;
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
    int at = start[i], bits = mask[i] & CANDIDATE_VERTEX_FACE;
    for (int k = 0; bits >> k; k++) {
      if (!((bits >> k) & 1)) continue;
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
    int at = start[i], bits = mask[i] >> 6;
    for (int k = 0; bits >> k; k++) {
      if (!((bits >> k) & 1)) continue;
      int e = triangle_edges[3 * a[i] + k / 3], f = triangle_edges[3 * b[i] + k % 3];
      int first = e < f ? e : f, second = e < f ? f : e;
      candidate_write(features, vertices, at, first, second, edges[2 * first], edges[2 * first + 1],
                      edges[2 * second], edges[2 * second + 1]);
      at++;
    }
  }
}
