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

/* Where the legend is [pixels]. */
typedef struct Panel {
  double size; /* of letters */
  double margin, bar, height;
  bool is_drawn;
} Panel;

/* About a quarter of the width, but never too small to be read. */
static Panel panel_of(int32_t width, int32_t height) {
  Panel panel = {.size = fmax(8, fmin(width * 0.0125, height * 0.022))};
  panel.margin = 1.6 * panel.size;
  panel.bar = fmin(22 * panel.size, width - 5 * panel.margin);
  panel.height = 6.4 * panel.size;
  panel.is_drawn = panel.bar >= 10 * panel.size && 4 * (panel.height + panel.margin) <= 3 * height;
  return panel;
}

double weft_picture_legend_share(int32_t width, int32_t height) {
  Panel panel = panel_of(width, height);
  return panel.is_drawn ? fmin((panel.height + 1.5 * panel.margin) / height, 0.4) : 0;
}

void weft_picture_legend(const WeftPictureScale *scale, int32_t width, int32_t height, uint8_t *rgb) {
  PictureCanvas canvas = {width, height, rgb};
  const double ink[3] = {40, 42, 46}, paper[3] = {250, 250, 249};
  Panel panel = panel_of(width, height);
  if (!panel.is_drawn) return;
  double size = panel.size, bar = panel.bar;
  double left = panel.margin, bottom = height - panel.margin, top = bottom - panel.height;
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
