#include "detect/surface.h"

#include "base/memory.h"
#include "device/shared.h"
#include "mesh/topology.h"

#include <stdlib.h>
#include <string.h>

/* Triangles are asked in their order: the first that has a feature owns it. */
static WeftResult find_owners(WeftSurface *surface, WeftError *error) {
  uint8_t *vertex_has_owner = WEFT_NEW(uint8_t, surface->vertex_count);
  uint8_t *edge_has_owner = WEFT_NEW(uint8_t, surface->edge_count);
  bool has_memory = vertex_has_owner && edge_has_owner;
  for (int t = 0; has_memory && t < surface->triangle_count; t++) {
    int32_t owned = 0;
    for (int k = 0; k < 3; k++) {
      int vertex = surface->triangles[3 * (size_t)t + k], edge = surface->triangle_edges[3 * (size_t)t + k];
      if (!vertex_has_owner[vertex]) owned |= 1 << k;
      vertex_has_owner[vertex] = 1;
      if (edge < 0) continue; /* from a corner to itself */
      if (!edge_has_owner[edge]) owned |= 8 << k;
      edge_has_owner[edge] = 1;
    }
    surface->owned[t] = owned;
  }
  free(vertex_has_owner);
  free(edge_has_owner);
  return has_memory ? WEFT_RESULT_OK : weft_fail_memory(error, "owners of vertices and edges");
}

/* What lies at the edges and vertices. */
static WeftResult find_neighbours(WeftSurface *surface, WeftError *error) {
  int32_t *place = WEFT_NEW(int32_t, surface->vertex_count);
  if (!place) return weft_fail_memory(error, "mesh for detection");
  for (int i = 0; i < 2 * surface->edge_count; i++) {
    surface->opposite[i] = -1;
    surface->around_start[surface->edges[i] + 1]++;
  }
  for (int v = 0; v < surface->vertex_count; v++) {
    surface->around_start[v + 1] += surface->around_start[v];
    place[v] = surface->around_start[v];
  }
  for (int i = 0; i < 2 * surface->edge_count; i++)
    surface->around[place[surface->edges[i]]++] = surface->edges[i ^ 1];
  free(place);
  for (int i = 0; i < 3 * surface->triangle_count; i++) {
    int edge = surface->triangle_edges[i], first = i / 3 * 3;
    if (!surface->is_cloth[i / 3]) surface->is_fixed[surface->triangles[i]] = 1;
    if (edge < 0) continue;
    int32_t *opposite = surface->opposite + 2 * (size_t)edge,
            corner = surface->triangles[first + (i + 2) % 3];
    if (opposite[0] < 0)
      opposite[0] = corner;
    else if (opposite[1] < 0)
      opposite[1] = corner;
  }
  return WEFT_RESULT_OK;
}

typedef struct Array {
  void **array;
  size_t count;
} Array;

WeftResult weft_surface_create(WeftSurface *surface, WeftDevice *device, int vertex_count, int triangle_count,
                               const int32_t *triangles, const uint8_t *is_cloth, WeftError *error) {
  *surface = (WeftSurface){.device = device, .vertex_count = vertex_count, .triangle_count = triangle_count};
  WeftTopology topology;
  WeftResult result = weft_topology_create(&topology, vertex_count, triangle_count, triangles, error);
  if (result) return result;
  surface->edge_count = topology.edge_count;
  size_t n = (size_t)triangle_count, edges = (size_t)topology.edge_count;
  const Array arrays[] = {{(void **)&surface->triangles, 3 * n},
                          {(void **)&surface->edges, 2 * edges},
                          {(void **)&surface->triangle_edges, 3 * n},
                          {(void **)&surface->owned, n},
                          {(void **)&surface->is_cloth, n},
                          {(void **)&surface->opposite, 2 * edges},
                          {(void **)&surface->around_start, (size_t)vertex_count + 1},
                          {(void **)&surface->around, 2 * edges},
                          {(void **)&surface->is_fixed, (size_t)vertex_count}};
  enum { COUNT = sizeof arrays / sizeof *arrays };
  for (int i = 0; i < COUNT && !result; i++) {
    result = weft_shared_new(device, arrays[i].array, arrays[i].count, sizeof(int32_t), WEFT_MEMORY_MODEL,
                             "mesh for detection", error);
  }
  if (!result) {
    memcpy(surface->triangles, triangles, 3 * n * sizeof *triangles);
    memcpy(surface->edges, topology.edges, 2 * edges * sizeof(int32_t));
    memcpy(surface->triangle_edges, topology.triangle_edges, 3 * n * sizeof(int32_t));
    surface->all_cloth = true;
    for (size_t t = 0; t < n; t++) {
      surface->is_cloth[t] = !is_cloth || is_cloth[t];
      if (!surface->is_cloth[t]) surface->all_cloth = false;
    }
    result = find_owners(surface, error);
    if (!result) result = find_neighbours(surface, error);
  }
  for (int i = 0; i < COUNT && !result; i++) {
    weft_device_upload(device, *arrays[i].array, arrays[i].count * sizeof(int32_t));
  }
  weft_topology_destroy(&topology);
  if (result) weft_surface_destroy(surface);
  return result;
}

void weft_surface_destroy(WeftSurface *surface) {
  weft_shared_free(surface->device, (void **)&surface->triangles);
  weft_shared_free(surface->device, (void **)&surface->edges);
  weft_shared_free(surface->device, (void **)&surface->triangle_edges);
  weft_shared_free(surface->device, (void **)&surface->owned);
  weft_shared_free(surface->device, (void **)&surface->is_cloth);
  weft_shared_free(surface->device, (void **)&surface->opposite);
  weft_shared_free(surface->device, (void **)&surface->around_start);
  weft_shared_free(surface->device, (void **)&surface->around);
  weft_shared_free(surface->device, (void **)&surface->is_fixed);
  memset(surface, 0, sizeof *surface);
}
