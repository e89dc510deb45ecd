#include "respond/incidence.h"

#include "base/memory.h"

#include <stdlib.h>

WeftResult weft_incidence_create(WeftIncidence *incidence, int vertex_count, int row_count,
                                 const int32_t *vertices, WeftError *error) {
  int corners = 4 * row_count;
  incidence->start = WEFT_NEW(int32_t, vertex_count + 1);
  incidence->corner = WEFT_NEW(int32_t, corners);
  if (!incidence->start || !incidence->corner) {
    weft_incidence_destroy(incidence);
    return weft_fail_memory(error, "rows of an impact zone");
  }
  int32_t *start = incidence->start;
  for (int i = 0; i < corners; i++) start[vertices[i]]++;
  int32_t sum = 0;
  for (int v = 0; v <= vertex_count; v++) {
    sum += start[v];
    start[v] = sum;
  }
  /* from the back, so that start ends where each vertex begins and corners rise */
  for (int i = corners - 1; i >= 0; i--) incidence->corner[--start[vertices[i]]] = i;
  return WEFT_RESULT_OK;
}

void weft_incidence_destroy(WeftIncidence *incidence) {
  free(incidence->start);
  free(incidence->corner);
  *incidence = (WeftIncidence){0};
}
