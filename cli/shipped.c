/* Where shipped scenes are: ./scenes, then the share folder of the installation the program is in, then the
 * source tree its build folder is in. Both are found from the program's own place, so that they can be moved
 * as a whole. */
#include "cli/cli.h"
#include "cli/files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FOLDER_COUNT = 3, PATH_SIZE = 4096 };
static const char *const folders[FOLDER_COUNT] = {"scenes", "../share/weft/scenes", "../../../scenes"};

/* NULL when there is none. Freed by the caller. */
static char *folder_path(int index) {
  if (index == 0) return strdup(folders[0]);
  char program[PATH_SIZE];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return NULL;
  program[length] = 0;
  char *slash = strrchr(program, '/');
  if (!slash) return NULL;
  *slash = 0;
  return join_path(program, folders[index]);
}

static char *readable(char *path) {
  if (path && access(path, R_OK) == 0) return path;
  free(path);
  return NULL;
}

char *find_scene(const char *name) {
  char *found = readable(strdup(name));
  if (found || name[0] == '/' || name[0] == '.') return found;
  size_t size = strlen(name) + sizeof ".json";
  char *with_ending = malloc(size);
  if (!with_ending) return NULL;
  snprintf(with_ending, size, "%s.json", name);
  for (int f = 0; f < FOLDER_COUNT && !found; f++) {
    char *folder = folder_path(f);
    if (!folder) continue;
    found = readable(join_path(folder, with_ending));
    if (!found) found = readable(join_path(folder, name));
    free(folder);
  }
  free(with_ending);
  return found;
}

static bool add_name(SceneNames *names, const char *file) {
  size_t length = strlen(file), ending = strlen(".json");
  if (length <= ending || strcmp(file + length - ending, ".json") != 0 || strstr(file, ".schema."))
    return true;
  char *name = strndup(file, length - ending);
  if (!name) return false;
  for (int i = 0; i < names->count; i++) {
    if (strcmp(names->items[i], name) != 0) continue;
    free(name);
    return true;
  }
  char **items = realloc(names->items, (size_t)(names->count + 1) * sizeof *items);
  if (!items) {
    free(name);
    return false;
  }
  names->items = items;
  names->items[names->count++] = name;
  return true;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

bool list_scenes(SceneNames *names) {
  *names = (SceneNames){0};
  bool is_complete = true;
  for (int f = 0; f < FOLDER_COUNT; f++) {
    char *folder = folder_path(f);
    DIR *open_folder = folder ? opendir(folder) : NULL;
    free(folder);
    if (!open_folder) continue;
    for (struct dirent *entry; is_complete && (entry = readdir(open_folder));)
      is_complete = add_name(names, entry->d_name);
    closedir(open_folder);
  }
  if (names->count) qsort(names->items, (size_t)names->count, sizeof *names->items, by_name);
  return is_complete;
}

void free_scenes(SceneNames *names) {
  for (int i = 0; i < names->count; i++) free(names->items[i]);
  free(names->items);
}
