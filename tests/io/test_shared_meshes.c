/* Reads every OBJ and PLY file of the shared data, and takes it as an obstacle, where it is there:
 * WEFT_SHARED, or ../shared beside the project. */
#include "mesh/accept.h"
#include "model_build.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <weft/weft.h>

enum { PATH_SIZE = 1024 };

typedef struct Tally {
  int files, accepted, warnings;
} Tally;

static void count_warning(WeftLogLevel level, const char *text, void *user) {
  (void)level;
  (void)text;
  ((Tally *)user)->warnings++;
}

static bool ends_with(const char *path, const char *end) {
  return strlen(path) >= strlen(end) && strcmp(path + strlen(path) - strlen(end), end) == 0;
}

static void check_file(const char *path, Tally *tally) {
  WeftMesh mesh;
  WeftError error;
  if (weft_mesh_read(path, &mesh, &error) != WEFT_RESULT_OK) fail_msg("%s", error.message);
  assert_true(mesh.vertex_count > 0 && mesh.triangle_count > 0);
  WeftMeshFacts facts;
  assert_int_equal(weft_mesh_inspect(&mesh, &facts, NULL), WEFT_RESULT_OK);
  assert_int_equal(facts.nonfinite_vertices + facts.index_errors, 0);
  tally->files++;
  WeftObstacleInput input; /* whatever its faults are */
  WeftObstacleDef def = weft_default_obstacle_def();
  def.vertex_count = mesh.vertex_count;
  def.positions = mesh.positions;
  def.triangle_count = mesh.triangle_count;
  def.triangles = mesh.triangles;
  if (weft_obstacle_input_create(&input, &def, (WeftLog){0}, &error) != WEFT_RESULT_OK)
    fail_msg("%s: %s", path, error.message);
  weft_obstacle_input_destroy(&input);
  WeftResult result = weft_mesh_accept(&mesh, path, (WeftLog){count_warning, tally}, &error);
  if (result != WEFT_RESULT_OK) { /* the only reason for which a file of the collection may be refused */
    assert_true(facts.degenerate_triangles > 0);
    print_message("refused: %s\n", error.message);
  } else {
    tally->accepted++;
    WeftMeshFacts after;
    assert_int_equal(weft_mesh_inspect(&mesh, &after, NULL), WEFT_RESULT_OK);
    assert_int_equal(after.duplicate_triangles, 0);
  }
  weft_mesh_free(&mesh);
}

static void walk(const char *folder, int depth, Tally *tally) {
  DIR *directory = depth < 16 ? opendir(folder) : NULL;
  if (!directory) return;
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (entry->d_name[0] == '.') continue;
    char path[PATH_SIZE];
    struct stat status;
    int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (length >= PATH_SIZE || stat(path, &status) != 0) continue;
    if (S_ISDIR(status.st_mode)) walk(path, depth + 1, tally);
    if (S_ISREG(status.st_mode) && (ends_with(path, ".obj") || ends_with(path, ".ply")))
      check_file(path, tally);
  }
  closedir(directory);
}

static void all_shared_meshes_are_read(void **state) {
  (void)state;
  char folder[PATH_SIZE];
  const char *shared = getenv("WEFT_SHARED"), *source = getenv("WEFT_SOURCE_DIR");
  if (shared) {
    snprintf(folder, sizeof folder, "%s/data", shared);
  } else {
    snprintf(folder, sizeof folder, "%s/../shared/data", source ? source : ".");
  }
  struct stat status;
  if (stat(folder, &status) != 0) {
    print_message("skipped: the shared data is not here (no folder %s)\n", folder);
    skip();
  }
  Tally tally = {0, 0, 0};
  walk(folder, 0, &tally);
  print_message("%d files read, %d accepted as cloth, %d warnings\n", tally.files, tally.accepted,
                tally.warnings);
  assert_true(tally.files > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_shared_meshes_are_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
