/* Meshes that nobody here wrote, and another program's opinion: WEFT_SHARED, or ../shared beside the project.
 */
#include "check.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>
#include <weft/check.h>
#include <weft/scene.h>

#include "judge/meet.h"

enum { PATH_SIZE = 1024, DRESS_VERTICES = 15656 /* the body's come behind them in drape_old.obj */ };

static char shared[PATH_SIZE];

static bool is_there(const char *path) {
  struct stat facts;
  return stat(path, &facts) == 0;
}

static void need(const char *below, char path[PATH_SIZE]) {
  snprintf(path, PATH_SIZE, "%.900s/%s", shared, below);
  if (is_there(path)) return;
  print_message("skipped: the shared data is not here (no %s)\n", path);
  skip();
}

static WeftMesh read_mesh(const char *path) {
  WeftMesh mesh;
  WeftError error;
  check_ok(weft_mesh_read(path, &mesh, &error), error);
  return mesh;
}

static WeftCheck judge(int count, const WeftCheckMesh *meshes) {
  WeftCheck check;
  WeftError error;
  check_ok(weft_check_meshes(count, meshes, NULL, &check, &error), error);
  return check;
}

static WeftCheckMesh part_of(const WeftMesh *mesh, int32_t first_triangle, int32_t end_triangle) {
  return (WeftCheckMesh){NULL,
                         mesh->vertex_count,
                         mesh->positions,
                         end_triangle - first_triangle,
                         mesh->triangles + 3 * (size_t)first_triangle,
                         false};
}

static void print_counts(const char *what, const WeftCheckCounts *counts) {
  print_message(
      "%s: %lld hits, %lld crossing, %lld touching, %lld coplanar, %lld pairs, %lld contours of %g m\n", what,
      (long long)counts->hits, (long long)counts->crossing, (long long)counts->touching,
      (long long)counts->coplanar, (long long)counts->pairs, (long long)counts->contours, counts->length);
}

static void the_dress(void **state) {
  (void)state;
  char path[PATH_SIZE];
  need("data/codim-ipc/Projects/FEMShell/input/dress_knife/drape_old.obj", path);
  WeftMesh mesh = read_mesh(path);
  int32_t split = 0;
  while (split < mesh.triangle_count && mesh.triangles[3 * split] < DRESS_VERTICES) split++;
  WeftCheckMesh meshes[2] = {part_of(&mesh, 0, split), part_of(&mesh, split, mesh.triangle_count)};
  for (int32_t i = 3 * split; i < 3 * mesh.triangle_count; i++)
    assert_true(mesh.triangles[i] >= DRESS_VERTICES);
  WeftCheck cloth = judge(1, meshes), both = judge(2, meshes);
  print_counts("dress", &cloth.total);
  print_counts("dress and body", &both.total);
  assert_int_equal(cloth.total.hits, 0);
  assert_int_equal(both.part_count, 1); /* the body alone; 491 is the number the data's README gives */
  assert_true(both.parts[0].a == 1 && both.parts[0].b == 1);
  assert_int_equal(both.total.crossing, 491);
  weft_check_free(&cloth);
  weft_check_free(&both);
  weft_mesh_free(&mesh);
}

static void small_meshes(void **state) {
  (void)state;
  static const struct {
    const char *name;
    bool is_crossing;
  } files[] = {{"data/ipc-toolkit-tests/two-cubes-far.ply", false},
               {"data/ipc-toolkit-tests/two-cubes-close.ply", false},
               {"data/ipc-toolkit-tests/two-cubes-intersecting.ply", true},
               {"data/ipc-toolkit-tests/bunny.ply", false},
               {"data/ipc-toolkit-tests/thick-cloth/t0.ply", false},
               {"data/derived/makehuman_body_only.obj", false}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[PATH_SIZE];
    need(files[i].name, path);
    WeftMesh mesh = read_mesh(path);
    WeftCheckMesh whole = part_of(&mesh, 0, mesh.triangle_count);
    WeftCheck check = judge(1, &whole);
    print_counts(files[i].name, &check.total);
    assert_int_equal(check.total.hits > 0, files[i].is_crossing);
    weft_check_free(&check);
    weft_mesh_free(&mesh);
  }
}

typedef int EdgeTriangleFn(double (*points)[3]);

