/* Where the meshes of weft check come from. */
#include "cli/check.h"
#include "cli/cli.h"
#include "cli/files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool fail_memory(void) {
  fail("out of memory");
  return false;
}

static bool is_folder(const char *path) {
  struct stat facts;
  return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static bool is_cache(const char *path) {
  char magic[8] = "";
  FILE *stream = fopen(path, "rb");
  bool is_read = stream && fread(magic, 1, sizeof magic, stream) == sizeof magic;
  if (stream) fclose(stream);
  return is_read && memcmp(magic, "weftcach", sizeof magic) == 0;
}

static bool is_mesh_name(const char *name) {
  const char *ending = strrchr(name, '.');
  return ending && (strcasecmp(ending, ".obj") == 0 || strcasecmp(ending, ".ply") == 0);
}

/* As a person counts: frame_9 comes before frame_10. */
static int compare_names(const void *a, const void *b) {
  const char *left = *(char *const *)a, *right = *(char *const *)b;
  while (*left && *right) {
    if (isdigit((unsigned char)*left) && isdigit((unsigned char)*right)) {
      left += strspn(left, "0");
      right += strspn(right, "0");
      size_t left_digits = strspn(left, "0123456789"), right_digits = strspn(right, "0123456789");
      if (left_digits != right_digits) return left_digits < right_digits ? -1 : 1;
      int order = strncmp(left, right, left_digits);
      if (order) return order;
      left += left_digits;
      right += right_digits;
    } else if (*left != *right) {
      break;
    } else {
      left++;
      right++;
    }
  }
  if (*left != *right) return (unsigned char)*left < (unsigned char)*right ? -1 : 1;
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add_path(CheckSource *source, char *path) {
  char **grown =
      path ? realloc(source->paths, ((size_t)source->frame_count + 1) * sizeof *grown) : source->paths;
  if (path && grown) {
    source->paths = grown;
    source->paths[source->frame_count++] = path;
    return true;
  }
  free(path);
  return fail_memory();
}

/* The meshes in a folder are frames. */
static bool list_folder(CheckSource *source, const char *path) {
  DIR *folder = opendir(path);
  if (!folder) return fail("cannot read the folder %s: %s", path, strerror(errno)) == EXIT_FINE;
  bool is_fine = true;
  for (const struct dirent *entry; is_fine && (entry = readdir(folder));)
    if (entry->d_name[0] != '.' && is_mesh_name(entry->d_name))
      is_fine = add_path(source, join_path(path, entry->d_name));
  closedir(folder);
  if (!is_fine) return false;
  if (source->frame_count == 0)
    return fail("%s: neither frames.weftcache nor a mesh (.obj, .ply) in this folder", path) == EXIT_FINE;
  qsort(source->paths, (size_t)source->frame_count, sizeof *source->paths, compare_names);
  return true;
}

static bool open_cache(CheckSource *source, const char *path) {
  WeftError error;
  if (weft_cache_open(path, &source->cache, &error) != WEFT_RESULT_OK)
    return fail("%s", error.message) == EXIT_FINE;
  WeftCacheInfo info = weft_cache_info(source->cache);
  source->frame_count = info.frame_count;
  source->cloth_count = info.cloth_count;
  source->mesh_count = info.cloth_count + info.obstacle_count;
  if (info.frame_count == 0) return fail("%s: the cache holds no frame yet", path) == EXIT_FINE;
  return true;
}

static bool open_any(CheckSource *source, const char *path) {
  if (!is_folder(path)) {
    if (is_cache(path)) return open_cache(source, path);
    source->is_still = true;
    return add_path(source, strdup(path));
  }
  char *cache = join_path(path, "frames.weftcache");
  if (!cache) return fail_memory();
  bool is_fine = is_cache(cache) ? open_cache(source, cache) : list_folder(source, path);
  free(cache);
  return is_fine;
}

static bool make_room(CheckSource *source) {
  source->meshes = calloc((size_t)source->mesh_count + 1, sizeof *source->meshes);
  if (!source->meshes) return fail_memory();
  for (int32_t c = 0; source->cache && c < source->mesh_count; c++) {
    WeftMesh *mesh = &source->meshes[c];
    int32_t obstacle = c - source->cloth_count;
    mesh->vertex_count = obstacle < 0 ? weft_cache_vertex_count(source->cache, c)
                                      : weft_cache_obstacle_vertex_count(source->cache, obstacle);
    mesh->triangle_count = obstacle < 0 ? weft_cache_triangle_count(source->cache, c)
                                        : weft_cache_obstacle_triangle_count(source->cache, obstacle);
    mesh->positions = calloc(3 * (size_t)mesh->vertex_count + 1, sizeof *mesh->positions);
    mesh->triangles = calloc(3 * (size_t)mesh->triangle_count + 1, sizeof *mesh->triangles);
    WeftError error;
    if (!mesh->positions || !mesh->triangles) return fail_memory();
    WeftResult result = obstacle < 0
                            ? weft_cache_triangles(source->cache, c, mesh->triangles, &error)
                            : weft_cache_obstacle_triangles(source->cache, obstacle, mesh->triangles, &error);
    if (result != WEFT_RESULT_OK) return fail("%s", error.message) == EXIT_FINE;
  }
  return true;
}

static bool read_mesh(CheckSource *source, int64_t frame) {
  WeftError error;
  weft_mesh_free(source->meshes);
  if (weft_mesh_read(source->paths[frame], source->meshes, &error) == WEFT_RESULT_OK) return true;
  return fail("%s", error.message) == EXIT_FINE;
}

bool source_open(CheckSource *source, const char *path) {
  *source = (CheckSource){.name = path, .mesh_count = 1, .cloth_count = 1, .time = -1};
  return open_any(source, path) && make_room(source) && (!source->is_still || read_mesh(source, 0));
}

bool source_open_frames(CheckSource *source, int count, char **paths) {
  *source = (CheckSource){.name = "frames", .mesh_count = 1, .cloth_count = 1, .time = -1};
  for (int i = 0; i < count; i++)
    if (!add_path(source, strdup(paths[i]))) return false;
  return make_room(source);
}

static bool read_cache(CheckSource *source, int64_t index) {
  WeftCacheFrame frame;
  WeftError error;
  WeftResult result = weft_cache_read(source->cache, index, &frame, &error);
  for (int32_t c = 0; c < source->mesh_count && result == WEFT_RESULT_OK; c++)
    result = c < source->cloth_count
                 ? weft_cache_positions(source->cache, c, source->meshes[c].positions, &error)
                 : weft_cache_obstacle_positions(source->cache, c - source->cloth_count,
                                                 source->meshes[c].positions, &error);
  if (result != WEFT_RESULT_OK) return fail("%s", error.message) == EXIT_FINE;
  source->frame = frame.frame;
  source->time = frame.time;
  return true;
}

bool source_read(CheckSource *source, int64_t frame) {
  if (source->is_still) return true;
  source->frame = (int32_t)frame;
  return source->cache ? read_cache(source, frame) : read_mesh(source, frame);
}

void source_mesh_name(const CheckSource *source, int32_t mesh, char *text, size_t size) {
  if (source->cache)
    snprintf(text, size, "%s: %s", source->name,
             mesh < source->cloth_count
                 ? weft_cache_cloth_name(source->cache, mesh)
                 : weft_cache_obstacle_name(source->cache, mesh - source->cloth_count));
  else
    snprintf(text, size, "%s", source->paths[source->frame]);
}

void source_close(CheckSource *source) {
  for (int32_t i = 0; source->meshes && i < source->mesh_count; i++) weft_mesh_free(&source->meshes[i]);
  for (int64_t i = 0; source->paths && i < source->frame_count; i++) free(source->paths[i]);
  free(source->meshes);
  free(source->paths);
  weft_cache_close(source->cache);
}
