/* The header of a PLY file, line by line. Names stay in the file's bytes; what a property means to us is
 * decided here, so that reading the body is one loop over properties. Every error names its line.
 */
#include "io/ply_header.h"

#include "base/memory.h"
#include "io/number.h"
#include "mesh/limits.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
  WeftPlyHeader *header;
  const char *name, *at, *end;
  int line;
  const char *line_at, *line_end; /* of the line being read, without its end */
  WeftError *error;
} Reader;

int weft_ply_type_size(WeftPlyType type) {
  static const int sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[type];
}

static bool is_float(WeftPlyType type) { return type == WEFT_PLY_FLOAT32 || type == WEFT_PLY_FLOAT64; }

static bool is_text(WeftPlyName name, const char *text) {
  return (size_t)name.length == strlen(text) && memcmp(name.text, text, (size_t)name.length) == 0;
}

/* Moves to the next line; false at the end of the file. A line without an end is no line: the header is cut
 * off. */
static bool next_line(Reader *r) {
  const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  if (!newline) return false;
  r->line_at = r->at;
  r->line_end = newline > r->at && newline[-1] == '\r' ? newline - 1 : newline;
  r->at = newline + 1;
  r->line += r->line < INT_MAX;
  return true;
}

static WeftPlyName next_word(Reader *r) {
  while (r->line_at < r->line_end && (*r->line_at == ' ' || *r->line_at == '\t')) r->line_at++;
  const char *word = r->line_at;
  while (r->line_at < r->line_end && *r->line_at != ' ' && *r->line_at != '\t') r->line_at++;
  ptrdiff_t length = r->line_at - word;
  return (WeftPlyName){word, length < INT_MAX ? (int)length : INT_MAX};
}

/* For %.*s: names from the file, cut to fit a message. */
#define SHOWN(word) ((word).length < 40 ? (word).length : 40), (word).text

static WeftResult fail_word(const Reader *r, WeftPlyName word, const char *expected) {
  if (word.length == 0) {
    return weft_fail(r->error, WEFT_RESULT_PARSE, "%s:%d: the line ends early in the PLY header; expected %s",
                     r->name, r->line, expected);
  }
  return weft_fail(r->error, WEFT_RESULT_PARSE, "%s:%d: '%.*s' in the PLY header; expected %s", r->name,
                   r->line, SHOWN(word), expected);
}

static WeftResult read_type(Reader *r, WeftPlyType *type) {
  static const struct {
    const char *name;
    WeftPlyType type;
  } types[] = {{"char", WEFT_PLY_INT8},      {"uchar", WEFT_PLY_UINT8},    {"short", WEFT_PLY_INT16},
               {"ushort", WEFT_PLY_UINT16},  {"int", WEFT_PLY_INT32},      {"uint", WEFT_PLY_UINT32},
               {"float", WEFT_PLY_FLOAT32},  {"double", WEFT_PLY_FLOAT64}, {"int8", WEFT_PLY_INT8},
               {"uint8", WEFT_PLY_UINT8},    {"int16", WEFT_PLY_INT16},    {"uint16", WEFT_PLY_UINT16},
               {"int32", WEFT_PLY_INT32},    {"uint32", WEFT_PLY_UINT32},  {"float32", WEFT_PLY_FLOAT32},
               {"float64", WEFT_PLY_FLOAT64}};
  WeftPlyName word = next_word(r);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (is_text(word, types[i].name)) {
      *type = types[i].type;
      return WEFT_RESULT_OK;
    }
  }
  return fail_word(r, word, "a type: char uchar short ushort int uint float double, or int8 ... float64");
}

static WeftResult read_format(Reader *r) {
  static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  if (!next_line(r))
    return weft_fail(r->error, WEFT_RESULT_PARSE, "%s:%d: the PLY header ends early", r->name, r->line);
  WeftPlyName word = next_word(r);
  if (!is_text(word, "format")) return fail_word(r, word, "the format line: 'format ascii 1.0'");
  word = next_word(r);
  int format = 0;
  while (format < 3 && !is_text(word, names[format])) format++;
  if (format == 3) return fail_word(r, word, "ascii, binary_little_endian or binary_big_endian");
  r->header->format = (WeftPlyFormat)format;
  word = next_word(r);
  return is_text(word, "1.0") ? WEFT_RESULT_OK : fail_word(r, word, "version 1.0");
}

