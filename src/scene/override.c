/* --set path=value, on the tree and before it is checked: what an override says is refused as the file's own
 * words would be, with "--set path=value" where the line would stand.
 *
 * A path is keys and numbers: cloths.0.material.density or cloths[0].material.density. Objects that are not
 * there are made on the way, so that wind.velocity can be set in a scene without wind; a key that no scene
 * knows is then refused by the reader, with the nearest that it knows. A * stands for every item of a list:
 * cloths.*.material. A material that is only a name becomes
 * {"base": name} when a path leads into it. The value is JSON, or a text when it is none. */
#include "base/fields.h"
#include "base/memory.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Override {
  WeftJson *json;
  char *origin;     /* "--set path=value" */
  const char *path; /* ends at the = */
  size_t path_length;
  int32_t origin_index;
  WeftError *error;
} Override;

typedef struct Part {
  const char *text;
  size_t length;
  bool is_index, is_every;
  int32_t index;
} Part;

static WeftResult fail(const Override *o, const char *what) {
  return weft_fail(o->error, WEFT_RESULT_INVALID_ARGUMENT, "%s: %s", o->origin, what);
}

/* The next part of the path at *at, which moves behind it. */
static WeftResult next_part(const Override *o, size_t *at, Part *part) {
  const char *path = o->path;
  bool is_bracket = path[*at] == '[';
  if (is_bracket || (*at && path[*at] == '.')) ++*at;
  size_t start = *at;
  while (*at < o->path_length && !(is_bracket ? path[*at] == ']' : path[*at] == '.' || path[*at] == '['))
    ++*at;
  *part = (Part){.text = path + start, .length = *at - start};
  if (!part->length) return fail(o, "empty part in the path; expected keys and numbers like cloths.0.name");
  if (is_bracket && (*at >= o->path_length || path[(*at)++] != ']'))
    return fail(o, "[ without ] in the path");
  part->is_index = strspn(part->text, "0123456789") >= part->length && part->length < 10;
  if (part->is_index) part->index = (int32_t)strtol(part->text, NULL, 10);
  part->is_every = part->length == 1 && part->text[0] == '*';
  if (is_bracket && !part->is_index && !part->is_every) return fail(o, "expected a number or * in [ ]");
  if (*at < o->path_length && path[*at] != '.' && path[*at] != '[')
    return fail(o, "expected . or [ after ] in the path");
  return WEFT_RESULT_OK;
}

/* A new object in place of a material's name, with the name as its base; -1 when out of memory. */
static int32_t open_material(Override *o, int32_t node) {
  WeftJson *json = o->json;
  int32_t object = weft_json_new(json, WEFT_JSON_OBJECT, weft_json_node(json, node)->origin);
  if (object < 0) return -1;
  json->nodes[object].line = json->nodes[node].line;
  json->nodes[object].column = json->nodes[node].column;
  weft_json_replace(json, node, object);
  return weft_json_attach(json, object, node, "base", 4) ? object : -1;
}

static WeftResult refuse_step(const Override *o, int32_t node, const Part *part) {
  char path[256], got[128], what[512];
  weft_json_path(o->json, node, path, sizeof path);
  weft_json_describe(o->json, node, got, sizeof got);
  if (weft_json_type(o->json, node) == WEFT_JSON_LIST && !part->is_index)
    snprintf(what, sizeof what, "%s is %s; expected a number after it, got \"%.*s\"", path, got,
             (int)part->length, part->text);
  else if (weft_json_type(o->json, node) == WEFT_JSON_LIST)
    snprintf(what, sizeof what, "%s is %s; there is no item %d", path, got, part->index);
  else
    snprintf(what, sizeof what, "%s is %s; nothing can be set inside it", path[0] ? path : "the scene", got);
  return fail(o, what);
}

