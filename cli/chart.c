#include "cli/chart.h"

#include "cli/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* [px] */
enum { WIDTH = 900, HEIGHT = 480, LEFT = 80, RIGHT = 220, TOP = 44, BOTTOM = 56, ROW = 26, BAR_LEFT = 150 };

/* Told apart also by people who see fewer colours (Okabe and Ito). */
static const char *const COLORS[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#555555", "#a08000"};
enum { COLOR_COUNT = sizeof COLORS / sizeof COLORS[0] };

typedef struct Axis {
  double low, high; /* logarithms of ten on a logarithmic axis */
  bool is_log;
  double from, to; /* [px] */
} Axis;

ChartLine *chart_add(Chart *chart, const char *name, int count) {
  if (chart->line_count == CHART_LINES_MOST) return NULL;
  ChartLine *line = &chart->lines[chart->line_count];
  *line = (ChartLine){.count = count};
  line->x = calloc((size_t)count + 1, sizeof *line->x);
  line->y = calloc((size_t)count + 1, sizeof *line->y);
  if (!line->x || !line->y) {
    free(line->x);
    free(line->y);
    return NULL;
  }
  snprintf(line->name, sizeof line->name, "%s", name);
  chart->line_count++;
  return line;
}

void chart_free(Chart *chart) {
  for (int i = 0; i < chart->line_count; i++) {
    free(chart->lines[i].x);
    free(chart->lines[i].y);
  }
  chart->line_count = 0;
}

static double scaled(const Axis *axis, double value) { return axis->is_log ? log10(value) : value; }

static bool is_shown(const Axis *axis, double value) {
  return isfinite(value) && (!axis->is_log || value > 0);
}

static double place(const Axis *axis, double value) {
  return axis->from + (scaled(axis, value) - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

static Axis make_axis(const Chart *chart, bool is_x) {
  Axis axis = {INFINITY, -INFINITY, is_x ? chart->is_log_x : chart->is_log_y, is_x ? LEFT : HEIGHT - BOTTOM,
               is_x ? WIDTH - RIGHT : TOP};
  for (int l = 0; l < chart->line_count; l++) {
    const ChartLine *line = &chart->lines[l];
    for (int i = 0; i < line->count; i++) {
      double value = is_x ? line->x[i] : line->y[i];
      if (!is_shown(&axis, value)) continue;
      axis.low = fmin(axis.low, scaled(&axis, value));
      axis.high = fmax(axis.high, scaled(&axis, value));
    }
  }
  if (!(axis.low <= axis.high)) axis.low = 0, axis.high = 1;
  if (!axis.is_log && axis.low > 0 && !is_x) axis.low = 0; /* times begin at nothing */
  double room = axis.high > axis.low ? 0.04 * (axis.high - axis.low) : 0.5;
  axis.high += room;
  if (axis.is_log || axis.high - axis.low == room) axis.low -= room;
  return axis;
}

/* 1, 2 or 5 times a power of ten, for about six steps. */
static double tick_step(double range) {
  double power = pow(10, floor(log10(range / 6))), rest = range / 6 / power;
  return power * (rest > 5 ? 10 : rest > 2 ? 5 : rest > 1 ? 2 : 1);
}

static void draw_tick(FILE *out, const Axis *axis, bool is_x, double value) {
  double at = place(axis, value);
  if (is_x)
    fprintf(out,
            "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>"
            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
            at, TOP, at, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 18, value);
  else
    fprintf(out,
            "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>"
            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
            LEFT, at, WIDTH - RIGHT, at, LEFT - 6, at + 4, value);
}

static void draw_ticks(FILE *out, const Axis *axis, bool is_x) {
  if (!axis->is_log) {
    double step = tick_step(axis->high - axis->low);
    double first = ceil(axis->low / step);
    for (int i = 0; (first + i) * step <= axis->high; i++)
      draw_tick(out, axis, is_x, (first + i) * step + 0.0);
    return;
  }
  bool is_wide = axis->high - axis->low > 3; /* decades: then 1 alone, else 1, 2 and 5 */
  for (int decade = (int)floor(axis->low); decade <= axis->high; decade++) {
    static const int firsts[] = {1, 2, 5};
    for (int k = 0; k < (is_wide ? 1 : 3); k++) {
      double value = firsts[k] * pow(10, decade);
      if (log10(value) >= axis->low && log10(value) <= axis->high) draw_tick(out, axis, is_x, value);
    }
  }
}

static void draw_line(FILE *out, const ChartLine *line, int index, const Axis *x, const Axis *y) {
  const char *color = COLORS[index % COLOR_COUNT], *dash = line->is_dashed ? " stroke-dasharray=\"6 4\"" : "";
  fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"%s points=\"", color, dash);
  for (int i = 0; i < line->count; i++)
    if (is_shown(x, line->x[i]) && is_shown(y, line->y[i]))
      fprintf(out, "%.1f,%.1f ", place(x, line->x[i]), place(y, line->y[i]));
  fputs("\"/>\n", out);
  for (int i = 0; i < line->count && line->has_dots; i++)
    if (is_shown(x, line->x[i]) && is_shown(y, line->y[i]))
      fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n", place(x, line->x[i]),
              place(y, line->y[i]), color);
  double top = TOP + 10 + 20 * index;
  fprintf(out,
          "<line x1=\"%d\" y1=\"%.0f\" x2=\"%d\" y2=\"%.0f\" stroke=\"%s\" stroke-width=\"2\"%s/>"
          "<text x=\"%d\" y=\"%.0f\">%s</text>\n",
          WIDTH - RIGHT + 14, top, WIDTH - RIGHT + 40, top, color, dash, WIDTH - RIGHT + 46, top + 4,
          line->name);
}

static void begin(FILE *out, int height, const char *title) {
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
          "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n"
          "<text x=\"%d\" y=\"24\" font-size=\"15\">%s</text>\n",
          WIDTH, height, WIDTH, height, WIDTH, height, LEFT, title);
}

