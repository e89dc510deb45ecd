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

/* An obstacle definition whose arrays are our own copies; the model points to them. */
typedef struct WeftObstacleInput {
  WeftObstacleDef def; /* frame_count at least 1; its pointers are the caller's */
  char *name;
  int32_t *triangles;
  double *shapes, *frame_times;
  WeftMotion motion;
} WeftObstacleInput;

/* Checks the definition and copies it; faults of the mesh that are no reason to refuse go to the log. */
WeftResult weft_obstacle_input_create(WeftObstacleInput *input, const WeftObstacleDef *def, WeftLog log,
                                      WeftError *error);
void weft_obstacle_input_destroy(WeftObstacleInput *input);
WeftMotionKind weft_obstacle_input_kind(const WeftObstacleInput *input);

/* The obstacles stay where they are as long as the model is used. */
WeftResult weft_model_create(WeftModel *model, const WeftClothInput *inputs, int input_count,
                             const WeftObstacleInput *obstacles, int obstacle_count, WeftError *error);
void weft_model_destroy(WeftModel *model);

/* Parts of weft_model_create, in obstacle_model.c. */
WeftResult weft_model_add_obstacles(WeftModel *model, const WeftObstacleInput *inputs, int input_count,
                                    WeftError *error);
uint64_t weft_model_hash_obstacles(uint64_t hash, const WeftModel *model);

#endif
