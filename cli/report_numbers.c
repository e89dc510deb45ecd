/* report.json as tables. */
#include "base/json.h"
#include "base/read_file.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/plot.h"
#include "cli/report_page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Units of fields and of groups of them, as docs/report.md has them. */
static const struct {
  const char *name, *unit;
} units[] = {{"time", "s"},        {"time_step", "s"},    {"max_speed", "m/s"}, {"peak_memory", "bytes"},
             {"energies", "J"},    {"seconds", "s"},      {"mass", "kg"},       {"center", "m"},
             {"linear", "kg m/s"}, {"angular", "kg m²/s"}};

static const char *unit_of(const char *name, const char *group) {
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (strcmp(units[i].name, name) == 0 || strcmp(units[i].name, group) == 0) return units[i].unit;
  return "";
}

static void write_value(FILE *stream, const WeftJson *json, int32_t node) {
  const WeftJsonNode *value = weft_json_node(json, node);
  char text[32];
  switch (value->type) {
    case WEFT_JSON_NUMBER:
      format_number(text, value->number);
      fputs(text, stream);
      break;
    case WEFT_JSON_TEXT:
      write_escaped(stream, *weft_json_text(json, node) ? weft_json_text(json, node) : "–");
      break;
    case WEFT_JSON_BOOLEAN:
      fputs(value->boolean ? "yes" : "no", stream);
      break;
    case WEFT_JSON_LIST:
      for (int32_t item = value->first; item >= 0; item = weft_json_node(json, item)->next) {
        if (item != value->first) fputs(", ", stream);
        write_value(stream, json, item);
      }
      if (value->count == 0) fputs("–", stream);
      break;
    default:
      fputs("–", stream);
  }
}

/* "iterations_mean" is "iterations mean" for people. */
static void write_name(FILE *stream, const char *name) {
  for (; *name; name++) fputc(*name == '_' ? ' ' : *name, stream);
}

static bool is_list_of_objects(const WeftJson *json, int32_t node) {
  const WeftJsonNode *list = weft_json_node(json, node);
  return list->type == WEFT_JSON_LIST && list->count > 0 &&
         weft_json_type(json, list->first) == WEFT_JSON_OBJECT;
}

/* A line an object. */
static void write_objects(FILE *stream, const WeftJson *json, int32_t list, const char *group) {
  fprintf(stream, "<div class=\"scroll\"><table><caption>%s: ", group);
  write_name(stream, weft_json_key(json, list));
  fputs("</caption>\n<tr>", stream);
  int32_t first = weft_json_node(json, list)->first;
  for (int32_t field = weft_json_node(json, first)->first; field >= 0;
       field = weft_json_node(json, field)->next) {
    fputs("<th scope=\"col\">", stream);
    write_name(stream, weft_json_key(json, field));
    fputs("</th>", stream);
  }
  fputs("</tr>\n", stream);
  for (int32_t item = first; item >= 0; item = weft_json_node(json, item)->next) {
    fputs("<tr>", stream);
    if (weft_json_type(json, item) == WEFT_JSON_OBJECT)
      for (int32_t field = weft_json_node(json, item)->first; field >= 0;
           field = weft_json_node(json, field)->next) {
        fputs("<td>", stream);
        write_value(stream, json, field);
        fputs("</td>", stream);
      }
    fputs("</tr>\n", stream);
  }
  fputs("</table></div>\n", stream);
}

/* The plain fields of an object. Those that are objects themselves, and lists of objects, come after it. */
static void write_object(FILE *stream, const WeftJson *json, int32_t object, const char *caption) {
  fprintf(stream, "<table><caption>%s</caption>\n", caption);
  for (int32_t field = weft_json_node(json, object)->first; field >= 0;
       field = weft_json_node(json, field)->next) {
    if (weft_json_type(json, field) == WEFT_JSON_OBJECT || is_list_of_objects(json, field)) continue;
    const char *name = weft_json_key(json, field), *unit = unit_of(name, caption);
    fputs("<tr><th scope=\"row\">", stream);
    write_name(stream, name);
    fputs("</th><td>", stream);
    write_value(stream, json, field);
    fprintf(stream, "%s%s</td></tr>\n", *unit ? " " : "", unit);
  }
  fputs("</table>\n", stream);
  for (int32_t field = weft_json_node(json, object)->first; field >= 0;
       field = weft_json_node(json, field)->next) {
    if (weft_json_type(json, field) == WEFT_JSON_OBJECT)
      write_object(stream, json, field, weft_json_key(json, field));
    else if (is_list_of_objects(json, field))
      write_objects(stream, json, field, caption);
  }
}

bool page_numbers(FILE *stream, const char *folder) {
  char *path = join_path(folder, "report.json"), *bytes = NULL;
  WeftJson json = {0};
  WeftError error = {.message = "out of memory"};
  size_t size;
  fputs("<section aria-labelledby=\"numbers\"><h2 id=\"numbers\">Numbers</h2>\n", stream);
  bool is_fine = true;
  if (path && access(path, F_OK) != 0) {
    fputs("<p>The run has not come to its end yet: there is no report.json.</p>\n", stream);
  } else {
    is_fine = path && weft_read_file(path, &bytes, &size, &error) == WEFT_RESULT_OK &&
              weft_json_parse(&json, bytes, size, path, WEFT_JSON_STRICT, &error) == WEFT_RESULT_OK;
    if (!is_fine) fail("%s", error.message);
  }
  if (is_fine && json.nodes && weft_json_type(&json, json.root) == WEFT_JSON_OBJECT) {
    fputs("<div class=\"tables\">\n", stream);
    write_object(stream, &json, json.root, "run");
    fputs("</div>\n", stream);
  }
  fputs("</section>\n", stream);
  weft_json_free(&json);
  free(bytes);
  free(path);
  return is_fine;
}
