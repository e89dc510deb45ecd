#include "cli/plot.h"

#include "picture/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The picture in its own units; the page scales it. */
static const double left = 58, right = 628, top = 12, bottom = 206, height = 240;

typedef struct Axis {
  double low, high;
  int32_t tick_count;
  double ticks[WEFT_PICTURE_MOST_TICKS];
} Axis;

void format_number(char text[32], double value) {
  double size = fabs(value);
  if ((value == floor(value) && size < 1e12) || (size >= 1000 && size < 1e7))
    snprintf(text, 32, "%.0f", value);
  else if (size >= 1e7 || size < 1e-3)
    snprintf(text, 32, "%.3e", value);
  else
    snprintf(text, 32, "%.4g", value);
}

void write_escaped(FILE *stream, const char *text) {
  for (; *text; text++) {
    switch (*text) {
      case '&':
        fputs("&amp;", stream);
        break;
      case '<':
        fputs("&lt;", stream);
        break;
      case '>':
        fputs("&gt;", stream);
        break;
      case '"':
        fputs("&quot;", stream);
        break;
      default:
        fputc(*text, stream);
    }
  }
}

static double x_of(const Axis *axis, double value) {
  return left + (right - left) * (value - axis->low) / (axis->high - axis->low);
}

static double y_of(const Axis *axis, double value) {
  return bottom - (bottom - top) * (value - axis->low) / (axis->high - axis->low);
}

static Axis make_axis(double low, double high, int32_t wanted) {
  if (!(high > low)) high = low + (low != 0 ? fabs(low) : 1);
  Axis axis = {.low = low, .high = high};
  axis.tick_count = weft_picture_ticks(low, high, wanted, axis.ticks);
  return axis;
}

/* Values go from zero on, and to the next tick. */
static Axis value_axis(const Plot *plot, const double *sums) {
  double low = 0, high = 0;
  for (int32_t i = 0; i < plot->count; i++) {
    for (int32_t k = 0; k < (plot->is_stacked ? 1 : plot->line_count); k++) {
      double value = plot->is_stacked ? sums[i] : plot->lines[k].values[i];
      if (!isfinite(value)) continue; /* of a run that went wrong */
      low = fmin(low, value);
      high = fmax(high, value);
    }
  }
  if (!(high > low)) high = low + 1;
  double step = weft_picture_round_up((high - low) / 4);
  return make_axis(floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, 4);
}

static void write_axes(FILE *stream, const Axis *x, const Axis *y) {
  char text[32];
  for (int32_t i = 0; i < y->tick_count; i++) {
    format_number(text, y->ticks[i]);
    fprintf(stream, "<line class=\"grid\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>", left, right,
            y_of(y, y->ticks[i]), y_of(y, y->ticks[i]));
    fprintf(stream, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", left - 7,
            y_of(y, y->ticks[i]) + 4, text);
  }
  for (int32_t i = 0; i < x->tick_count; i++) {
    format_number(text, x->ticks[i]);
    fprintf(stream, "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.0f\" y2=\"%.0f\"/>",
            x_of(x, x->ticks[i]), x_of(x, x->ticks[i]), bottom, bottom + 4);
    fprintf(stream, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%s%s</text>", x_of(x, x->ticks[i]),
            bottom + 18, text, i == x->tick_count - 1 ? " s" : "");
  }
  fprintf(stream, "<line class=\"axis\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", left, right,
          bottom, bottom);
}

enum { MOST_POINTS = 600 };

/* Points of a line: of long runs the means of as many neighbours as it takes. is_back: from the end, to close
 * an area. */
static void write_points(FILE *stream, const Plot *plot, const Axis *x, const Axis *y, const double *values,
                         bool is_back) {
  int32_t group = (plot->count + MOST_POINTS - 1) / MOST_POINTS, groups = (plot->count + group - 1) / group;
  for (int32_t g = 0; g < groups; g++) {
    int32_t first = (is_back ? groups - 1 - g : g) * group;
    int32_t end = first + group < plot->count ? first + group : plot->count;
    double time = 0, value = 0;
    for (int32_t i = first; i < end; i++) {
      time += plot->times[i] / (end - first);
      value += values[i] / (end - first);
    }
    if (isfinite(value)) fprintf(stream, "%.1f,%.1f ", x_of(x, time), y_of(y, value));
  }
}

