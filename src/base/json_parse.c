/* The parser of base/json.h: one pass over the bytes, depth bounded, no recursion deeper than
 * WEFT_JSON_MAX_DEPTH.
 *
 * A key that stands twice in one object is found with a hash table over (object, key), so that hostile files
 * cannot make the search quadratic. */
#include "base/json.h"
#include "base/memory.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Parser {
  WeftJson *json;
  const char *name; /* for messages */
  int32_t origin;
  int flags;
  const char *at, *end; /* *end is 0 */
  const char *line_start, *counted_to;
  int32_t line, counted; /* counted: the column of counted_to */
  int32_t depth;
  int32_t *table; /* keys seen: node + 1, 0 empty */
  size_t table_size, table_used;
  WeftError *error;
} Parser;

static WeftResult parse_value(Parser *p, int32_t *node);

/* Characters, not bytes, from the start of the line: what an editor shows. Counts on from the last place
 * asked for, or a file without line breaks would take quadratic time. */
static int32_t column_of(Parser *p, const char *at) {
  if (p->counted_to < p->line_start || p->counted_to > at) {
    p->counted_to = p->line_start;
    p->counted = 1;
  }
  for (; p->counted_to < at; p->counted_to++) p->counted += ((unsigned char)*p->counted_to & 0xC0) != 0x80;
  return p->counted;
}

static WeftResult fail_at(Parser *p, const char *at, const char *what) {
  if (p->origin >= 0) return weft_fail(p->error, WEFT_RESULT_PARSE, "%s: %s", p->name, what);
  return weft_fail(p->error, WEFT_RESULT_PARSE, "%s:%d:%d: %s", p->name, p->line, column_of(p, at), what);
}

static WeftResult fail_memory(Parser *p) { return weft_fail_memory(p->error, p->name); }

/* Length of the UTF-8 character at c, 0 when it is not well-formed (RFC 3629: no overlong forms, no
 * surrogates). */
static int utf8_length(const char *c, const char *end) {
  const unsigned char *u = (const unsigned char *)c;
  size_t left = (size_t)(end - c);
  if (u[0] < 0x80) return 1;
  if (u[0] >= 0xC2 && u[0] <= 0xDF) return left >= 2 && (u[1] & 0xC0) == 0x80 ? 2 : 0;
  if ((u[0] & 0xF0) == 0xE0) {
    if (left < 3 || (u[1] & 0xC0) != 0x80 || (u[2] & 0xC0) != 0x80) return 0;
    if (u[0] == 0xE0 && u[1] < 0xA0) return 0;
    if (u[0] == 0xED && u[1] > 0x9F) return 0;
    return 3;
  }
  if (u[0] < 0xF0 || u[0] > 0xF4 || left < 4) return 0;
  if ((u[1] & 0xC0) != 0x80 || (u[2] & 0xC0) != 0x80 || (u[3] & 0xC0) != 0x80) return 0;
  if (u[0] == 0xF0 && u[1] < 0x90) return 0;
  if (u[0] == 0xF4 && u[1] > 0x8F) return 0;
  return 4;
}

static WeftResult skip_comment(Parser *p) {
  if (!(p->flags & WEFT_JSON_COMMENTS)) return fail_at(p, p->at, "comments are not allowed here");
  if (p->at + 1 >= p->end || p->at[1] != '/')
    return fail_at(p, p->at, "expected // at the start of a comment");
  while (p->at < p->end && *p->at != '\n') {
    int length = utf8_length(p->at, p->end);
    if (!length) return fail_at(p, p->at, "not UTF-8");
    p->at += length;
  }
  return WEFT_RESULT_OK;
}

static WeftResult skip_space(Parser *p) {
  while (p->at < p->end) {
    if (*p->at == '\n') {
      p->line++;
      p->line_start = ++p->at;
    } else if (*p->at == ' ' || *p->at == '\t' || *p->at == '\r') {
      p->at++;
    } else if (*p->at == '/') {
      WeftResult result = skip_comment(p);
      if (result) return result;
    } else {
      break;
    }
  }
  return WEFT_RESULT_OK;
}

static bool put_byte(Parser *p, unsigned byte) {
  WeftJson *json = p->json;
  if (!weft_grow((void **)&json->texts, &json->text_capacity, json->text_size + 1, 1)) return false;
  json->texts[json->text_size++] = (char)byte;
  return true;
}

