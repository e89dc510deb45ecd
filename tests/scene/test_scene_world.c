/* From a scene to meshes and a world. */
#include "scene/scene_text.h"

static WeftScene *parse_good(const char *text) {
  WeftScene *scene;
  WeftError error = {0};
  if (weft_scene_parse(text, strlen(text), "scene.json", "no-such-folder", NULL, 0, NO_LOG, &scene, &error))
    fail_msg("%s", error.message);
  return scene;
}

static WeftWorld *world_of(const WeftScene *scene) {
  WeftWorld *world;
  WeftError error = {0};
  if (weft_scene_create_world(scene, 1, NO_LOG, &world, &error)) fail_msg("%s", error.message);
  return world;
}

static void refuse_case(const char *name, const char *json, size_t size, const char *message) {
  WeftScene *scene = NULL;
  WeftError error = {0};
  if (!weft_scene_parse(json, size, "scene.json", "no-such-folder", NULL, 0, NO_LOG, &scene, &error))
    fail_msg("%s: was accepted", name);
  if (strcmp(error.message, message))
    fail_msg("%s:\n got      %s\n expected %s", name, error.message, message);
  assert_null(scene);
}

static void broken_meshes_are_refused(void **state) {
  (void)state;
  assert_int_equal(for_each_case("tests/scene/broken_meshes.txt", refuse_case), 14);
}

/* Which vertices of a 2 x 1 sheet with 4 x 2 cells, turned upright, a selection names. */
static void selections_are_resolved(void **state) {
  (void)state;
  const struct {
    const char *select;
    int32_t count;
  } cases[] = {{"\"all\"", 15},
               {"{\"side\": \"left\"}", 3},
               {"{\"side\": \"top\"}", 5},
               {"{\"corner\": \"bottom_right\"}", 1},
               {"{\"vertices\": [3, 3, 7]}", 2},
               {"{\"nearest\": [9, 0, 9]}", 1},
               {"{\"box\": [[-1, 0, 0.5], [1, 0, 0.5]]}", 5},
               {"[{\"side\": \"left\"}, {\"side\": \"top\"}]", 7}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "{\"frames\": 1, \"cloths\": [{" SHEET
             ", \"transform\": {\"rotate\": [90, 0, 0]}, \"pins\": [{\"select\": %s}]}]}",
             cases[i].select);
    WeftScene *s = parse_good(text);
    const WeftSelection *select = &s->cloths[0].pins[0].select;
    assert_int_equal(select->vertex_count, cases[i].count);
    for (int32_t k = 1; k < select->vertex_count; k++)
      assert_true(select->vertices[k] > select->vertices[k - 1]);
    weft_scene_destroy(s);
  }
}

static void the_nearest_vertex_is_found(void **state) {
  (void)state;
  WeftScene *s = parse_good(
      "{\"frames\": 1, \"cloths\": [{" SHEET
      ", \"transform\": {\"rotate\": [90, 0, 0]}, \"pins\": [{\"select\": {\"nearest\": [9, 0, 9]}}]}]}");
  const double *x = s->cloths[0].shape.mesh.positions + 3 * s->cloths[0].pins[0].select.vertices[0];
  assert_true(x[0] == 1 && x[1] == 0 && x[2] == 0.5);
  weft_scene_destroy(s);
}

