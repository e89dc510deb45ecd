/* The plots of weft bench, as far as the cases that were run make them. */
#include "cli/bench.h"
#include "cli/chart.h"
#include "cli/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_fine(const BenchResult *result) { return !result->failure[0] && result->step_count > 0; }

static bool is_of(const BenchResult *result, const char *group) {
  size_t length = strlen(group);
  const char *name = result->bench->name;
  return is_fine(result) && strncmp(name, group, length) == 0 && (name[length] == '-' || !name[length]);
}

/* Writes unless there is nothing to see, and frees the chart. */
static bool finish(Chart *chart, const char *folder, const char *name) {
  char *path = join_path(folder, name);
  bool is_written = path && (chart->line_count == 0 || chart_write(chart, path));
  free(path);
  chart_free(chart);
  return is_written;
}

static double value_of(const BenchStep *step, int what) {
  if (what < WEFT_STAGE_COUNT) return step->stages[what];
  switch (what) {
    case WEFT_STAGE_COUNT:
      return step->seconds;
    case WEFT_STAGE_COUNT + 1:
      return (double)step->link_iterations;
    default:
      return (double)step->impacts;
  }
}

static bool add_along(Chart *chart, const BenchResult *result, const char *name, int what) {
  ChartLine *line = chart_add(chart, name, result->step_count);
  if (!line) return false;
  for (int32_t i = 0; i < result->step_count; i++) {
    line->x[i] = (i + 1) * result->report.time_step;
    line->y[i] = value_of(&result->steps[i], what);
  }
  return true;
}

/* Time along the run, of one case [Tang16 fig. 14 and 18]. */
static bool plot_run(const char *folder, const BenchResult *result) {
  char title[128], name[96];
  snprintf(title, sizeof title, "%s: %d triangles, h = 1/%.0f s", result->bench->name,
           result->report.triangle_count, 1 / result->report.time_step);
  snprintf(name, sizeof name, "time-%s.svg", result->bench->name);
  Chart chart = {.title = title, .x_label = "simulated time [s]", .y_label = "seconds a step"};
  bool is_fine_so_far = add_along(&chart, result, "whole step", WEFT_STAGE_COUNT);
  for (int s = 0; s < WEFT_STAGE_COUNT; s++)
    is_fine_so_far = is_fine_so_far && add_along(&chart, result, bench_stage_names[s], s);
  return finish(&chart, folder, name) && is_fine_so_far;
}

/* Impacts, or the iterations that resolved them, along runs with large steps [Tang18 fig. 5 to 7]. */
static bool plot_convergence(const char *folder, const char *name, const char *label, int what, int count,
                             const BenchResult *results) {
  Chart chart = {.title = "Response at large steps", .x_label = "simulated time [s]", .y_label = label};
  bool is_complete = true;
  for (int i = 0; i < count; i++)
    if (is_of(&results[i], "dress") || is_of(&results[i], "funnel"))
      is_complete = is_complete && add_along(&chart, &results[i], results[i].bench->name, what);
  return finish(&chart, folder, name) && is_complete;
}

/* Mean step of a group against something of its cases. */
static ChartLine *add_group(Chart *chart, const char *group, const char *name, int count,
                            const BenchResult *results) {
  ChartLine *line = chart_add(chart, name, count);
  if (!line) return NULL;
  int n = 0;
  for (int i = 0; i < count; i++) {
    if (!is_of(&results[i], group)) continue;
    line->x[n] = results[i].report.triangle_count;
    line->y[n++] = bench_sum(&results[i]).mean;
  }
  line->count = n;
  line->has_dots = true;
  return line;
}

static bool add_published(Chart *chart, int count, const BenchResult *results) {
  ChartLine *line = chart_add(chart, "CAMA fig. 16", count);
  if (!line) return false;
  int n = 0;
  for (int i = 0; i < count; i++)
    for (int p = 0; is_of(&results[i], "resolution") && p < bench_published_count; p++) {
      if (strcmp(bench_published[p].name, results[i].bench->name) != 0) continue;
      line->x[n] = results[i].report.triangle_count;
      line->y[n++] = bench_published[p].seconds;
    }
  line->count = n;
  line->has_dots = line->is_dashed = true;
  return true;
}

