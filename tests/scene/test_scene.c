#include "scene/scene_text.h"

static void assert_vector(const double *v, double x, double y, double z) {
  assert_true(v[0] == x);
  assert_true(v[1] == y);
  assert_true(v[2] == z);
}

static void refuse_case(const char *name, const char *json, size_t size, const char *message) {
  WeftScene *scene = NULL;
  WeftError error = {0};
  WeftResult result =
      weft_scene_define(json, size, "scene.json", "no-such-folder", NULL, 0, NO_LOG, &scene, &error);
  if (!result) fail_msg("%s: was accepted", name);
  if (strcmp(error.message, message))
    fail_msg("%s:\n got      %s\n expected %s", name, error.message, message);
  assert_int_equal(error.result, result);
  assert_null(scene);
}

static void broken_scenes_are_refused(void **state) {
  (void)state;
  assert_true(for_each_case("tests/scene/broken_scenes.txt", refuse_case) >= 200);
}

static void defaults_stand(void **state) {
  (void)state;
  WeftScene *s = define_good("{\"frames\": 7, \"cloths\": [{" DISC "}]}");
  WeftWorldDef world = weft_default_world_def();
  WeftClothDef cloth = weft_default_cloth_def();
  WeftSceneInfo info = weft_scene_info(s);
  assert_string_equal(info.name, "scene");
  assert_string_equal(info.description, "");
  assert_int_equal(info.frames, 7);
  assert_int_equal(info.steps_per_frame, 4);
  assert_true(info.time_step == 1.0 / 240);
  assert_true(s->world.time_step == 1.0 / 240);
  assert_vector(s->world.gravity, world.gravity[0], world.gravity[1], world.gravity[2]);
  assert_true(s->world.wind.air_density == world.wind.air_density);
  assert_string_equal(s->world.integrator, world.integrator);
  assert_string_equal(s->world.preconditioner, world.preconditioner);
  assert_false(info.is_settle);
  assert_false(s->world.quasi_static);
  assert_true(info.writes_obj);
  assert_false(info.writes_vertices || info.writes_faces || info.writes_hinges);
  assert_int_equal(info.output_every, 1);
  assert_int_equal(info.picture_count, 1);
  assert_int_equal(info.pictures[0], -1);
  assert_int_equal(info.picture_width, 1280);
  assert_int_equal(info.picture_height, 720);
  assert_int_equal(info.picture_color, WEFT_COLOR_BY_CLOTH);
  assert_false(info.has_camera);
  assert_string_equal(s->cloths[0].name, "cloth");
  assert_string_equal(s->cloths[0].stretch, cloth.stretch);
  assert_string_equal(s->cloths[0].bend, cloth.bend);
  assert_int_equal(s->cloths[0].rest.source, WEFT_REST_MESH);
  assert_true(s->cloths[0].material.density == weft_default_material().density);
  assert_int_equal(s->handle_count, 0);
  weft_scene_destroy(s);
}

static void world_keys_are_read(void **state) {
  (void)state;
  WeftScene *s = define_good(
      "{\"$schema\": \"scene.schema.json\", \"name\": \"n\", \"description\": \"d\", \"frames\": 3,"
      "\"frame_rate\": 50, \"time_step\": 0.01, \"gravity\": [1, 2, 3],"
      "\"wind\": {\"velocity\": [4, 5, 6], \"gust\": {\"amplitude\": [7, 8, 9], \"frequency\": 0.5, "
      "\"length\": 2},"
      "\"air_density\": 1.1}, \"mass_damping\": 0.25, \"quasi_static\": {\"max_speed\": 0.001},"
      "\"integrator\": {\"method\": \"backward_euler\", \"newton_iterations\": 4, \"newton_tolerance\": 1e-9,"
      "\"step_halvings\": 2}, \"solver\": {\"preconditioner\": \"block_jacobi\", \"tolerance\": 1e-8,"
      "\"max_iterations\": 99}, \"cloths\": [{" DISC "}]}");
  assert_string_equal(s->name, "n");
  assert_string_equal(s->description, "d");
  assert_int_equal(s->steps_per_frame, 2);
  assert_true(s->world.time_step == 0.01);
  assert_vector(s->world.gravity, 1, 2, 3);
  assert_vector(s->world.wind.velocity, 4, 5, 6);
  assert_vector(s->world.wind.gust_amplitude, 7, 8, 9);
  assert_true(s->world.wind.gust_frequency == 0.5);
  assert_true(s->world.wind.gust_length == 2);
  assert_true(s->world.wind.air_density == 1.1);
  assert_true(s->world.mass_damping == 0.25);
  assert_true(s->world.quasi_static);
  assert_true(weft_scene_info(s).is_settle);
  assert_true(weft_scene_info(s).settle_speed == 0.001);
  assert_int_equal(s->world.newton_iterations, 4);
  assert_true(s->world.newton_tolerance == 1e-9);
  assert_int_equal(s->world.step_halvings, 2);
  assert_true(s->world.solver_tolerance == 1e-8);
  assert_int_equal(s->world.solver_max_iterations, 99);
  weft_scene_destroy(s);
}

