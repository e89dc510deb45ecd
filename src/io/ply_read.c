/* PLY, ASCII and binary of either byte order. Elements may come in any order; what is not known is passed
 * over.
 *
 * A header can announce anything: memory grows with the elements that were read, and an element that cannot
 * fit into the bytes that are left is refused before its first item. In ASCII files an item may run over
 * several lines but ends with its line: more values than the header says would shift everything behind them.
 */
#include "io/mesh_build.h"
#include "io/mesh_read.h"
#include "io/number.h"
#include "io/ply_header.h"
#include "mesh/triangulate.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Reader {
  const char *name, *at, *end;
  int line; /* ASCII */
  const WeftPlyHeader *header;
  const WeftPlyElement *element;
  int64_t item; /* of the element */
  WeftMeshBuild build;
  WeftError *error;
} Reader;

static int shown_length(WeftPlyName name) { return name.length < 40 ? name.length : 40; }

static WeftResult fail_item(const Reader *r, WeftResult result, const char *format, ...) WEFT_PRINTF(3, 4);

/* "name: face 12 (of 0 to 79): ...", in ASCII files with the line. */
static WeftResult fail_item(const Reader *r, WeftResult result, const char *format, ...) {
  char text[256], line[16] = "";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (r->header->format == WEFT_PLY_ASCII) snprintf(line, sizeof line, ":%d", r->line);
  return weft_fail(r->error, result, "%s%s: %.*s %lld (of 0 to %lld): %s", r->name, line,
                   shown_length(r->element->name), r->element->name.text, (long long)r->item,
                   (long long)r->element->count - 1, text);
}