static void velocities_masses_and_links_are_built(void **state) {
  (void)state;
  WeftScene *s = parse_good(
      "{\"frames\": 1, \"gravity\": [0, 0, 0], \"cloths\": [{\"mesh\": {\"inline\": {\"positions\": [[1, 0, "
      "0], [-1, 0, 0]]}},"
      "\"velocity\": {\"linear\": [0, 0, 3], \"angular\": [0, 0, 180], \"each\": [[0, 0, 1], [0, 0, 0]]},"
      "\"added_mass\": [{\"select\": \"all\", \"mass\": 2, \"spread\": \"equal\"}, {\"select\": "
      "{\"vertices\": [1]}, \"mass\": 5}],"
      "\"links\": [{\"a\": 0, \"b\": 1, \"stiffness\": 10}]}]}");
  const WeftSceneCloth *c = &s->cloths[0];
  assert_true(fabs(c->velocities[1] - 3.141592653589793) < 1e-14);
  assert_true(fabs(c->velocities[4] + 3.141592653589793) < 1e-14);
  assert_true(c->velocities[2] == 4 && c->velocities[5] == 3);
  assert_true(c->added_mass[0] == 1 && c->added_mass[1] == 6);
  assert_true(c->built_links[0].rest_length == 2);
  WeftWorld *world = world_of(s);
  double masses[2];
  assert_int_equal(weft_world_masses(world, 0, masses, NULL), 0);
  assert_true(masses[0] == 1 && masses[1] == 6);
  weft_world_destroy(world);
  weft_scene_destroy(s);
}

static void a_pivot_is_the_mean(void **state) {
  (void)state;
  WeftScene *s =
      parse_good("{\"frames\": 1, \"cloths\": [{" SHEET
                 "}], \"handles\": [{\"select\": {\"side\": \"right\"}, \"keys\": [{\"time\": 0}]}]}");
  assert_true(s->handles[0].pivot[0] == 1 && s->handles[0].pivot[1] == 0 && s->handles[0].pivot[2] == 0);
  weft_scene_destroy(s);
}

/* A free sheet without gravity and air, pushed for a second: momentum = total force x time. */
static void forces_are_spread(void **state) {
  (void)state;
  const char *spreads[] = {"each", "equal", "mass"};
  const double totals[] = {0.3, 0.1, 0.1}; /* on the 3 vertices of the left side */
  for (int i = 0; i < 3; i++) {
    char text[512];
    snprintf(
        text, sizeof text,
        "{\"frames\": 1, \"frame_rate\": 100, \"time_step\": 0.01, \"gravity\": [0, 0, 0], \"wind\": "
        "{\"air_density\": 0},"
        "\"cloths\": [{" SHEET
        ", \"forces\": [{\"select\": {\"side\": \"left\"}, \"force\": [-0.1, 0, 0], \"spread\": \"%s\"}]}]}",
        spreads[i]);
    WeftScene *s = parse_good(text);
    WeftWorld *world = world_of(s);
    WeftError error = {0};
    if (weft_world_step(world, 100, &error)) fail_msg("%s", error.message);
    WeftMomenta momenta;
    assert_int_equal(weft_world_momenta(world, &momenta, NULL), 0);
    assert_true(fabs(momenta.linear[0] + totals[i]) < 1e-6);
    weft_world_destroy(world);
    weft_scene_destroy(s);
  }
}

static void pins_hold(void **state) {
  (void)state;
  WeftScene *s = parse_good("{\"frames\": 1, \"cloths\": [{" SHEET
                            ", \"pins\": [{\"select\": {\"side\": \"left\"}}]}]}");
  WeftWorld *world = world_of(s);
  WeftError error = {0};
  if (weft_world_step(world, 20, &error)) fail_msg("%s", error.message);
  double x[45];
  assert_int_equal(weft_world_positions(world, 0, x, NULL), 0);
  const double *start = s->cloths[0].shape.mesh.positions;
  const WeftSelection *select = &s->cloths[0].pins[0].select;
  for (int32_t i = 0; i < select->vertex_count; i++)
    for (int k = 0; k < 3; k++) {
      int32_t at = 3 * select->vertices[i] + k;
      assert_true(x[at] == start[at]);
    }
  double lowest = 0;
  for (int i = 0; i < 15; i++) lowest = fmin(lowest, x[3 * i + 2]);
  assert_true(lowest < -0.01);
  weft_world_destroy(world);
  weft_scene_destroy(s);
}

