/* The exam scenes, S1 to S7 of V07: what their starts must be, at the size they ship with and smaller. */
#include "check.h"

#include <weft/check.h>
#include <weft/scene.h>

enum { MOST_MESHES = 32, MOST_OVERRIDES = 10 };

typedef struct Exam {
  const char *name;
  int cloths, obstacles, vertices; /* vertices: of a cloth */
  double low, high;                /* of all cloths along z [m] */
  const char *smaller[MOST_OVERRIDES];
} Exam;

#define ON_ALL_8(text)                                                                      \
  "cloths.0." text, "cloths.1." text, "cloths.2." text, "cloths.3." text, "cloths.4." text, \
      "cloths.5." text, "cloths.6." text, "cloths.7." text

static const Exam exams[] = {{"knot",
                              2,
                              0,
                              930 * 5,
                              -0.012,
                              0.012,
                              {"cloths.0.mesh.ribbon.columns=400", "cloths.0.mesh.ribbon.rows=2",
                               "cloths.1.mesh.ribbon.columns=400", "cloths.1.mesh.ribbon.rows=2"}},
                             {"funnel", 1, 1, 65 * 65, 0.05, 0.05, {"cloths.0.mesh.rectangle.columns=24"}},
                             {"twist",
                              3,
                              0,
                              51 * 21,
                              -0.005,
                              0.005,
                              {"cloths.0.mesh.rectangle.columns=20", "cloths.0.mesh.rectangle.rows=8",
                               "cloths.1.mesh.rectangle.columns=20", "cloths.1.mesh.rectangle.rows=8",
                               "cloths.2.mesh.rectangle.columns=20", "cloths.2.mesh.rectangle.rows=8"}},
                             {"rollers",
                              1,
                              2,
                              81 * 41,
                              0,
                              0,
                              {"cloths.0.mesh.rectangle.columns=32", "cloths.0.mesh.rectangle.rows=16"}},
                             {"stack", 8, 1, 41 * 41, 0.32, 0.39, {ON_ALL_8("mesh.rectangle.columns=12")}},
                             {"needles", 1, 25, 61 * 61, 0.22, 0.22, {"cloths.0.mesh.rectangle.columns=24"}},
                             {"cube", 1, 1, 51 * 51, 0.36, 0.36, {"cloths.0.mesh.rectangle.columns=20"}}};
enum { EXAMS = sizeof exams / sizeof *exams };

static WeftScene *load(const char *name, const char *const *overrides) {
  char path[1024];
  WeftScene *scene;
  WeftError error;
  int count = 0;
  while (overrides && count < MOST_OVERRIDES && overrides[count]) count++;
  const char *root = getenv("WEFT_SOURCE_DIR");
  snprintf(path, sizeof path, "%s/scenes/%s.json", root ? root : ".", name);
  check_ok(weft_scene_load(path, overrides, count, (WeftLog){0}, &scene, &error), error);
  return scene;
}

static WeftWorld *world_of(WeftScene *scene) {
  WeftWorld *world;
  WeftError error;
  check_ok(weft_scene_create_world(scene, 1, (WeftLog){0}, &world, &error), error);
  return world;
}

static WeftCheckMesh mesh_of(WeftWorld *world, int i, bool is_obstacle) {
  int vertices = is_obstacle ? weft_world_obstacle_vertex_count(world, i) : weft_world_vertex_count(world, i);
  int triangles =
      is_obstacle ? weft_world_obstacle_triangle_count(world, i) : weft_world_triangle_count(world, i);
  double *x = malloc(3 * (size_t)vertices * sizeof *x);
  int32_t *corner = malloc(3 * (size_t)triangles * sizeof *corner);
  WeftError error;
  if (is_obstacle) {
    check_ok(weft_world_get_obstacle_positions(world, i, x, &error), error);
    check_ok(weft_world_get_obstacle_triangles(world, i, corner, &error), error);
  } else {
    check_ok(weft_world_positions(world, i, x, &error), error);
    check_ok(weft_world_triangles(world, i, corner, &error), error);
  }
  return (WeftCheckMesh){NULL, vertices, x, triangles, corner, false};
}

