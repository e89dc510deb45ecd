/* libFuzzer target: any bytes as JSON, strict and with comments. What was read is walked and written again,
 * and what was written has to be read. */
#include "base/json.h"
#include "base/json_write.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_so) {
  if (!is_so) abort();
}

static void write_again(const WeftJson *json, int32_t node, WeftJsonWriter *writer) {
  const WeftJsonNode *n = weft_json_node(json, node);
  if (n->type == WEFT_JSON_NULL) weft_json_write_null(writer);
  if (n->type == WEFT_JSON_BOOLEAN) weft_json_write_boolean(writer, n->boolean);
  if (n->type == WEFT_JSON_NUMBER) weft_json_write_number(writer, n->number);
  if (n->type == WEFT_JSON_TEXT) weft_json_write_text(writer, weft_json_text(json, node));
  if (n->type == WEFT_JSON_LIST) weft_json_begin_list(writer);
  if (n->type == WEFT_JSON_OBJECT) weft_json_begin_object(writer);
  int32_t count = 0;
  for (int32_t child = n->first; child >= 0; child = weft_json_node(json, child)->next, count++) {
    char path[64];
    weft_json_path(json, child, path, sizeof path);
    if (n->type == WEFT_JSON_OBJECT) weft_json_write_key(writer, weft_json_key(json, child));
    write_again(json, child, writer);
  }
  check(count == n->count);
  if (n->type == WEFT_JSON_LIST) weft_json_end_list(writer);
  if (n->type == WEFT_JSON_OBJECT) weft_json_end_object(writer);
}

/* Keys with a zero inside are cut when written, and two of them may then be the same. */
static bool has_zero(const WeftJson *json) {
  for (size_t i = 0; i < json->node_count; i++) {
    const WeftJsonNode *n = &json->nodes[i];
    if (n->key >= 0 && strlen(json->texts + n->key) != (size_t)n->key_length) return true;
  }
  return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (int flags = WEFT_JSON_STRICT; flags <= WEFT_JSON_COMMENTS; flags++) {
    WeftJson json, again;
    WeftError error = {0};
    WeftResult result = weft_json_parse(&json, (const char *)data, size, "fuzz", flags, &error);
    if (result) {
      check(error.message[0] && !json.nodes);
      continue;
    }
    WeftJsonWriter writer = weft_json_writer(flags != 0);
    write_again(&json, json.root, &writer);
    char *text;
    size_t length;
    check(!weft_json_finish(&writer, &text, &length, NULL));
    result = weft_json_parse(&again, text, length, "again", WEFT_JSON_STRICT, &error);
    check(!result || has_zero(&json));
    if (!result) check(again.node_count == json.node_count);
    weft_json_free(&again);
    free(text);
    weft_json_free(&json);
  }
  return 0;
}
