#include "cli/files.h"

#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *join_path(const char *folder, const char *name) {
  size_t size = strlen(folder) + strlen(name) + 2;
  char *path = malloc(size);
  size_t length = strlen(folder);
  if (path) snprintf(path, size, "%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/", name);
  return path;
}

static bool is_folder(const char *path) {
  struct stat facts;
  if (stat(path, &facts) != 0) return false;
  if (S_ISDIR(facts.st_mode)) return true;
  errno = ENOTDIR;
  return false;
}

bool make_folder(const char *path) {
  char *part = strdup(path);
  if (!part) return false;
  for (char *at = part + 1; *at; at++) {
    if (*at != '/') continue;
    *at = 0;
    mkdir(part, 0777); /* what cannot be made shows when the last one is asked for */
    *at = '/';
  }
  bool is_made = mkdir(part, 0777) == 0 || (errno == EEXIST && is_folder(part)) ||
                 (part[strlen(part) - 1] == '/' && is_folder(part));
  free(part);
  return is_made;
}

bool can_write_in(const char *folder) {
  char *trial = join_path(folder, ".weft-trial.tmp");
  if (!trial) return false;
  FILE *stream = fopen(trial, "wb");
  int reason = errno;
  if (stream) {
    fclose(stream);
    remove(trial);
  }
  free(trial);
  errno = reason;
  return stream != NULL;
}

bool sync_path(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  /* some file systems cannot do this for folders, and have nothing to do */
  bool is_synced = fsync(file) == 0 || errno == EINVAL;
  int reason = errno;
  close(file);
  errno = reason;
  return is_synced;
}

bool new_file_open(NewFile *file, const char *path) {
  size_t size = strlen(path) + sizeof ".tmp";
  file->path = strdup(path);
  file->beside = malloc(size);
  file->stream = NULL;
  if (file->path && file->beside) {
    snprintf(file->beside, size, "%s.tmp", path);
    file->stream = fopen(file->beside, "wb");
  }
  if (file->stream) return true;
  fail("cannot write %s: %s", path, strerror(errno));
  free(file->path);
  free(file->beside);
  return false;
}

bool new_file_close(NewFile *file) {
  errno = 0;
  bool is_written = !ferror(file->stream);
  is_written = fclose(file->stream) == 0 && is_written;
  is_written = is_written && rename(file->beside, file->path) == 0;
  if (!is_written) {
    fail("cannot write %s: %s", file->path, errno ? strerror(errno) : "a write failed");
    remove(file->beside);
  }
  free(file->path);
  free(file->beside);
  return is_written;
}

void new_file_drop(NewFile *file) {
  fclose(file->stream);
  remove(file->beside);
  free(file->path);
  free(file->beside);
}

/* Devices and pipes are written to as they are: a rename would replace them. */
static bool is_special(const char *path) {
  struct stat facts;
  return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

bool write_text(const char *path, const char *text) {
  if (strcmp(path, "-") == 0) {
    fputs(text, stdout);
    return finish_stdout() == EXIT_FINE;
  }
  if (is_special(path)) {
    FILE *stream = fopen(path, "wb");
    bool is_written = stream && fputs(text, stream) >= 0;
    if (stream) is_written = fclose(stream) == 0 && is_written;
    if (!is_written) fail("cannot write %s: %s", path, strerror(errno));
    return is_written;
  }
  NewFile file;
  if (!new_file_open(&file, path)) return false;
  fputs(text, file.stream);
  return new_file_close(&file);
}
