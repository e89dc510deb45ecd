/* weft: an independent judge. Do meshes intersect, themselves or each other? Exact, without tolerance, and
 * without a line of the code that detects collisions in a step. docs/check.md says what counts.
 *
 *   WeftCheckMesh mesh = {"shirt", vertex_count, positions, triangle_count, triangles, false};
 *   WeftCheck check;
 *   weft_check_meshes(1, &mesh, NULL, &check, &error);
 *   if (check.total.hits) ...
 *   weft_check_free(&check);
 *
 * Every edge is held against every triangle with which it shares no vertex. Both are closed: touching counts.
 */
#ifndef WEFT_CHECK_H
#define WEFT_CHECK_H

#include <weft/weft.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A triangle mesh. Vertices of different meshes are different, also where they lie at the same place. */
typedef struct WeftCheckMesh {
  const char *name; /* for messages; NULL: its number */
  int32_t vertex_count;
  const double *positions; /* vertex_count x 3 [m] */
  int32_t triangle_count;
  const int32_t *triangles; /* triangle_count x 3 */
  bool is_obstacle;         /* obstacles are not held against each other, nor against themselves */
} WeftCheckMesh;

typedef enum WeftHitKind {
  WEFT_HIT_CROSSING, /* the inside of the edge passes through the inside of the triangle */
  WEFT_HIT_TOUCHING, /* a common point, but at an end of the edge, on a side of the triangle, or with a
                        triangle that is a segment or a point */
  WEFT_HIT_COPLANAR, /* the edge lies in the plane of the triangle and meets it */
} WeftHitKind;

/* An edge and a triangle with a common point. */
typedef struct WeftHit {
  int32_t edge_mesh, edge[2]; /* vertices of that mesh, the lower one first */
  int32_t triangle_mesh, triangle;
  WeftHitKind kind;
  double place[3]; /* a common point, up to rounding [m] */
} WeftHit;

typedef struct WeftCheckCounts {
  int64_t hits;                         /* edges against triangles */
  int64_t crossing, touching, coplanar; /* of these; their sum is hits */
  int64_t pairs;                        /* of triangles, one of which has an edge that hits the other */
  int64_t contours;                     /* pairs that hang together by their hits */
  double length;                        /* of all contours [m] */
} WeftCheckCounts;

/* Of one mesh with itself (a == b), or of two meshes (a < b). */
typedef struct WeftCheckPart {
  int32_t a, b;
  WeftCheckCounts counts;
} WeftCheckPart;

typedef struct WeftCheck {
  int64_t vertex_count, triangle_count, edge_count; /* of all meshes; each edge once */
  WeftCheckCounts total;
  int32_t part_count; /* parts with hits, by a, then b */
  WeftCheckPart *parts;
  int32_t listed_count; /* the first hits, by mesh and vertices of the edge, then by triangle */
  WeftHit *listed;
} WeftCheck;

/* All zero is fine. */
typedef struct WeftCheckOptions {
  int32_t threads; /* 0: as many as there are cores; results do not depend on it */
  int32_t list;    /* list at most so many hits */
} WeftCheckOptions;

/* Judges meshes together. options may be NULL. Coordinates that are not finite, or that are not 0 and not
 * between 1e-80 and 1e80 m in magnitude, are refused: all others are judged exactly. The result is freed with
 * weft_check_free; it is empty after a failure. */
WEFT_API WeftResult weft_check_meshes(int32_t mesh_count, const WeftCheckMesh *meshes,
                                      const WeftCheckOptions *options, WeftCheck *check, WeftError *error);
/* Judges a world as it is: mesh number i is cloth number i, obstacles are behind the cloths. The world's
 * report counts it. Threads are the world's. */
WEFT_API WeftResult weft_check_world(WeftWorld *world, const WeftCheckOptions *options, WeftCheck *check,
                                     WeftError *error);
/* NULL is fine. */
WEFT_API void weft_check_free(WeftCheck *check);

#ifdef __cplusplus
}
#endif
#endif
