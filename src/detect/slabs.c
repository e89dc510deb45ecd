#include "detect/slabs.h"

#include "detect/slabs.kernel.h"
#include "device/launch.h"
#include "device/shared.h"

#include <string.h>

WeftResult weft_slabs_create(WeftSlabs *slabs, const WeftSurface *surface, WeftError *error) {
  size_t n = (size_t)surface->triangle_count;
  *slabs = (WeftSlabs){.device = surface->device};
  WeftResult result = weft_shared_new(slabs->device, (void **)&slabs->plane, SLAB_VALUES * n, sizeof(float),
                                      WEFT_MEMORY_DETECT, "planes of triangles", error);
  for (int end = 0; end < 2 && !result; end++) {
    result = weft_shared_new(slabs->device, (void **)&slabs->end[end], 6 * n, sizeof(float),
                             WEFT_MEMORY_DETECT, "boxes", error);
  }
  if (!result)
    result = weft_shared_new(slabs->device, (void **)&slabs->corner, SLAB_CORNERS * n, sizeof(float),
                             WEFT_MEMORY_DETECT, "corners of triangles", error);
  if (result) weft_slabs_destroy(slabs);
  return result;
}

void weft_slabs_destroy(WeftSlabs *slabs) {
  weft_shared_free(slabs->device, (void **)&slabs->plane);
  weft_shared_free(slabs->device, (void **)&slabs->corner);
  for (int end = 0; end < 2; end++) weft_shared_free(slabs->device, (void **)&slabs->end[end]);
  memset(slabs, 0, sizeof *slabs);
}

void weft_slabs_fit(WeftSlabs *slabs, const WeftSurface *surface, const double *x0, const double *x1,
                    double radius, const int32_t *active) {
  LAUNCH(slabs->device, slabs_fit, surface->triangle_count, active != NULL, active, surface->triangles, x0,
         x1, radius, slabs->plane, slabs->end[0], slabs->end[1], slabs->corner);
}
