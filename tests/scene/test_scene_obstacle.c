/* Obstacles of scenes: what the reader makes of them, meshes, sequences of files, and their world. */
#include "check.h"
#include "scene/scene_text.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[64], told[4096];

static void listen(WeftLogLevel level, const char *text, void *user) {
  (void)level;
  (void)user;
  snprintf(told + strlen(told), sizeof told - strlen(told), "%s\n", text);
}

static WeftResult parse(const char *obstacles, WeftScene **scene, WeftError *error) {
  char text[4096];
  snprintf(text, sizeof text,
           "{\"frames\": 1, \"frame_rate\": 50, \"cloths\": [{" DISC "}], \"obstacles\": %s}", obstacles);
  told[0] = 0;
  return weft_scene_parse(text, strlen(text), "scene.json", folder, NULL, 0, (WeftLog){listen, NULL}, scene,
                          error);
}

static WeftScene *parse_good(const char *obstacles) {
  WeftScene *scene;
  WeftError error = {0};
  if (parse(obstacles, &scene, &error)) fail_msg("%s", error.message);
  return scene;
}

static WeftWorld *world_of(const WeftScene *scene) {
  WeftWorld *world;
  WeftError error;
  check_ok(weft_scene_create_world(scene, 1, (WeftLog){listen, NULL}, &world, &error), error);
  return world;
}

static void write_text_file(const char *name, const char *text) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static void keys_are_read(void **state) {
  (void)state;
  WeftScene *s = parse_good(
      "[{\"mesh\": {\"sphere\": {\"radius\": 2}}}, {\"name\": \"arm\", \"mesh\": {\"box\": {\"size\": [1, 2, "
      "3]}},"
      "\"friction_static\": 0.6, \"friction_kinetic\": 0, \"thickness\": 0.002, \"pivot\": [1, 2, 3],"
      "\"interpolation\": \"smooth\", \"keys\": [{\"time\": 0}, {\"time\": 1.5, \"translate\": [1, 0, 0],"
      "\"rotate\": {\"axis\": [0, 0, 2], \"angle\": 180}, \"scale\": 2}, {\"time\": 2, \"scale\": [1, 2, "
      "3]}]},"
      "{\"mesh\": {\"sphere\": {\"radius\": 2}}, \"transform\": {\"translate\": [4, 5, 6]}}]");
  assert_int_equal(s->obstacle_count, 3);
  const WeftSceneObstacle *plain = &s->obstacles[0], *arm = &s->obstacles[1], *last = &s->obstacles[2];
  assert_string_equal(plain->name, "obstacle");
  assert_string_equal(last->name, "obstacle3");
  assert_true(plain->friction_static == -1 && plain->friction_kinetic == -1 && plain->thickness == 0);
  assert_int_equal(plain->key_count, 0);
  assert_int_equal(plain->interpolation, WEFT_INTERPOLATION_LINEAR);
  assert_true(last->pivot[0] == 4 && last->pivot[1] == 5 && last->pivot[2] == 6);
  assert_string_equal(arm->name, "arm");
  assert_true(arm->friction_static == 0.6 && arm->friction_kinetic == 0 && arm->thickness == 0.002);
  assert_true(arm->pivot[0] == 1 && arm->pivot[2] == 3);
  assert_int_equal(arm->interpolation, WEFT_INTERPOLATION_SMOOTH);
  assert_int_equal(arm->key_count, 3);
  assert_true(arm->keys[0].scale[0] == 1 && arm->keys[0].scale[2] == 1);
  assert_true(arm->keys[1].time == 1.5 && arm->keys[1].translation[0] == 1 && arm->keys[1].scale[1] == 2);
  check_near(arm->keys[1].rotation[2], acos(-1), 1e-15);
  assert_true(arm->keys[2].scale[2] == 3);
  weft_scene_destroy(s);
}

