/* Scenes as texts, for tests. */
#ifndef WEFT_TESTS_SCENE_SCENE_TEXT_H
#define WEFT_TESTS_SCENE_SCENE_TEXT_H

#include "base/read_file.h"
#include "scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DISC "\"mesh\": {\"disc\": {\"radius\": 1, \"rings\": 3}}"
#define SHEET "\"mesh\": {\"rectangle\": {\"width\": 2, \"height\": 1, \"columns\": 4, \"rows\": 2}}"
#define NO_LOG ((WeftLog){0})

/* The path of a file of the source tree; static storage, until the next call. */
static inline const char *source_path(const char *name) {
  static char path[1024];
  const char *root = getenv("WEFT_SOURCE_DIR");
  snprintf(path, sizeof path, "%s/%s", root ? root : ".", name);
  return path;
}

static inline WeftResult define(const char *text, WeftScene **scene, WeftError *error) {
  return weft_scene_define(text, strlen(text), "scene.json", "no-such-folder", NULL, 0, NO_LOG, scene, error);
}

static inline WeftScene *define_good(const char *text) {
  WeftScene *scene;
  WeftError error = {0};
  if (define(text, &scene, &error)) fail_msg("%s", error.message);
  return scene;
}

/* Called for every case of a file like broken_scenes.txt:
 *   == name who        who: "schema" when the JSON Schema refuses it too, "weft" when only the reader can
 *   JSON, several lines
 *   -> the whole message
 */
typedef void CaseFn(const char *name, const char *json, size_t size, const char *message);

static inline int for_each_case(const char *file, CaseFn *fn) {
  char *text, *save = NULL, name[128] = "", json[4096] = "";
  size_t size, used = 0;
  WeftError error = {0};
  int count = 0;
  if (weft_read_file(source_path(file), &text, &size, &error)) fail_msg("%s", error.message);
  for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    if (!strncmp(line, "== ", 3)) {
      snprintf(name, sizeof name, "%s", line + 3);
      used = 0;
    } else if (!strncmp(line, "-> ", 3)) {
      fn(name, json, used, line + 3);
      count++;
    } else {
      int written = snprintf(json + used, sizeof json - used, "%s%s", used ? "\n" : "", line);
      assert_true(written > 0 && used + (size_t)written < sizeof json);
      used += (size_t)written;
    }
  }
  free(text);
  return count;
}

#endif
