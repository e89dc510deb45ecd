/* Wavefront OBJ: v, vt and f; every other statement is passed over. docs/meshes.md says what is read.
 *
 * Faces may come before their vertices, so positive indices are checked at the end, with the line of their
 * face. Normals are not kept, so only the form of their indices is looked at; the same goes for uv indices of
 * a file that has no vt at all (bodies cut out of larger files come like that).
 */
#include "base/memory.h"
#include "io/mesh_build.h"
#include "io/mesh_read.h"
#include "io/number.h"
#include "mesh/limits.h"
#include "mesh/triangulate.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
  const char *name;
  const char *at, *end;
  int line;
  WeftMeshBuild build;
  int32_t *polygon_line; /* build.polygon_count */
  size_t polygon_line_capacity;
  WeftError *error;
} Reader;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

static bool is_at_newline(const Reader *r) { return r->at < r->end && *r->at == '\n'; }

/* Blanks, and line ends behind a backslash. */
static void skip_blanks(Reader *r) {
  while (r->at < r->end) {
    if (is_blank(*r->at)) {
      r->at++;
      continue;
    }
    const char *p = r->at;
    if (*p != '\\') return;
    p++;
    if (p < r->end && *p == '\r') p++;
    if (p == r->end || *p != '\n') return;
    r->at = p + 1;
    r->line += r->line < INT_MAX;
  }
}

static void skip_line(Reader *r) {
  const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  r->at = newline ? newline + 1 : r->end;
  r->line += r->line < INT_MAX;
}

/* Is there nothing more in this statement? */
static bool is_at_end(Reader *r) {
  skip_blanks(r);
  return r->at == r->end || *r->at == '\n' || *r->at == '#';
}

/* May a number or an index end here? */
static bool is_between_words(const Reader *r) {
  return r->at == r->end || is_blank(*r->at) || *r->at == '\n' || *r->at == '\\' || *r->at == '#';
}

/* The word at the cursor, cut to fit a message, unprintable bytes as '?'. */
static const char *quote_word(const Reader *r, char text[24]) {
  int length = 0;
  for (const char *p = r->at; p < r->end && !is_blank(*p) && *p != '\n' && length < 23; p++) {
    text[length++] = *p >= ' ' && *p <= '~' ? *p : '?';
  }
  text[length] = 0;
  return text;
}

static WeftResult out_of_memory(const Reader *r) { return weft_fail_memory(r->error, r->name); }

/* Reads at least `least` and at most `most` numbers to the end of the statement; *count says how many. */
static WeftResult read_numbers(Reader *r, const char *what, int least, int most, double *values, int *count) {
  int line = r->line;
  *count = 0;
  while (!is_at_end(r)) {
    const char *word = r->at;
    double value;
    if (!weft_read_double(&r->at, r->end, &value) || !is_between_words(r)) {
      char text[24];
      r->at = word;
      return weft_fail(r->error, WEFT_RESULT_PARSE, "%s:%d: '%s' in a %s statement is not a number", r->name,
                       r->line, quote_word(r, text), what);
    }
    if (*count < most) values[*count] = value;
    (*count)++;
  }
  if (*count < least || *count > most) {
    return weft_fail(r->error, WEFT_RESULT_PARSE, "%s:%d: %d numbers in a %s statement; expected %d to %d",
                     r->name, line, *count, what, least, most);
  }
  return WEFT_RESULT_OK;
}

static WeftResult read_vertex(Reader *r) {
  double values[7]; /* x y z, then w, or r g b, or w r g b */
  int count;
  WeftResult result = read_numbers(r, "v", 3, 7, values, &count);
  if (result != WEFT_RESULT_OK) return result;
  return weft_mesh_build_vertex(&r->build, values) ? WEFT_RESULT_OK : out_of_memory(r);
}

static WeftResult read_uv(Reader *r) {
  double values[3] = {0, 0, 0};
  int count;
  WeftResult result = read_numbers(r, "vt", 1, 3, values, &count);
  if (result != WEFT_RESULT_OK) return result;
  return weft_mesh_build_uv(&r->build, values) ? WEFT_RESULT_OK : out_of_memory(r);
}

/* From the file's counting, from 1 or backwards from -1, to ours. False for 0 and what cannot be. */
static bool resolve_index(int64_t written, size_t count_so_far, int32_t *index) {
  int64_t from_zero = written > 0 ? written - 1 : (int64_t)count_so_far + written;
  if (written == 0 || from_zero < 0 || from_zero >= INT32_MAX) return false;
  *index = (int32_t)from_zero;
  return true;
}

static WeftResult refuse_index(const Reader *r, const char *what, int64_t written, size_t count_so_far) {
  if (written == 0) {
    return weft_fail(r->error, WEFT_RESULT_PARSE,
                     "%s:%d: %s index 0 in a face; OBJ counts from 1, or backwards from -1", r->name, r->line,
                     what);
  }
  return weft_fail(r->error, WEFT_RESULT_INVALID_DATA, "%s:%d: %s index %lld in a face; there are %zu so far",
                   r->name, r->line, what, (long long)written, count_so_far);
}

