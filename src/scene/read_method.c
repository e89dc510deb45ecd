/* Names of methods: what the registry holds, so that a new method is known to scenes the day it is
 * registered. */
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

WeftResult weft_scene_read_method(WeftReader *r, int32_t node, const char *family, const char **name) {
  const char *text, *names[64];
  int32_t count = 0;
  WeftResult result = weft_read_text(r, node, INFINITY, &text);
  if (result) return result;
  for (int32_t i = 0; i < weft_method_count(); i++) {
    WeftMethodInfo info = weft_method_info(i);
    if (strcmp(info.family, family)) continue;
    if (!strcmp(info.name, text)) {
      *name = info.name;
      return WEFT_RESULT_OK;
    }
    if (count < 64) names[count++] = info.name;
  }
  char kind[64];
  snprintf(kind, sizeof kind, "%s method", family);
  return weft_refuse_name(r, node, kind, names, count);
}

/* A sum of WEFT_AXIS_*: the names stand in the order of their bits. */
WeftResult weft_scene_read_axes(WeftReader *r, int32_t node, void *value) {
  static const char *const names[] = {"x", "y", "xy", "z", "xz", "yz", "xyz", NULL};
  int32_t index;
  WeftResult result = weft_read_choice(r, node, names, &index);
  if (!result) *(int32_t *)value = index + 1;
  return result;
}
