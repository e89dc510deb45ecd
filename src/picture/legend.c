/* The legend of a scale: a pale panel in the lower left corner with title, a bar of the colours, and ticks.
 */
#include "picture/picture.h"
#include "picture/scale.h"
#include "picture/text.h"

#include <math.h>
#include <stdio.h>

/* Linear light to sRGB 0..255, as the pixels are. */
static void encode(const double linear[3], double color[3]) {
  for (int k = 0; k < 3; k++)
    color[k] = 255 * (linear[k] <= 0.0031308 ? 12.92 * linear[k] : 1.055 * pow(linear[k], 1 / 2.4) - 0.055);
}

static void draw_bar(PictureCanvas *canvas, const WeftPictureScale *scale, double left, double right,
                     double top, double bottom) {
  for (int column = (int)floor(left); column < (int)ceil(right); column++) {
    double t = (column + 0.5 - left) / (right - left);
    double linear[3], color[3];
    weft_picture_scale_color(scale, scale->low + fmin(fmax(t, 0), 1) * (scale->high - scale->low), linear);
    encode(linear, color);
    weft_picture_fill(canvas, fmax(column, left), top, fmin(column + 1, right), bottom, 0, color, 1);
  }
}

/* Numbers without noise in the last digits; a minus where one is. */
static void write_number(char text[32], double value) { snprintf(text, 32, "%.4g", value); }

void weft_picture_legend(const WeftPictureScale *scale, int32_t width, int32_t height, uint8_t *rgb) {
  PictureCanvas canvas = {width, height, rgb};
  const double ink[3] = {40, 42, 46}, paper[3] = {250, 250, 249};
  /* the panel is about a quarter of the width, but never too small to be read */
  double size = fmax(8, fmin(width * 0.0125, height * 0.022)), margin = 1.6 * size;
  double bar = fmin(22 * size, width - 5 * margin);
  double panel = 6.4 * size;
  if (bar < 10 * size || panel + 2 * margin > height) return;
  double left = margin, bottom = height - margin, top = bottom - panel;
  weft_picture_fill(&canvas, left, top, left + bar + 3 * size, bottom, 0.6 * size, paper, 0.82);
  double x = left + 1.5 * size, base = top + 2.1 * size;
  char title[128];
  snprintf(title, sizeof title, "%s%s%s%s", scale->title, *scale->unit ? " (" : "", scale->unit,
           *scale->unit ? ")" : "");
  weft_picture_text(&canvas, x, base, size, ink, title);
  double bar_top = base + 0.9 * size, bar_bottom = bar_top + 1.0 * size;
  draw_bar(&canvas, scale, x, x + bar, bar_top, bar_bottom);
  double ticks[WEFT_PICTURE_MOST_TICKS];
  int count = weft_picture_ticks(scale->low, scale->high, 5, ticks);
  for (int i = 0; i < count; i++) {
    char text[32];
    write_number(text, ticks[i]);
    double at = x + bar * (ticks[i] - scale->low) / (scale->high - scale->low);
    double w = weft_picture_text_width(text, 0.9 * size);
    weft_picture_fill(&canvas, at - 0.5, bar_bottom, at + 0.5, bar_bottom + 0.45 * size, 0, ink, 1);
    double from = fmin(fmax(at - 0.5 * w, left + 0.5 * size), left + bar + 2.5 * size - w);
    weft_picture_text(&canvas, from, bar_bottom + 1.75 * size, 0.9 * size, ink, text);
  }
}