static void steps_fit_frames(void **state) {
  (void)state;
  const struct {
    const char *keys;
    int32_t steps;
    double step;
  } cases[] = {{"\"frame_rate\": 50", 4, 1.0 / 200},
               {"\"frame_rate\": 100", 2, 1.0 / 200},
               {"\"frame_rate\": 1000", 1, 1.0 / 1000},
               {"\"frame_rate\": 24", 9, 1.0 / 216},
               {"\"steps_per_frame\": 5", 5, 1.0 / 300},
               {"\"time_step\": 0.0041666666666666666", 4, 0.0041666666666666666},
               {"\"time_step\": 0.00416666666667", 4, 0.00416666666667},
               {"\"time_step\": 0.01, \"frame_rate\": 100, \"steps_per_frame\": 1", 1, 0.01}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    snprintf(text, sizeof text, "{\"frames\": 1, %s, \"cloths\": [{" DISC "}]}", cases[i].keys);
    WeftScene *s = define_good(text);
    assert_int_equal(s->steps_per_frame, cases[i].steps);
    assert_true(s->world.time_step == cases[i].step);
    weft_scene_destroy(s);
  }
}

static void cloth_keys_are_read(void **state) {
  (void)state;
  WeftScene *s = define_good(
      "{\"frames\": 1, \"cloths\": [{\"name\": \"c\", " SHEET
      ", \"transform\": {\"translate\": [1, 2, 3]},"
      "\"material\": \"silk\", \"stretch\": \"baraff_witkin\", \"bend\": \"dihedral\", \"rest\": "
      "{\"uv_scale\": 0.5},"
      "\"rest_bend\": \"flat\", \"velocity\": [0, 0, 1],"
      "\"links\": [{\"a\": 0, \"b\": 3, \"rest_length\": 0.5, \"stiffness\": 10, \"damping\": 0.1},"
      " {\"a\": 1, \"b\": 2, \"stiffness\": 20}],"
      "\"added_mass\": [{\"select\": \"all\", \"mass\": 0.25, \"spread\": \"equal\"}],"
      "\"pins\": [{\"name\": \"p\", \"select\": {\"corner\": \"top_left\"}, \"axes\": \"xz\", \"release\": "
      "2},"
      " {\"select\": [{\"side\": \"left\"}, {\"vertices\": [3, 1]}]}],"
      "\"forces\": [{\"select\": {\"nearest\": [0, 1, 2]}, \"force\": [3, 4, 5], \"spread\": \"mass\"}]}]}");
  const WeftSceneCloth *c = &s->cloths[0];
  assert_string_equal(c->name, "c");
  assert_int_equal(c->mesh.source, WEFT_MESH_RECTANGLE);
  assert_true(c->mesh.width == 2 && c->mesh.height == 1);
  assert_int_equal(c->mesh.columns, 4);
  assert_int_equal(c->mesh.rows, 2);
  assert_string_equal(c->material.name, "silk");
  assert_int_equal(c->rest.source, WEFT_REST_UV);
  assert_true(c->rest.uv_scale == 0.5);
  assert_int_equal(c->rest_bend, WEFT_REST_BEND_FLAT);
  assert_vector(c->velocity.linear, 0, 0, 1);
  assert_int_equal(c->link_count, 2);
  assert_int_equal(c->links[0].link.b, 3);
  assert_true(c->links[0].link.rest_length == 0.5);
  assert_true(c->links[0].link.stiffness == 10);
  assert_true(c->links[0].link.damping == 0.1);
  assert_true(isnan(c->links[1].link.rest_length));
  assert_true(c->links[1].link.damping == 0);
  assert_true(c->masses[0].mass == 0.25);
  assert_int_equal(c->masses[0].spread, WEFT_SPREAD_EQUAL);
  assert_int_equal(c->pin_count, 2);
  assert_string_equal(c->pins[0].name, "p");
  assert_int_equal(c->pins[0].axes, WEFT_AXIS_X | WEFT_AXIS_Z);
  assert_true(c->pins[0].release == 2);
  assert_int_equal(c->pins[0].select.clauses[0].sides, 1 << WEFT_SIDE_LEFT | 1 << WEFT_SIDE_TOP);
  assert_string_equal(c->pins[1].name, "pin");
  assert_int_equal(c->pins[1].axes, WEFT_AXIS_ALL);
  assert_true(isinf(c->pins[1].release));
  assert_int_equal(c->pins[1].select.clause_count, 2);
  assert_int_equal(c->pins[1].select.clauses[1].vertices[1], 1);
  assert_vector(c->forces[0].force, 3, 4, 5);
  assert_int_equal(c->forces[0].spread, WEFT_SPREAD_MASS);
  assert_int_equal(c->forces[0].select.clauses[0].kind, WEFT_CLAUSE_NEAREST);
  weft_scene_destroy(s);
}

