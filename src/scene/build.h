/* Parts of weft_scene_build. */
#ifndef WEFT_SCENE_BUILD_H
#define WEFT_SCENE_BUILD_H

#include "scene/scene.h"

/* Fills shape and rest_mesh. */
WeftResult weft_scene_build_mesh(WeftReader *reader, WeftSceneCloth *cloth);

#endif
