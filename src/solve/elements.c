/* Which chunk of rows computes which elements: a counting sort by chunk.
 * An element appears once in each chunk that owns one of its vertices. Elements are handed out in ascending
 * order, so that every chunk's list is ascending and every sum over it has one order. */
#include "solve/elements.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARITY = 4 };

/* The distinct chunks of one element; returns how many. */
static int chunks_of(const int32_t *vertices, int arity, int32_t *chunks) {
  int found = 0;
  for (int i = 0; i < arity; i++) {
    int32_t chunk = vertices[i] / WEFT_CHUNK_ROWS;
    bool is_new = true;
    for (int j = 0; j < found; j++) is_new = is_new && chunks[j] != chunk;
    if (is_new) chunks[found++] = chunk;
  }
  return found;
}

/* Lists per chunk. False when memory ran out or a list would not fit into 32 bits. */
static bool sort_by_chunk(WeftElements *elements) {
  int32_t chunks[MAX_ARITY];
  int64_t total = 0;
  for (int e = 0; e < elements->count; e++) {
    int found = chunks_of(elements->vertices + (size_t)e * elements->arity, elements->arity, chunks);
    for (int i = 0; i < found; i++) elements->chunk_start[chunks[i] + 1]++;
    total += found;
  }
  if (total > INT32_MAX) return false;
  for (int c = 0; c < elements->chunk_count; c++) elements->chunk_start[c + 1] += elements->chunk_start[c];
  elements->chunk_element = WEFT_NEW(int32_t, total);
  int32_t *next = weft_copy(elements->chunk_start, (size_t)elements->chunk_count, sizeof *next);
  if (elements->chunk_element && next) {
    for (int e = 0; e < elements->count; e++) {
      int found = chunks_of(elements->vertices + (size_t)e * elements->arity, elements->arity, chunks);
      for (int i = 0; i < found; i++) elements->chunk_element[next[chunks[i]]++] = e;
    }
  }
  bool is_done = elements->chunk_element && next;
  free(next);
  return is_done;
}

WeftResult weft_elements_create(WeftElements *elements, int arity, int count, const int32_t *vertices,
                                int row_count, WeftError *error) {
  memset(elements, 0, sizeof *elements);
  if (arity < 2 || arity > MAX_ARITY || count < 0 || row_count < 0) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "elements: %d of %d vertices over %d rows; expected 2 to %d vertices", count, arity,
                     row_count, MAX_ARITY);
  }
  for (size_t i = 0; i < (size_t)count * (size_t)arity; i++) {
    if (vertices[i] < 0 || vertices[i] >= row_count) {
      return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "element %zu: vertex %d is not in 0..%d",
                       i / (size_t)arity, (int)vertices[i], row_count - 1);
    }
  }
  elements->count = count;
  elements->arity = arity;
  elements->chunk_count = row_count / WEFT_CHUNK_ROWS + (row_count % WEFT_CHUNK_ROWS != 0);
  elements->vertices = weft_copy(vertices, (size_t)count * (size_t)arity, sizeof *vertices);
  elements->chunk_start = WEFT_NEW(int32_t, elements->chunk_count + 1);
  if (!elements->vertices || !elements->chunk_start || !sort_by_chunk(elements)) {
    weft_elements_destroy(elements);
    return weft_fail_memory(error, "elements of the matrix");
  }
  return WEFT_RESULT_OK;
}

void weft_elements_destroy(WeftElements *elements) {
  free(elements->vertices);
  free(elements->chunk_start);
  free(elements->chunk_element);
  free(elements->slots);
  memset(elements, 0, sizeof *elements);
}

WeftResult weft_elements_share(const WeftElements *elements, WeftDevice *device, WeftError *error) {
  size_t count = (size_t)elements->count, arity = (size_t)elements->arity;
  const struct {
    const int32_t *array;
    size_t count;
  } arrays[] = {{elements->vertices, count * arity},
                {elements->chunk_start, (size_t)elements->chunk_count + 1},
                {elements->chunk_element, (size_t)elements->chunk_start[elements->chunk_count]},
                {elements->slots, count * arity * arity}};
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    if (!arrays[i].array) continue;
    result = weft_device_share(device, arrays[i].array, arrays[i].count * sizeof(int32_t), WEFT_MEMORY_MODEL,
                               error);
  }
  return result;
}
