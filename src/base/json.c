/* The tree of base/json.h: building, walking, and telling where a value stands. */
#include "base/json.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void weft_json_free(WeftJson *json) {
  for (size_t i = 0; i < json->origin_count; i++) free(json->origins[i]);
  free(json->origins);
  free(json->nodes);
  free(json->texts);
  free(json->name);
  memset(json, 0, sizeof *json);
  json->root = -1;
}

int32_t weft_json_new(WeftJson *json, WeftJsonType type, int32_t origin) {
  if (json->node_count >= INT32_MAX - 1) return -1;
  if (!weft_grow((void **)&json->nodes, &json->node_capacity, json->node_count + 1, sizeof(WeftJsonNode)))
    return -1;
  json->nodes[json->node_count] = (WeftJsonNode){
      .type = type, .origin = origin, .key = -1, .parent = -1, .first = -1, .last = -1, .next = -1};
  return (int32_t)json->node_count++;
}

/* The text's offset, or -1. */
static int32_t keep_text(WeftJson *json, const char *text, size_t length) {
  if (json->text_size + length >= INT32_MAX) return -1;
  if (!weft_grow((void **)&json->texts, &json->text_capacity, json->text_size + length + 1, 1)) return -1;
  size_t start = json->text_size;
  memcpy(json->texts + start, text, length);
  json->texts[start + length] = 0;
  json->text_size += length + 1;
  return (int32_t)start;
}

bool weft_json_set_text(WeftJson *json, int32_t node, const char *text, size_t length) {
  int32_t kept = keep_text(json, text, length);
  if (kept < 0) return false;
  json->nodes[node].type = WEFT_JSON_TEXT;
  json->nodes[node].text = kept;
  json->nodes[node].text_length = (int32_t)length;
  return true;
}

void weft_json_link(WeftJson *json, int32_t parent, int32_t child) {
  WeftJsonNode *owner = &json->nodes[parent];
  if (owner->last >= 0)
    json->nodes[owner->last].next = child;
  else
    owner->first = child;
  owner->last = child;
  owner->count++;
  json->nodes[child].parent = parent;
}

bool weft_json_attach(WeftJson *json, int32_t parent, int32_t child, const char *key, size_t key_length) {
  if (json->nodes[parent].type == WEFT_JSON_OBJECT) {
    int32_t kept = keep_text(json, key, key_length);
    if (kept < 0) return false;
    json->nodes[child].key = kept;
    json->nodes[child].key_length = (int32_t)key_length;
  }
  weft_json_link(json, parent, child);
  return true;
}

void weft_json_replace(WeftJson *json, int32_t old, int32_t fresh) {
  WeftJsonNode *from = &json->nodes[old], *to = &json->nodes[fresh];
  to->parent = from->parent;
  to->next = from->next;
  to->key = from->key;
  to->key_length = from->key_length;
  to->key_line = from->key_line;
  to->key_column = from->key_column;
  if (from->parent < 0) {
    json->root = fresh;
  } else {
    WeftJsonNode *owner = &json->nodes[from->parent];
    int32_t *link = &owner->first;
    while (*link != old) link = &json->nodes[*link].next;
    *link = fresh;
    if (owner->last == old) owner->last = fresh;
  }
  from->parent = from->next = -1;
}

int32_t weft_json_member(const WeftJson *json, int32_t object, const char *key, size_t key_length) {
  for (int32_t child = json->nodes[object].first; child >= 0; child = json->nodes[child].next)
    if ((size_t)json->nodes[child].key_length == key_length &&
        !memcmp(json->texts + json->nodes[child].key, key, key_length))
      return child;
  return -1;
}

int32_t weft_json_item(const WeftJson *json, int32_t list, int32_t index) {
  int32_t child = json->nodes[list].first;
  for (int32_t i = 0; i < index && child >= 0; i++) child = json->nodes[child].next;
  return child;
}

static int32_t index_in_list(const WeftJson *json, int32_t node) {
  int32_t index = 0;
  for (int32_t child = json->nodes[json->nodes[node].parent].first; child != node;
       child = json->nodes[child].next)
    index++;
  return index;
}

void weft_json_path(const WeftJson *json, int32_t node, char *path, size_t size) {
  int32_t chain[2 * WEFT_JSON_MAX_DEPTH];
  int depth = 0;
  for (int32_t at = node; at >= 0 && json->nodes[at].parent >= 0 && depth < 2 * WEFT_JSON_MAX_DEPTH;
       at = json->nodes[at].parent)
    chain[depth++] = at;
  size_t used = 0;
  if (size) path[0] = 0;
  while (depth-- > 0 && used + 1 < size) {
    int32_t at = chain[depth];
    int written =
        json->nodes[at].key >= 0
            ? snprintf(path + used, size - used, "%s%.60s", used ? "." : "", weft_json_key(json, at))
            : snprintf(path + used, size - used, "[%d]", index_in_list(json, at));
    used += (size_t)written;
  }
}

void weft_json_describe(const WeftJson *json, int32_t node, char *text, size_t size) {
  const WeftJsonNode *n = &json->nodes[node];
  switch (n->type) {
    case WEFT_JSON_NULL:
      snprintf(text, size, "null");
      break;
    case WEFT_JSON_BOOLEAN:
      snprintf(text, size, "%s", n->boolean ? "true" : "false");
      break;
    case WEFT_JSON_NUMBER:
      snprintf(text, size, "the number %.10g", n->number);
      break;
    case WEFT_JSON_TEXT:
      snprintf(text, size, "the text \"%.60s\"", weft_json_text(json, node));
      break;
    case WEFT_JSON_LIST:
      snprintf(text, size, "a list of %d", n->count);
      break;
    case WEFT_JSON_OBJECT:
      snprintf(text, size, "an object");
      break;
  }
}

static WeftResult fail_with(const WeftJson *json, int32_t node, bool at_key, WeftError *error,
                            WeftResult result, const char *format, va_list arguments) {
  if (!error) return result;
  char what[640], path[256], place[256];
  vsnprintf(what, sizeof what, format, arguments);
  weft_json_path(json, node, path, sizeof path);
  const WeftJsonNode *n = &json->nodes[node];
  if (n->origin >= 0)
    snprintf(place, sizeof place, "%s", json->origins[n->origin]);
  else
    snprintf(place, sizeof place, "%.200s:%d:%d", json->name, at_key ? n->key_line : n->line,
             at_key ? n->key_column : n->column);
  return weft_fail(error, result, "%s: %s%s%s", place, path, path[0] ? ": " : "", what);
}

WeftResult weft_json_fail(const WeftJson *json, int32_t node, WeftError *error, WeftResult result,
                          const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail_with(json, node, false, error, result, format, arguments);
  va_end(arguments);
  return result;
}

WeftResult weft_json_fail_key(const WeftJson *json, int32_t node, WeftError *error, WeftResult result,
                              const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail_with(json, node, true, error, result, format, arguments);
  va_end(arguments);
  return result;
}
