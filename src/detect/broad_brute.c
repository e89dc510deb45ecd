/* Every triangle against every other: the twin that all methods are compared with. */
#include "detect/broad.h"
#include "detect/broad_brute.kernel.h"
#include "device/launch.h"

static WeftResult create(WeftBroad *broad, WeftError *error) {
  return weft_broad_reserve_items(broad, broad->triangle_count, error);
}

static void destroy(WeftBroad *broad) { (void)broad; }

static WeftResult find(WeftBroad *broad, const WeftBroadQuery *query, WeftError *error) {
  int n = broad->triangle_count;
  LAUNCH(broad->device, brute_count, n, query->box, query->active, broad->item_count);
  WeftResult result = weft_broad_place_items(broad, n, error);
  if (result) return result;
  LAUNCH(broad->device, brute_write, n, query->box, query->active, broad->item_start, broad->pairs.a,
         broad->pairs.b);
  broad->counts.box_tests = (double)n * (n - 1) / 2;
  return WEFT_RESULT_OK;
}

const WeftBroadOps weft_broad_brute = {
    "brute", "",  "every triangle against every other: slow and obvious", sizeof(WeftBroad), create,
    destroy, find};
