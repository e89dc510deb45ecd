#include "detect/spread.h"

#include "detect/spread.kernel.h"
#include "device/launch.h"
#include "device/shared.h"

static int run_count(int box_count) { return (box_count + SPREAD_RUN - 1) / SPREAD_RUN; }

WeftResult weft_spread_create(WeftSpread *spread, WeftDevice *device, int box_count, WeftError *error) {
  *spread = (WeftSpread){.device = device};
  return weft_shared_new(device, (void **)&spread->runs, SPREAD_NUMBERS * (size_t)run_count(box_count),
                         sizeof(double), WEFT_MEMORY_SMALL, "sizes of boxes", error);
}

void weft_spread_destroy(WeftSpread *spread) { weft_shared_free(spread->device, (void **)&spread->runs); }

WeftResult weft_spread_measure(WeftSpread *spread, int box_count, const float *box, double limit,
                               WeftError *error) {
  int runs = run_count(box_count);
  double *all = spread->runs;
  LAUNCH(spread->device, spread_runs, runs, box_count, limit, box, all);
  LAUNCH(spread->device, spread_all, 1, runs, all);
  if (!weft_device_download(spread->device, all, SPREAD_NUMBERS * sizeof(double))) {
    return weft_device_check(spread->device, error);
  }
  spread->extent = 0;
  for (int k = 0; k < 3; k++) {
    spread->low[k] = all[k];
    spread->side[k] = all[3 + k] - all[k];
    if (spread->side[k] > spread->extent) spread->extent = spread->side[k];
  }
  spread->largest = all[6];
  spread->larger_count = (int)all[8];
  spread->mean = all[7] / (box_count - spread->larger_count);
  return WEFT_RESULT_OK;
}