/* Down one part from *node; *next is -1 when an object has no such key yet. */
static WeftResult descend(Override *o, int32_t *node, const Part *part, int32_t *next) {
  WeftJson *json = o->json;
  if (weft_json_type(json, *node) == WEFT_JSON_TEXT && !strcmp(weft_json_key(json, *node), "material")) {
    *node = open_material(o, *node);
    if (*node < 0) return weft_fail_memory(o->error, o->origin);
  }
  if (weft_json_type(json, *node) == WEFT_JSON_OBJECT) {
    *next = weft_json_member(json, *node, part->text, part->length);
    return WEFT_RESULT_OK;
  }
  bool is_item = weft_json_type(json, *node) == WEFT_JSON_LIST && part->is_index;
  *next = is_item ? weft_json_item(json, *node, part->index) : -1;
  return *next >= 0 ? WEFT_RESULT_OK : refuse_step(o, *node, part);
}

/* JSON, or a text when it is none; what begins like an object, a list or a text in quotes has to be JSON. */
static WeftResult parse_value(Override *o, const char *text, int32_t *value) {
  WeftError inner;
  WeftResult result = weft_json_parse_more(o->json, text, strlen(text), o->origin, value, &inner);
  o->origin_index = (int32_t)o->json->origin_count - 1;
  if (result != WEFT_RESULT_PARSE || text[0] == '{' || text[0] == '[' || text[0] == '"') {
    if (result) weft_fail_message(o->error, result, "%s", inner.message);
    return result;
  }
  *value = weft_json_new(o->json, WEFT_JSON_TEXT, o->origin_index);
  if (*value < 0 || !weft_json_set_text(o->json, *value, text, strlen(text)))
    return weft_fail_memory(o->error, o->origin);
  return WEFT_RESULT_OK;
}

static WeftResult put_value(Override *o, const char *text, int32_t node, size_t at, int depth);

/* A value belongs to one place of the tree: it is read again for each. */
static WeftResult put_in_every(Override *o, const char *text, int32_t list, size_t at, int depth) {
  WeftJson *json = o->json;
  bool is_last = at >= o->path_length;
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t child = weft_json_node(json, list)->first; child >= 0 && !result;) {
    int32_t next = weft_json_node(json, child)->next, value = -1;
    if (is_last) {
      result = parse_value(o, text, &value);
      if (!result) weft_json_replace(json, child, value);
    } else {
      result = put_value(o, text, child, at, depth + 1);
    }
    child = next;
  }
  return result;
}

/* From a node on, with the rest of the path from at. */
static WeftResult put_value(Override *o, const char *text, int32_t node, size_t at, int depth) {
  WeftJson *json = o->json;
  for (;; depth++) {
    Part part;
    int32_t next = -1, value = -1;
    WeftResult result = next_part(o, &at, &part);
    if (!result && depth >= WEFT_JSON_MAX_DEPTH) result = fail(o, "path deeper than 64 levels");
    if (!result && part.is_every && weft_json_type(json, node) == WEFT_JSON_LIST)
      return put_in_every(o, text, node, at, depth);
    if (!result) result = descend(o, &node, &part, &next);
    bool is_last = at >= o->path_length;
    if (!result && is_last) result = parse_value(o, text, &value);
    if (result) return result;
    if (next < 0) {
      next = is_last ? value : weft_json_new(json, WEFT_JSON_OBJECT, o->origin_index);
      if (next < 0 || !weft_json_attach(json, node, next, part.text, part.length))
        return weft_fail_memory(o->error, o->origin);
    } else if (is_last) {
      weft_json_replace(json, next, value);
    }
    if (is_last) return WEFT_RESULT_OK;
    node = next;
  }
}

WeftResult weft_scene_override(WeftJson *json, const char *override, WeftError *error) {
  if (!override) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "an override must not be NULL");
  size_t size = strlen(override) + 7;
  char *origin = WEFT_NEW(char, size);
  if (!origin) return weft_fail_memory(error, override);
  snprintf(origin, size, "--set %s", override);
  Override o = {.json = json, .origin = origin, .path = override, .error = error};
  const char *equals = strchr(override, '=');
  WeftResult result = WEFT_RESULT_OK;
  int32_t value = -1;
  if (!equals || equals == override) {
    result = fail(&o, "expected path=value, for example cloths.0.material=silk");
  } else {
    o.path_length = (size_t)(equals - override);
    result = parse_value(&o, equals + 1, &value); /* what is wrong with it is told before the path */
    if (!result) result = put_value(&o, equals + 1, json->root, 0, 0);
  }
  free(origin);
  return result;
}
