/* Contact distance and friction of every pair of surfaces: what follows from materials and obstacles, and
 * what was said of single pairs. */
#ifndef WEFT_FRICTION_PAIRS_H
#define WEFT_FRICTION_PAIRS_H

#include "model.h"

/* Names of fabrics or obstacles, and what counts between them [-]. */
typedef struct WeftFrictionPair {
  char a[WEFT_NAME_SIZE], b[WEFT_NAME_SIZE];
  double at_rest, sliding;
} WeftFrictionPair;

/* Fills body_surface, surface_count and surface_pairs of the model. */
WeftResult weft_model_set_friction(WeftModel *model, const WeftFrictionPair *pairs, int pair_count,
                                   WeftError *error);

#endif
