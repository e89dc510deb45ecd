/* Colours that stand for numbers, and the legend that says which. */
#ifndef WEFT_PICTURE_SCALE_H
#define WEFT_PICTURE_SCALE_H

#include <weft/types.h>

/* Values from low to high, low < high. Below and above they are drawn as these. */
typedef struct WeftPictureScale {
  const char *title; /* lower case: the letters text.c has */
  const char *unit;  /* "", "%", "m/s" ... */
  double low, high;
  bool is_signed; /* two colours about zero, else one from dark to light */
} WeftPictureScale;

/* Linear red, green, blue. */
void weft_picture_scale_color(const WeftPictureScale *scale, double value, double color[3]);

enum { WEFT_PICTURE_MOST_TICKS = 12 };
/* Round numbers in [low, high], at most about wanted of them, at least one gap apart; returns how many. */
int32_t weft_picture_ticks(double low, double high, int32_t wanted, double ticks[WEFT_PICTURE_MOST_TICKS]);
/* The least 1, 2 or 5 times a power of ten that is not below value > 0. */
double weft_picture_round_up(double value);

/* The share of the height, from the bottom, that the legend of a picture of this size takes; 0 without one.
 */
double weft_picture_legend_share(int32_t width, int32_t height);
/* Draws the legend into the lower left corner of a picture (width x height x 3 bytes of sRGB). Nothing in
 * pictures that are too small for it. */
void weft_picture_legend(const WeftPictureScale *scale, int32_t width, int32_t height, uint8_t *rgb);

#endif
