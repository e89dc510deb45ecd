/* The public side of scenes: load, parse, destroy, info. */
#include "scene/scene.h"
#include "base/memory.h"
#include "base/read_file.h"

#include <stdlib.h>

WeftResult weft_scene_parse(const char *text, size_t size, const char *name, const char *folder,
                            const char *const *overrides, int32_t override_count, WeftLog log,
                            WeftScene **scene, WeftError *error) {
  if (!scene)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_scene_parse: scene must not be NULL");
  *scene = NULL;
  if (!text || !name || !folder || override_count < 0 || (override_count && !overrides))
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "weft_scene_parse: text, name, folder and overrides must not be NULL");
  WeftScene *made;
  WeftResult result =
      weft_scene_define(text, size, name, folder, overrides, override_count, log, &made, error);
  if (result) return result;
  result = weft_scene_build(made, log, error);
  if (result)
    weft_scene_destroy(made);
  else
    *scene = made;
  return result;
}

WeftResult weft_scene_load(const char *path, const char *const *overrides, int32_t override_count,
                           WeftLog log, WeftScene **scene, WeftError *error) {
  if (!scene)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_scene_load: scene must not be NULL");
  *scene = NULL;
  if (!path) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_scene_load: path must not be NULL");
  char *text, *folder = weft_folder_of(path);
  if (!folder) return weft_fail_memory(error, path);
  size_t size;
  WeftResult result = weft_read_file(path, &text, &size, error);
  if (!result)
    result = weft_scene_parse(text, size, path, folder, overrides, override_count, log, scene, error);
  free(text);
  free(folder);
  return result;
}

void weft_scene_destroy(WeftScene *scene) {
  if (!scene) return;
  for (int32_t i = 0; i < scene->cloth_count; i++) {
    weft_shape_free(&scene->cloths[i].shape);
    weft_mesh_free(&scene->cloths[i].rest_mesh);
  }
  for (int32_t i = 0; i < scene->obstacle_count; i++) weft_shape_free(&scene->obstacles[i].shape);
  weft_blocks_free(&scene->blocks);
  weft_json_free(&scene->json);
  free(scene->folder);
  free(scene);
}

WeftSceneInfo weft_scene_info(const WeftScene *scene) {
  const WeftSceneOutput *output = &scene->output;
  WeftSceneInfo info = {
      .name = scene->name,
      .description = scene->description,
      .frames = scene->frames,
      .steps_per_frame = scene->steps_per_frame,
      .time_step = scene->time_step,
      .is_settle = scene->is_quasi_static,
      .settle_speed = scene->settle_speed,
      .frame_rate = scene->frame_rate,
      .writes_cache = output->cache,
      .cache_bits = output->cache_bits,
      .cache_velocities = output->cache_velocities,
      .writes_obj = output->obj,
      .writes_vertices = output->values[0],
      .writes_faces = output->values[1],
      .writes_hinges = output->values[2],
      .output_every = output->every,
      .picture_count = output->picture_count,
      .pictures = output->pictures,
      .picture_width = output->picture_size[0],
      .picture_height = output->picture_size[1],
      .picture_color = (WeftColorBy)output->picture_color,
      .has_camera = output->has_camera,
      .camera_fov = output->camera_fov,
  };
  for (int k = 0; k < 3; k++) {
    info.camera_from[k] = output->camera_from[k];
    info.camera_to[k] = output->camera_to[k];
  }
  return info;
}
