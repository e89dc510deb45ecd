/* The reader's tables and scenes/scene.schema.json say the same: keys, required keys, ranges, names, one-of.
 */
#include "scene/scene_text.h"

static WeftJson schema;

static int load_schema(void **state) {
  (void)state;
  char *text;
  size_t size;
  WeftError error = {0};
  if (weft_read_file(source_path("scenes/scene.schema.json"), &text, &size, &error))
    fail_msg("%s", error.message);
  if (weft_json_parse(&schema, text, size, "scene.schema.json", 0, &error)) fail_msg("%s", error.message);
  free(text);
  return 0;
}

static int free_schema(void **state) {
  (void)state;
  weft_json_free(&schema);
  return 0;
}

static int32_t member(int32_t node, const char *key) {
  return node < 0 ? -1 : weft_json_member(&schema, node, key, strlen(key));
}

static bool contains_text(int32_t list, const char *text) {
  for (int32_t child = list < 0 ? -1 : weft_json_node(&schema, list)->first; child >= 0;
       child = weft_json_node(&schema, child)->next)
    if (!strcmp(weft_json_text(&schema, child), text)) return true;
  return false;
}

static double number_or(int32_t node, double otherwise) {
  return node < 0 ? otherwise : weft_json_node(&schema, node)->number;
}

static void compare_range(const char *table, const WeftField *field, int32_t property) {
  bool is_above = member(property, "exclusiveMinimum") >= 0;
  double min = number_or(member(property, is_above ? "exclusiveMinimum" : "minimum"), -INFINITY);
  double max = number_or(member(property, "maximum"), INFINITY);
  if (min != field->range.min || max != field->range.max || is_above != field->range.is_above)
    fail_msg("%s.%s: the ranges differ", table, field->key);
}

static void compare_choices(const char *table, const WeftField *field, int32_t property) {
  int32_t names = member(property, "enum"), count = 0;
  for (; field->choices[count]; count++)
    if (!contains_text(names, field->choices[count]))
      fail_msg("%s.%s: %s is not in the schema", table, field->key, field->choices[count]);
  assert_int_equal(weft_json_node(&schema, names)->count, count);
}

static void compare_field(const WeftTable *table, const WeftField *field, int32_t properties,
                          int32_t required) {
  static const char *const types[] = {"number", "integer", "boolean", "string"};
  int32_t property = member(properties, field->key);
  if (property < 0) fail_msg("%s.%s is not in the schema", table->name, field->key);
  if (contains_text(required, field->key) != field->is_required)
    fail_msg("%s.%s: required in one, not in the other", table->name, field->key);
  if (field->type <= WEFT_FIELD_TEXT)
    assert_string_equal(weft_json_text(&schema, member(property, "type")), types[field->type]);
  if (field->type == WEFT_FIELD_NUMBER || field->type == WEFT_FIELD_INTEGER)
    compare_range(table->name, field, property);
  if (field->type == WEFT_FIELD_TEXT)
    assert_true(number_or(member(property, "maxLength"), INFINITY) == field->range.max);
  if (field->type == WEFT_FIELD_VECTOR)
    assert_string_equal(weft_json_text(&schema, member(property, "$ref")), "#/$defs/vector");
  if (field->type == WEFT_FIELD_CHOICE) compare_choices(table->name, field, property);
  if (field->type == WEFT_FIELD_OBJECT) {
    char reference[64];
    snprintf(reference, sizeof reference, "#/$defs/%s", field->table->name);
    assert_string_equal(weft_json_text(&schema, member(property, "$ref")), reference);
  }
}

static void tables_and_schema_agree(void **state) {
  (void)state;
  int32_t definitions = member(schema.root, "$defs"), tables = 0;
  for (const WeftTable *table; (table = weft_scene_table(tables)); tables++) {
    int32_t definition = member(definitions, table->name);
    if (definition < 0) fail_msg("%s is not in the schema", table->name);
    int32_t properties = member(definition, "properties"), required = member(definition, "required");
    for (int32_t i = 0; i < table->count; i++) compare_field(table, &table->fields[i], properties, required);
    if (weft_json_node(&schema, properties)->count != table->count)
      fail_msg("%s: the schema has %d keys, the reader %d", table->name,
               weft_json_node(&schema, properties)->count, table->count);
    assert_true(member(definition, "additionalProperties") >= 0);
    assert_true((member(definition, "maxProperties") >= 0) == table->is_one_of);
  }
  assert_int_equal(tables, 45);
}

/* Every definition with keys is one of the reader's tables. */
static void schema_has_no_other_objects(void **state) {
  (void)state;
  int32_t definitions = member(schema.root, "$defs");
  for (int32_t child = weft_json_node(&schema, definitions)->first; child >= 0;
       child = weft_json_node(&schema, child)->next) {
    if (member(child, "properties") < 0) continue;
    bool found = false;
    const WeftTable *table;
    for (int32_t i = 0; (table = weft_scene_table(i)) && !found; i++)
      found = !strcmp(table->name, weft_json_key(&schema, child));
    if (!found) fail_msg("%s is in the schema alone", weft_json_key(&schema, child));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_and_schema_agree),
      cmocka_unit_test(schema_has_no_other_objects),
  };
  return cmocka_run_group_tests(tests, load_schema, free_schema);
}