static void meshes_are_read(void **state) {
  (void)state;
  WeftScene *s = define_good(
      "{\"frames\": 1, \"cloths\": [{\"mesh\": {\"file\": \"a.obj\"}, \"warp\": [0, 1, 0]},"
      "{\"mesh\": {\"tube\": {\"radius\": 0.5, \"height\": 3.14159265358979, \"columns\": 20}}},"
      "{\"mesh\": {\"inline\": {\"positions\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], \"triangles\": [[0, 1, 2]],"
      " \"uvs\": [[0, 0], [1, 0], [0, 1]]}}, \"rest\": {\"file\": \"r.obj\"}},"
      "{\"mesh\": {\"rectangle\": {\"width\": 1, \"height\": 0.5, \"columns\": 10}}},"
      "{\"mesh\": {\"rectangle\": {\"width\": 1, \"height\": 0.5, \"columns\": 10, \"pattern\": "
      "\"equilateral\"}}}]}");
  assert_int_equal(s->cloth_count, 5);
  assert_string_equal(s->cloths[0].mesh.file, "a.obj");
  assert_true(s->cloths[0].has_warp);
  assert_string_equal(s->cloths[1].name, "cloth2");
  assert_int_equal(s->cloths[1].mesh.rows, 20);
  assert_int_equal(s->cloths[2].mesh.given.vertex_count, 3);
  assert_int_equal(s->cloths[2].mesh.given.triangles[2], 2);
  assert_int_equal(s->cloths[2].mesh.given_uv_count, 3);
  assert_int_equal(s->cloths[2].rest.source, WEFT_REST_FILE);
  assert_string_equal(s->cloths[2].rest.file, "r.obj");
  assert_int_equal(s->cloths[3].mesh.rows, 5);
  assert_int_equal(s->cloths[4].mesh.rows, 0); /* left to the generator */
  weft_scene_destroy(s);
}

static void assert_near(double a, double b) { assert_true(fabs(a - b) < 1e-14); }

