/* Text in pictures: letters as strokes, sharp at any size. */
#ifndef WEFT_PICTURE_TEXT_H
#define WEFT_PICTURE_TEXT_H

#include <weft/types.h>

/* Bytes of sRGB to draw on. */
typedef struct PictureCanvas {
  int width, height;
  uint8_t *rgb;
} PictureCanvas;

/* Puts color over a pixel, by its share 0..1; outside the canvas nothing happens. */
void weft_picture_blend(PictureCanvas *canvas, int column, int row, const double color[3], double share);
/* Fills a rectangle with round corners; edges may lie between pixels. */
void weft_picture_fill(PictureCanvas *canvas, double left, double top, double right, double bottom,
                       double radius, const double color[3], double share);

/* size: height of a capital or figure [pixels]. Small letters a-z, figures, space and + - . / % = ( ) : are
 * known; other letters are left out. */
double weft_picture_text_width(const char *text, double size);
/* From left on, with the base of the letters at row base. color: sRGB 0..255. */
void weft_picture_text(PictureCanvas *canvas, double left, double base, double size, const double color[3],
                       const char *text);

#endif