static void every_shape_becomes_a_mesh(void **state) {
  (void)state;
  const struct {
    const char *mesh;
    int vertices;
    double low, high; /* along z */
  } cases[] = {
      {"\"plane\": {\"width\": 4, \"height\": 2}", 4, 0, 0},
      {"\"plane\": {\"width\": 4, \"height\": 2, \"columns\": 3, \"rows\": 2}", 12, 0, 0},
      {"\"box\": {\"size\": [1, 2, 3]}", 8, -1.5, 1.5},
      {"\"box\": {\"size\": [1, 2, 3], \"cells\": [2, 1, 1]}", 12, -1.5, 1.5},
      {"\"sphere\": {\"radius\": 2}", 32 * 15 + 2, -2, 2},
      {"\"sphere\": {\"radius\": 2, \"columns\": 3, \"rows\": 2}", 5, -2, 2},
      {"\"cylinder\": {\"radius\": 1, \"height\": 3, \"columns\": 10}", 10 * 6 + 2, 0, 3},
      {"\"cone\": {\"radius\": 1, \"height\": 3, \"columns\": 8, \"rows\": 1}", 10, 0, 3},
      {"\"cone\": {\"radius\": 1, \"top_radius\": 2, \"height\": 3, \"columns\": 8, \"rows\": 2}", 26, 0, 3},
      {"\"funnel\": {\"radius\": 0.5, \"neck_radius\": 0.06, \"height\": 0.6, \"neck_height\": 0.4,"
       " \"columns\": 64, \"rows\": 10, \"neck_rows\": 4}",
       64 * 15, -1, 0},
      {"\"capsule\": {\"radius\": 1, \"height\": 3, \"columns\": 8, \"rows\": 2}", 8 * 5 + 2, -1, 4},
      {"\"torus\": {\"radius\": 2, \"tube_radius\": 1, \"columns\": 16}", 16 * 8, -1, 1},
      {"\"lathe\": {\"profile\": [[0, -1], [1, 0], [0.5, 2]], \"columns\": 6}", 13, -1, 2},
      {"\"tube\": {\"radius\": 1, \"top_radius\": 0.5, \"height\": 2, \"columns\": 8}", 8 * 4, 0, 2},
      {"\"disc\": {\"radius\": 1, \"rings\": 1}", 7, 0, 0},
      {"\"tube\": {\"radius\": 1, \"height\": 2, \"columns\": 4, \"rows\": 1}", 8, 0, 2},
      {"\"ribbon\": {\"points\": [[0, 0, 1], [1, 0, 1], [2, 0, 1], [3, 0, 1], [4, 0, 1]], \"width\": 0.5, "
       "\"columns\": 8}",
       9 * 3, 1, 1},
      {"\"inline\": {\"positions\": [[0, 0, 5], [1, 0, 5], [1, 0, 5]], \"triangles\": [[0, 1, 2]]}", 3, 5,
       5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    snprintf(text, sizeof text, "[{\"mesh\": {%s}, \"transform\": {\"translate\": [0, 0, 10]}}]",
             cases[i].mesh);
    WeftScene *s = parse_good(text);
    const WeftMesh *mesh = &s->obstacles[0].shape.mesh;
    if (mesh->vertex_count != cases[i].vertices)
      fail_msg("%s: %d vertices, expected %d", cases[i].mesh, mesh->vertex_count, cases[i].vertices);
    WeftMeshFacts facts;
    assert_int_equal(weft_mesh_inspect(mesh, &facts, NULL), WEFT_RESULT_OK);
    check_near(facts.box_min[2], cases[i].low + 10, 2e-15);
    check_near(facts.box_max[2], cases[i].high + 10, 2e-15);
    WeftWorld *world = world_of(s);
    assert_int_equal(weft_world_obstacle_vertex_count(world, 0), cases[i].vertices);
    weft_world_destroy(world);
    weft_scene_destroy(s);
  }
}

/* Cloth may be made of a solid too: a closed bag. */
static void cloth_of_a_solid(void **state) {
  (void)state;
  WeftScene *scene;
  WeftError error;
  const char text[] =
      "{\"frames\": 1, \"cloths\": [{\"mesh\": {\"sphere\": {\"radius\": 1, \"columns\": 8}}}]}";
  check_ok(weft_scene_parse(text, strlen(text), "s.json", ".", NULL, 0, NO_LOG, &scene, &error), error);
  WeftWorld *world = world_of(scene);
  check_ok(weft_world_step(world, 1, &error), error);
  weft_world_destroy(world);
  weft_scene_destroy(scene);
}

static void the_world_has_them_in_motion(void **state) {
  (void)state;
  WeftError error;
  WeftScene *s = parse_good(
      "[{\"name\": \"still\", \"mesh\": {\"box\": {\"size\": [2, 2, 2]}}},"
      "{\"name\": \"turning\", \"mesh\": {\"box\": {\"size\": [2, 4, 2]}}, \"transform\": {\"translate\": "
      "[0, 0, 3]},"
      "\"keys\": [{\"time\": 0}, {\"time\": 0.04, \"rotate\": [0, 0, 180], \"scale\": [3, 1, 1]}]}]");
  WeftWorld *world = world_of(s);
  double x[24];
  check_ok(weft_world_step(world, 4, &error), error); /* of 1/200 s */
  check_ok(weft_world_get_obstacle_positions(world, 0, x, &error), error);
  assert_true(x[0] == -1 && x[1] == -1 && x[2] == -1);
  check_ok(weft_world_get_obstacle_positions(world, 1, x, &error), error);
  /* half way: twice as wide, then a quarter turn about its own centre: (-1, -2) to (-2, -2) to (2, -2) */
  check_near(x[0], 2, 1e-14);
  check_near(x[1], -2, 1e-14);
  check_near(x[2], 2, 1e-14);
  assert_int_equal(weft_world_obstacle_motion(world, 1), WEFT_MOTION_KEYS);
  weft_world_destroy(world);
  weft_scene_destroy(s);
}

/* One quad and a triangle. The shorter diagonal changes from frame to frame, the triangles do not. */
static void write_frames(void) {
  const char *faces = "f 1 2 3 4\nf 1 2 5\n";
  const char *vertices[] = {"v 0 0 0\nv 2 0 0\nv 3 1 0\nv 1 1 0\nv 0 0 1\n",
                            "v 1 0 0\nv 3 0 0\nv 2 1 0\nv 0 1 0\nv 0 0 2\n",
                            "v 0 0 4\nv 2 0 4\nv 3 1 4\nv 1 1 4\nv 0 0 4\n"};
  for (int i = 0; i < 3; i++) {
    char name[32], text[256];
    snprintf(name, sizeof name, "body_%03d.obj", i + 9);
    snprintf(text, sizeof text, "%s%s", vertices[i], faces);
    write_text_file(name, text);
  }
}

static void sequences_are_read(void **state) {
  (void)state;
  WeftError error;
  WeftMesh first, second;
  char path[128];
  write_frames();
  snprintf(path, sizeof path, "%s/body_009.obj", folder);
  check_ok(weft_mesh_read(path, &first, &error), error);
  snprintf(path, sizeof path, "%s/body_010.obj", folder);
  check_ok(weft_mesh_read(path, &second, &error), error);
  assert_memory_not_equal(first.triangles, second.triangles, 6 * sizeof(int32_t)); /* cut the other way */
  const char *texts[] = {
      "[{\"sequence\": {\"files\": \"body_%03d.obj\", \"first\": 9, \"last\": 11, \"frame_rate\": 100, "
      "\"start\": 0.01},"
      " \"transform\": {\"translate\": [0, 0, 10]}}]",
      "[{\"sequence\": {\"files\": [\"body_009.obj\", \"body_010.obj\", \"body_011.obj\"],"
      " \"frame_rate\": 100, \"start\": 0.01}, \"transform\": {\"translate\": [0, 0, 10]}}]"};
  for (int i = 0; i < 2; i++) {
    WeftScene *s = parse_good(texts[i]);
    const WeftSceneObstacle *obstacle = &s->obstacles[0];
    assert_int_equal(obstacle->frame_count, 3);
    for (int f = 0; f < 3; f++) check_near(obstacle->frame_times[f], 0.01 * (f + 1), 1e-17);
    WeftWorld *world = world_of(s);
    assert_int_equal(weft_world_obstacle_motion(world, 0), WEFT_MOTION_FRAMES);
    assert_int_equal(weft_world_obstacle_triangle_count(world, 0), 3);
    int32_t triangles[9];
    double x[15];
    check_ok(weft_world_get_obstacle_triangles(world, 0, triangles, &error), error);
    assert_memory_equal(triangles, first.triangles, sizeof triangles);
    check_ok(weft_world_step(world, 3, &error), error); /* 0.015 s: between the first and the second */
    check_ok(weft_world_get_obstacle_positions(world, 0, x, &error), error);
    check_near(x[0], 0.5, 1e-14);
    check_near(x[14], 11.5, 1e-13);
    check_ok(weft_world_step(world, 2, &error), error); /* 0.025 s */
    check_ok(weft_world_get_obstacle_positions(world, 0, x, &error), error);
    check_near(x[2], 12, 1e-13);
    check_near(x[14], 13, 1e-13);
    weft_world_destroy(world);
    weft_scene_destroy(s);
  }
  /* at the scene's frame rate, and not a number of digits */
  write_text_file("b1.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write_text_file("b2.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n");
  WeftScene *s = parse_good("[{\"sequence\": {\"files\": \"b%d.obj\", \"first\": 1, \"last\": 2}}]");
  check_near(s->obstacles[0].frame_times[1], 0.02, 1e-17);
  weft_scene_destroy(s);
  weft_mesh_free(&first);
  weft_mesh_free(&second);
}

static void broken_sequences_are_refused(void **state) {
  (void)state;
  WeftError error;
  WeftScene *scene;
  char expected[512];
  write_frames();
  check_refused(
      parse("[{\"sequence\": {\"files\": \"body_%03d.obj\", \"first\": 9, \"last\": 12}}]", &scene, &error),
      WEFT_RESULT_IO, "body_012.obj: cannot be read: No such file or directory", error);
  assert_non_null(strstr(error.message, "this is frame 4 of 4: put the file there, or correct files"));
  assert_non_null(strstr(error.message, "scene.json:1:"));
  write_text_file("more.obj", "v 0 0 0\nv 2 0 0\nv 3 1 0\nv 1 1 0\nv 0 0 1\nv 7 7 7\nf 1 2 3 4\nf 1 2 5\n");
  write_text_file("other.obj", "v 0 0 0\nv 2 0 0\nv 3 1 0\nv 1 1 0\nv 0 0 1\nf 1 2 3 4\nf 1 5 2\n");
  write_text_file("cut.obj", "v 0 0 0\nv 2 0 0\nv 3 1 0\nv 1 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 2 5\n");
  const char *names[] = {"more.obj", "other.obj", "cut.obj"};
  const int vertices[] = {6, 5, 5};
  for (int i = 0; i < 3; i++) {
    char text[256];
    snprintf(text, sizeof text, "[{\"sequence\": {\"files\": [\"body_009.obj\", \"%s\"]}}]", names[i]);
    snprintf(expected, sizeof expected,
             "obstacles[0].sequence.files[1]: %s (%d vertices, 3 triangles) has other faces than the first "
             "frame (5 vertices, 3 triangles); all frames need the same faces in the same order: export them "
             "from one mesh",
             names[i], vertices[i]);
    check_refused(parse(text, &scene, &error), WEFT_RESULT_INVALID_DATA, expected, error);
    assert_null(scene);
  }
  write_text_file("broken.obj", "v 0 0 0\nv 2 0 0\nv 3 nan 0\nv 1 1 0\nv 0 0 1\nf 1 2 3 4\nf 1 2 5\n");
  check_refused(parse("[{\"sequence\": {\"files\": [\"body_009.obj\", \"broken.obj\"]}}]", &scene, &error),
                WEFT_RESULT_INVALID_DATA, "broken.obj: vertex 2, counted from 0, is not finite (y = nan)",
                error);
  check_refused(parse("[{\"mesh\": {\"file\": \"broken.obj\"}}]", &scene, &error), WEFT_RESULT_INVALID_DATA,
                "broken.obj: vertex 2, counted from 0, is not finite", error);
  write_text_file("broken.obj", "v 0 0 0\nv 2 0 0\nv 3 1 0\nf 1 2 4\n");
  check_refused(parse("[{\"mesh\": {\"file\": \"broken.obj\"}}]", &scene, &error), WEFT_RESULT_INVALID_DATA,
                "broken.obj:4: vertex index 4", error);
}

/* A mesh that no cloth could be made of. */
static void any_file_is_taken_with_warnings(void **state) {
  (void)state;
  write_text_file("scan.obj",
                  "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 0\nv 9 9 9\n"
                  "f 1 2 3\nf 1 2 4\nf 2 1 5\nf 1 2 3\nf 3 3 4\n");
  WeftScene *s = parse_good("[{\"name\": \"scan\", \"mesh\": {\"file\": \"scan.obj\"}}]");
  WeftWorld *world = world_of(s);
  assert_int_equal(weft_world_obstacle_triangle_count(world, 0), 5);
  assert_int_equal(weft_world_obstacle_vertex_count(world, 0), 6);
  const char *const expected[] = {"obstacle 'scan': 2 degenerate triangles, first triangle 2",
                                  "1 duplicate triangles", "1 edges with more than two triangles",
                                  "1 vertices without a triangle, first vertex 5"};
  for (int i = 0; i < 4; i++)
    if (!strstr(told, expected[i])) fail_msg("'%s' is not in:\n%s", expected[i], told);
  weft_world_destroy(world);
  weft_scene_destroy(s);
}

static int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/weft-test-obstacle-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  const char *names[] = {"body_009.obj", "body_010.obj", "body_011.obj", "b1.obj",     "b2.obj",
                         "more.obj",     "other.obj",    "cut.obj",      "broken.obj", "scan.obj"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    remove(path);
  }
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_are_read),
      cmocka_unit_test(every_shape_becomes_a_mesh),
      cmocka_unit_test(cloth_of_a_solid),
      cmocka_unit_test(the_world_has_them_in_motion),
      cmocka_unit_test(sequences_are_read),
      cmocka_unit_test(broken_sequences_are_refused),
      cmocka_unit_test(any_file_is_taken_with_warnings),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
