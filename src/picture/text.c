/* A small font of lines and arcs.
 *
 * A letter is a list of strokes on a grid whose unit is a sixth of a capital's height: y is 0 on the base
 * line and 6 at the top, small letters reach to 4. "L x y x y" is a line, "A cx cy rx ry from to" part of an
 * ellipse in degrees, counter-clockwise from the right. A pixel's share is how much of it the strokes, drawn
 * with a round pen, cover: by the distance of its centre to the nearest stroke.
 */
#include "picture/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Glyph {
  char letter;
  double advance;
  const char *strokes;
} Glyph;

static const Glyph glyphs[] = {
    {' ', 2.2, ""},
    {'a', 4.4, "A 1.9 2 1.6 2 0 360 L 3.5 4 3.5 0"},
    {'b', 4.4, "L 0.4 6 0.4 0 A 2 2 1.6 2 0 360"},
    {'c', 4.0, "A 2.1 2 1.7 2 48 312"},
    {'d', 4.4, "A 1.9 2 1.6 2 0 360 L 3.5 6 3.5 0"},
    {'e', 4.2, "A 2 2 1.65 2 0 318 L 0.35 2 3.65 2"},
    {'f', 2.9, "A 2.2 4.6 1.1 1.4 60 180 L 1.1 4.6 1.1 0 L 0.2 4 2.4 4"},
    {'g', 4.4, "A 1.9 2 1.6 2 0 360 L 3.5 4 3.5 -0.4 A 1.9 -0.4 1.6 1.4 210 360"},
    {'h', 4.3, "L 0.5 6 0.5 0 A 2 2.4 1.5 1.6 0 180 L 3.5 2.4 3.5 0"},
    {'i', 1.7, "L 0.8 4 0.8 0 L 0.8 5.6 0.8 5.65"},
    {'j', 1.8, "L 0.9 4 0.9 -0.6 A 0 -0.6 0.9 1.2 270 360 L 0.9 5.6 0.9 5.65"},
    {'k', 4.0, "L 0.5 6 0.5 0 L 3.3 4 0.5 1.6 L 1.5 2.45 3.5 0"},
    {'l', 1.7, "L 0.8 6 0.8 0"},
    {'m', 6.2,
     "L 0.5 4 0.5 0 A 1.8 2.7 1.3 1.3 0 180 L 3.1 2.7 3.1 0 A 4.4 2.7 1.3 1.3 0 180 L 5.7 2.7 5.7 0"},
    {'n', 4.3, "L 0.5 4 0.5 0 A 2 2.4 1.5 1.6 0 180 L 3.5 2.4 3.5 0"},
    {'o', 4.3, "A 2.05 2 1.7 2 0 360"},
    {'p', 4.4, "L 0.4 4 0.4 -1.8 A 2 2 1.6 2 0 360"},
    {'q', 4.4, "A 1.9 2 1.6 2 0 360 L 3.5 4 3.5 -1.8"},
    {'r', 3.0, "L 0.5 4 0.5 0 A 2.1 2.4 1.6 1.6 75 180"},
    {'s', 3.8, "A 1.8 3.02 1.3 0.98 35 270 A 1.8 1.02 1.4 1.02 -145 90"},
    {'t', 3.0, "L 1.1 5.4 1.1 1.2 A 2.2 1.2 1.1 1.2 180 290 L 0.2 4 2.5 4"},
    {'u', 4.3, "L 0.5 4 0.5 1.6 A 2 1.6 1.5 1.6 180 360 L 3.5 4 3.5 0"},
    {'v', 4.0, "L 0.3 4 1.95 0 L 1.95 0 3.6 4"},
    {'w', 5.8, "L 0.3 4 1.6 0 L 1.6 0 2.85 4 L 2.85 4 4.1 0 L 4.1 0 5.4 4"},
    {'x', 3.9, "L 0.4 4 3.4 0 L 0.4 0 3.4 4"},
    {'y', 4.0, "L 0.3 4 1.95 0 L 3.6 4 1.5 -1.2 A 0.6 -0.8 0.9 1 260 340"},
    {'z', 3.8, "L 0.4 4 3.3 4 L 3.3 4 0.4 0 L 0.4 0 3.3 0"},
    {'P', 4.4, "L 0.5 6 0.5 0 L 0.5 6 2.3 6 A 2.3 4.5 1.5 1.5 -90 90 L 2.3 3 0.5 3"},
    {'0', 4.4, "A 2.1 3 1.7 3 0 360"},
    {'1', 4.4, "L 0.9 4.7 2.4 6 L 2.4 6 2.4 0"},
    {'2', 4.4, "A 2.1 4.3 1.6 1.7 -35 170 L 3.42 3.35 0.5 0 L 0.5 0 3.8 0"},
    {'3', 4.4, "A 1.9 4.55 1.5 1.45 -90 150 A 1.9 1.55 1.7 1.55 -150 90"},
    {'4', 4.4, "L 2.9 6 0.3 1.7 L 0.3 1.7 4 1.7 L 2.9 6 2.9 0"},
    {'5', 4.4, "L 3.5 6 0.9 6 L 0.9 6 0.7 3.3 A 2 1.95 1.7 1.95 -148 132"},
    {'6', 4.4, "A 2.1 1.9 1.7 1.9 0 360 L 0.42 2.2 2.8 6"},
    {'7', 4.4, "L 0.4 6 3.8 6 L 3.8 6 1.5 0"},
    {'8', 4.4, "A 2.1 4.55 1.45 1.45 0 360 A 2.1 1.55 1.7 1.55 0 360"},
    {'9', 4.4, "A 2.1 4.1 1.7 1.9 0 360 L 3.78 3.8 1.4 0"},
    {'+', 4.4, "L 0.5 2.8 3.7 2.8 L 2.1 4.4 2.1 1.2"},
    {'-', 4.0, "L 0.6 2.6 3.2 2.6"},
    {'.', 1.8, "L 0.8 0.05 0.8 0.1"},
    {':', 1.8, "L 0.8 0.3 0.8 0.35 L 0.8 3.5 0.8 3.55"},
    {'/', 3.2, "L 0.2 -0.8 2.8 6.4"},
    {'%', 6.0, "A 1.4 4.7 1 1.3 0 360 A 4.5 1.3 1 1.3 0 360 L 4.7 6 1.2 0"},
    {'=', 4.4, "L 0.5 3.6 3.7 3.6 L 0.5 1.8 3.7 1.8"},
    {'(', 2.4, "A 3.4 2.6 2.8 4.2 140 220"},
    {')', 2.4, "A -1.2 2.6 2.8 4.2 -40 40"},
};