static bool put_code_point(Parser *p, uint32_t code) {
  if (code < 0x80) return put_byte(p, code);
  if (code < 0x800) return put_byte(p, 0xC0 | code >> 6) && put_byte(p, 0x80 | (code & 0x3F));
  if (code < 0x10000)
    return put_byte(p, 0xE0 | code >> 12) && put_byte(p, 0x80 | (code >> 6 & 0x3F)) &&
           put_byte(p, 0x80 | (code & 0x3F));
  return put_byte(p, 0xF0 | code >> 18) && put_byte(p, 0x80 | (code >> 12 & 0x3F)) &&
         put_byte(p, 0x80 | (code >> 6 & 0x3F)) && put_byte(p, 0x80 | (code & 0x3F));
}

/* Four hexadecimal digits at c; -1 when there are not four. */
static int32_t read_hex4(const Parser *p, const char *c) {
  if (p->end - c < 4) return -1;
  int32_t value = 0;
  for (int i = 0; i < 4; i++) {
    int digit = c[i] >= '0' && c[i] <= '9'   ? c[i] - '0'
                : c[i] >= 'a' && c[i] <= 'f' ? c[i] - 'a' + 10
                : c[i] >= 'A' && c[i] <= 'F' ? c[i] - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/* At \u; leaves at behind the escape, also behind the second half of a surrogate pair. */
static WeftResult parse_unicode_escape(Parser *p) {
  int32_t code = read_hex4(p, p->at + 2);
  if (code < 0) return fail_at(p, p->at, "expected four hexadecimal digits after \\u");
  const char *start = p->at;
  p->at += 6;
  if (code >= 0xDC00 && code <= 0xDFFF)
    return fail_at(p, start, "second half of a surrogate pair without the first");
  if (code >= 0xD800 && code <= 0xDBFF) {
    int32_t low = p->end - p->at >= 6 && p->at[0] == '\\' && p->at[1] == 'u' ? read_hex4(p, p->at + 2) : -1;
    if (low < 0xDC00 || low > 0xDFFF)
      return fail_at(p, start, "first half of a surrogate pair without the second");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    p->at += 6;
  }
  return put_code_point(p, (uint32_t)code) ? WEFT_RESULT_OK : fail_memory(p);
}

static WeftResult parse_escape(Parser *p) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  char letter = p->at + 1 < p->end ? p->at[1] : 0;
  if (letter == 'u') return parse_unicode_escape(p);
  const char *found = letter ? strchr(letters, letter) : NULL;
  if (!found)
    return fail_at(p, p->at, "unknown escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
  p->at += 2;
  return put_byte(p, (unsigned char)meanings[found - letters]) ? WEFT_RESULT_OK : fail_memory(p);
}

/* At the opening quote. */
static WeftResult parse_text(Parser *p, int32_t *text, int32_t *length) {
  size_t start = p->json->text_size;
  const char *opening = p->at++;
  while (p->at < p->end && *p->at != '"') {
    if (*p->at == '\\') {
      WeftResult result = parse_escape(p);
      if (result) return result;
      continue;
    }
    if ((unsigned char)*p->at < 0x20)
      return fail_at(p, p->at,
                     *p->at == '\n' ? "text that does not end on its line; expected \""
                                    : "control character in a text; write it as \\u00..");
    int bytes = utf8_length(p->at, p->end);
    if (!bytes) return fail_at(p, p->at, "not UTF-8");
    for (int i = 0; i < bytes; i++)
      if (!put_byte(p, (unsigned char)*p->at++)) return fail_memory(p);
  }
  if (p->at >= p->end) return fail_at(p, opening, "text without its closing \"");
  p->at++;
  *text = (int32_t)start;
  *length = (int32_t)(p->json->text_size - start);
  return put_byte(p, 0) ? WEFT_RESULT_OK : fail_memory(p);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The grammar is checked here, the value is strtod's: correctly rounded, and in the "C" locale set by
 * parse_document. */
static WeftResult parse_number(Parser *p, double *number) {
  const char *start = p->at, *c = p->at;
  if (*c == '-') c++;
  if (!is_digit(*c)) return fail_at(p, start, "expected a digit after -");
  if (*c == '0' && is_digit(c[1]))
    return fail_at(p, start, "a number must not begin with 0 before another digit");
  while (is_digit(*c)) c++;
  if (*c == '.') {
    if (!is_digit(*++c)) return fail_at(p, start, "expected a digit after the decimal point");
    while (is_digit(*c)) c++;
  }
  if (*c == 'e' || *c == 'E') {
    c++;
    if (*c == '+' || *c == '-') c++;
    if (!is_digit(*c)) return fail_at(p, start, "expected a digit in the exponent");
    while (is_digit(*c)) c++;
  }
  *number = strtod(start, NULL);
  if (!isfinite(*number)) return fail_at(p, start, "number out of the range of a double");
  p->at = c;
  return WEFT_RESULT_OK;
}

static uint64_t hash_key(int32_t object, const char *key, int32_t length) {
  uint64_t hash = 14695981039346656037u ^ (uint64_t)object; /* FNV-1a */
  for (int32_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)key[i]) * 1099511628211u;
  return hash ^ hash >> 29;
}

/* Where the key of this node stands in the table, or the empty place where it belongs. */
static size_t find_key(const Parser *p, const WeftJsonNode *node) {
  const char *texts = p->json->texts;
  size_t slot = hash_key(node->parent, texts + node->key, node->key_length) & (p->table_size - 1);
  while (p->table[slot]) {
    const WeftJsonNode *other = &p->json->nodes[p->table[slot] - 1];
    if (other->parent == node->parent && other->key_length == node->key_length &&
        !memcmp(texts + other->key, texts + node->key, (size_t)node->key_length))
      break;
    slot = (slot + 1) & (p->table_size - 1);
  }
  return slot;
}

static WeftResult grow_table(Parser *p) {
  size_t old_size = p->table_size;
  int32_t *old = p->table;
  p->table_size = old_size ? 2 * old_size : 64;
  p->table = WEFT_NEW(int32_t, p->table_size);
  if (!p->table) {
    p->table = old;
    p->table_size = old_size;
    return fail_memory(p);
  }
  for (size_t i = 0; i < old_size; i++)
    if (old[i]) p->table[find_key(p, &p->json->nodes[old[i] - 1])] = old[i];
  free(old);
  return WEFT_RESULT_OK;
}

static WeftResult remember_key(Parser *p, int32_t node, const char *at) {
  if (2 * (p->table_used + 1) > p->table_size) {
    WeftResult result = grow_table(p);
    if (result) return result;
  }
  size_t slot = find_key(p, &p->json->nodes[node]);
  if (p->table[slot]) {
    char what[160];
    snprintf(what, sizeof what, "key \"%.60s\" stands twice in one object, first in line %d",
             weft_json_key(p->json, node), p->json->nodes[p->table[slot] - 1].key_line);
    return fail_at(p, at, what);
  }
  p->table[slot] = node + 1;
  p->table_used++;
  return WEFT_RESULT_OK;
}

/* At a key: the member's key and value. */
static WeftResult parse_member(Parser *p, int32_t object) {
  if (p->at >= p->end || *p->at != '"') return fail_at(p, p->at, "expected a key in quotes, or }");
  const char *key_at = p->at;
  int32_t key, key_length, key_line = p->line, key_column = column_of(p, p->at);
  WeftResult result = parse_text(p, &key, &key_length);
  if (result) return result;
  /* The member is made before its value so that a duplicate is reported at the second key. */
  int32_t child = weft_json_new(p->json, WEFT_JSON_NULL, p->origin);
  if (child < 0) return fail_memory(p);
  WeftJsonNode *node = &p->json->nodes[child];
  node->key = key;
  node->key_length = key_length;
  node->key_line = key_line;
  node->key_column = key_column;
  weft_json_link(p->json, object, child);
  result = remember_key(p, child, key_at);
  if (result) return result;
  result = skip_space(p);
  if (result) return result;
  if (p->at >= p->end || *p->at != ':') return fail_at(p, p->at, "expected : after the key");
  p->at++;
  result = skip_space(p);
  if (result) return result;
  return parse_value(p, &child);
}

/* At the opening bracket of a list or object whose node exists. */
static WeftResult parse_children(Parser *p, int32_t node, char closing) {
  bool is_object = closing == '}';
  if (++p->depth > WEFT_JSON_MAX_DEPTH) return fail_at(p, p->at, "nested deeper than 64 levels");
  p->at++;
  WeftResult result = skip_space(p);
  if (result) return result;
  for (bool is_first = true; p->at >= p->end || *p->at != closing; is_first = false) {
    if (!is_first) {
      if (p->at >= p->end || *p->at != ',')
        return fail_at(p, p->at, is_object ? "expected , or }" : "expected , or ]");
      p->at++;
      result = skip_space(p);
      if (result) return result;
    }
    if (is_object) {
      result = parse_member(p, node);
    } else {
      int32_t child = -1;
      result = parse_value(p, &child);
      if (!result) weft_json_link(p->json, node, child);
    }
    if (!result) result = skip_space(p);
    if (result) return result;
  }
  p->at++;
  p->depth--;
  return WEFT_RESULT_OK;
}

static bool take_word(Parser *p, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length)) return false;
  p->at += length;
  return true;
}