static void transforms_are_composed(void **state) {
  (void)state;
  const struct {
    const char *text;
    double at[3]; /* where (1, 2, 3) goes */
    bool is_exact;
  } cases[] = {{"{}", {1, 2, 3}, true},
               {"{\"translate\": [1, 1, 1], \"scale\": [2, 3, 4]}", {3, 7, 13}, true},
               {"{\"scale\": 2, \"rotate\": {\"axis\": [0, 0, 5], \"angle\": 90}}", {-4, 2, 6}, true},
               {"{\"rotate\": {\"axis\": [1, 0, 0], \"angle\": -270}}", {1, -3, 2}, true},
               {"{\"rotate\": [90, 0, 0]}", {1, -3, 2}, true},
               {"{\"rotate\": [0, 90, 0]}", {3, 2, -1}, true},
               {"{\"rotate\": [0, 0, 180]}", {-1, -2, 3}, true},
               /* about x: (1, -3, 2); then about z: (3, 1, 2) */
               {"{\"rotate\": [90, 0, 90]}", {3, 1, 2}, false},
               /* half a turn about x and about y is half a turn about z */
               {"{\"rotate\": [180, 180, 0]}", {-1, -2, 3}, false},
               {"{\"rotate\": {\"axis\": [1, 1, 1], \"angle\": 120}}", {3, 1, 2}, false},
               {"{\"matrix\": [[0, 1, 0, 10], [1, 0, 0, 20], [0, 0, 1, 30]]}", {12, 21, 33}, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    snprintf(text, sizeof text, "{\"frames\": 1, \"cloths\": [{" DISC ", \"transform\": %s}]}",
             cases[i].text);
    WeftScene *s = define_good(text);
    double(*m)[4] = s->cloths[0].transform;
    for (int k = 0; k < 3; k++) {
      double moved = m[k][0] * 1 + m[k][1] * 2 + m[k][2] * 3 + m[k][3];
      if (cases[i].is_exact)
        assert_true(moved == cases[i].at[k]);
      else
        assert_near(moved, cases[i].at[k]);
    }
    weft_scene_destroy(s);
  }
}

static void handles_are_read(void **state) {
  (void)state;
  WeftScene *s = define_good(
      "{\"frames\": 1, \"handles\": [{\"name\": \"h\", \"cloth\": \"b\", \"select\": {\"side\": \"rim\"}, "
      "\"axes\": \"z\","
      "\"keys\": [{\"time\": 0}, {\"time\": 1, \"translate\": [1, 2, 3], \"rotate\": {\"axis\": [0, 0, 2], "
      "\"angle\": 720}},"
      " {\"time\": 2, \"rotate\": [0, -540, 0]}], \"pivot\": [4, 5, 6], \"interpolation\": \"smooth\", "
      "\"release\": 1.5},"
      " {\"cloth\": 0, \"select\": {\"side\": \"top\"}}],"
      "\"cloths\": [{\"name\": \"a\", " SHEET "}, {\"name\": \"b\", " DISC "}]}");
  assert_int_equal(s->handle_count, 2);
  const WeftSceneHandle *h = &s->handles[0];
  const double turn = 6.283185307179586;
  assert_string_equal(h->name, "h");
  assert_int_equal(h->cloth, 1);
  assert_int_equal(h->axes, WEFT_AXIS_Z);
  assert_int_equal(h->key_count, 3);
  assert_vector(h->keys[1].translation, 1, 2, 3);
  assert_near(h->keys[1].rotation[2], 2 * turn);
  assert_near(h->keys[2].rotation[1], -1.5 * turn);
  assert_true(h->has_pivot);
  assert_vector(h->pivot, 4, 5, 6);
  assert_int_equal(h->interpolation, WEFT_INTERPOLATION_SMOOTH);
  assert_true(h->release == 1.5);
  assert_int_equal(s->handles[1].cloth, 0);
  assert_true(isinf(s->handles[1].release));
  weft_scene_destroy(s);
}

static void velocities_are_read(void **state) {
  (void)state;
  WeftScene *s =
      define_good("{\"frames\": 1, \"cloths\": [{" DISC
                  ", \"velocity\": {\"linear\": [1, 0, 0], \"angular\": [0, 0, 180], \"center\": [0, 1, 0],"
                  "\"each\": [[1, 2, 3], [4, 5, 6]]}}]}");
  const WeftSceneVelocity *v = &s->cloths[0].velocity;
  assert_vector(v->linear, 1, 0, 0);
  assert_near(v->angular[2], 3.141592653589793);
  assert_vector(v->center, 0, 1, 0);
  assert_int_equal(v->each_count, 2);
  assert_vector(v->each + 3, 4, 5, 6);
  weft_scene_destroy(s);
}

static void output_keys_are_read(void **state) {
  (void)state;
  WeftScene *s = define_good(
      "{\"frames\": 10, \"cloths\": [{" DISC
      "}], \"output\": {\"cache\": {\"quantise_bits\": 12, \"velocities\": true}, \"obj\": false, "
      "\"values\": [\"vertices\", \"hinges\"],"
      "\"every\": 2, \"pictures\": [0, 5, -1], \"picture_size\": [640, 480], \"picture_color\": \"strain\","
      "\"camera\": {\"from\": [1, 2, 3], \"to\": [4, 5, 6], \"fov\": 50}}}");
  WeftSceneInfo info = weft_scene_info(s);
  assert_true(info.writes_cache && info.cache_velocities);
  assert_int_equal(info.cache_bits, 12);
  assert_false(info.writes_obj);
  assert_true(info.writes_vertices);
  assert_false(info.writes_faces);
  assert_true(info.writes_hinges);
  assert_int_equal(info.output_every, 2);
  assert_int_equal(info.picture_count, 3);
  assert_int_equal(info.pictures[1], 5);
  assert_int_equal(info.picture_width, 640);
  assert_int_equal(info.picture_height, 480);
  assert_int_equal(info.picture_color, WEFT_COLOR_BY_STRAIN);
  assert_true(info.has_camera);
  assert_vector(info.camera_from, 1, 2, 3);
  assert_vector(info.camera_to, 4, 5, 6);
  assert_true(info.camera_fov == 50);
  weft_scene_destroy(s);
  s = define_good("{\"frames\": 10, \"cloths\": [{" DISC "}], \"output\": {\"cache\": false}}");
  assert_false(weft_scene_info(s).writes_cache);
  weft_scene_destroy(s);
  s = define_good("{\"frames\": 10, \"cloths\": [{" DISC "}], \"output\": {\"pictures\": {\"every\": 4}}}");
  info = weft_scene_info(s);
  assert_true(info.writes_cache && info.cache_bits == 0 && !info.cache_velocities);
  assert_int_equal(info.picture_count, 3);
  assert_int_equal(info.pictures[2], 8);
  weft_scene_destroy(s);
  s = define_good("{\"frames\": 10, \"cloths\": [{" DISC "}], \"output\": {\"pictures\": \"all\"}}");
  info = weft_scene_info(s);
  assert_int_equal(info.picture_count, 11);
  assert_int_equal(info.pictures[10], 10);
  weft_scene_destroy(s);
}

static void keep_line(WeftLogLevel level, const char *text, void *user) {
  assert_int_equal(level, WEFT_LOG_WARNING);
  snprintf(user, 256, "%s", text);
}

static void a_picture_after_the_end_is_told(void **state) {
  (void)state;
  const char *text = "{\"frames\": 10, \"cloths\": [{" DISC "}], \"output\": {\"pictures\": [10, 11]}}";
  char line[256] = "";
  WeftScene *s;
  assert_int_equal(
      weft_scene_define(text, strlen(text), "scene.json", ".", NULL, 0, (WeftLog){keep_line, line}, &s, NULL),
      0);
  assert_string_equal(line, "scene.json: output.pictures names frame 11, but the last frame is 10");
  weft_scene_destroy(s);
}

static void missing_scene_file_is_refused(void **state) {
  (void)state;
  WeftScene *s = NULL;
  WeftError error;
  assert_int_equal(weft_scene_load("no/such/scene.json", NULL, 0, NO_LOG, &s, &error), WEFT_RESULT_IO);
  assert_string_equal(error.message, "no/such/scene.json: cannot be read: No such file or directory");
  assert_int_equal(weft_scene_load(NULL, NULL, 0, NO_LOG, &s, &error), WEFT_RESULT_INVALID_ARGUMENT);
  assert_null(s);
}

static void shipped_scenes_are_defined(void **state) {
  (void)state;
  const char *names[] = {"flag",      "hanging",     "cantilever",   "catenary",    "curtain",
                         "swing",     "knot",        "funnel",       "twist",       "rollers",
                         "stack",     "needles",     "cube",         "card",        "stick_slip",
                         "sphere",    "drop_plane",  "drop_box",     "drop_sphere", "drop_cylinder",
                         "drop_cone", "drop_funnel", "drop_capsule", "drop_torus"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char file[64], *text;
    size_t size;
    WeftScene *s;
    WeftError error = {0};
    snprintf(file, sizeof file, "scenes/%s.json", names[i]);
    assert_int_equal(weft_read_file(source_path(file), &text, &size, &error), 0);
    if (weft_scene_define(text, size, file, "scenes", NULL, 0, NO_LOG, &s, &error))
      fail_msg("%s", error.message);
    assert_string_equal(weft_scene_info(s).name, names[i]);
    assert_true(strlen(weft_scene_info(s).description) > 20);
    weft_scene_destroy(s);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(broken_scenes_are_refused),
      cmocka_unit_test(defaults_stand),
      cmocka_unit_test(world_keys_are_read),
      cmocka_unit_test(steps_fit_frames),
      cmocka_unit_test(cloth_keys_are_read),
      cmocka_unit_test(meshes_are_read),
      cmocka_unit_test(transforms_are_composed),
      cmocka_unit_test(handles_are_read),
      cmocka_unit_test(velocities_are_read),
      cmocka_unit_test(output_keys_are_read),
      cmocka_unit_test(a_picture_after_the_end_is_told),
      cmocka_unit_test(missing_scene_file_is_refused),
      cmocka_unit_test(shipped_scenes_are_defined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
