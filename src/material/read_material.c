/* weft's own material format: an object whose keys are the fields of WeftMaterial, all optional. What is
 * absent comes from "base" (a fabric of the library), from "file", or from weft_default_material(). */
#include "base/memory.h"
#include "base/read_file.h"
#include "material/material.h"

#include <weft/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static WeftResult read_name(WeftReader *r, int32_t node, void *value) {
  const char *name;
  WeftResult result = weft_read_text(r, node, WEFT_NAME_SIZE - 1, &name);
  if (!result) snprintf(value, WEFT_NAME_SIZE, "%s", name);
  return result;
}

/* Texts for people, and base and file, which were followed before. */
static WeftResult read_note(WeftReader *r, int32_t node, void *value) {
  (void)value;
  const char *text;
  return weft_read_text(r, node, INFINITY, &text);
}

WeftResult weft_material_read_rows(WeftReader *r, int32_t node, int32_t rows, int32_t columns,
                                   WeftRange range, double *values) {
  char what[64];
  snprintf(what, sizeof what, "%d lists of %d numbers", rows, columns);
  const WeftJsonNode *n = weft_json_node(r->json, node);
  if (n->type != WEFT_JSON_LIST || n->count != rows) return weft_refuse(r, node, what);
  snprintf(what, sizeof what, "a list of %d numbers", columns);
  WeftResult result = WEFT_RESULT_OK;
  int32_t child = n->first;
  for (int32_t i = 0; i < rows && !result; i++, child = weft_json_node(r->json, child)->next)
    result = weft_read_numbers(r, child, columns, range, what, values + (size_t)i * (size_t)columns);
  return result;
}

/* Cross terms may be negative; the method clamps what it interpolates. */
static WeftResult read_measured_stretch(WeftReader *r, int32_t node, void *value) {
  WeftMaterial *material = value;
  material->has_measured_stretch = true;
  return weft_material_read_rows(r, node, 6, 4, (WeftRange)WEFT_ANY, &material->measured_stretch[0][0]);
}

static WeftResult read_measured_bend(WeftReader *r, int32_t node, void *value) {
  WeftMaterial *material = value;
  material->has_measured_bend = true;
  return weft_material_read_rows(r, node, 3, 5, (WeftRange)WEFT_FROM_ZERO, &material->measured_bend[0][0]);
}