static void write_lines(FILE *stream, const Plot *plot, const Axis *x, const Axis *y) {
  for (int32_t k = 0; k < plot->line_count; k++) {
    fprintf(stream, "<polyline class=\"line c%d\" points=\"", k);
    write_points(stream, plot, x, y, plot->lines[k].values, false);
    fputs("\"/>\n", stream);
  }
}

/* lower, upper: room for count values. */
static void write_areas(FILE *stream, const Plot *plot, const Axis *x, const Axis *y, double *lower,
                        double *upper) {
  memset(lower, 0, sizeof *lower * (size_t)plot->count);
  for (int32_t k = 0; k < plot->line_count; k++) {
    for (int32_t i = 0; i < plot->count; i++) upper[i] = lower[i] + plot->lines[k].values[i];
    fprintf(stream, "<polygon class=\"area c%d\" points=\"", k);
    write_points(stream, plot, x, y, upper, false);
    write_points(stream, plot, x, y, lower, true);
    fputs("\"/>\n", stream);
    memcpy(lower, upper, sizeof *lower * (size_t)plot->count);
  }
}

/* In words, for those who do not see it. */
static void write_label(FILE *stream, const Plot *plot) {
  fputs(plot->is_stacked ? "Areas over time: " : "Lines over time: ", stream);
  for (int32_t k = 0; k < plot->line_count; k++) {
    double low = INFINITY, high = -INFINITY;
    char low_text[32], high_text[32];
    for (int32_t i = 0; i < plot->count; i++) {
      low = fmin(low, plot->lines[k].values[i]);
      high = fmax(high, plot->lines[k].values[i]);
    }
    format_number(low_text, low);
    format_number(high_text, high);
    fprintf(stream, "%s%s from %s to %s", k ? "; " : "", plot->lines[k].name, low_text, high_text);
  }
  fprintf(stream, "%s%s.", *plot->unit ? " " : "", plot->unit);
}

static void write_key(FILE *stream, const Plot *plot) {
  if (plot->line_count < 2) return;
  fputs("<ul class=\"key\" aria-hidden=\"true\">", stream);
  for (int32_t k = 0; k < plot->line_count; k++)
    fprintf(stream, "<li><i class=\"c%d\"></i>%s</li>", k, plot->lines[k].name);
  fputs("</ul>\n", stream);
}

bool plot_write(FILE *stream, const Plot *plot) {
  double *lower = calloc((size_t)plot->count + 1, sizeof *lower);
  double *upper = calloc((size_t)plot->count + 1, sizeof *upper);
  bool has_room = lower && upper;
  if (has_room && plot->count > 0) {
    for (int32_t i = 0; i < plot->count; i++)
      for (int32_t k = 0; k < plot->line_count; k++) upper[i] += plot->lines[k].values[i];
    Axis x = make_axis(plot->times[0], plot->times[plot->count - 1], 8), y = value_axis(plot, upper);
    fprintf(stream, "<figure class=\"plot\"><figcaption><b>%s</b>%s%s</figcaption>\n", plot->title,
            *plot->unit ? ", " : "", plot->unit);
    fprintf(stream, "<svg viewBox=\"0 0 640 %.0f\" role=\"img\" aria-label=\"", height);
    write_label(stream, plot);
    fputs("\">\n", stream);
    write_axes(stream, &x, &y);
    if (plot->is_stacked)
      write_areas(stream, plot, &x, &y, lower, upper);
    else
      write_lines(stream, plot, &x, &y);
    fputs("</svg>\n", stream);
    write_key(stream, plot);
    if (*plot->note) fprintf(stream, "<p class=\"note\">%s</p>\n", plot->note);
    fputs("</figure>\n", stream);
  }
  free(lower);
  free(upper);
  return has_room;
}
