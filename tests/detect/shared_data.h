/* Where the shared data is: WEFT_SHARED, or ../shared beside the source. */
#ifndef WEFT_TESTS_SHARED_DATA_H
#define WEFT_TESTS_SHARED_DATA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((format(printf, 3, 4))) static inline void shared_data_path(char *path, size_t size,
                                                                          const char *format, ...) {
  const char *shared = getenv("WEFT_SHARED"), *source = getenv("WEFT_SOURCE_DIR");
  int used = shared ? snprintf(path, size, "%s/", shared)
                    : snprintf(path, size, "%s/../shared/", source ? source : ".");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(path + used, size - (size_t)used, format, arguments);
  va_end(arguments);
}

static inline bool shared_data_is_here(void) {
  char path[1024];
  shared_data_path(path, sizeof path, "validation/ccd_cases.txt");
  FILE *file = fopen(path, "r");
  if (file) fclose(file);
  return file != NULL;
}

#endif
