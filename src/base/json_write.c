#include "base/json_write.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

WeftJsonWriter weft_json_writer(bool is_pretty) { return (WeftJsonWriter){.is_pretty = is_pretty}; }

static void put(WeftJsonWriter *w, const char *text, size_t length) {
  if (w->is_broken || !weft_grow((void **)&w->text, &w->capacity, w->size + length + 1, 1)) {
    w->is_broken = true;
    return;
  }
  memcpy(w->text + w->size, text, length);
  w->size += length;
  w->text[w->size] = 0;
}

static void put_text(WeftJsonWriter *w, const char *text) { put(w, text, strlen(text)); }

static void new_line(WeftJsonWriter *w) {
  if (!w->is_pretty) return;
  put(w, "\n", 1);
  for (int i = 0; i < w->depth; i++) put(w, "  ", 2);
}

/* What has to stand before a value or key. */
static void begin_item(WeftJsonWriter *w) {
  if (!w->after_key) {
    if (w->needs_comma) put(w, ",", 1);
    if (w->depth) new_line(w);
  }
  w->after_key = false;
  w->needs_comma = true;
}

static void begin(WeftJsonWriter *w, const char *bracket) {
  begin_item(w);
  put_text(w, bracket);
  w->depth++;
  w->needs_comma = false;
}

static void end(WeftJsonWriter *w, const char *bracket) {
  bool has_items = w->needs_comma;
  w->depth--;
  if (has_items) new_line(w);
  put_text(w, bracket);
  w->needs_comma = true;
}

void weft_json_begin_object(WeftJsonWriter *w) { begin(w, "{"); }
void weft_json_end_object(WeftJsonWriter *w) { end(w, "}"); }
void weft_json_begin_list(WeftJsonWriter *w) { begin(w, "["); }
void weft_json_end_list(WeftJsonWriter *w) { end(w, "]"); }

/* Bytes of the well-formed UTF-8 character at c; 0 when it is none. */
static size_t utf8_bytes(const unsigned char *c) {
  static const struct {
    unsigned char mask, lead;
    uint32_t least;
  } forms[] = {{0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
  for (size_t extra = 1; extra <= 3; extra++) {
    if ((c[0] & forms[extra - 1].mask) != forms[extra - 1].lead) continue;
    uint32_t code = c[0] & (unsigned char)~forms[extra - 1].mask;
    for (size_t i = 1; i <= extra; i++) {
      if ((c[i] & 0xC0) != 0x80) return 0; /* also at the closing zero */
      code = code << 6 | (c[i] & 0x3F);
    }
    bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < forms[extra - 1].least || code > 0x10FFFF || is_surrogate ? 0 : extra + 1;
  }
  return 0;
}

static void put_quoted(WeftJsonWriter *w, const char *text) {
  put(w, "\"", 1);
  for (const char *c = text; *c;) {
    unsigned char byte = (unsigned char)*c;
    size_t length = 1;
    if (byte == '"' || byte == '\\') {
      char escaped[2] = {'\\', *c};
      put(w, escaped, 2);
    } else if (byte < 0x20 || byte == 0x7F) {
      char escaped[8];
      snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      put_text(w, byte == '\n' ? "\\n" : byte == '\t' ? "\\t" : escaped);
    } else if (byte < 0x80) {
      put(w, c, 1);
    } else {
      size_t bytes = utf8_bytes((const unsigned char *)c);
      if (bytes) length = bytes;
      put(w, bytes ? c : "\xEF\xBF\xBD", bytes ? bytes : 3);
    }
    c += length;
  }
  put(w, "\"", 1);
}

void weft_json_write_key(WeftJsonWriter *w, const char *key) {
  begin_item(w);
  put_quoted(w, key);
  put_text(w, w->is_pretty ? ": " : ":");
  w->after_key = true;
}

void weft_json_write_null(WeftJsonWriter *w) {
  begin_item(w);
  put_text(w, "null");
}

void weft_json_write_boolean(WeftJsonWriter *w, bool value) {
  begin_item(w);
  put_text(w, value ? "true" : "false");
}

void weft_json_write_number(WeftJsonWriter *w, double value) {
  if (!isfinite(value)) {
    weft_json_write_null(w);
    return;
  }
  begin_item(w);
  char digits[64], clean[64];
  snprintf(digits, sizeof digits, "%.17g", value);
  /* The decimal point of a locale may be another character, or several bytes: whatever it is becomes one
   * point. */
  size_t length = 0;
  for (const char *c = digits; *c; c++) {
    bool is_plain = (*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e';
    if (is_plain)
      clean[length++] = *c;
    else if (!length || clean[length - 1] != '.')
      clean[length++] = '.';
  }
  put(w, clean, length);
}

void weft_json_write_integer(WeftJsonWriter *w, int64_t value) {
  begin_item(w);
  char digits[32];
  snprintf(digits, sizeof digits, "%" PRId64, value);
  put_text(w, digits);
}

void weft_json_write_text(WeftJsonWriter *w, const char *text) {
  begin_item(w);
  put_quoted(w, text);
}

void weft_json_write_hash(WeftJsonWriter *w, uint64_t value) {
  begin_item(w);
  char digits[32];
  snprintf(digits, sizeof digits, "\"%016" PRIx64 "\"", value);
  put_text(w, digits);
}

WeftResult weft_json_finish(WeftJsonWriter *w, char **text, size_t *size, WeftError *error) {
  if (w->is_pretty) put(w, "\n", 1);
  *text = NULL;
  if (size) *size = 0;
  if (w->is_broken) {
    weft_json_writer_free(w);
    return weft_fail_memory(error, "the JSON text");
  }
  if (!w->text) put(w, "", 0);
  *text = w->text;
  if (size) *size = w->size;
  *w = weft_json_writer(w->is_pretty);
  return *text ? WEFT_RESULT_OK : weft_fail_memory(error, "the JSON text");
}

void weft_json_writer_free(WeftJsonWriter *w) {
  free(w->text);
  *w = weft_json_writer(w->is_pretty);
}

void weft_json_write_number_at(WeftJsonWriter *writer, const char *key, double value) {
  weft_json_write_key(writer, key);
  weft_json_write_number(writer, value);
}

void weft_json_write_integer_at(WeftJsonWriter *writer, const char *key, int64_t value) {
  weft_json_write_key(writer, key);
  weft_json_write_integer(writer, value);
}

void weft_json_write_text_at(WeftJsonWriter *writer, const char *key, const char *text) {
  weft_json_write_key(writer, key);
  weft_json_write_text(writer, text);
}
