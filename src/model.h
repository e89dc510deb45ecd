/* The model: what the scene says. Made once from the definitions, read only afterwards.
 *
 * All cloths together, one numbering. Inside, vertices are ordered along a space-filling curve so that
 * neighbours in space are neighbours in memory; internal_of_user leads from the user's order (cloth after
 * cloth) to it. Triangles, edges and hinges keep the user's order and hold internal vertex numbers. */
#ifndef WEFT_MODEL_H
#define WEFT_MODEL_H

#include "motion.h"

#include <stdint.h>

typedef struct WeftForce WeftForce;

typedef struct WeftModelCloth {
  char name[WEFT_NAME_SIZE];
  char stretch[WEFT_NAME_SIZE], bend[WEFT_NAME_SIZE]; /* methods */
  WeftMaterial material;
  int first_vertex, vertex_count; /* in the user's order */
  int first_triangle, triangle_count;
  int first_edge, edge_count;
  int first_hinge, hinge_count;
  int first_link, link_count;
} WeftModelCloth;

/* Obstacles have a numbering of their own, from 0 on and in the user's order: whoever looks at cloth and
 * obstacles together puts obstacle vertex i behind the cloth's, at vertex_count + i. */
typedef struct WeftModelObstacle {
  char name[WEFT_NAME_SIZE];
  double friction_static, friction_kinetic; /* negative: the cloth's material's */
  double thickness;                         /* [m] */
  int first_vertex, vertex_count;
  int first_triangle, triangle_count;
  WeftMotionKind kind;
  /* These belong to the world's definitions. */
  WeftMotion motion;
  int frame_count;           /* 1 where it does not deform */
  const double *frame_times; /* frame_count [s] */
  const double *shapes;      /* frame_count x vertex_count x 3: where motion finds it [m] */
} WeftModelObstacle;

typedef struct WeftModel {
  int cloth_count;
  WeftModelCloth *cloths;

  int vertex_count;
  int32_t *internal_of_user; /* vertex_count */
  double *mass;              /* vertex_count, internal order [kg] > 0 */
  double *rest_x;            /* vertex_count x 3, internal order: the rest shape in space [m] */

  int triangle_count;
  int32_t *triangles;      /* triangle_count x 3 */
  int32_t *triangle_cloth; /* triangle_count */
  double *rest_uv;   /* triangle_count x 6: u0 v0 u1 v1 u2 v2 in the flat rest shape, u along the warp [m];
                        positively oriented */
  double *rest_area; /* triangle_count [m^2] > 0 */

  int edge_count;
  int32_t *edges;           /* edge_count x 2 */
  int32_t *edge_cloth;      /* edge_count */
  int32_t *edge_triangles;  /* edge_count x 2, second -1 on a border */
  double *edge_rest_length; /* edge_count [m]: mean over its triangles' rest_uv */
  double *edge_angle;       /* edge_count: angle between the edge and the warp in the rest shape, [0, pi) */

  int hinge_count; /* edges with exactly two triangles */
  int32_t *hinges; /* hinge_count x 4: a, b (the edge, in the first triangle's sense), c opposite in the first
                      triangle, d opposite in the second */
  int32_t *hinge_edge;       /* hinge_count: its edge */
  double *hinge_rest_angle;  /* hinge_count, signed: positive when c and d are bent towards the side the first
                                triangle's normal points to [rad] */
  double *hinge_rest_length; /* hinge_count, of the edge [m] */
  double *hinge_rest_area;   /* hinge_count, both triangles [m^2] */

  int link_count;
  WeftLink *links; /* a, b internal */

  int force_count;
  WeftForce **forces;

  int obstacle_count;
  WeftModelObstacle *obstacles;
  int obstacle_vertex_count, obstacle_triangle_count;
  int32_t *obstacle_triangles; /* obstacle_triangle_count x 3: obstacle vertices; any may be degenerate or a
                                  duplicate */
  int32_t *triangle_obstacle;  /* obstacle_triangle_count */

  int surface_count;
  int32_t *body_surface; /* cloths, then obstacles: bodies that are alike share one */
  double *surface_pairs; /* surface_count x surface_count x 3: contact distance [m], friction at rest and
                            sliding */

  uint64_t fingerprint; /* of all of the above: tells whether a saved state fits */
} WeftModel;

#endif
