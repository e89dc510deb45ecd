/* weft report DIR: what a run was, on one page. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/plot.h"
#include "cli/report_page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/cache.h>

typedef struct ReportOptions {
  const char *folder, *output;
  int32_t threads;
} ReportOptions;

static bool has_file(const char *folder, const char *name) {
  char *path = join_path(folder, name);
  bool is_there = path && access(path, R_OK) == 0;
  free(path);
  return is_there;
}

static void read_table(Table *table, const char *folder, const char *name) {
  char *path = join_path(folder, name);
  *table = (Table){0};
  if (path) table_read(table, path);
  free(path);
}

/* The scene's name, as the cache has it; else the folder's. */
static void find_title(const char *folder, char title[256]) {
  WeftCache *cache = NULL;
  char *path = join_path(folder, "frames.weftcache");
  snprintf(title, 256, "%s", folder);
  if (path && weft_cache_open(path, &cache, NULL) == WEFT_RESULT_OK && *weft_cache_info(cache).scene)
    snprintf(title, 256, "%s", weft_cache_info(cache).scene);
  weft_cache_close(cache);
  free(path);
}

static void write_lead(FILE *stream, const char *title, const Table *timeline) {
  fputs("<h1>", stream);
  write_escaped(stream, title);
  fputs("</h1>\n<p class=\"lead\">", stream);
  const double *times = table_column(timeline, "time"), *steps = table_column(timeline, "steps");
  int32_t last = timeline->row_count - 1;
  double seconds = 0;
  for (int k = 0; k < PAGE_STAGES && last >= 0; k++) {
    const double *column = table_column(timeline, page_stages[k]);
    seconds += column ? column[last] : 0;
  }
  char text[32];
  if (times && steps && last >= 0) {
    format_number(text, times[last]);
    fprintf(stream, "%s s simulated in %.0f steps", text, steps[last]);
    if (seconds > 0) {
      format_number(text, seconds);
      fprintf(stream, " and %s s of computing", text);
    }
    fputc('.', stream);
  }
  fputs("</p>\n", stream);
}

static bool write_page(FILE *stream, const ReportOptions *options) {
  Table timeline;
  char title[256];
  find_title(options->folder, title);
  read_table(&timeline, options->folder, "timeline.csv");
  page_begin(stream, title);
  write_lead(stream, title, &timeline);
  bool is_fine = true;
  if (has_file(options->folder, "frames.weftcache"))
    is_fine = page_pictures(stream, options->folder, options->threads);
  else
    fputs("<p class=\"note\">The run keeps no cache of frames: there are no pictures.</p>\n", stream);
  is_fine = is_fine && page_plots(stream, &timeline) && page_numbers(stream, options->folder);
  page_end(stream);
  table_free(&timeline);
  return is_fine;
}

static int write_report(const ReportOptions *options) {
  if (!has_file(options->folder, "timeline.csv") && !has_file(options->folder, "report.json") &&
      !has_file(options->folder, "frames.weftcache"))
    return fail(
        "%s: not the folder of a run: neither timeline.csv, report.json nor frames.weftcache is there",
        options->folder);
  NewFile file;
  if (!new_file_open(&file, options->output)) return EXIT_FAILED;
  if (!write_page(file.stream, options)) {
    new_file_drop(&file);
    return EXIT_FAILED;
  }
  if (!new_file_close(&file)) return EXIT_FAILED;
  printf("page: %s\n", options->output);
  return finish_stdout();
}

static int run_report(int argument_count, char **arguments) {
  ReportOptions report = {0};
  const Option options[] = {{"output", OPTION_TEXT, &report.output, 0},
                            {"threads", OPTION_COUNT, &report.threads, 1},
                            {.kind = OPTION_END}};
  int left;
  bool is_help;
  int code = parse_options(&verb_report, options, argument_count, arguments, &left, &is_help);
  if (code != EXIT_FINE || is_help) return code;
  if (left != 1) return fail_usage(&verb_report, left ? "one folder at a time, please" : "which folder?");
  report.folder = arguments[0];
  char *path = report.output ? strdup(report.output) : join_path(report.folder, "report.html");
  report.output = path;
  code = path ? write_report(&report) : fail("out of memory");
  free(path);
  return code;
}

const Verb verb_report = {
    .name = "report",
    .arguments = "DIR [--threads N] [-o FILE]",
    .summary = "Write one page about a run: pictures, plots, numbers.",
    .details =
        "DIR is the folder of a run, finished or not. The page is one HTML file without anything beside\n"
        "it: stills of the run, plots of time by stage, solver iterations, contacts, impacts, energy and\n"
        "memory, and the report's numbers (docs/report.md).\n\n"
        "  -o FILE        DIR/report.html if not said\n"
        "  --threads N    so many threads for the pictures\n",
    .run = run_report,
};