/* The other program's own function, compiled from its source. */
static EdgeTriangleFn *load_trichk(void **library) {
  char source[PATH_SIZE], folder[] = "/tmp/weft-trichk-XXXXXX", path[64], built[64], command[2 * PATH_SIZE];
  need("validation/trichk.c", source);
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/wrap.c", folder);
  snprintf(built, sizeof built, "%s/wrap.so", folder);
  FILE *wrap = fopen(path, "w");
  assert_non_null(wrap);
  fprintf(wrap,
          "#define main trichk_main\n#include \"%s\"\n"
          "int trichk_edge(double (*points)[3]);\n"
          "int trichk_edge(double (*points)[3]) { const int corners[3] = {2, 3, 4}; X = points; return "
          "edgetri(0, 1, "
          "corners); }\n",
          source);
  fclose(wrap);
  const char *compiler = getenv("CC");
  snprintf(command, sizeof command, "%s -w -O1 -ffp-contract=off -shared -fPIC -o %s %s -lm",
           compiler ? compiler : "gcc", built, path);
  assert_int_equal(system(command), 0);
  *library = dlopen(built, RTLD_NOW);
  remove(built);
  remove(path);
  rmdir(folder);
  assert_non_null(*library);
  EdgeTriangleFn *function = NULL;
  void *symbol = dlsym(*library, "trichk_edge");
  memcpy(&function, &symbol, sizeof function);
  assert_non_null(function);
  return function;
}

static bool ask(double (*x)[3], WeftMeeting *meeting) {
  const double *const corners[3] = {x[2], x[3], x[4]};
  return weft_edge_meets_triangle(x[0], x[1], corners, meeting);
}

/* Random doubles: no four points in a plane, where both count the same. */
static void trichk_agrees(void **state) {
  (void)state;
  void *library;
  EdgeTriangleFn *trichk = load_trichk(&library);
  uint64_t seed = 11;
  int met = 0;
  for (int i = 0; i < 20000; i++) {
    double x[5][3], size = pow(10, random_in(&seed, -4, 2));
    for (int k = 0; k < 15; k++) x[k / 3][k % 3] = size * random_in(&seed, -1, 1);
    if (i % 2) { /* an edge that is thin, and passes near a point of the triangle */
      double u = random_in(&seed, -0.2, 1.2), v = random_in(&seed, -0.2, 1.2);
      for (int k = 0; k < 3; k++) {
        double at = x[2][k] + u * (x[3][k] - x[2][k]) + v * (x[4][k] - x[2][k]),
               way = random_in(&seed, -1, 1);
        x[0][k] = at - 0.1 * size * way;
        x[1][k] = at + 0.1 * size * way;
      }
    }
    WeftMeeting meeting;
    bool is_met = ask(x, &meeting);
    assert_int_equal(is_met, trichk(x));
    met += is_met;
  }
  print_message("20000 random configurations agree, %d of them meet\n", met);
  assert_true(met > 2000);
  dlclose(library);
}

/* On a lattice the two differ where trichk's own words say so: it leaves out edges in the plane of the
 * triangle, and triangles without area. */
static void trichk_differs_as_said(void **state) {
  (void)state;
  void *library;
  EdgeTriangleFn *trichk = load_trichk(&library);
  uint64_t seed = 12;
  int agreed = 0, in_plane = 0, degenerate = 0;
  for (int i = 0; i < 50000; i++) {
    double x[5][3];
    for (int k = 0; k < 15; k++) x[k / 3][k % 3] = floor(random_in(&seed, -2, 3));
    WeftMeeting meeting;
    bool is_met = ask(x, &meeting), other = trichk(x) != 0;
    if (is_met == other) {
      agreed++;
      continue;
    }
    assert_true(is_met);
    in_plane += meeting.kind == WEFT_HIT_COPLANAR;
    if (meeting.kind == WEFT_HIT_COPLANAR) continue;
    double e[3], f[3];
    for (int k = 0; k < 3; k++) {
      e[k] = x[3][k] - x[2][k];
      f[k] = x[4][k] - x[2][k];
    }
    assert_true(e[0] * f[1] == e[1] * f[0] && e[1] * f[2] == e[2] * f[1] && e[2] * f[0] == e[0] * f[2]);
    degenerate++;
  }
  print_message(
      "50000 lattice configurations: %d agree; trichk leaves out %d in the plane, %d without area\n", agreed,
      in_plane, degenerate);
  assert_true(in_plane > 0 && degenerate > 0);
  dlclose(library);
}

int main(void) {
  const char *given = getenv("WEFT_SHARED"), *source = getenv("WEFT_SOURCE_DIR");
  if (given)
    snprintf(shared, sizeof shared, "%s", given);
  else
    snprintf(shared, sizeof shared, "%s/../shared", source ? source : ".");
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_dress), cmocka_unit_test(small_meshes),
                                     cmocka_unit_test(trichk_agrees),
                                     cmocka_unit_test(trichk_differs_as_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