static void handles_carry(void **state) {
  (void)state;
  WeftScene *s = parse_good("{\"frames\": 1, \"frame_rate\": 100, \"time_step\": 0.01, \"cloths\": [{" SHEET
                            "}],"
                            "\"handles\": [{\"select\": \"all\", \"keys\": [{\"time\": 0}, {\"time\": 0.1, "
                            "\"translate\": [0, 0, 0.5],"
                            " \"rotate\": {\"axis\": [0, 0, 1], \"angle\": 90}}]}]}");
  WeftWorld *world = world_of(s);
  WeftError error = {0};
  if (weft_world_step(world, 10, &error)) fail_msg("%s", error.message);
  double x[45];
  assert_int_equal(weft_world_positions(world, 0, x, NULL), 0);
  const double *start = s->cloths[0].shape.mesh.positions;
  for (int i = 0; i < 15; i++) {
    assert_true(fabs(x[3 * i] + start[3 * i + 1]) < 1e-9);
    assert_true(fabs(x[3 * i + 1] - start[3 * i]) < 1e-9);
    assert_true(fabs(x[3 * i + 2] - 0.5) < 1e-9);
  }
  weft_world_destroy(world);
  weft_scene_destroy(s);
}

/* Stretched start: half as wide as its uvs say, so that the rest shape is the generator's. */
static void a_rest_shape_from_uvs_is_used(void **state) {
  (void)state;
  WeftScene *s = parse_good("{\"frames\": 1, \"cloths\": [{" SHEET
                            ", \"rest\": \"uv\", \"transform\": {\"scale\": [0.5, 1, 1]}}]}");
  WeftWorld *world = world_of(s);
  int32_t triangles = weft_world_triangle_count(world, 0);
  double strains[16 * 3];
  assert_int_equal(triangles, 16);
  assert_int_equal(weft_world_face_strains(world, 0, strains, NULL), 0);
  for (int32_t i = 0; i < triangles; i++) {
    assert_true(fabs(strains[3 * i] + 0.5) < 1e-12);
    assert_true(fabs(strains[3 * i + 1]) < 1e-12);
  }
  weft_world_destroy(world);
  weft_scene_destroy(s);
}

/* Two sheets of cells of half a metre; "top" is selected by a box one micrometre wide, which jitter leaves.
 */
static WeftScene *jittered(double amount, int seed, const char *rest) {
  char text[1024], cloth[400];
  snprintf(cloth, sizeof cloth,
           "{" SHEET
           ", \"rest\": \"%s\", \"jitter\": {\"amount\": %g, \"seed\": %d}, \"pins\": "
           "[{\"select\": {\"box\": [[-1, 0.5, 0], [1, 0.5, 0]]}}], \"name\": \"",
           rest, amount, seed);
  snprintf(text, sizeof text,
           "{\"frames\": 1, \"cloths\": [%sa\"}, %sb\"}], \"handles\": [{\"cloth\": \"a\", \"select\": "
           "{\"side\": \"right\"}}]}",
           cloth, cloth);
  return parse_good(text);
}

static void jitter_moves_the_start(void **state) {
  (void)state;
  const double edge = 0.5 * (2 + 1.4142135623730951) / 3; /* mean over the sides of the triangles */
  WeftScene *still = jittered(0, 3, "mesh"), *s = jittered(1e-3, 3, "mesh"), *again = jittered(1e-3, 3, "uv"),
            *other = jittered(1e-3, 4, "mesh");
  double most = 0, sum = 0;
  const double *x0 = still->cloths[0].shape.mesh.positions, *x = s->cloths[0].shape.mesh.positions;
  for (int i = 0; i < 45; i++) {
    double move = x[i] - x0[i];
    sum += move;
    most = fmax(most, fabs(move));
    assert_true(move != 0);
    assert_true(x[i] == again->cloths[0].shape.mesh.positions[i]);
    assert_true(x[i] != other->cloths[0].shape.mesh.positions[i]);
    assert_true(x[i] != s->cloths[1].shape.mesh.positions[i]); /* the same seed */
  }
  assert_true(most <= 1e-3 * edge && most > 0.9e-3 * edge);
  assert_true(fabs(sum / 45) < 0.3e-3 * edge); /* evenly to both sides: 3.5 times the deviation of the mean */
  assert_int_equal(s->cloths[0].pins[0].select.vertex_count, 5);
  assert_true(s->handles[0].pivot[0] == 1 && s->handles[0].pivot[1] == 0);
  weft_scene_destroy(still);
  weft_scene_destroy(s);
  weft_scene_destroy(again);
  weft_scene_destroy(other);
}

