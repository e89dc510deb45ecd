#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *weft_alloc(size_t count, size_t size) {
  return calloc(count ? count : 1, size); /* calloc checks count x size for overflow */
}

void *weft_copy(const void *source, size_t count, size_t size) {
  void *copy = weft_alloc(count, size);
  if (copy && count) memcpy(copy, source, count * size);
  return copy;
}

bool weft_grow(void **items, size_t *capacity, size_t needed, size_t size) {
  if (needed <= *capacity) return true;
  size_t wanted = *capacity < 16 ? 16 : *capacity;
  while (wanted < needed) {
    if (wanted > SIZE_MAX / 2) return false;
    wanted *= 2;
  }
  if (wanted > SIZE_MAX / size) return false;
  void *grown = realloc(*items, wanted * size);
  if (!grown) return false;
  *items = grown;
  *capacity = wanted;
  return true;
}

char *weft_copy_text(const char *text) { return weft_copy(text, strlen(text) + 1, 1); }
