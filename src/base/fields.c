#include "base/fields.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 64, LIST_SIZE = 480 };

void *weft_blocks_alloc(WeftBlocks *blocks, size_t count, size_t size) {
  if (!weft_grow((void **)&blocks->items, &blocks->capacity, blocks->count + 1, sizeof(void *))) return NULL;
  void *block = weft_alloc(count, size);
  if (block) blocks->items[blocks->count++] = block;
  return block;
}

void weft_blocks_free(WeftBlocks *blocks) {
  for (size_t i = 0; i < blocks->count; i++) free(blocks->items[i]);
  free(blocks->items);
  *blocks = (WeftBlocks){0};
}

WeftResult weft_refuse(WeftReader *r, int32_t node, const char *what) {
  char got[128];
  weft_json_describe(r->json, node, got, sizeof got);
  return weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA, "expected %s, got %s", what, got);
}

/* "a, b, c", cut with ... when it does not fit. */
static void list_names(const char *const *names, int32_t count, char *text, size_t size) {
  size_t used = 0;
  text[0] = 0;
  for (int32_t i = 0; i < count; i++) {
    int written = snprintf(text + used, size - used, "%s%s", i ? ", " : "", names[i]);
    if (written < 0 || used + (size_t)written >= size) {
      snprintf(text + used, size - used, "%s", used + 6 < size ? ", ..." : "");
      return;
    }
    used += (size_t)written;
  }
}

WeftResult weft_refuse_name(WeftReader *r, int32_t node, const char *kind, const char *const *names,
                            int32_t count) {
  const char *written = weft_json_text(r->json, node);
  const char *nearest = weft_nearest_name(written, names, count);
  if (nearest)
    return weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
                          "unknown %s \"%.60s\"; did you mean \"%s\"?", kind, written, nearest);
  char list[LIST_SIZE];
  list_names(names, count, list, sizeof list);
  return weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
                        "unknown %s \"%.60s\"; expected one of: %s", kind, written, list);
}

static void describe_range(WeftRange range, const char *noun, char *text, size_t size) {
  if (isfinite(range.min) && isfinite(range.max))
    snprintf(text, size, range.is_above ? "%s above %.10g and at most %.10g" : "%s from %.10g to %.10g", noun,
             range.min, range.max);
  else if (isfinite(range.min))
    snprintf(text, size, range.is_above ? "%s above %.10g" : "%s of at least %.10g", noun, range.min);
  else
    snprintf(text, size, "%s", noun);
}

static bool is_in_range(double value, WeftRange range) {
  return value <= range.max && (range.is_above ? value > range.min : value >= range.min);
}

WeftResult weft_read_number(WeftReader *r, int32_t node, WeftRange range, double *value) {
  const WeftJsonNode *n = weft_json_node(r->json, node);
  if (n->type != WEFT_JSON_NUMBER || !is_in_range(n->number, range)) {
    char what[96];
    describe_range(range, "a number", what, sizeof what);
    return weft_refuse(r, node, what);
  }
  *value = n->number;
  return WEFT_RESULT_OK;
}

WeftResult weft_read_integer(WeftReader *r, int32_t node, WeftRange range, int32_t *value) {
  const WeftJsonNode *n = weft_json_node(r->json, node);
  if (n->type != WEFT_JSON_NUMBER || !is_in_range(n->number, range) || n->number != floor(n->number) ||
      fabs(n->number) > INT32_MAX) {
    char what[96];
    describe_range(range, "a whole number", what, sizeof what);
    return weft_refuse(r, node, what);
  }
  *value = (int32_t)n->number;
  return WEFT_RESULT_OK;
}

WeftResult weft_read_text(WeftReader *r, int32_t node, double max_bytes, const char **value) {
  const WeftJsonNode *n = weft_json_node(r->json, node);
  if (n->type != WEFT_JSON_TEXT) return weft_refuse(r, node, "a text");
  const char *text = weft_json_text(r->json, node);
  if (strlen(text) != (size_t)n->text_length)
    return weft_refuse(r, node, "a text without the character U+0000");
  if (n->text_length > max_bytes)
    return weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
                          "expected a text of at most %.0f bytes, got one of %d", max_bytes, n->text_length);
  *value = text;
  return WEFT_RESULT_OK;
}

WeftResult weft_read_numbers(WeftReader *r, int32_t node, int32_t count, WeftRange range, const char *what,
                             double *values) {
  const WeftJsonNode *n = weft_json_node(r->json, node);
  if (n->type != WEFT_JSON_LIST || n->count != count) return weft_refuse(r, node, what);
  int32_t child = n->first;
  for (int32_t i = 0; i < count; i++, child = weft_json_node(r->json, child)->next) {
    WeftResult result = weft_read_number(r, child, range, &values[i]);
    if (result) return result;
  }
  return WEFT_RESULT_OK;
}

WeftResult weft_read_vector(WeftReader *r, int32_t node, double *values) {
  return weft_read_numbers(r, node, 3, (WeftRange)WEFT_ANY, "3 numbers [x, y, z]", values);
}

WeftResult weft_read_choice(WeftReader *r, int32_t node, const char *const *choices, int32_t *value) {
  int32_t count = 0;
  while (choices[count]) count++;
  if (weft_json_type(r->json, node) != WEFT_JSON_TEXT) {
    char list[LIST_SIZE], what[LIST_SIZE + 16];
    list_names(choices, count, list, sizeof list);
    snprintf(what, sizeof what, "one of: %s", list);
    return weft_refuse(r, node, what);
  }
  for (int32_t i = 0; i < count; i++) {
    if (strcmp(weft_json_text(r->json, node), choices[i])) continue;
    *value = i;
    return WEFT_RESULT_OK;
  }
  return weft_refuse_name(r, node, "value", choices, count);
}

