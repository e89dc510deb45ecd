#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

WeftResult weft_fail(WeftError *error, WeftResult result, const char *format, ...) {
  if (error) {
    error->result = result;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
  }
  return result;
}

WeftResult weft_fail_memory(WeftError *error, const char *what) {
  return weft_fail(error, WEFT_RESULT_OUT_OF_MEMORY, "out of memory: %s; use a smaller mesh or free memory",
                   what);
}

void weft_log(WeftLog log, WeftLogLevel level, const char *format, ...) {
  if (!log.fn) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  log.fn(level, text, log.user);
}

/* Levenshtein distance, cut off at the buffer's length: names here are short. */
static int edit_distance(const char *a, const char *b) {
  enum { LONGEST = 63 };
  int row[LONGEST + 1];
  int length_b = (int)strlen(b);
  if (length_b > LONGEST || strlen(a) > LONGEST) return LONGEST;
  for (int j = 0; j <= length_b; j++) row[j] = j;
  for (int i = 1; a[i - 1]; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= length_b; j++) {
      int replaced = diagonal + (a[i - 1] != b[j - 1]);
      int inserted = (row[j - 1] < row[j] ? row[j - 1] : row[j]) + 1;
      diagonal = row[j];
      row[j] = replaced < inserted ? replaced : inserted;
    }
  }
  return row[length_b];
}

const char *weft_nearest_name(const char *written, const char *const *names, int count) {
  const char *nearest = NULL;
  int limit = (int)strlen(written) / 2 + 1; /* farther than half the word is no help */
  for (int i = 0; i < count; i++) {
    int distance = edit_distance(written, names[i]);
    if (distance < limit) {
      limit = distance;
      nearest = names[i];
    }
  }
  return nearest;
}