static WeftResult read_element(Reader *r) {
  WeftPlyHeader *h = r->header;
  void *elements = h->elements;
  bool has_room = weft_grow(&elements, &h->element_capacity, h->element_count + 1, sizeof *h->elements);
  h->elements = elements;
  if (!has_room) return weft_fail_memory(r->error, r->name);
  WeftPlyElement element = {.name = next_word(r), .first_property = h->property_count};
  if (element.name.length == 0) return fail_word(r, element.name, "the name of an element");
  WeftPlyName word = next_word(r);
  const char *at = word.text;
  if (!weft_read_int(&at, word.text + word.length, &element.count) || at != word.text + word.length ||
      element.count < 0) {
    return fail_word(r, word, "a number of elements, 0 or more");
  }
  bool is_vertex = is_text(element.name, "vertex"), is_face = is_text(element.name, "face");
  if ((is_vertex && h->vertex_element >= 0) || (is_face && h->face_element >= 0)) {
    return weft_fail(r->error, WEFT_RESULT_PARSE,
                     "%s:%d: a second element %.*s in the PLY header; expected one", r->name, r->line,
                     SHOWN(element.name));
  }
  if (is_vertex && element.count > WEFT_MAX_VERTICES) {
    return weft_fail(r->error, WEFT_RESULT_INVALID_DATA, "%s:%d: %lld vertices; at most %d are possible",
                     r->name, r->line, (long long)element.count, WEFT_MAX_VERTICES);
  }
  if (is_vertex) h->vertex_element = (int)h->element_count;
  if (is_face) h->face_element = (int)h->element_count;
  h->elements[h->element_count++] = element;
  return WEFT_RESULT_OK;
}

static WeftPlyRole find_role(const WeftPlyHeader *h, const WeftPlyProperty *property) {
  static const struct {
    const char *name;
    WeftPlyRole role;
  } roles[] = {{"x", WEFT_PLY_X}, {"y", WEFT_PLY_Y},         {"z", WEFT_PLY_Z},
               {"s", WEFT_PLY_U}, {"t", WEFT_PLY_V},         {"u", WEFT_PLY_U},
               {"v", WEFT_PLY_V}, {"texture_u", WEFT_PLY_U}, {"texture_v", WEFT_PLY_V}};
  int element = (int)h->element_count - 1;
  if (element == h->vertex_element && !property->is_list) {
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
      if (is_text(property->name, roles[i].name)) return roles[i].role;
    }
  }
  if (element == h->face_element && property->is_list &&
      (is_text(property->name, "vertex_indices") || is_text(property->name, "vertex_index"))) {
    return WEFT_PLY_CORNERS;
  }
  return WEFT_PLY_SKIP;
}

/* A role is played once; a second property of the same role is passed over like an unknown one. */
static bool is_role_taken(const WeftPlyHeader *h, WeftPlyRole role) {
  const WeftPlyElement *element = h->elements + h->element_count - 1;
  for (size_t i = 0; i < element->property_count; i++) {
    if (h->properties[element->first_property + i].role == role) return true;
  }
  return false;
}

