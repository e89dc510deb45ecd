/* Any profile turned about z: vases, bottles, a tailor's dummy. */
#include "mesh/generate_lathe.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static WeftResult check_profile(const double *profile, int count, WeftError *error) {
  if (count < 2)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "a profile of %d points; expected at least two",
                     count);
  for (int i = 0; i < count; i++) {
    double r = profile[2 * i], z = profile[2 * i + 1];
    bool is_end = i == 0 || i + 1 == count;
    if (!isfinite(r) || !isfinite(z) || !(is_end ? r >= 0 : r > 0))
      return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                       "point %d of a profile, counted from 0, is (%g, %g); expected radius and height, the "
                       "radius above 0, at the ends also 0",
                       i, r, z);
    if (i > 0 && r == profile[2 * i - 2] && z == profile[2 * i - 1])
      return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                       "points %d and %d of a profile, counted from 0, are the same", i - 1, i);
  }
  if (count == 2 && !(profile[0] > 0) && !(profile[2] > 0))
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "a profile that lies on the axis");
  return WEFT_RESULT_OK;
}

WeftResult weft_generate_turned(WeftShape *shape, const double *profile, int point_count, int columns,
                                WeftError *error) {
  memset(shape, 0, sizeof *shape);
  WeftResult result = check_profile(profile, point_count, error);
  if (result == WEFT_RESULT_OK) result = weft_check_count(columns, 3, "columns of a lathe", error);
  if (result != WEFT_RESULT_OK) return result;
  WeftOutline *outline = WEFT_NEW(WeftOutline, point_count);
  if (!outline) return weft_fail_memory(error, "a profile");
  for (int i = 0; i < point_count; i++) outline[i] = (WeftOutline){profile[2 * i], profile[2 * i + 1]};
  result = weft_generate_lathe(shape, outline, point_count, false, columns, error);
  free(outline);
  return result;
}
