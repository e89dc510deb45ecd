#include "cli/run_record.h"

#include "base/json.h"
#include "base/json_write.h"
#include "base/memory.h"
#include "base/read_file.h"
#include "cli/files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From the root on, so that the folder can be looked at from anywhere. NULL when out of memory. */
static char *absolute(const char *path) {
  char here[4096];
  if (path[0] == '/' || !getcwd(here, sizeof here)) return strdup(path);
  return join_path(here, path);
}

static void write_record(WeftJsonWriter *json, const char *scene, const Texts *sets) {
  weft_json_begin_object(json);
  weft_json_write_key(json, "weft_version");
  weft_json_write_text(json, weft_version());
  weft_json_write_key(json, "scene");
  weft_json_write_text(json, scene);
  weft_json_write_key(json, "set");
  weft_json_begin_list(json);
  for (int i = 0; i < sets->count; i++) weft_json_write_text(json, sets->items[i]);
  weft_json_end_list(json);
  weft_json_end_object(json);
}

bool run_record_write(const char *folder, const char *scene, const Texts *sets) {
  WeftJsonWriter json = weft_json_writer(true);
  char *file = absolute(scene), *path = join_path(folder, "run.json"), *text = NULL;
  size_t size;
  WeftError error = {.message = "out of memory"};
  if (file && path) write_record(&json, file, sets);
  WeftResult result =
      file && path ? weft_json_finish(&json, &text, &size, &error) : WEFT_RESULT_OUT_OF_MEMORY;
  bool is_written =
      result == WEFT_RESULT_OK ? write_text(path, text) : fail("%s", error.message) == EXIT_FINE;
  weft_json_writer_free(&json);
  free(file);
  free(path);
  free(text);
  return is_written;
}

/* The texts of a record point into json. False when something is missing. */
static bool read_record(const WeftJson *json, const char **scene, Texts *sets) {
  if (weft_json_type(json, json->root) != WEFT_JSON_OBJECT) return false;
  int32_t file = weft_json_member(json, json->root, "scene", strlen("scene"));
  int32_t list = weft_json_member(json, json->root, "set", strlen("set"));
  if (file < 0 || weft_json_type(json, file) != WEFT_JSON_TEXT) return false;
  if (list < 0 || weft_json_type(json, list) != WEFT_JSON_LIST) return false;
  *scene = weft_json_text(json, file);
  sets->items = WEFT_NEW(const char *, weft_json_node(json, list)->count);
  if (!sets->items) return false;
  for (int32_t item = weft_json_node(json, list)->first; item >= 0; item = weft_json_node(json, item)->next) {
    if (weft_json_type(json, item) != WEFT_JSON_TEXT) return false;
    sets->items[sets->count++] = weft_json_text(json, item);
  }
  return true;
}

/* The scene a record names, and its world. */
static WeftResult load_scene(const WeftJson *json, WeftScene **scene, WeftWorld **world, WeftError *error) {
  const WeftLog quiet = {0};
  const char *file;
  Texts sets = {0};
  WeftResult result = WEFT_RESULT_INVALID_DATA;
  if (read_record(json, &file, &sets))
    result = weft_scene_load(file, sets.items, sets.count, quiet, scene, error);
  else
    snprintf(error->message, sizeof error->message, "run.json is not one that weft wrote");
  if (result == WEFT_RESULT_OK) result = weft_scene_create_world(*scene, 1, quiet, world, error);
  free(sets.items);
  return result;
}

/* NULL, or why not. */
static const char *load(const char *path, uint64_t run, WeftScene **scene, WeftWorld **world) {
  static WeftError error;
  char *bytes = NULL;
  size_t size;
  WeftJson json = {0};
  uint64_t fingerprint = 0;
  WeftResult result = weft_read_file(path, &bytes, &size, &error);
  if (result == WEFT_RESULT_OK) result = weft_json_parse(&json, bytes, size, path, WEFT_JSON_STRICT, &error);
  if (result == WEFT_RESULT_OK) result = load_scene(&json, scene, world, &error);
  if (result == WEFT_RESULT_OK) result = weft_world_fingerprint(*world, &fingerprint, &error);
  weft_json_free(&json);
  free(bytes);
  if (result != WEFT_RESULT_OK) return error.message;
  return fingerprint == run ? NULL : "the scene was changed after the run";
}

void run_record_load(const char *folder, uint64_t run, WeftScene **scene, WeftWorld **world,
                     const char **why) {
  *scene = NULL;
  *world = NULL;
  char *path = join_path(folder, "run.json");
  *why = path ? load(path, run, scene, world) : "out of memory";
  free(path);
  if (!*why) return;
  weft_world_destroy(*world);
  weft_scene_destroy(*scene);
  *world = NULL;
  *scene = NULL;
}