static void free_mesh(WeftCheckMesh *mesh) {
  free((double *)mesh->positions);
  free((int32_t *)mesh->triangles);
}

/* Cloths and obstacles under the judge. */
static void check_clean(WeftWorld *world, const char *name) {
  WeftCheckMesh mesh[MOST_MESHES];
  WeftCheck check;
  WeftError error;
  int cloths = weft_world_cloth_count(world), all = cloths + weft_world_obstacle_count(world);
  assert_true(all <= MOST_MESHES);
  for (int i = 0; i < all; i++) mesh[i] = mesh_of(world, i < cloths ? i : i - cloths, i >= cloths);
  check_ok(weft_check_meshes(all, mesh, NULL, &check, &error), error);
  if (check.total.hits) fail_msg("%s: %lld hits at the start", name, (long long)check.total.hits);
  weft_check_free(&check);
  for (int i = 0; i < all; i++) free_mesh(&mesh[i]);
}

static void starts_are_clean(void **state) {
  (void)state;
  for (int n = 0; n < EXAMS; n++) {
    const Exam *exam = &exams[n];
    WeftScene *scene = load(exam->name, NULL);
    WeftWorld *world = world_of(scene);
    assert_int_equal(weft_world_cloth_count(world), exam->cloths);
    assert_int_equal(weft_world_obstacle_count(world), exam->obstacles);
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < exam->cloths; i++) {
      assert_int_equal(weft_world_vertex_count(world, i), exam->vertices);
      WeftCheckMesh mesh = mesh_of(world, i, false);
      for (int v = 0; v < mesh.vertex_count; v++) {
        low = fmin(low, mesh.positions[3 * v + 2]);
        high = fmax(high, mesh.positions[3 * v + 2]);
      }
      free_mesh(&mesh);
    }
    check_near(low, exam->low, 1e-3 * (n == 0));
    check_near(high, exam->high, 1e-3 * (n == 0));
    check_clean(world, exam->name);
    weft_world_destroy(world);
    weft_scene_destroy(scene);
  }
}

static void smaller_starts_are_clean_and_step(void **state) {
  (void)state;
  for (int n = 0; n < EXAMS; n++) {
    WeftScene *scene = load(exams[n].name, exams[n].smaller);
    WeftWorld *world = world_of(scene);
    WeftError error;
    assert_true(weft_world_vertex_count(world, 0) < exams[n].vertices / 2);
    check_clean(world, exams[n].name);
    check_ok(weft_world_step(world, 2, &error), error);
    weft_world_destroy(world);
    weft_scene_destroy(scene);
  }
}

/* The middle of the sheet goes down at 0.4 m/s. */
static void funnel_pulls(void **state) {
  (void)state;
  WeftError error;
  WeftScene *scene = load("funnel", (const char *[]){"gravity=[0, 0, 0]", NULL});
  WeftWorld *world = world_of(scene);
  check_ok(weft_world_step(world, 1, &error), error);
  WeftCheckMesh mesh = mesh_of(world, 0, false);
  int pulled = 0;
  for (int v = 0; v < mesh.vertex_count; v++)
    pulled += mesh.positions[3 * v + 2] < 0.05 - 0.4 * 0.005 + 1e-12;
  assert_int_equal(pulled, 9);
  free_mesh(&mesh);
  weft_world_destroy(world);
  weft_scene_destroy(scene);
}

