/* Parts of weft_scene_build. */
#ifndef WEFT_SCENE_BUILD_H
#define WEFT_SCENE_BUILD_H

#include "scene/scene.h"

/* Fills shape and rest_mesh. */
WeftResult weft_scene_build_mesh(WeftReader *reader, WeftSceneCloth *cloth);
/* Moves the start positions, and keeps them unmoved as rest shape where there is no other: last of all,
 * because what boxes select, links and pivots are those of the mesh as it was given. */
WeftResult weft_scene_build_jitter(WeftReader *reader, WeftSceneCloth *cloth, int32_t index);
/* Fills shape, and what frames there are; frame_rate is the scene's. */
WeftResult weft_scene_build_obstacle(WeftReader *reader, WeftSceneObstacle *obstacle, double frame_rate);

/* A mesh from wherever it comes; only that of a cloth is judged and mended. */
WeftResult weft_scene_make_shape(WeftReader *reader, const WeftSceneMesh *from, bool is_cloth,
                                 WeftShape *shape);
/* Reads a file of the scene's folder; *faces tells sets of faces apart. */
WeftResult weft_scene_read_mesh_file(WeftReader *reader, int32_t node, const char *name, bool is_cloth,
                                     WeftMesh *mesh, uint64_t *faces);
/* Vertices x' = A x + t. */
WeftResult weft_scene_transform(WeftReader *reader, int32_t node, const double (*matrix)[4], WeftMesh *mesh);

#endif
