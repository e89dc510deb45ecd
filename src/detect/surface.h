/* What detection sees: one triangle mesh of all cloths and obstacles together. Read only after creation.
 *
 * Every vertex and every edge is owned by one triangle, the first that has it: a pair of features is looked
 * at only in the pair of their owners, so no pair is tested twice (the R-triangles of [Curtis08]). */
#ifndef WEFT_DETECT_SURFACE_H
#define WEFT_DETECT_SURFACE_H

#include "device/device.h"

typedef struct WeftSurface {
  WeftDevice *device;
  int vertex_count, triangle_count, edge_count;
  int32_t *triangles; /* triangle_count x 3 */
  int32_t *edges;     /* edge_count x 2, a < b */
  int32_t
      *triangle_edges; /* triangle_count x 3: edge k joins corners k and k + 1; -1 from a corner to itself */
  int32_t *owned;      /* triangle_count: bit k, it owns corner k; bit 3 + k, it owns edge k */
  int32_t *is_cloth;   /* triangle_count: 1, or 0 for an obstacle's; obstacles do not meet each other */
  bool all_cloth;
  int32_t
      *opposite; /* edge_count x 2: in the first two triangles at an edge the corner that is not on it; -1 */
  int32_t *around_start, *around; /* vertex_count + 1, and from there on the other ends of its edges */
  int32_t *is_fixed;              /* vertex_count: 1 for an obstacle's */
} WeftSurface;

/* is_cloth NULL: all are. Indices have to be in range. */
WeftResult weft_surface_create(WeftSurface *surface, WeftDevice *device, int vertex_count, int triangle_count,
                               const int32_t *triangles, const uint8_t *is_cloth, WeftError *error);
void weft_surface_destroy(WeftSurface *surface);

#endif
