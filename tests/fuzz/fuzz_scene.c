/* libFuzzer target: any bytes as a scene, in a folder without files. A line that begins with ! at the start
 * is taken as an override. Meshes are built only when they are small: a scene may ask for as much memory as
 * it likes. */
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_so) {
  if (!is_so) abort();
}

static double size_of(const WeftSceneMesh *mesh) {
  double rows = mesh->rows ? mesh->rows : 2 * mesh->height / mesh->width * mesh->columns + 2;
  double x = mesh->cells[0], y = mesh->cells[1], z = mesh->cells[2];
  if (mesh->source == WEFT_MESH_DISC) return 4.0 * mesh->rings * mesh->rings;
  if (mesh->source == WEFT_MESH_BOX) return 2 * (x * y + y * z + z * x);
  return mesh->columns * (rows + mesh->neck_rows + 2.0 * mesh->cap_rows);
}

static bool is_small(const WeftScene *scene) {
  double vertices = 0;
  for (int32_t i = 0; i < scene->cloth_count; i++) vertices += size_of(&scene->cloths[i].mesh);
  for (int32_t i = 0; i < scene->obstacle_count; i++)
    if (scene->obstacles[i].has_mesh) vertices += size_of(&scene->obstacles[i].mesh);
  return vertices < 4000;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char override[256] = "";
  const char *text = (const char *)data, *overrides[1] = {override};
  int32_t override_count = 0;
  const char *line_end = size && text[0] == '!' ? memchr(text, '\n', size) : NULL;
  if (line_end && (size_t)(line_end - text) < sizeof override) {
    memcpy(override, text + 1, (size_t)(line_end - text) - 1);
    override_count = 1;
    size -= (size_t)(line_end + 1 - text);
    text = line_end + 1;
  }
  WeftLog log = {0};
  WeftScene *scene = NULL;
  WeftError error = {0};
  WeftResult result = weft_scene_define(text, size, "fuzz.json", "no-such-folder", overrides, override_count,
                                        log, &scene, &error);
  check(result ? !scene && error.result == result && error.message[0] : scene != NULL);
  bool is_worth_building = !result && is_small(scene);
  weft_scene_destroy(scene);
  if (!is_worth_building) return 0;
  result = weft_scene_parse(text, size, "fuzz.json", "no-such-folder", overrides, override_count, log, &scene,
                            &error);
  check(result ? !scene && error.result == result && error.message[0] : scene != NULL);
  if (!result) check(weft_scene_info(scene).steps_per_frame >= 1);
  weft_scene_destroy(scene);
  return 0;
}
