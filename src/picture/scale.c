#include "picture/scale.h"

#include "picture/picture.h"

#include <math.h>

/* Dark violet over blue and green to pale yellow, in sRGB: brighter all the way, so that it can be read in
 * grey and by those who see colours differently. */
static void rising_color(double t, double color[3]) {
  static const int stops[6][3] = {{46, 20, 88},   {49, 69, 140},  {33, 122, 146},
                                  {60, 170, 127}, {158, 208, 94}, {250, 231, 120}};
  double at = 5 * t;
  int k = at >= 5 ? 4 : (int)at;
  for (int c = 0; c < 3; c++) {
    double a = weft_picture_linear(stops[k][c]), b = weft_picture_linear(stops[k + 1][c]);
    color[c] = a + (b - a) * (at - k);
  }
}

void weft_picture_scale_color(const WeftPictureScale *scale, double value, double color[3]) {
  if (scale->is_signed) {
    double most = fmax(fabs(scale->low), fabs(scale->high));
    weft_picture_signed_color(fmin(fmax(value, scale->low), scale->high) / most, color);
  } else {
    rising_color(fmin(fmax((value - scale->low) / (scale->high - scale->low), 0), 1), color);
  }
}

double weft_picture_round_up(double value) {
  double power = pow(10, floor(log10(value)));
  static const double steps[4] = {1, 2, 5, 10};
  for (int i = 0; i < 3; i++)
    if (value <= steps[i] * power * (1 + 1e-12)) return steps[i] * power;
  return 10 * power;
}

int32_t weft_picture_ticks(double low, double high, int32_t wanted, double ticks[WEFT_PICTURE_MOST_TICKS]) {
  if (!(high > low) || !isfinite(high - low)) return 0;
  if (wanted > WEFT_PICTURE_MOST_TICKS - 1) wanted = WEFT_PICTURE_MOST_TICKS - 1;
  double step = weft_picture_round_up((high - low) / wanted);
  double slack = 1e-9 * (high - low), first = ceil((low - slack) / step);
  int32_t count = 0;
  while (count < WEFT_PICTURE_MOST_TICKS && (first + count) * step <= high + slack) {
    ticks[count] = first + count == 0 ? 0 : (first + count) * step;
    count++;
  }
  return count;
}