/* The start is strained by as much as it was moved, so the rest shape was not. */
static void jitter_leaves_the_rest_shape(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    WeftScene *s = jittered(0.05, 1, i ? "uv" : "mesh");
    WeftWorld *world = world_of(s);
    double strains[16 * 3], most = 0;
    assert_int_equal(weft_world_face_strains(world, 0, strains, NULL), 0);
    for (int k = 0; k < 48; k++) most = fmax(most, fabs(strains[k]));
    assert_true(most > 0.03 && most < 0.2);
    weft_world_destroy(world);
    weft_scene_destroy(s);
  }
}

static void shipped_scenes_step(void **state) {
  (void)state;
  const char *names[] = {"flag",    "hanging", "cantilever", "catenary",
                         "curtain", "swing",   "card",       "stick_slip"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char file[64];
    WeftScene *s;
    WeftError error = {0};
    snprintf(file, sizeof file, "scenes/%s.json", names[i]);
    if (weft_scene_load(source_path(file), NULL, 0, NO_LOG, &s, &error)) fail_msg("%s", error.message);
    WeftWorld *world = world_of(s);
    assert_true(weft_world_vertex_count(world, 0) < 6000);
    if (weft_world_step(world, 2, &error)) fail_msg("%s: %s", names[i], error.message);
    weft_world_destroy(world);
    weft_scene_destroy(s);
  }
}

static void a_mesh_file_beside_the_scene_is_read(void **state) {
  (void)state;
  const char *text =
      "{\"frames\": 1, \"cloths\": [{\"mesh\": {\"file\": \"triangle.obj\"}, \"rest\": {\"file\": "
      "\"triangle.obj\"}}]}";
  char folder[] = "/tmp/weft_scene_XXXXXX", mesh[128], path[128];
  assert_non_null(mkdtemp(folder));
  snprintf(mesh, sizeof mesh, "%s/triangle.obj", folder);
  snprintf(path, sizeof path, "%s/scene.json", folder);
  FILE *file = fopen(mesh, "w");
  assert_non_null(file);
  fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", file);
  fclose(file);
  file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  WeftScene *s;
  WeftError error = {0};
  WeftResult result = weft_scene_load(path, NULL, 0, NO_LOG, &s, &error);
  remove(mesh);
  remove(path);
  remove(folder);
  if (result) fail_msg("%s", error.message);
  assert_int_equal(s->cloths[0].shape.mesh.vertex_count, 3);
  assert_int_equal(s->cloths[0].rest_mesh.triangle_count, 1);
  weft_scene_destroy(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(broken_meshes_are_refused),
      cmocka_unit_test(selections_are_resolved),
      cmocka_unit_test(the_nearest_vertex_is_found),
      cmocka_unit_test(velocities_masses_and_links_are_built),
      cmocka_unit_test(a_pivot_is_the_mean),
      cmocka_unit_test(forces_are_spread),
      cmocka_unit_test(pins_hold),
      cmocka_unit_test(handles_carry),
      cmocka_unit_test(a_rest_shape_from_uvs_is_used),
      cmocka_unit_test(jitter_moves_the_start),
      cmocka_unit_test(jitter_leaves_the_rest_shape),
      cmocka_unit_test(shipped_scenes_step),
      cmocka_unit_test(a_mesh_file_beside_the_scene_is_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
