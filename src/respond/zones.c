#include "respond/zones.h"

#include "base/memory.h"
#include "mesh/union_find.h"

#include <stdlib.h>

void weft_zones_destroy(WeftZones *zones) {
  free(zones->row_start);
  free(zones->row);
  free(zones->vertex_start);
  free(zones->vertex);
  *zones = (WeftZones){0};
}

/* A row's first vertex that can move, or -1. */
static int32_t first_movable(const double *inverse_mass, const int32_t *vertices) {
  for (int k = 0; k < 4; k++) {
    if (inverse_mass[vertices[k]] > 0) return vertices[k];
  }
  return -1;
}

/* Sorts items by zone; zone[i] < 0: left out. start has count + 1 zeros. */
static void sort_by_zone(int count, int item_count, const int32_t *zone, int32_t *start, int32_t *item) {
  for (int i = 0; i < item_count; i++) {
    if (zone[i] >= 0) start[zone[i]]++;
  }
  for (int z = 0, sum = 0; z <= count; z++) start[z] = sum += start[z];
  for (int i = item_count - 1; i >= 0; i--) {
    if (zone[i] >= 0) item[--start[zone[i]]] = i;
  }
}

static void join(int32_t *parent, const double *inverse_mass, int row_count, const int32_t *vertices) {
  for (int i = 0; i < row_count; i++) {
    int32_t first = first_movable(inverse_mass, vertices + 4 * i);
    for (int k = 0; k < 4 && first >= 0; k++) {
      if (inverse_mass[vertices[4 * i + k]] > 0) weft_set_join(parent, first, vertices[4 * i + k]);
    }
  }
}

WeftResult weft_zones_create(WeftZones *zones, int vertex_count, const double *inverse_mass, int row_count,
                             const int32_t *vertices, WeftError *error) {
  *zones = (WeftZones){0};
  int32_t *parent = WEFT_NEW(int32_t, vertex_count), *zone = WEFT_NEW(int32_t, vertex_count);
  int32_t *zone_of_row = WEFT_NEW(int32_t, row_count);
  zones->vertex = WEFT_NEW(int32_t, vertex_count);
  zones->row = WEFT_NEW(int32_t, row_count);
  zones->vertex_start = WEFT_NEW(int32_t, vertex_count + 1);
  zones->row_start = WEFT_NEW(int32_t, vertex_count + 1);
  bool is_room =
      parent && zone && zone_of_row && zones->vertex && zones->row && zones->vertex_start && zones->row_start;
  if (is_room) {
    for (int v = 0; v < vertex_count; v++) parent[v] = v;
    for (int v = 0; v < vertex_count; v++) zone[v] = -1;
    join(parent, inverse_mass, row_count, vertices);
    /* only those of rows: others have nothing to do */
    for (int i = 0; i < 4 * row_count; i++) {
      int32_t v = vertices[i];
      if (inverse_mass[v] > 0) zone[v] = zone[weft_set_root(parent, v)] = 0;
    }
    for (int v = 0; v < vertex_count; v++) {
      int32_t root = weft_set_root(parent, v); /* the lowest: numbered before */
      if (zone[v] >= 0) zone[v] = root == v ? zones->count++ : zone[root];
    }
    for (int i = 0; i < row_count; i++) {
      int32_t first = first_movable(inverse_mass, vertices + 4 * i);
      zone_of_row[i] = first < 0 ? -1 : zone[first];
    }
    sort_by_zone(zones->count, vertex_count, zone, zones->vertex_start, zones->vertex);
    sort_by_zone(zones->count, row_count, zone_of_row, zones->row_start, zones->row);
  }
  free(parent);
  free(zone);
  free(zone_of_row);
  if (is_room) return WEFT_RESULT_OK;
  weft_zones_destroy(zones);
  return weft_fail_memory(error, "impact zones");
}