/* In the nip both surfaces go along x at 0.2 m/s. */
static void rollers_turn_inwards(void **state) {
  (void)state;
  WeftError error;
  WeftScene *scene = load("rollers", NULL);
  WeftWorld *world = world_of(scene);
  WeftCheckMesh before[2] = {mesh_of(world, 0, true), mesh_of(world, 1, true)};
  check_ok(weft_world_step(world, 1, &error), error);
  for (int i = 0; i < 2; i++) {
    WeftCheckMesh after = mesh_of(world, i, true);
    int nearest = 0;
    for (int v = 0; v < after.vertex_count; v++) {
      if (fabs(before[i].positions[3 * v + 2]) < fabs(before[i].positions[3 * nearest + 2])) nearest = v;
    }
    check_near(before[i].positions[3 * nearest + 2], i == 0 ? 0.00075 : -0.00075, 1e-9);
    check_near((after.positions[3 * nearest] - before[i].positions[3 * nearest]) / 0.005, 0.2, 1e-5);
    free_mesh(&after);
    free_mesh(&before[i]);
  }
  weft_world_destroy(world);
  weft_scene_destroy(scene);
}

/* ---- the reef knot ---- */

enum { ROWS = 5, COLUMNS = 929 };

/* Where the middle lines of both ribbons cross, seen from above: over or under, and how far along A. The knot
 * is its own mirror image, so crossings come in pairs whose lengths add up to the ribbon's. V07's do not
 * (0.711 + 2.061 = 2.772 of 2.787 m), for a reason we do not know; so its lengths are held to 15 mm only, and
 * the pairs to rounding. */
static void knot_is_tied(void **state) {
  (void)state;
  const double expected[] = {0.711, 0.999, 1.341, 1.440, 1.773, 2.061};
  WeftScene *scene = load("knot", NULL);
  WeftWorld *world = world_of(scene);
  WeftCheckMesh a = mesh_of(world, 0, false), b = mesh_of(world, 1, false);
  char order[8] = "";
  double length = 2.787050, crossing[6];
  int found = 0;
  for (int i = 0; i < COLUMNS; i++) {
    const double *p = a.positions + 3 * (i * ROWS + 2), *q = p + 3 * ROWS;
    for (int j = 0; j < COLUMNS; j++) {
      const double *r = b.positions + 3 * (j * ROWS + 2), *s = r + 3 * ROWS;
      double ux = q[0] - p[0], uy = q[1] - p[1], vx = s[0] - r[0], vy = s[1] - r[1], d = ux * vy - uy * vx;
      double at = ((r[0] - p[0]) * vy - (r[1] - p[1]) * vx) / d,
             on = ((r[0] - p[0]) * uy - (r[1] - p[1]) * ux) / d;
      if (!(at >= 0 && at < 1 && on >= 0 && on < 1)) continue;
      assert_true(found < 6);
      crossing[found] = (i + at) * length / COLUMNS;
      check_near(crossing[found], expected[found], 0.0151);
      double above = p[2] + at * (q[2] - p[2]) - (r[2] + on * (s[2] - r[2]));
      assert_true(fabs(above) > 0.0235 && fabs(above) < 0.0255);
      order[found++] = above > 0 ? 'O' : 'U';
    }
  }
  assert_string_equal(order, "OUOOUO");
  for (int i = 0; i < 3; i++) check_near(crossing[i] + crossing[5 - i], length, 1e-9);
  double turn_a = -INFINITY, turn_b = INFINITY;
  for (int i = 0; i <= COLUMNS; i++) {
    turn_a = fmax(turn_a, a.positions[3 * (i * ROWS + 2)]);
    turn_b = fmin(turn_b, b.positions[3 * (i * ROWS + 2)]);
  }
  check_near(turn_a - turn_b, 0.577, 1e-3);
  free_mesh(&a);
  free_mesh(&b);
  weft_world_destroy(world);
  weft_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_are_clean), cmocka_unit_test(smaller_starts_are_clean_and_step),
      cmocka_unit_test(funnel_pulls), cmocka_unit_test(rollers_turn_inwards), cmocka_unit_test(knot_is_tied)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