/* Against resolution, with CAMA's figures and the growth that is allowed. */
static bool plot_resolution(const char *folder, bool with_published, int count, const BenchResult *results) {
  Chart chart = {.title = "Mean step against resolution",
                 .x_label = "triangles",
                 .y_label = "seconds a step",
                 .is_log_x = true,
                 .is_log_y = true};
  ChartLine *ours = add_group(&chart, "resolution", "resolution", count, results);
  if (!ours) return false;
  if (ours->count < 2) {
    chart_free(&chart);
    return true;
  }
  ChartLine *drape = add_group(&chart, "drape", "drape", count, results);
  bool is_complete = drape && (!with_published || add_published(&chart, count, results));
  ChartLine *growth = is_complete ? chart_add(&chart, "growth like n^1.25", ours->count) : NULL;
  for (int i = 0; growth && i < ours->count; i++) {
    growth->x[i] = ours->x[i];
    growth->y[i] = ours->y[1] * pow(ours->x[i] / ours->x[1], 1.25);
    growth->is_dashed = true;
  }
  return finish(&chart, folder, "resolution.svg") && growth;
}

/* Against the time step [Tang18 fig. 11]. */
static bool plot_time_step(const char *folder, int count, const BenchResult *results) {
  Chart chart = {
      .title = "Dress: mean step against its length", .x_label = "time step [ms]", .y_label = "seconds"};
  ChartLine *step = chart_add(&chart, "a step", count),
            *second = chart_add(&chart, "a simulated second", count);
  int n = 0;
  for (int i = 0; step && second && i < count; i++) {
    if (!is_of(&results[i], "dress")) continue;
    double h = results[i].report.time_step;
    step->x[n] = second->x[n] = 1e3 * h;
    step->y[n] = bench_sum(&results[i]).mean;
    second->y[n] = step->y[n] / h;
    n++;
  }
  if (step && second) {
    step->count = second->count = n;
    step->has_dots = second->has_dots = true;
  }
  if (n >= 2) return finish(&chart, folder, "time-step.svg");
  chart_free(&chart);
  return step && second;
}

/* Where the time goes [Tang16 fig. 18]. */
static bool plot_stages(const char *folder, int count, const BenchResult *results) {
  BarChart chart = {.title = "Shares of the stages in a mean step",
                    .part_count = WEFT_STAGE_COUNT,
                    .part_names = bench_stage_names};
  chart.bar_names = calloc((size_t)count, sizeof *chart.bar_names);
  chart.shares = calloc((size_t)count * WEFT_STAGE_COUNT, sizeof *chart.shares);
  char *path = join_path(folder, "stages.svg");
  bool is_written = chart.bar_names && chart.shares && path;
  for (int i = 0; is_written && i < count; i++) {
    if (!is_fine(&results[i])) continue;
    BenchSums sums = bench_sum(&results[i]);
    double all = 0, *shares = chart.shares + chart.bar_count * WEFT_STAGE_COUNT;
    for (int s = 0; s < WEFT_STAGE_COUNT; s++) all += sums.stages[s];
    for (int s = 0; s < WEFT_STAGE_COUNT && all > 0; s++) shares[s] = sums.stages[s] / all;
    chart.bar_names[chart.bar_count++] = results[i].bench->name;
  }
  if (is_written) is_written = bar_chart_write(&chart, path);
  free(chart.bar_names);
  free(chart.shares);
  free(path);
  return is_written;
}

bool bench_write_plots(const BenchOptions *options, int count, const BenchResult *results) {
  const char *folder = options->out;
  bool is_written = true;
  for (int i = 0; i < count && is_written; i++)
    if (is_fine(&results[i])) is_written = plot_run(folder, &results[i]);
  return is_written && plot_stages(folder, count, results) &&
         plot_resolution(folder, !options->is_quick, count, results) &&
         plot_time_step(folder, count, results) &&
         plot_convergence(folder, "convergence.svg", "iterations of response a step", WEFT_STAGE_COUNT + 1,
                          count, results) &&
         plot_convergence(folder, "impacts.svg", "impacts a step, after contact forces", WEFT_STAGE_COUNT + 2,
                          count, results);
}