static const double pi = 3.14159265358979323846;
static const double pen = 0.36;  /* half the width of a stroke, in units of the grid */
static const double space = 0.3; /* between two letters, beyond what their advance has */

static const Glyph *find(char letter) {
  for (size_t i = 0; i < sizeof glyphs / sizeof glyphs[0]; i++)
    if (glyphs[i].letter == letter) return &glyphs[i];
  return NULL;
}

void weft_picture_blend(PictureCanvas *canvas, int column, int row, const double color[3], double share) {
  if (column < 0 || row < 0 || column >= canvas->width || row >= canvas->height || !(share > 0)) return;
  uint8_t *pixel = canvas->rgb + 3 * ((size_t)row * (size_t)canvas->width + (size_t)column);
  for (int k = 0; k < 3; k++) pixel[k] = (uint8_t)(pixel[k] + (color[k] - pixel[k]) * fmin(share, 1) + 0.5);
}

void weft_picture_fill(PictureCanvas *canvas, double left, double top, double right, double bottom,
                       double radius, const double color[3], double share) {
  for (int row = (int)floor(top); row <= (int)bottom; row++) {
    for (int column = (int)floor(left); column <= (int)right; column++) {
      double x = column + 0.5, y = row + 0.5;
      double dx = fmax(fmax(left + radius - x, x - right + radius), 0);
      double dy = fmax(fmax(top + radius - y, y - bottom + radius), 0);
      double cover;
      if (radius > 0 && dx > 0 && dy > 0)
        cover = radius + 0.5 - sqrt(dx * dx + dy * dy);
      else
        cover = fmin(fmin(x - left, right - x), fmin(y - top, bottom - y)) + 0.5;
      weft_picture_blend(canvas, column, row, color, share * fmin(fmax(cover, 0), 1));
    }
  }
}