/* One of v, v/vt, v//vn, v/vt/vn. */
static WeftResult read_corner(Reader *r) {
  const char *word = r->at;
  int64_t written[3] = {0, 0, 0};
  bool is_there[3] = {false, false, false};
  bool is_good = true;
  for (int k = 0; k < 3; k++) {
    if (k > 0) {
      if (r->at == r->end || *r->at != '/') break;
      r->at++;
    }
    is_there[k] = weft_read_int(&r->at, r->end, &written[k]);
    bool may_be_empty = k == 1 && r->at < r->end && *r->at == '/'; /* v//vn */
    if (!is_there[k] && !may_be_empty) is_good = false;
  }
  if (!is_good || !is_between_words(r)) {
    char text[24];
    r->at = word;
    return weft_fail(r->error, WEFT_RESULT_PARSE,
                     "%s:%d: '%s' is not a corner of a face; expected v, v/vt, v//vn or v/vt/vn", r->name,
                     r->line, quote_word(r, text));
  }
  int32_t vertex, uv = -1;
  if (!resolve_index(written[0], r->build.vertex_count, &vertex)) {
    return refuse_index(r, "vertex", written[0], r->build.vertex_count);
  }
  if (is_there[1] && !resolve_index(written[1], r->build.uv_count, &uv)) {
    return refuse_index(r, "vt", written[1], r->build.uv_count);
  }
  return weft_mesh_build_corner(&r->build, vertex, uv) ? WEFT_RESULT_OK : out_of_memory(r);
}

static WeftResult read_face(Reader *r) {
  void *lines = r->polygon_line;
  bool has_room =
      weft_grow(&lines, &r->polygon_line_capacity, r->build.polygon_count + 1, sizeof *r->polygon_line);
  r->polygon_line = lines;
  if (!has_room) return out_of_memory(r);
  r->polygon_line[r->build.polygon_count] = r->line;
  size_t first = r->build.corner_count;
  if (first > INT32_MAX - WEFT_MAX_POLYGON_CORNERS) {
    return weft_fail(r->error, WEFT_RESULT_INVALID_DATA, "%s:%d: more than %d corners of faces", r->name,
                     r->line, INT32_MAX - WEFT_MAX_POLYGON_CORNERS);
  }
  if (!weft_mesh_build_polygon(&r->build)) return out_of_memory(r);
  while (!is_at_end(r)) {
    WeftResult result = read_corner(r);
    if (result != WEFT_RESULT_OK) return result;
    if (r->build.corner_count - first > WEFT_MAX_POLYGON_CORNERS) break;
  }
  size_t count = r->build.corner_count - first;
  if (count >= 3 && count <= WEFT_MAX_POLYGON_CORNERS) return WEFT_RESULT_OK;
  return weft_fail(r->error, WEFT_RESULT_INVALID_DATA, "%s:%d: a face of %s%zu corners; expected 3 to %d",
                   r->name, r->line, count < 3 ? "" : "more than ", count < 3 ? count : count - 1,
                   WEFT_MAX_POLYGON_CORNERS);
}

static bool is_word(const char *word, size_t length, const char *expected) {
  return length == strlen(expected) && memcmp(word, expected, length) == 0;
}

static WeftResult read_statement(Reader *r) {
  const char *word = r->at;
  while (r->at < r->end && !is_blank(*r->at) && *r->at != '\n' && *r->at != '\\' && *r->at != '#') r->at++;
  size_t length = (size_t)(r->at - word);
  if (is_word(word, length, "v")) return read_vertex(r);
  if (is_word(word, length, "vt")) return read_uv(r);
  if (is_word(word, length, "f")) return read_face(r);
  return WEFT_RESULT_OK;
}

static WeftResult check_indices(Reader *r) {
  WeftMeshBuild *build = &r->build;
  for (size_t p = 0; p < build->polygon_count; p++) {
    size_t end = p + 1 < build->polygon_count ? (size_t)build->polygon_start[p + 1] : build->corner_count;
    for (size_t i = (size_t)build->polygon_start[p]; i < end; i++) {
      if ((size_t)build->corner_vertex[i] >= build->vertex_count) {
        return weft_fail(r->error, WEFT_RESULT_INVALID_DATA,
                         "%s:%d: vertex index %lld in a face; the file has %zu", r->name, r->polygon_line[p],
                         (long long)build->corner_vertex[i] + 1, build->vertex_count);
      }
      if (build->uv_count == 0) build->corner_uv[i] = -1;
      if (build->corner_uv[i] >= 0 && (size_t)build->corner_uv[i] >= build->uv_count) {
        return weft_fail(r->error, WEFT_RESULT_INVALID_DATA,
                         "%s:%d: vt index %lld in a face; the file has %zu", r->name, r->polygon_line[p],
                         (long long)build->corner_uv[i] + 1, build->uv_count);
      }
    }
  }
  return WEFT_RESULT_OK;
}

static WeftResult read_statements(Reader *r) {
  if (r->end - r->at >= 3 && memcmp(r->at, "\xEF\xBB\xBF", 3) == 0)
    r->at += 3; /* byte order mark of an editor */
  while (r->at < r->end) {
    while (r->at < r->end && is_blank(*r->at)) r->at++;
    WeftResult result = is_at_newline(r) ? WEFT_RESULT_OK : read_statement(r);
    if (result != WEFT_RESULT_OK) return result;
    skip_line(r);
  }
  if (r->build.vertex_count == 0) {
    return weft_fail(
        r->error, WEFT_RESULT_PARSE,
        "%s: no vertices found; expected an OBJ file ('v x y z' lines) or a PLY file (first line 'ply')",
        r->name);
  }
  return check_indices(r);
}

WeftResult weft_obj_parse(const char *text, size_t size, const char *name, WeftMesh *mesh, uint64_t *faces,
                          WeftError *error) {
  Reader reader = {.name = name, .at = text, .end = text + size, .line = 1, .error = error};
  memset(mesh, 0, sizeof *mesh);
  WeftResult result = read_statements(&reader);
  if (result == WEFT_RESULT_OK) result = weft_mesh_build_finish(&reader.build, name, mesh, error);
  *faces = weft_mesh_build_faces(&reader.build);
  weft_mesh_build_free(&reader.build);
  free(reader.polygon_line);
  return result;
}