static WeftResult read_field(WeftReader *r, int32_t node, const WeftField *field, char *object) {
  void *value = object + field->offset;
  switch (field->type) {
    case WEFT_FIELD_NUMBER:
      return weft_read_number(r, node, field->range, value);
    case WEFT_FIELD_INTEGER:
      return weft_read_integer(r, node, field->range, value);
    case WEFT_FIELD_BOOLEAN:
      if (weft_json_type(r->json, node) != WEFT_JSON_BOOLEAN) return weft_refuse(r, node, "true or false");
      *(bool *)value = weft_json_node(r->json, node)->boolean;
      return WEFT_RESULT_OK;
    case WEFT_FIELD_TEXT:
      return weft_read_text(r, node, field->range.max, value);
    case WEFT_FIELD_VECTOR:
      return weft_read_vector(r, node, value);
    case WEFT_FIELD_CHOICE:
      return weft_read_choice(r, node, field->choices, value);
    case WEFT_FIELD_OBJECT:
      return weft_read_object(r, node, field->table, value);
    case WEFT_FIELD_CUSTOM:
      return field->read(r, node, value);
  }
  return WEFT_RESULT_OK;
}

static const WeftField *find_field(const WeftReader *r, int32_t node, const WeftTable *table) {
  const WeftJsonNode *n = weft_json_node(r->json, node);
  const char *key = weft_json_key(r->json, node);
  for (int32_t i = 0; i < table->count; i++)
    if (!strcmp(key, table->fields[i].key) && strlen(key) == (size_t)n->key_length) return &table->fields[i];
  return NULL;
}

static void list_keys(const WeftTable *table, char *text, size_t size) {
  const char *names[MOST_NAMES];
  int32_t count = table->count < MOST_NAMES ? table->count : MOST_NAMES;
  for (int32_t i = 0; i < count; i++) names[i] = table->fields[i].key;
  list_names(names, count, text, size);
}

static WeftResult refuse_key(WeftReader *r, int32_t node, const WeftTable *table) {
  const char *names[MOST_NAMES];
  int32_t count = table->count < MOST_NAMES ? table->count : MOST_NAMES;
  for (int32_t i = 0; i < count; i++) names[i] = table->fields[i].key;
  const char *nearest = weft_nearest_name(weft_json_key(r->json, node), names, count);
  if (nearest)
    return weft_json_fail_key(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
                              "unknown key; did you mean \"%s\"?", nearest);
  char list[LIST_SIZE];
  list_names(names, count, list, sizeof list);
  return weft_json_fail_key(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
                            "unknown key; expected one of: %s", list);
}

static WeftResult check_presence(WeftReader *r, int32_t node, const WeftTable *table) {
  if (table->is_one_of && weft_json_node(r->json, node)->count != 1) {
    char list[LIST_SIZE];
    list_keys(table, list, sizeof list);
    return weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
                          "expected exactly one of the keys %s, got %d", list,
                          weft_json_node(r->json, node)->count);
  }
  for (int32_t i = 0; i < table->count; i++) {
    const char *key = table->fields[i].key;
    if (table->fields[i].is_required && weft_json_member(r->json, node, key, strlen(key)) < 0)
      return weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA, "missing key \"%s\"", key);
  }
  return WEFT_RESULT_OK;
}

WeftResult weft_read_object(WeftReader *r, int32_t node, const WeftTable *table, void *object) {
  if (weft_json_type(r->json, node) != WEFT_JSON_OBJECT) {
    char list[LIST_SIZE], what[LIST_SIZE + 64];
    list_keys(table, list, sizeof list);
    snprintf(what, sizeof what, "an object with one of the keys %s", list);
    return weft_refuse(r, node, table->is_one_of ? what : "an object");
  }
  /* Unknown keys first: a misspelt key would otherwise be reported as a missing one. */
  for (int32_t child = weft_json_node(r->json, node)->first; child >= 0;
       child = weft_json_node(r->json, child)->next)
    if (!find_field(r, child, table)) return refuse_key(r, child, table);
  WeftResult result = check_presence(r, node, table);
  for (int32_t child = weft_json_node(r->json, node)->first; child >= 0 && !result;
       child = weft_json_node(r->json, child)->next)
    result = read_field(r, child, find_field(r, child, table), object);
  return result;
}

WeftResult weft_read_objects(WeftReader *r, int32_t node, const WeftTable *table, const void *initial,
                             size_t size, int32_t *count, void **items) {
  if (weft_json_type(r->json, node) != WEFT_JSON_LIST) return weft_refuse(r, node, "a list of objects");
  int32_t found = weft_json_node(r->json, node)->count;
  char *made = weft_blocks_alloc(r->blocks, (size_t)found, size);
  if (!made) return weft_fail_memory(r->error, table->name);
  int32_t child = weft_json_node(r->json, node)->first;
  for (int32_t i = 0; i < found; i++, child = weft_json_node(r->json, child)->next) {
    memcpy(made + (size_t)i * size, initial, size);
    WeftResult result = weft_read_object(r, child, table, made + (size_t)i * size);
    if (result) return result;
  }
  *count = found;
  *items = made;
  return WEFT_RESULT_OK;
}
