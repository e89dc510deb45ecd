/* Small charts as SVG: lines over linear or logarithmic axes, and stacked bars. */
#ifndef WEFT_CLI_CHART_H
#define WEFT_CLI_CHART_H

#include <stdbool.h>

enum { CHART_LINES_MOST = 16 };

typedef struct ChartLine {
  char name[64];
  int count;
  double *x, *y;  /* points that are not finite, or not positive on a logarithmic axis, are left out */
  bool is_dashed; /* something to compare with */
  bool has_dots;
} ChartLine;

typedef struct Chart {
  const char *title, *x_label, *y_label;
  bool is_log_x, is_log_y;
  int line_count;
  ChartLine lines[CHART_LINES_MOST];
} Chart;

/* Bars of 100 percent, one a row, cut into parts. */
typedef struct BarChart {
  const char *title;
  int part_count, bar_count;
  const char *const *part_names;
  const char **bar_names;
  double *shares; /* bar_count x part_count, each bar's sum is 1 */
} BarChart;

/* The next line, with room for count points; NULL when out of memory or lines. */
ChartLine *chart_add(Chart *chart, const char *name, int count);
/* False after a message. Lines are freed by chart_free. */
bool chart_write(const Chart *chart, const char *path);
void chart_free(Chart *chart);
bool bar_chart_write(const BarChart *chart, const char *path);

#endif
