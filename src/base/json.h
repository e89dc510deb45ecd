/* JSON with places: a strict reader (RFC 8259) that keeps the line and column of every value and key.
 *
 * The libraries packaged by Debian (jansson, json-c, cJSON, yyjson) forget where a value stood once the text
 * is parsed, and a scene file is refused for what a value says, long after parsing: hence our own.
 *
 * Strict: one value, no trailing commas, no NaN or Infinity, UTF-8 without byte order mark, duplicate keys
 * refused, at most WEFT_JSON_MAX_DEPTH levels. Comments (two slashes to the end of the line) are read only
 * when asked for. Numbers are read in the "C" locale whatever the program has set; one that a double cannot
 * hold is refused, one too small for a double becomes the nearest, as in C.
 *
 * Nodes lie in one array and name each other by index, so that values can be added or replaced later (--set);
 * such values know which override they came from, and messages name it in place of a line. Texts lie in one
 * buffer.
 */
#ifndef WEFT_BASE_JSON_H
#define WEFT_BASE_JSON_H

#include "base/error.h"

#include <stdint.h>

#define WEFT_JSON_MAX_DEPTH 64

typedef enum WeftJsonType {
  WEFT_JSON_NULL,
  WEFT_JSON_BOOLEAN,
  WEFT_JSON_NUMBER,
  WEFT_JSON_TEXT,
  WEFT_JSON_LIST,
  WEFT_JSON_OBJECT,
} WeftJsonType;

enum { WEFT_JSON_STRICT = 0, WEFT_JSON_COMMENTS = 1 };

typedef struct WeftJsonNode {
  WeftJsonType type;
  bool boolean;
  double number;
  int32_t text, text_length; /* offset into texts, zero-terminated; bytes without the zero */
  int32_t key, key_length;   /* the same for the key under which it stands in its object; key -1 elsewhere */
  int32_t line, column;      /* of the value, from 1; columns count characters */
  int32_t key_line, key_column;
  int32_t parent, first, last, next; /* -1: none */
  int32_t count;                     /* of children */
  int32_t origin;                    /* -1: the text; otherwise index into origins */
} WeftJsonNode;

typedef struct WeftJson {
  char *name; /* for messages: the file */
  WeftJsonNode *nodes;
  size_t node_count, node_capacity;
  char *texts;
  size_t text_size, text_capacity;
  char **origins; /* "--set path=value" */
  size_t origin_count, origin_capacity;
  int32_t root;
} WeftJson;

/* Parses size bytes. name is copied. On failure *json is empty and the message begins with name:line:column.
 */
WeftResult weft_json_parse(WeftJson *json, const char *text, size_t size, const char *name, int flags,
                           WeftError *error);
/* Parses a further value into the same tree, not yet attached; origin is copied and stands for the place in
 * messages. */
WeftResult weft_json_parse_more(WeftJson *json, const char *text, size_t size, const char *origin,
                                int32_t *node, WeftError *error);
/* Safe on a zeroed struct. */
void weft_json_free(WeftJson *json);

/* Nodes made by hand; -1 when out of memory. The text is copied. */
int32_t weft_json_new(WeftJson *json, WeftJsonType type, int32_t origin);
bool weft_json_set_text(WeftJson *json, int32_t node, const char *text, size_t length);
/* Puts child at the end of parent, with the key it has. */
void weft_json_link(WeftJson *json, int32_t parent, int32_t child);
/* Puts child at the end of parent, under key when parent is an object; false when out of memory. */
bool weft_json_attach(WeftJson *json, int32_t parent, int32_t child, const char *key, size_t key_length);
/* fresh takes the place of old, key included. */
void weft_json_replace(WeftJson *json, int32_t old, int32_t fresh);

static inline const WeftJsonNode *weft_json_node(const WeftJson *json, int32_t node) {
  return &json->nodes[node];
}
static inline WeftJsonType weft_json_type(const WeftJson *json, int32_t node) {
  return json->nodes[node].type;
}
static inline const char *weft_json_text(const WeftJson *json, int32_t node) {
  return json->texts + json->nodes[node].text;
}
static inline const char *weft_json_key(const WeftJson *json, int32_t node) {
  return json->nodes[node].key < 0 ? "" : json->texts + json->nodes[node].key;
}
/* Index of the member, or -1. */
int32_t weft_json_member(const WeftJson *json, int32_t object, const char *key, size_t key_length);
/* The item at index, or -1. Walks the list. */
int32_t weft_json_item(const WeftJson *json, int32_t list, int32_t index);

/* "cloths[0].material.density"; "" for the root. Cut when it does not fit. */
void weft_json_path(const WeftJson *json, int32_t node, char *path, size_t size);
/* What a value is, for messages: "the number 3", "the text \"abc\"", "a list of 2", ... */
void weft_json_describe(const WeftJson *json, int32_t node, char *text, size_t size);
/* "name:line:column: path: ..." or "--set path=value: path: ...". */
WeftResult weft_json_fail(const WeftJson *json, int32_t node, WeftError *error, WeftResult result,
                          const char *format, ...) WEFT_PRINTF(5, 6);
/* The same, at the key instead of the value. */
WeftResult weft_json_fail_key(const WeftJson *json, int32_t node, WeftError *error, WeftResult result,
                              const char *format, ...) WEFT_PRINTF(5, 6);

#endif
