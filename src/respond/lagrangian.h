/* The problem of non-linear impact zones, and its solution for one zone. Zones have no vertex that moves in
 * common: they can be solved in any order, or at once. */
#ifndef WEFT_RESPOND_LAGRANGIAN_H
#define WEFT_RESPOND_LAGRANGIAN_H

#include "respond/incidence.h"
#include "respond/side.h"
#include "respond/zones.h"

typedef struct WeftLagrangian {
  const WeftImpacts *impacts;
  int row_count;
  WeftSide *sides;   /* row_count */
  int32_t *vertices; /* row_count x 4 */
  WeftIncidence incidence;
  WeftZones zones;
  const double *wanted; /* xhat */
  /* of vertices: iterate, gradient of f, direction; residual, search direction and product of CG;
   * preconditioner */
  double *x, *gradient, *direction, *residual, *search, *product, *weight;
  /* of rows: c, 1 / |grad C|, multipliers, max(lambda - mu c, 0), grad c, part of a product */
  double *c, *scale, *lambda, *push, *row, *row_product;
  int64_t *iterations; /* of each zone */
} WeftLagrangian;

/* Moves x of the zone's vertices, from wanted, to the nearest point that satisfies the zone's constraints;
 * lambda, which was 0, becomes their multipliers, and iterations the evaluations of f and products with its
 * Hessian. */
void weft_lagrangian_solve(WeftLagrangian *problem, int zone);

#endif
