/* Line plots as SVG, for the report's page. Colours are the page's: they follow light and dark. */
#ifndef WEFT_CLI_PLOT_H
#define WEFT_CLI_PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { PLOT_MOST_LINES = 6 };

typedef struct PlotLine {
  const char *name;
  const double *values; /* count of the plot */
} PlotLine;

typedef struct Plot {
  const char *title, *unit; /* "" where there is none */
  const char *note;         /* a sentence below it, or "" */
  int32_t count;            /* of points */
  const double *times;      /* [s], rising */
  int32_t line_count;
  PlotLine lines[PLOT_MOST_LINES];
  bool is_stacked; /* areas one upon the other, else lines; values must not be negative */
} Plot;

/* A figure with caption, picture and key. False when out of memory; what cannot be written shows when the
 * stream is closed. */
bool plot_write(FILE *stream, const Plot *plot);

/* A number for people: whole ones as they are, others with four figures. */
void format_number(char text[32], double value);
/* What is special in HTML is written otherwise. */
void write_escaped(FILE *stream, const char *text);

#endif