static WeftResult fail_truncated(const Reader *r, const WeftPlyProperty *property) {
  return fail_item(r, WEFT_RESULT_PARSE, "the file ends before its property '%.*s'",
                   shown_length(property->name), property->name.text);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void skip_space(Reader *r) {
  while (r->at < r->end && (is_blank(*r->at) || *r->at == '\n')) {
    if (*r->at == '\n') r->line += r->line < INT_MAX;
    r->at++;
  }
}

/* A value as a double: it holds every PLY type exactly. */
static WeftResult read_ascii(Reader *r, const WeftPlyProperty *property, double *value) {
  skip_space(r);
  if (r->at == r->end) return fail_truncated(r, property);
  const char *word = r->at;
  if (!weft_read_double(&r->at, r->end, value) || (r->at < r->end && !is_blank(*r->at) && *r->at != '\n')) {
    int length = 0;
    while (word + length < r->end && length < 24 && word[length] > ' ' && word[length] <= '~') length++;
    return fail_item(r, WEFT_RESULT_PARSE, "'%.*s' in property '%.*s' is not a number", length, word,
                     shown_length(property->name), property->name.text);
  }
  return WEFT_RESULT_OK;
}

static double decode(uint64_t bits, WeftPlyType type) {
  float single;
  double wide;
  uint32_t bits32 = (uint32_t)bits;
  switch (type) {
    case WEFT_PLY_INT8:
      return bits < 128 ? (double)bits : (double)bits - 256;
    case WEFT_PLY_INT16:
      return bits < 32768 ? (double)bits : (double)bits - 65536;
    case WEFT_PLY_INT32:
      return bits < 2147483648u ? (double)bits : (double)bits - 4294967296.0;
    case WEFT_PLY_FLOAT32:
      memcpy(&single, &bits32, 4);
      return single;
    case WEFT_PLY_FLOAT64:
      memcpy(&wide, &bits, 8);
      return wide;
    default:
      return (double)bits;
  }
}

static WeftResult read_binary(Reader *r, const WeftPlyProperty *property, WeftPlyType type, double *value) {
  int size = weft_ply_type_size(type);
  if (r->end - r->at < size) return fail_truncated(r, property);
  uint64_t bits = 0;
  for (int i = 0; i < size; i++) {
    int place = r->header->format == WEFT_PLY_BIG_ENDIAN ? size - 1 - i : i;
    bits |= (uint64_t)(unsigned char)r->at[i] << 8 * place;
  }
  r->at += size;
  *value = decode(bits, type);
  return WEFT_RESULT_OK;
}

static WeftResult read_value(Reader *r, const WeftPlyProperty *property, WeftPlyType type, double *value) {
  return r->header->format == WEFT_PLY_ASCII ? read_ascii(r, property, value)
                                             : read_binary(r, property, type, value);
}

static WeftResult read_list_count(Reader *r, const WeftPlyProperty *property, int64_t *count) {
  double value;
  WeftResult result = read_value(r, property, property->count_type, &value);
  if (result != WEFT_RESULT_OK) return result;
  if (!(value >= 0 && value <= UINT32_MAX) || value != (double)(int64_t)value) {
    return fail_item(r, WEFT_RESULT_PARSE, "list '%.*s' has %g entries", shown_length(property->name),
                     property->name.text, value);
  }
  *count = (int64_t)value;
  return WEFT_RESULT_OK;
}

static WeftResult skip_list(Reader *r, const WeftPlyProperty *property) {
  int64_t count = 0;
  WeftResult result = read_list_count(r, property, &count);
  if (result != WEFT_RESULT_OK) return result;
  if (r->header->format != WEFT_PLY_ASCII) {
    int64_t bytes = count * weft_ply_type_size(property->type);
    if (r->end - r->at < bytes) return fail_truncated(r, property);
    r->at += bytes;
    return WEFT_RESULT_OK;
  }
  double value;
  for (int64_t i = 0; i < count && result == WEFT_RESULT_OK; i++) result = read_ascii(r, property, &value);
  return result;
}

static WeftResult read_corners(Reader *r, const WeftPlyProperty *property) {
  int64_t count = 0, vertex_count = r->header->elements[r->header->vertex_element].count;
  WeftResult result = read_list_count(r, property, &count);
  if (result != WEFT_RESULT_OK) return result;
  if (count < 3 || count > WEFT_MAX_POLYGON_CORNERS) {
    return fail_item(r, WEFT_RESULT_INVALID_DATA, "%lld corners; expected 3 to %d", (long long)count,
                     WEFT_MAX_POLYGON_CORNERS);
  }
  if (r->build.corner_count > INT32_MAX - WEFT_MAX_POLYGON_CORNERS) {
    return fail_item(r, WEFT_RESULT_INVALID_DATA, "too many faces; at most %d corners in all",
                     INT32_MAX - WEFT_MAX_POLYGON_CORNERS);
  }
  if (!weft_mesh_build_polygon(&r->build)) return weft_fail_memory(r->error, r->name);
  for (int64_t i = 0; i < count; i++) {
    double value;
    result = read_value(r, property, property->type, &value);
    if (result != WEFT_RESULT_OK) return result;
    if (!(value >= 0 && value < (double)vertex_count) || value != (double)(int32_t)value) {
      return fail_item(r, WEFT_RESULT_INVALID_DATA, "vertex index %.17g; expected 0 to %lld", value,
                       (long long)vertex_count - 1);
    }
    int32_t vertex = (int32_t)value;
    if (!weft_mesh_build_corner(&r->build, vertex, r->header->has_uvs ? vertex : -1)) {
      return weft_fail_memory(r->error, r->name);
    }
  }
  return WEFT_RESULT_OK;
}

/* ASCII: nothing may follow on the line. */
static WeftResult end_item(Reader *r) {
  if (r->header->format != WEFT_PLY_ASCII) return WEFT_RESULT_OK;
  while (r->at < r->end && is_blank(*r->at)) r->at++;
  if (r->at == r->end || *r->at == '\n') return WEFT_RESULT_OK;
  return fail_item(r, WEFT_RESULT_PARSE, "more values in the line than the header says");
}

static WeftResult read_item(Reader *r) {
  double values[WEFT_PLY_CORNERS + 1] = {0}; /* by role */
  for (size_t i = 0; i < r->element->property_count; i++) {
    const WeftPlyProperty *property = r->header->properties + r->element->first_property + i;
    WeftResult result = property->role == WEFT_PLY_CORNERS ? read_corners(r, property)
                        : property->is_list
                            ? skip_list(r, property)
                            : read_value(r, property, property->type, &values[property->role]);
    if (result != WEFT_RESULT_OK) return result;
  }
  if (r->element == r->header->elements + r->header->vertex_element) {
    if (!weft_mesh_build_vertex(&r->build, values + WEFT_PLY_X) ||
        (r->header->has_uvs && !weft_mesh_build_uv(&r->build, values + WEFT_PLY_U))) {
      return weft_fail_memory(r->error, r->name);
    }
  }
  return end_item(r);
}

/* The least number of bytes an item takes: in ASCII a digit and a blank or line end for every property. */
static int64_t least_item_bytes(const Reader *r) {
  int64_t bytes = 0;
  for (size_t i = 0; i < r->element->property_count; i++) {
    const WeftPlyProperty *property = r->header->properties + r->element->first_property + i;
    if (r->header->format == WEFT_PLY_ASCII) {
      bytes += 2;
    } else {
      bytes += weft_ply_type_size(property->is_list ? property->count_type : property->type);
    }
  }
  return bytes;
}

static WeftResult read_element(Reader *r) {
  int64_t least = least_item_bytes(r);
  if (least == 0) return WEFT_RESULT_OK; /* no properties: nothing is stored */
  int64_t left = r->end - r->at + (r->header->format == WEFT_PLY_ASCII); /* the last line may lack its end */
  if (left / least < r->element->count) {
    return weft_fail(
        r->error, WEFT_RESULT_PARSE,
        "%s: the file ends early: %lld items of '%.*s' are announced, the %lld bytes left hold at most %lld",
        r->name, (long long)r->element->count, shown_length(r->element->name), r->element->name.text,
        (long long)(r->end - r->at), (long long)(left / least));
  }
  for (r->item = 0; r->item < r->element->count; r->item++) {
    WeftResult result = read_item(r);
    if (result != WEFT_RESULT_OK) return result;
  }
  return WEFT_RESULT_OK;
}

WeftResult weft_ply_parse(const char *bytes, size_t size, const char *name, WeftMesh *mesh, uint64_t *faces,
                          WeftError *error) {
  WeftPlyHeader header;
  memset(mesh, 0, sizeof *mesh);
  WeftResult result = weft_ply_header_parse(&header, bytes, size, name, error);
  Reader reader = {.name = name, .at = header.body, .end = bytes + size, .header = &header, .error = error};
  reader.line = header.body_line;
  for (size_t e = 0; e < header.element_count && result == WEFT_RESULT_OK; e++) {
    reader.element = header.elements + e;
    result = read_element(&reader);
  }
  if (result == WEFT_RESULT_OK && reader.build.vertex_count == 0) {
    result = weft_fail(error, WEFT_RESULT_INVALID_DATA, "%s: the file has no vertices", name);
  }
  if (result == WEFT_RESULT_OK) result = weft_mesh_build_finish(&reader.build, name, mesh, error);
  *faces = weft_mesh_build_faces(&reader.build);
  weft_mesh_build_free(&reader.build);
  weft_ply_header_destroy(&header);
  return result;
}
