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
                          {(void **)&surface->is_cloth, n}};
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
  memset(surface, 0, sizeof *surface);
}