#define NUMBER(field, limits) \
  { .key = #field, .type = WEFT_FIELD_NUMBER, .offset = offsetof(WeftMaterial, field), .range = limits }
#define NOTE(name) \
  { .key = name, .type = WEFT_FIELD_CUSTOM, .read = read_note }

static const WeftField fields[] = {
    {.key = "name", .type = WEFT_FIELD_CUSTOM, .offset = offsetof(WeftMaterial, name), .read = read_name},
    NOTE("description"),
    NOTE("source"),
    NOTE("base"),
    NOTE("file"),
    NUMBER(density, WEFT_ABOVE_ZERO),
    NUMBER(thickness, WEFT_FROM_ZERO),
    NUMBER(stretch_warp, WEFT_FROM_ZERO),
    NUMBER(stretch_weft, WEFT_FROM_ZERO),
    NUMBER(shear, WEFT_FROM_ZERO),
    NUMBER(bend_warp, WEFT_FROM_ZERO),
    NUMBER(bend_weft, WEFT_FROM_ZERO),
    NUMBER(stretch_damping, WEFT_FROM_ZERO),
    NUMBER(bend_damping, WEFT_FROM_ZERO),
    NUMBER(drag_normal, WEFT_FROM_ZERO),
    NUMBER(drag_tangential, WEFT_FROM_ZERO),
    NUMBER(friction_static, WEFT_FROM_ZERO),
    NUMBER(friction_kinetic, WEFT_FROM_ZERO),
    NUMBER(friction_self, WEFT_FROM_ZERO),
    NUMBER(adhesion, WEFT_FROM_ZERO),
    {.key = "measured_stretch", .type = WEFT_FIELD_CUSTOM, .read = read_measured_stretch},
    {.key = "measured_bend", .type = WEFT_FIELD_CUSTOM, .read = read_measured_bend},
};
const WeftTable weft_material_table = WEFT_TABLE("material", fields);

/* The fabric whose name this text is. */
static WeftResult find_fabric(WeftReader *r, int32_t node, WeftMaterial *material) {
  const char *name;
  WeftResult result = weft_read_text(r, node, INFINITY, &name);
  if (result) return result;
  const char *names[64];
  int32_t count = weft_material_library_count < 64 ? weft_material_library_count : 64;
  for (int32_t i = 0; i < count; i++) {
    names[i] = weft_material_library[i].name;
    if (!strcmp(name, names[i])) return weft_material_find(name, material, r->error);
  }
  return weft_refuse_name(r, node, "material", names, count);
}

/* A file that cannot be read is the fault of the place that names it. */
static WeftResult read_named_file(WeftReader *r, int32_t node, WeftMaterial *material) {
  const char *name;
  WeftResult result = weft_read_text(r, node, INFINITY, &name);
  if (result) return result;
  char *path = weft_join_path(r->folder, name);
  if (!path) return weft_fail_memory(r->error, name);
  WeftError inner;
  result = weft_material_read(path, material, &inner);
  free(path);
  if (result) weft_json_fail(r->json, node, r->error, result, "%.500s", inner.message);
  return result;
}

static WeftResult read_keys(WeftReader *r, int32_t node, bool may_name_file, WeftMaterial *material) {
  if (weft_json_type(r->json, node) != WEFT_JSON_OBJECT)

    return weft_refuse(r, node, may_name_file ? "a material's name or an object" : "an object");
  int32_t base = weft_json_member(r->json, node, "base", 4),
          file = weft_json_member(r->json, node, "file", 4);
  if (file >= 0 && !may_name_file)
    return weft_json_fail_key(r->json, file, r->error, WEFT_RESULT_INVALID_DATA,
                              "a material file cannot name another file; use base");
  if (file >= 0 && base >= 0)
    return weft_json_fail_key(r->json, file, r->error, WEFT_RESULT_INVALID_DATA,
                              "expected base or file, got both");
  WeftResult result = base >= 0   ? find_fabric(r, base, material)
                      : file >= 0 ? read_named_file(r, file, material)
                                  : WEFT_RESULT_OK;
  return result ? result : weft_read_object(r, node, &weft_material_table, material);
}

WeftResult weft_material_read_node(WeftReader *r, int32_t node, WeftMaterial *material) {
  WeftMaterial read = weft_default_material();
  WeftResult result = weft_json_type(r->json, node) == WEFT_JSON_TEXT ? find_fabric(r, node, &read)
                                                                      : read_keys(r, node, true, &read);
  if (!result) *material = read;
  return result;
}

/* "cotton" of "materials/cotton.json". */
static void set_name_from_file(WeftMaterial *material, const char *name) {
  const char *slash = strrchr(name, '/');
  const char *start = slash ? slash + 1 : name;
  const char *dot = strrchr(start, '.');
  int length = dot && dot > start ? (int)(dot - start) : (int)strlen(start);
  snprintf(material->name, sizeof material->name, "%.*s", length, start);
}

WeftResult weft_material_parse(const char *text, size_t size, const char *name, WeftMaterial *material,
                               WeftError *error) {
  WeftJson json;
  WeftResult result = weft_json_parse(&json, text, size, name, WEFT_JSON_COMMENTS, error);
  if (result) return result;
  WeftBlocks blocks = {0};
  WeftReader reader = {.json = &json, .folder = "", .blocks = &blocks, .error = error};
  WeftMaterial read = weft_default_material();
  set_name_from_file(&read, name);
  result = weft_material_is_arcsim(&json) ? weft_material_read_arcsim(&reader, &read)
                                          : read_keys(&reader, json.root, false, &read);
  if (!result) *material = read;
  weft_blocks_free(&blocks);
  weft_json_free(&json);
  return result;
}

WeftResult weft_material_read(const char *path, WeftMaterial *material, WeftError *error) {
  if (!path || !material)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "weft_material_read: path and material must not be NULL");
  char *text;
  size_t size;
  WeftResult result = weft_read_file(path, &text, &size, error);
  if (result) return result;
  result = weft_material_parse(text, size, path, material, error);
  free(text);
  return result;
}
