#include "detect/boxes.h"

#include "detect/boxes.kernel.h"
#include "device/launch.h"
#include "device/shared.h"

#include <string.h>

static WeftResult create_array(WeftBoxes *boxes, float **array, int count, WeftError *error) {
  return weft_shared_new(boxes->device, (void **)array, 6 * (size_t)count, sizeof(float), WEFT_MEMORY_DETECT,
                         "boxes", error);
}

WeftResult weft_boxes_create(WeftBoxes *boxes, const WeftSurface *surface, WeftError *error) {
  *boxes = (WeftBoxes){.device = surface->device};
  WeftResult result = create_array(boxes, &boxes->vertex, surface->vertex_count, error);
  if (!result) result = create_array(boxes, &boxes->edge, surface->edge_count, error);
  if (!result) result = create_array(boxes, &boxes->triangle, surface->triangle_count, error);
  if (result) weft_boxes_destroy(boxes);
  return result;
}

void weft_boxes_destroy(WeftBoxes *boxes) {
  weft_shared_free(boxes->device, (void **)&boxes->vertex);
  weft_shared_free(boxes->device, (void **)&boxes->edge);
  weft_shared_free(boxes->device, (void **)&boxes->triangle);
  memset(boxes, 0, sizeof *boxes);
}

void weft_boxes_fit(WeftBoxes *boxes, const WeftSurface *surface, const double *x0, const double *x1,
                    double radius) {
  LAUNCH(boxes->device, boxes_fit_vertices, surface->vertex_count, x0, x1, radius, boxes->vertex);
  LAUNCH(boxes->device, boxes_fit_edges, surface->edge_count, surface->edges, boxes->vertex, boxes->edge);
  LAUNCH(boxes->device, boxes_fit_triangles, surface->triangle_count, surface->triangles, boxes->vertex,
         boxes->triangle);
}
