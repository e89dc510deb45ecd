#include "integrate/lengthen.h"

#include "device/launch.h"
#include "integrate/lengthen.kernel.h"

#include <math.h>

double weft_step_lengthening(WeftStep *step) {
  const WeftSurface *surface = &step->respond.surface;
  int n = step->model->vertex_count, items = weft_row_items(n);
  LAUNCH(step->device, lengthen_largest, items, WEFT_ROWS_PER_ITEM, n, surface->around_start, surface->around,
         step->contacts.rest, step->state->x, step->x1, step->partial);
  if (!weft_device_download(step->device, step->partial, (size_t)items * sizeof *step->partial)) return NAN;
  double largest = 0;
  for (int i = 0; i < items; i++) largest = fmax(largest, step->partial[i]);
  return largest;
}
