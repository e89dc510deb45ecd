#include "view/source.h"

#include "base/json_write.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a run writes, in the order of WeftViewFile. */
static const char *const run_files[WEFT_VIEW_FILE_COUNT] = {"frames.weftcache", "timeline.csv", "report.json",
                                                            "check.csv"};

void weft_view_source_close(WeftViewSource *source) {
  for (int f = 0; f < WEFT_VIEW_FILE_COUNT; f++) free(source->names[f]);
  if (source->folder >= 0) close(source->folder);
  free(source->label);
  free(source->bytes);
  *source = (WeftViewSource){.folder = -1};
}

static WeftResult fail_open(const char *path, WeftError *error) {
  return weft_fail(error, WEFT_RESULT_IO, "%s: cannot be read: %s", path, strerror(errno));
}

static WeftResult open_folder(WeftViewSource *source, const char *folder, const char *frames,
                              WeftError *error) {
  source->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (source->folder < 0) return fail_open(folder, error);
  for (int f = 0; f < WEFT_VIEW_FILE_COUNT; f++) {
    source->names[f] = weft_copy_text(f == WEFT_VIEW_FRAMES ? frames : run_files[f]);
    if (!source->names[f]) return weft_fail_memory(error, folder);
  }
  return WEFT_RESULT_OK;
}

/* The cache is served under the name it has; what lies beside it belongs to it when it is a run's. */
static WeftResult open_cache(WeftViewSource *source, const char *path, WeftError *error) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  size_t length = slash ? (size_t)(slash - path) : 0;
  char *folder = slash ? weft_copy(path, length + 1, 1) : weft_copy_text(".");
  if (!folder) return weft_fail_memory(error, path);
  if (slash) folder[length ? length : 1] = 0;
  WeftResult result = open_folder(source, folder, name, error);
  free(folder);
  for (int f = 0; f < WEFT_VIEW_FILE_COUNT && strcmp(name, run_files[WEFT_VIEW_FRAMES]) != 0; f++) {
    if (f == WEFT_VIEW_FRAMES) continue;
    free(source->names[f]);
    source->names[f] = NULL;
  }
  return result;
}

static bool is_cache(const char *path) {
  char magic[8] = {0};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  bool is_one = file >= 0 && read(file, magic, sizeof magic) == (ssize_t)sizeof magic &&
                memcmp(magic, "weftcach", sizeof magic) == 0;
  if (file >= 0) close(file);
  return is_one;
}

static WeftResult open_run(WeftViewSource *source, const char *path, WeftError *error) {
  uint64_t size;
  WeftResult result = open_folder(source, path, run_files[WEFT_VIEW_FRAMES], error);
  if (result) return result;
  int frames = weft_view_source_file(source, WEFT_VIEW_FRAMES, &size);
  int timeline = weft_view_source_file(source, WEFT_VIEW_TIMELINE, &size);
  if (frames >= 0) close(frames);
  if (timeline >= 0) close(timeline);
  if (frames >= 0 || timeline >= 0) return WEFT_RESULT_OK;
  return weft_fail(error, WEFT_RESULT_IO,
                   "%s: no frames.weftcache in this folder; `weft run SCENE --out DIR` makes one", path);
}

WeftResult weft_view_source_open(WeftViewSource *source, const char *path, WeftError *error) {
  struct stat facts;
  *source = (WeftViewSource){.folder = -1, .label = weft_copy_text(path)};
  WeftResult result = WEFT_RESULT_OK;
  if (!source->label) {
    result = weft_fail_memory(error, path);
  } else if (stat(path, &facts) != 0) {
    result = fail_open(path, error);
  } else if (S_ISDIR(facts.st_mode)) {
    result = open_run(source, path, error);
  } else if (is_cache(path)) {
    result = open_cache(source, path, error);
  } else {
    result = weft_view_mesh_cache(path, &source->bytes, &source->size, error);
  }
  if (result) weft_view_source_close(source);
  return result;
}

int weft_view_source_file(const WeftViewSource *source, WeftViewFile file, uint64_t *size) {
  struct stat facts;
  const char *name = source->names[file];
  if (source->folder < 0 || !name) return -1;
  /* not blocking: somebody may have put a pipe there */
  int opened = openat(source->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (opened < 0) return -1;
  if (fstat(opened, &facts) == 0 && S_ISREG(facts.st_mode)) {
    *size = (uint64_t)facts.st_size;
    return opened;
  }
  close(opened);
  return -1;
}

WeftResult weft_view_describe(const WeftViewSource *sources, int count, char **text, size_t *size,
                              WeftError *error) {
  WeftJsonWriter json = weft_json_writer(false);
  weft_json_begin_object(&json);
  weft_json_write_key(&json, "runs");
  weft_json_begin_list(&json);
  for (int i = 0; i < count; i++) {
    weft_json_begin_object(&json);
    weft_json_write_key(&json, "label");
    weft_json_write_text(&json, sources[i].label);
    for (int f = 0; f < WEFT_VIEW_FILE_COUNT; f++) {
      uint64_t bytes = sources[i].size;
      int file = weft_view_source_file(&sources[i], (WeftViewFile)f, &bytes);
      bool is_there = file >= 0 || (f == WEFT_VIEW_FRAMES && sources[i].bytes);
      if (file >= 0) close(file);
      if (!is_there) continue;
      weft_json_write_key(&json, weft_view_file_name((WeftViewFile)f));
      weft_json_write_integer(&json, (int64_t)bytes);
    }
    weft_json_end_object(&json);
  }
  weft_json_end_list(&json);
  weft_json_end_object(&json);
  return weft_json_finish(&json, text, size, error);
}