/* *node is a node made by the caller, or -1: then one is made. */
static WeftResult parse_value(Parser *p, int32_t *node) {
  if (*node < 0) *node = weft_json_new(p->json, WEFT_JSON_NULL, p->origin);
  if (*node < 0) return fail_memory(p);
  WeftJsonNode *made = &p->json->nodes[*node];
  made->line = p->line;
  made->column = column_of(p, p->at);
  char c = p->at < p->end ? *p->at : 0;
  if (c == '{' || c == '[') {
    made->type = c == '{' ? WEFT_JSON_OBJECT : WEFT_JSON_LIST;
    return parse_children(p, *node, c == '{' ? '}' : ']');
  }
  if (c == '"') {
    int32_t text = 0, length = 0;
    WeftResult result = parse_text(p, &text, &length);
    if (result) return result;
    made->type = WEFT_JSON_TEXT;
    made->text = text;
    made->text_length = length;
    return WEFT_RESULT_OK;
  }
  if (c == '-' || is_digit(c)) {
    made->type = WEFT_JSON_NUMBER;
    return parse_number(p, &made->number);
  }
  if (take_word(p, "true") || take_word(p, "false")) {
    made->type = WEFT_JSON_BOOLEAN;
    made->boolean = p->at[-2] == 'u';
    return WEFT_RESULT_OK;
  }
  if (take_word(p, "null")) return WEFT_RESULT_OK;
  return fail_at(p, p->at, p->at >= p->end ? "expected a value, found the end" : "expected a value");
}

