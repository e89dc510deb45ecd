/* Writing JSON into a growing text. Numbers keep all their digits (%.17g, a point whatever the locale says);
 * what is not finite becomes null, because JSON has no word for it. An allocation that fails is remembered
 * and told at the end, so that callers write straight through. */
#ifndef WEFT_BASE_JSON_WRITE_H
#define WEFT_BASE_JSON_WRITE_H

#include "base/error.h"

#include <stdint.h>

typedef struct WeftJsonWriter {
  char *text;
  size_t size, capacity;
  int depth;
  bool is_pretty;   /* two spaces a level, one member or item a line */
  bool is_broken;   /* out of memory */
  bool needs_comma; /* something stands before, in the same list or object */
  bool after_key;
} WeftJsonWriter;

/* Zeroed, with the one choice. */
WeftJsonWriter weft_json_writer(bool is_pretty);

void weft_json_begin_object(WeftJsonWriter *writer);
void weft_json_end_object(WeftJsonWriter *writer);
void weft_json_begin_list(WeftJsonWriter *writer);
void weft_json_end_list(WeftJsonWriter *writer);
/* Then exactly one value. */
void weft_json_write_key(WeftJsonWriter *writer, const char *key);
void weft_json_write_null(WeftJsonWriter *writer);
void weft_json_write_boolean(WeftJsonWriter *writer, bool value);
void weft_json_write_number(WeftJsonWriter *writer, double value);
void weft_json_write_integer(WeftJsonWriter *writer, int64_t value);
/* UTF-8; what is not is written as U+FFFD. */
void weft_json_write_text(WeftJsonWriter *writer, const char *text);
/* 16 hexadecimal digits in quotes: a double could not hold it. */
void weft_json_write_hash(WeftJsonWriter *writer, uint64_t value);
/* A key and its value. */
void weft_json_write_number_at(WeftJsonWriter *writer, const char *key, double value);
void weft_json_write_integer_at(WeftJsonWriter *writer, const char *key, int64_t value);
void weft_json_write_text_at(WeftJsonWriter *writer, const char *key, const char *text);

/* Hands over the zero-terminated text, which ends with a newline when pretty; free() it. The writer is empty
 * after. */
WeftResult weft_json_finish(WeftJsonWriter *writer, char **text, size_t *size, WeftError *error);
/* For leaving early. */
void weft_json_writer_free(WeftJsonWriter *writer);

#endif
