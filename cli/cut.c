#include "cli/cut.h"

#include "cli/cli.h"
#include "cli/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Only names that a run itself gives: frame_0007.obj and the like. */
static bool is_after(const char *name, int32_t frame) {
  static const char *const kinds[][2] = {{"frame_", ".obj"}, {"obstacles_", ".obj"}, {"vertices_", ".csv"},
                                         {"faces_", ".csv"}, {"hinges_", ".csv"},    {"picture_", ".png"}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t stem = strlen(kinds[i][0]), ending = strlen(kinds[i][1]);
    if (strncmp(name, kinds[i][0], stem) != 0) continue;
    size_t digits = strspn(name + stem, "0123456789");
    const char *rest = name + stem + digits;
    if (digits < 4 || digits > 9 || strncmp(rest, kinds[i][1], ending) != 0) continue;
    if (strcmp(rest + ending, ".tmp") == 0) return true;
    if (!rest[ending]) return strtol(name + stem, NULL, 10) > frame;
  }
  return false;
}

static bool remove_file(const char *folder, const char *name) {
  char *path = join_path(folder, name);
  bool is_removed = path && (remove(path) == 0 || errno == ENOENT);
  if (!is_removed) fail("%s/%s: cannot be removed: %s", folder, name, strerror(errno));
  free(path);
  return is_removed;
}

bool remove_after(const char *folder, int32_t frame) {
  DIR *entries = opendir(folder);
  if (!entries && errno == ENOENT) return true;
  if (!entries) return fail("%s: cannot be read: %s", folder, strerror(errno)) == EXIT_FINE;
  bool is_fine = true;
  for (struct dirent *entry; is_fine && (entry = readdir(entries));)
    if (is_after(entry->d_name, frame)) is_fine = remove_file(folder, entry->d_name);
  closedir(entries);
  return is_fine;
}