double weft_picture_text_width(const char *text, double size) {
  double width = 0;
  for (; *text; text++) {
    const Glyph *glyph = find(*text);
    if (glyph) width += (glyph->advance + space) * size / 6;
  }
  return width;
}

static double distance_to_line(double x, double y, const double line[4]) {
  double dx = line[2] - line[0], dy = line[3] - line[1], length2 = dx * dx + dy * dy;
  double t = length2 > 0 ? ((x - line[0]) * dx + (y - line[1]) * dy) / length2 : 0;
  t = fmin(fmax(t, 0), 1);
  return hypot(x - line[0] - t * dx, y - line[1] - t * dy);
}

enum { MOST_LINES = 128, ARC_LINES = 20 };

static int add_arc(const double arc[6], double (*lines)[4]) {
  for (int i = 0; i < ARC_LINES; i++) {
    for (int end = 0; end < 2; end++) {
      double angle = (arc[4] + (arc[5] - arc[4]) * (i + end) / ARC_LINES) * pi / 180;
      lines[i][2 * end] = arc[0] + arc[2] * cos(angle);
      lines[i][2 * end + 1] = arc[1] + arc[3] * sin(angle);
    }
  }
  return ARC_LINES;
}

/* The strokes as straight lines; returns how many. */
static int lines_of(const char *strokes, double (*lines)[4]) {
  int count = 0;
  while (*strokes) {
    bool is_arc = *strokes++ == 'A';
    double numbers[6];
    char *end = NULL;
    for (int k = 0; k < (is_arc ? 6 : 4); k++) {
      numbers[k] = strtod(strokes, &end);
      strokes = end;
    }
    if (is_arc)
      count += add_arc(numbers, lines + count);
    else
      memcpy(lines[count++], numbers, 4 * sizeof numbers[0]);
    strokes += strspn(strokes, " ");
  }
  return count;
}

static void draw_glyph(PictureCanvas *canvas, double left, double base, double unit, const double color[3],
                       const Glyph *glyph) {
  double lines[MOST_LINES][4];
  int count = lines_of(glyph->strokes, lines);
  if (count == 0) return;
  for (int row = (int)floor(base - 7.5 * unit); row <= (int)(base + 3 * unit); row++) {
    for (int column = (int)floor(left - unit); column <= (int)(left + (glyph->advance + 1) * unit);
         column++) {
      double x = (column + 0.5 - left) / unit, y = (base - row - 0.5) / unit, nearest = 1e9;
      for (int i = 0; i < count; i++) nearest = fmin(nearest, distance_to_line(x, y, lines[i]));
      double cover = (fmax(pen, 0.55 / unit) - nearest) * unit + 0.5; /* thin strokes stay a pixel wide */
      weft_picture_blend(canvas, column, row, color, fmin(fmax(cover, 0), 1));
    }
  }
}

void weft_picture_text(PictureCanvas *canvas, double left, double base, double size, const double color[3],
                       const char *text) {
  for (; *text; text++) {
    const Glyph *glyph = find(*text);
    if (!glyph) continue;
    draw_glyph(canvas, left, base, size / 6, color, glyph);
    left += (glyph->advance + space) * size / 6;
  }
}
