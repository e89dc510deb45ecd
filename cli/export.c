/* weft export: a run in another format. So far one: a page with the viewer and the animation in it. */
#include "base/read_file.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "view/pack.h"
#include "view/page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A text beside the cache; NULL when there is none. */
static char *read_beside(const char *folder, const char *name) {
  char *path = join_path(folder, name), *text = NULL;
  size_t size;
  if (path && weft_read_file(path, &text, &size, NULL) != WEFT_RESULT_OK) text = NULL;
  free(path);
  return text;
}

/* The cache's header as it is in the file; its size stands at byte 16. */
static char *read_header(const char *path, size_t *size) {
  unsigned char head[24];
  uint64_t whole = 0;
  FILE *stream = fopen(path, "rb");
  char *bytes = NULL;
  if (stream && fread(head, 1, sizeof head, stream) == sizeof head) memcpy(&whole, head + 16, sizeof whole);
  if (whole >= sizeof head && whole < SIZE_MAX / 2 && fseek(stream, 0, SEEK_SET) == 0)
    bytes = malloc((size_t)whole);
  if (bytes && fread(bytes, 1, (size_t)whole, stream) != whole) {
    free(bytes);
    bytes = NULL;
  }
  if (stream) fclose(stream);
  *size = (size_t)whole;
  return bytes;
}

static int write_html(WeftCache *cache, const char *cache_path, const char *folder, const char *label,
                      const char *output) {
  WeftError error;
  NewFile file;
  int64_t left_out = 0;
  WeftPackDef def = {.label = label};
  char *header = read_header(cache_path, &def.header_size);
  char *timeline = folder ? read_beside(folder, "timeline.csv") : NULL;
  char *report = folder ? read_beside(folder, "report.json") : NULL;
  def.header = header;
  def.timeline = timeline;
  def.report = report;
  int code = EXIT_FAILED;
  if (!header) {
    fail("%s: cannot be read", cache_path);
  } else if (new_file_open(&file, output)) {
    WeftResult result = weft_pack_html(cache, &def, file.stream, &left_out, &error);
    if (result == WEFT_RESULT_OK) {
      code = new_file_close(&file) ? EXIT_FINE : EXIT_FAILED;
    } else {
      new_file_drop(&file);
      fail("%s: %s", label, error.message);
    }
  }
  if (left_out > 0) fail("warning: %lld damaged frames were left out", (long long)left_out);
  free(header);
  free(timeline);
  free(report);
  return code;
}

static int export(const char *path, const char *output) {
  WeftError error;
  WeftCache *cache;
  struct stat facts;
  bool is_folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
  char *cache_path = is_folder ? join_path(path, "frames.weftcache") : strdup(path);
  if (!cache_path) return fail("out of memory");
  int code = EXIT_FAILED;
  if (weft_cache_open(cache_path, &cache, &error) != WEFT_RESULT_OK) {
    fail("%s", error.message);
  } else {
    WeftCacheInfo info = weft_cache_info(cache);
    code = write_html(cache, cache_path, is_folder ? path : NULL, *info.scene ? info.scene : path, output);
    if (code == EXIT_FINE && stat(output, &facts) == 0)
      printf("%s: %lld frames, %.1f MB\n", output, (long long)info.frame_count, 1e-6 * (double)facts.st_size);
  }
  weft_cache_close(cache);
  free(cache_path);
  return code == EXIT_FINE ? finish_stdout() : code;
}

static int run_export(int argument_count, char **arguments) {
  int left;
  bool is_help;
  const char *format = NULL, *output = NULL;
  const Option options[] = {
      {"format", OPTION_TEXT, &format, 0}, {"out", OPTION_TEXT, &output, 0}, {.kind = OPTION_END}};
  int code = parse_options(&verb_export, options, argument_count, arguments, &left, &is_help);
  if (code != EXIT_FINE || is_help) return code;
  if (left != 1) return fail_usage(&verb_export, "one folder or cache, please");
  static const char *const formats[] = {"html"};
  if (!format || strcmp(format, "html") != 0)
    return fail_usage(&verb_export, "--format %s is not known%s", format ? format : "(none)",
                      format ? did_you_mean(format, formats, 1) : "");
  if (!output) return fail_usage(&verb_export, "--out FILE is missing");
  if (!weft_view_page_size)
    return fail("this weft was built without the viewer: Node.js was missing then (docs/build.md)");
  return export(arguments[0], output);
}

const Verb verb_export = {
    .name = "export",
    .arguments = "DIR|CACHE --format html --out FILE",
    .summary = "Write a run as one HTML page to look at or to mail.",
    .details =
        "  --format html  the viewer with all frames in it: quantised to 16 bits, compressed\n"
        "  --out FILE     the file to write\n",
    .run = run_export,
};