static WeftResult read_property(Reader *r) {
  WeftPlyHeader *h = r->header;
  if (h->element_count == 0) {
    return weft_fail(r->error, WEFT_RESULT_PARSE,
                     "%s:%d: a property before the first element of the PLY header", r->name, r->line);
  }
  void *properties = h->properties;
  bool has_room = weft_grow(&properties, &h->property_capacity, h->property_count + 1, sizeof *h->properties);
  h->properties = properties;
  if (!has_room) return weft_fail_memory(r->error, r->name);
  WeftPlyProperty property = {.is_list = false};
  const char *start = r->line_at;
  property.is_list = is_text(next_word(r), "list");
  if (!property.is_list) r->line_at = start;
  WeftResult result = property.is_list ? read_type(r, &property.count_type) : WEFT_RESULT_OK;
  if (result == WEFT_RESULT_OK) result = read_type(r, &property.type);
  if (result != WEFT_RESULT_OK) return result;
  if (property.is_list && is_float(property.count_type)) {
    return weft_fail(r->error, WEFT_RESULT_PARSE,
                     "%s:%d: a list counted by a float; expected a type of whole numbers", r->name, r->line);
  }
  property.name = next_word(r);
  if (property.name.length == 0) return fail_word(r, property.name, "the name of a property");
  WeftPlyRole role = find_role(h, &property);
  if (role == WEFT_PLY_CORNERS && is_float(property.type)) {
    return weft_fail(r->error, WEFT_RESULT_PARSE, "%s:%d: %.*s are floats; expected a type of whole numbers",
                     r->name, r->line, SHOWN(property.name));
  }
  if (role != WEFT_PLY_SKIP && !is_role_taken(h, role)) property.role = role;
  h->properties[h->property_count++] = property;
  h->elements[h->element_count - 1].property_count++;
  return WEFT_RESULT_OK;
}

static bool has_role(const WeftPlyHeader *h, int element, WeftPlyRole role) {
  const WeftPlyElement *e = h->elements + element;
  for (size_t i = 0; i < e->property_count; i++) {
    if (h->properties[e->first_property + i].role == role) return true;
  }
  return false;
}

static WeftResult check_header(Reader *r) {
  WeftPlyHeader *h = r->header;
  if (h->vertex_element < 0) {
    return weft_fail(r->error, WEFT_RESULT_PARSE, "%s: the PLY header has no element 'vertex'", r->name);
  }
  for (int axis = 0; axis < 3; axis++) {
    if (has_role(h, h->vertex_element, (WeftPlyRole)(WEFT_PLY_X + axis))) continue;
    return weft_fail(r->error, WEFT_RESULT_PARSE,
                     "%s: element 'vertex' of the PLY header has no property '%c'", r->name, "xyz"[axis]);
  }
  if (h->face_element >= 0 && !has_role(h, h->face_element, WEFT_PLY_CORNERS)) {
    return weft_fail(r->error, WEFT_RESULT_PARSE,
                     "%s: element 'face' of the PLY header has no list 'vertex_indices' or 'vertex_index'",
                     r->name);
  }
  h->has_uvs = has_role(h, h->vertex_element, WEFT_PLY_U) && has_role(h, h->vertex_element, WEFT_PLY_V);
  h->body = r->at;
  h->body_line = r->line + 1;
  return WEFT_RESULT_OK;
}

WeftResult weft_ply_header_parse(WeftPlyHeader *header, const char *bytes, size_t size, const char *name,
                                 WeftError *error) {
  memset(header, 0, sizeof *header);
  header->vertex_element = header->face_element = -1;
  Reader r = {.header = header, .name = name, .at = bytes, .end = bytes + size, .error = error};
  next_line(&r); /* "ply", as the caller has seen */
  WeftResult result = read_format(&r);
  while (result == WEFT_RESULT_OK) {
    if (!next_line(&r)) {
      return weft_fail(error, WEFT_RESULT_PARSE, "%s:%d: the PLY header ends without 'end_header'", name,
                       r.line);
    }
    WeftPlyName word = next_word(&r);
    if (is_text(word, "end_header")) return check_header(&r);
    if (is_text(word, "element")) {
      result = read_element(&r);
    } else if (is_text(word, "property")) {
      result = read_property(&r);
    } else if (!is_text(word, "comment") && !is_text(word, "obj_info") && word.length > 0) {
      result = fail_word(&r, word, "comment, obj_info, element, property or end_header");
    }
  }
  return result;
}

void weft_ply_header_destroy(WeftPlyHeader *header) {
  free(header->elements);
  free(header->properties);
  memset(header, 0, sizeof *header);
}