bool chart_write(const Chart *chart, const char *path) {
  NewFile file;
  if (!new_file_open(&file, path)) return false;
  FILE *out = file.stream;
  Axis x = make_axis(chart, true), y = make_axis(chart, false);
  begin(out, HEIGHT, chart->title);
  draw_ticks(out, &x, true);
  draw_ticks(out, &y, false);
  fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>\n", LEFT,
          TOP, WIDTH - RIGHT - LEFT, HEIGHT - BOTTOM - TOP);
  fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + WIDTH - RIGHT) / 2,
          HEIGHT - 14, chart->x_label);
  fprintf(out, "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
          (TOP + HEIGHT - BOTTOM) / 2, chart->y_label);
  for (int l = 0; l < chart->line_count; l++) draw_line(out, &chart->lines[l], l, &x, &y);
  fputs("</svg>\n", out);
  return new_file_close(&file);
}

bool bar_chart_write(const BarChart *chart, const char *path) {
  NewFile file;
  if (!new_file_open(&file, path)) return false;
  FILE *out = file.stream;
  const double full = WIDTH - RIGHT - BAR_LEFT;
  begin(out, TOP + ROW * chart->bar_count + 30, chart->title);
  for (int b = 0; b < chart->bar_count; b++) {
    double at = BAR_LEFT, top = TOP + ROW * b;
    fprintf(out, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%s</text>\n", BAR_LEFT - 8, top + 15,
            chart->bar_names[b]);
    for (int p = 0; p < chart->part_count; p++) {
      double share = chart->shares[b * chart->part_count + p];
      fprintf(out, "<rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"20\" fill=\"%s\"/>", at, top,
              share * full, COLORS[p % COLOR_COUNT]);
      if (share > 0.06)
        fprintf(out, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\" fill=\"white\">%.0f %%</text>",
                at + 0.5 * share * full, top + 15, 100 * share);
      fputc('\n', out);
      at += share * full;
    }
  }
  for (int p = 0; p < chart->part_count; p++)
    fprintf(
        out,
        "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>\n",
        WIDTH - RIGHT + 14, TOP + 20 * p, COLORS[p % COLOR_COUNT], WIDTH - RIGHT + 34, TOP + 20 * p + 12,
        chart->part_names[p]);
  fputs("</svg>\n", out);
  return new_file_close(&file);
}
