/* From definitions to the model. */
#ifndef WEFT_MODEL_BUILD_H
#define WEFT_MODEL_BUILD_H

#include "base/error.h"
#include "model.h"

/* A cloth definition whose arrays are our own copies. */
typedef struct WeftClothInput {
  WeftClothDef def;
  char *name, *stretch, *bend;
  double *positions, *velocities, *rest_uv, *rest_positions, *warp_uv, *added_mass;
  int32_t *triangles;
  WeftLink *links;
} WeftClothInput;

/* Checks the definition (sizes, ranges, finite numbers, mesh) and copies it. */
WeftResult weft_cloth_input_create(WeftClothInput *input, const WeftClothDef *def, WeftError *error);
void weft_cloth_input_destroy(WeftClothInput *input);

WeftResult weft_model_create(WeftModel *model, const WeftClothInput *inputs, int input_count,
                             WeftError *error);
void weft_model_destroy(WeftModel *model);

#endif
