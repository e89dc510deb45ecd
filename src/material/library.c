/* The named fabrics. Their files are parsed anew at every look-up: a fraction of a millisecond, and nothing
 * to keep. */
#include "base/error.h"
#include "material/material.h"

#include <weft/scene.h>

#include <string.h>

int32_t weft_material_count(void) { return weft_material_library_count; }

const char *weft_material_name(int32_t index) {
  return index >= 0 && index < weft_material_library_count ? weft_material_library[index].name : "";
}

const char *weft_material_source(int32_t index) {
  return index >= 0 && index < weft_material_library_count ? weft_material_library[index].source : "";
}

WeftResult weft_material_find(const char *name, WeftMaterial *material, WeftError *error) {
  if (!name || !material)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "weft_material_find: name and material must not be NULL");
  const char *names[64];
  int32_t count = weft_material_library_count < 64 ? weft_material_library_count : 64;
  for (int32_t i = 0; i < count; i++) {
    const WeftLibraryMaterial *entry = &weft_material_library[i];
    if (!strcmp(entry->name, name))
      return weft_material_parse(entry->json, entry->json_size, entry->name, material, error);
    names[i] = entry->name;
  }
  const char *nearest = weft_nearest_name(name, names, count);
  return nearest ? weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                             "unknown material \"%.60s\"; did you mean \"%s\"?", name, nearest)
                 : weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                             "unknown material \"%.60s\"; weft list materials shows what there is", name);
}