static WeftResult parse_document(Parser *p, int32_t *root) {
  if (p->end - p->at >= 3 && !memcmp(p->at, "\xEF\xBB\xBF", 3))
    return fail_at(p, p->at, "begins with a byte order mark; save it as UTF-8 without one");
  /* strtod obeys the thread's locale, where the decimal point may be a comma. */
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!plain) return fail_memory(p);
  locale_t before = uselocale(plain);
  *root = -1;
  WeftResult result = skip_space(p);
  if (!result) result = parse_value(p, root);
  if (!result) result = skip_space(p);
  if (!result && p->at < p->end) result = fail_at(p, p->at, "expected the end after the value");
  uselocale(before);
  freelocale(plain);
  return result;
}

/* The bytes are copied so that a zero follows them: the number grammar and strtod look one byte ahead. */
static WeftResult parse_copy(WeftJson *json, const char *text, size_t size, const char *name, int32_t origin,
                             int flags, int32_t *root, WeftError *error) {
  enum { LARGEST = 1 << 28 };
  if (size > LARGEST)
    return weft_fail(error, WEFT_RESULT_PARSE, "%s: larger than 256 MiB; expected a JSON text", name);
  char *copy = WEFT_NEW(char, size + 1);
  if (!copy) return weft_fail_memory(error, name);
  if (size) memcpy(copy, text, size);
  Parser parser = {.json = json,
                   .name = name,
                   .origin = origin,
                   .flags = flags,
                   .at = copy,
                   .end = copy + size,
                   .line_start = copy,
                   .counted_to = copy,
                   .counted = 1,
                   .line = 1,
                   .error = error};
  WeftResult result = parse_document(&parser, root);
  free(parser.table);
  free(copy);
  return result;
}

WeftResult weft_json_parse(WeftJson *json, const char *text, size_t size, const char *name, int flags,
                           WeftError *error) {
  memset(json, 0, sizeof *json);
  json->root = -1;
  json->name = weft_copy_text(name);
  WeftResult result = json->name ? parse_copy(json, text, size, json->name, -1, flags, &json->root, error)
                                 : weft_fail_memory(error, name);
  if (result) weft_json_free(json);
  return result;
}

WeftResult weft_json_parse_more(WeftJson *json, const char *text, size_t size, const char *origin,
                                int32_t *node, WeftError *error) {
  char *copy = weft_copy_text(origin);
  if (!copy ||
      !weft_grow((void **)&json->origins, &json->origin_capacity, json->origin_count + 1, sizeof(char *))) {
    free(copy);
    return weft_fail_memory(error, origin);
  }
  json->origins[json->origin_count++] = copy;
  return parse_copy(json, text, size, copy, (int32_t)json->origin_count - 1, WEFT_JSON_STRICT, node, error);
}
