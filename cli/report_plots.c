/* What a run's tables tell, as plots. Tables count from the start of the run; plots show what a step took. */
#include "cli/cli.h"
#include "cli/plot.h"
#include "cli/report_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Between two lines of a table: the difference of a column, over that of another where there is one. */
static bool fill_rates(const Table *table, const char *name, const char *over, double *rates) {
  const double *sums = table_column(table, name), *counts = over ? table_column(table, over) : NULL;
  if (!sums || (over && !counts)) return false;
  for (int32_t i = 0; i + 1 < table->row_count; i++)
    rates[i] = (sums[i + 1] - sums[i]) / (counts ? fmax(counts[i + 1] - counts[i], 1) : 1);
  return true;
}

static bool is_all_zero(const double *values, int32_t count) {
  for (int32_t i = 0; i < count; i++)
    if (values[i] != 0) return false;
  return true;
}

/* Room for so many lines of a table. NULL after a message. */
static double *make_room(const Table *table, int32_t lines) {
  double *room = calloc((size_t)lines * (size_t)table->row_count + 1, sizeof *room);
  if (!room) fail("out of memory");
  return room;
}

static bool plot_rate(FILE *stream, const Table *table, const char *name, const char *title,
                      const char *line) {
  double *rates = make_room(table, 1);
  if (!rates) return false;
  Plot plot = {.title = title, .unit = "a step", .note = "", .count = table->row_count - 1, .line_count = 1};
  plot.times = table_column(table, "time") + 1;
  plot.lines[0] = (PlotLine){line, rates};
  bool is_fine = true;
  if (fill_rates(table, name, "steps", rates) && !is_all_zero(rates, plot.count))
    is_fine = plot_write(stream, &plot) || fail("out of memory") == EXIT_FINE;
  free(rates);
  return is_fine;
}

const char *const page_stages[PAGE_STAGES] = {"seconds_detect",  "seconds_force",   "seconds_solve",
                                              "seconds_respond", "seconds_prepare", "seconds_accept"};

static bool plot_stages(FILE *stream, const Table *timeline) {
  double *room = make_room(timeline, PAGE_STAGES);
  if (!room) return false;
  Plot plot = {.title = "Time by stage", .unit = "seconds a step", .note = "", .is_stacked = true};
  plot.count = timeline->row_count - 1;
  plot.times = table_column(timeline, "time") + 1;
  for (int k = 0; k < PAGE_STAGES; k++) {
    double *values = room + (size_t)k * (size_t)timeline->row_count;
    if (!fill_rates(timeline, page_stages[k], "steps", values)) continue;
    for (int32_t i = 0; i < plot.count; i++) values[i] = fmax(values[i], 0);
    plot.lines[plot.line_count++] = (PlotLine){strchr(page_stages[k], '_') + 1, values};
  }
  bool is_fine = plot.line_count == 0 || plot_write(stream, &plot) || fail("out of memory") == EXIT_FINE;
  free(room);
  return is_fine;
}

/* Heights count from an arbitrary level: gravity's part, and with it the sum, from the start of the run. */
static bool plot_energies(FILE *stream, const Table *timeline) {
  static const char *const parts[6] = {"kinetic", "gravity", "stretch", "bend", "link", "total"};
  double *room = make_room(timeline, 6);
  if (!room) return false;
  Plot plot = {.title = "Energy", .unit = "joule", .note = ""};
  plot.count = timeline->row_count;
  plot.times = table_column(timeline, "time");
  const double *gravity = table_column(timeline, "gravity");
  for (int k = 0; k < 6 && gravity; k++) {
    double *values = room + (size_t)k * (size_t)timeline->row_count;
    const double *column = table_column(timeline, parts[k]);
    if (!column) continue;
    double start = k == 1 || k == 5 ? gravity[0] : 0;
    for (int32_t i = 0; i < plot.count; i++) values[i] = column[i] - start;
    if (is_all_zero(values, plot.count)) continue;
    plot.lines[plot.line_count++] = (PlotLine){parts[k], values};
    if (k == 1) plot.note = "Gravity counts from the start of the run.";
  }
  bool is_fine = plot.line_count == 0 || plot_write(stream, &plot) || fail("out of memory") == EXIT_FINE;
  free(room);
  return is_fine;
}

static bool plot_column(FILE *stream, const Table *table, const char *name, const char *title,
                        const char *unit, double factor) {
  const double *column = table_column(table, name);
  double *values = make_room(table, 1);
  if (!values) return false;
  for (int32_t i = 0; column && i < table->row_count; i++) values[i] = factor * column[i];
  Plot plot = {.title = title, .unit = unit, .note = "", .count = table->row_count, .line_count = 1};
  plot.times = table_column(table, "time");
  plot.lines[0] = (PlotLine){title, values};
  bool is_fine = !column || is_all_zero(values, plot.count) || plot_write(stream, &plot) ||
                 fail("out of memory") == EXIT_FINE;
  free(values);
  return is_fine;
}

/* Which of the sums never rose. */
static void tell_nothing(FILE *stream, const Table *timeline) {
  static const char *const names[3] = {"contacts", "impacts", "limited"};
  static const char *const words[3] = {"contacts", "impacts", "vertices that had to yield"};
  int count = 0;
  for (int k = 0; k < 3; k++) {
    const double *column = table_column(timeline, names[k]);
    if (!column || !is_all_zero(column, timeline->row_count)) continue;
    fprintf(stream, "%s%s", count++ ? ", no " : "<p class=\"note\">In this run there were no ", words[k]);
  }
  if (count) fputs(".</p>\n", stream);
}

bool page_plots(FILE *stream, const Table *timeline) {
  if (timeline->row_count < 2 || !table_column(timeline, "time")) return true;
  fputs("<section aria-labelledby=\"plots\"><h2 id=\"plots\">Plots</h2>\n", stream);
  tell_nothing(stream, timeline);
  fputs("<div class=\"plots\">\n", stream);
  bool is_fine =
      plot_stages(stream, timeline) &&
      plot_rate(stream, timeline, "solver_iterations", "Solver iterations", "iterations") &&
      plot_rate(stream, timeline, "contacts", "Contacts", "contacts") &&
      plot_rate(stream, timeline, "impacts", "Impacts", "impacts") &&
      plot_rate(stream, timeline, "limited", "Vertices that had to yield", "vertices") &&
      plot_energies(stream, timeline) &&
      plot_column(stream, timeline, "max_speed", "Largest speed", "metres a second", 1) &&
      plot_column(stream, timeline, "peak_memory", "Largest memory so far", "mebibytes", 1.0 / (1 << 20));
  fputs("</div>\n</section>\n", stream);
  return is_fine;
}
