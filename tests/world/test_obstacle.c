/* Obstacles through the public interface: what is taken and what is refused, where they are at known times,
 * and that they are there whatever the threads and after a state was restored. */
#include "obstacles.h"
#include "world.h"

static char told[4096];

static void listen(WeftLogLevel level, const char *text, void *user) {
  (void)user;
  assert_int_equal(level, WEFT_LOG_WARNING);
  strncat(told, text, sizeof told - strlen(told) - 2);
  strcat(told, "\n");
}

static WeftWorld *listening_world(void) {
  WeftError error;
  WeftWorld *world;
  WeftWorldDef def = weft_default_world_def();
  def.log = (WeftLog){listen, NULL};
  told[0] = 0;
  check_ok(weft_world_create(&def, &world, &error), error);
  return world;
}

static void bad_definitions_are_refused(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = listening_world();
  WeftObstacleDef zero = {0}, good = tetrahedron_def();
  double broken[12], frames[24] = {0}, times[2] = {0, 1}, backwards[2] = {1, 1};
  int32_t beyond[12], below[12];
  memcpy(broken, tetrahedron, sizeof broken);
  memcpy(beyond, tetrahedron_faces, sizeof beyond);
  memcpy(below, tetrahedron_faces, sizeof below);
  broken[7] = INFINITY;
  beyond[5] = 4;
  below[4] = -1;
  frames[23] = NAN;
  WeftObstacleKey late[] = {{1, {0}, {0}, {1, 1, 1}}, {1, {0}, {0}, {1, 1, 1}}};
  WeftObstacleKey flat[] = {{1, {0}, {0}, {1, 0, 1}}}, endless[] = {{1, {0}, {0, 0, NAN}, {1, 1, 1}}};
  check_refused(weft_world_add_obstacle(world, &zero, NULL, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "weft_default_obstacle_def", error);
#define REFUSE(expected, message, change)                                                        \
  do {                                                                                           \
    WeftObstacleDef def = good;                                                                  \
    change;                                                                                      \
    check_refused(weft_world_add_obstacle(world, &def, NULL, &error), expected, message, error); \
  } while (0)
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "has no name", def.name = NULL);
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "obstacle 'obstacle': 0 vertices", def.vertex_count = 0);
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "an array for each", def.positions = NULL);
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "an array for each", def.triangles = NULL);
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "an array for each", def.triangle_count = -1);
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "both given",
         (def.frame_count = 1, def.frame_times = times, def.frame_positions = frames));
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "their times too",
         (def.frame_count = 1, def.frame_positions = frames, def.positions = NULL));
  REFUSE(WEFT_RESULT_INVALID_DATA, "vertex 3 of a later frame is not finite (z = nan)",
         (def.frame_count = 2, def.frame_times = times, def.frame_positions = frames, def.positions = NULL));
  REFUSE(
      WEFT_RESULT_INVALID_ARGUMENT, "time of frame 1 must be finite and later",
      (def.frame_count = 2, def.frame_times = backwards, def.frame_positions = frames, def.positions = NULL));
  REFUSE(WEFT_RESULT_INVALID_DATA, "vertices in all frames",
         (def.frame_count = 1 << 30, def.frame_times = times, def.frame_positions = frames,
          def.positions = NULL));
  REFUSE(WEFT_RESULT_INVALID_DATA, "vertex 2 is not finite (y = inf); correct the mesh",
         def.positions = broken);
  REFUSE(WEFT_RESULT_INVALID_DATA, "triangle 1 (vertices 0, 1, 4) has a vertex out of range (1 such)",
         def.triangles = beyond);
  REFUSE(WEFT_RESULT_INVALID_DATA, "triangle 1 (vertices 0, -1, 3)", def.triangles = below);
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "friction_static is -2", def.friction_static = -2);
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "friction_kinetic is nan", def.friction_kinetic = NAN);
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "thickness is -0.1", def.thickness = -0.1);
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "1 keys without an array", def.key_count = 1);
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "-1 keys", def.key_count = -1);
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "key 1 must be finite and later",
         (def.key_count = 2, def.keys = late));
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "key 0 must be finite", (def.key_count = 1, def.keys = endless));
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "key 0 has the scale 0 along y", (def.key_count = 1, def.keys = flat));
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "the pivot is not finite", def.pivot[1] = NAN);
  REFUSE(WEFT_RESULT_INVALID_ARGUMENT, "no interpolation 9", def.interpolation = (WeftInterpolation)9);
#undef REFUSE
  assert_int_equal(weft_world_add_obstacle(NULL, &good, NULL, &error), WEFT_RESULT_INVALID_ARGUMENT);
  assert_int_equal(weft_world_add_obstacle(world, NULL, NULL, NULL), WEFT_RESULT_INVALID_ARGUMENT);
  assert_int_equal(weft_world_obstacle_count(world), 0);
  assert_string_equal(told, "");
  weft_world_destroy(world);
}

/* Duplicate vertices and triangles, flat triangles, three triangles at an edge, a vertex that nobody uses,
 * opposite senses: all taken, all told. */
static void any_quality_is_taken_with_warnings(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = listening_world();
  const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 9, 9, 9};
  const int32_t triangles[] = {0, 1, 2, 0, 1, 3, 1, 0, 4, 2, 1, 0, 0, 1, 5, 3, 3, 2};
  WeftObstacleDef def = weft_default_obstacle_def();
  def.name = "scan";
  def.vertex_count = 7;
  def.positions = positions;
  def.triangle_count = 6;
  def.triangles = triangles;
  int32_t id = -1;
  check_ok(weft_world_add_obstacle(world, &def, &id, &error), error);
  assert_int_equal(id, 0);
  const char *const expected[] = {"obstacle 'scan': 3 degenerate triangles, first triangle 2",
                                  "1 duplicate triangles, first triangle 3",
                                  "1 edges with more than two triangles, first at vertex 0",
                                  "1 vertices without a triangle, first vertex 6"};
  for (int i = 0; i < 4; i++)
    if (!strstr(told, expected[i])) fail_msg("'%s' is not in:\n%s", expected[i], told);
  def.triangle_count = 0;
  check_ok(weft_world_add_obstacle(world, &def, &id, &error), error);
  assert_non_null(strstr(told, "has no triangle"));
  add_rectangle(world, 0, 2, "springs", "springs");
  double read[21];
  int32_t corners[18];
  check_ok(weft_world_get_obstacle_positions(world, 0, read, &error), error);
  check_ok(weft_world_get_obstacle_triangles(world, 0, corners, &error), error);
  assert_memory_equal(read, positions, sizeof read);
  assert_memory_equal(corners, triangles, sizeof corners);
  weft_world_destroy(world);
}

static void obstacles_are_read_back(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = obstacle_world(1);
  double positions[12];
  assert_int_equal(weft_world_obstacle_count(world), 3);
  assert_string_equal(weft_world_obstacle_name(world, 1), "wheel");
  assert_string_equal(weft_world_obstacle_name(world, 3), "");
  assert_int_equal(weft_world_obstacle_vertex_count(world, 0), 4);
  assert_int_equal(weft_world_obstacle_vertex_count(world, -1), -1);
  assert_int_equal(weft_world_obstacle_triangle_count(world, 2), 2 * 60 * 60);
  assert_int_equal(weft_world_obstacle_triangle_count(NULL, 0), -1);
  assert_int_equal(weft_world_obstacle_motion(world, 0), WEFT_MOTION_STATIC);
  assert_int_equal(weft_world_obstacle_motion(world, 1), WEFT_MOTION_KEYS);
  assert_int_equal(weft_world_obstacle_motion(world, 2), WEFT_MOTION_FRAMES);
  check_refused(weft_world_get_obstacle_positions(world, 3, positions, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "no obstacle 3; the world has 3", error);
  check_refused(weft_world_get_obstacle_triangles(NULL, 0, NULL, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "no world", error);
  WeftObstacleDef def = tetrahedron_def();
  check_ok(weft_world_get_obstacle_positions(world, 0, positions, &error), error);
  check_refused(weft_world_add_obstacle(world, &def, NULL, &error), WEFT_RESULT_WRONG_TIME,
                "only before the first step", error);
  /* in the model: a numbering of their own */
  const WeftModel *model = &world->model;
  assert_int_equal(model->obstacle_vertex_count, 8 + 61 * 61);
  assert_int_equal(model->obstacle_triangle_count, 8 + 2 * 60 * 60);
  assert_int_equal(model->obstacle_triangles[12], 4);
  assert_int_equal(model->triangle_obstacle[3], 0);
  assert_int_equal(model->triangle_obstacle[4], 1);
  assert_int_equal(model->triangle_obstacle[model->obstacle_triangle_count - 1], 2);
  WeftReport report;
  check_ok(weft_world_report(world, &report, &error), error);
  assert_int_equal(report.obstacle_count, 3);
  assert_int_equal(report.obstacle_vertex_count, 8 + 61 * 61);
  assert_int_equal(report.obstacle_triangle_count, 8 + 2 * 60 * 60);
  char *text;
  check_ok(weft_world_report_json(world, NULL, &text, &error), error);
  assert_non_null(strstr(text, "\"obstacles\": 3"));
  assert_non_null(strstr(text, "\"wheel\""));
  weft_free(text);
  weft_world_destroy(world);
}

/* Where vertex v of the only obstacle is after so many steps of 1/8 s. */
static void positions_after(WeftObstacleDef *def, int steps, double *positions) {
  WeftError error;
  WeftWorld *world = cloth_world(1, 0.125);
  world->state.gravity[2] = 0;
  check_ok(weft_world_add_obstacle(world, def, NULL, &error), error);
  check_ok(weft_world_step(world, steps, &error), error);
  check_ok(weft_world_get_obstacle_positions(world, 0, positions, &error), error);
  weft_world_destroy(world);
}

static void check_vertex(const double *positions, int vertex, double x, double y, double z,
                         double tolerance) {
  check_near(positions[3 * vertex], x, tolerance);
  check_near(positions[3 * vertex + 1], y, tolerance);
  check_near(positions[3 * vertex + 2], z, tolerance);
}

static void keys_translate_rotate_and_scale(void **state) {
  (void)state;
  const double pi = acos(-1), h = sqrt(0.5);
  double x[12];
  WeftObstacleDef def = tetrahedron_def();
  /* translation, from before the first key to behind the last */
  WeftObstacleKey moves[] = {{0.25, {0, 0, 1}, {0}, {1, 1, 1}}, {0.75, {4, 0, 3}, {0}, {1, 1, 1}}};
  def.keys = moves;
  def.key_count = 2;
  def.pivot[0] = 0.1; /* does not matter, and costs no digit */
  const double expected[][3] = {{0, 0, 1}, {0, 0, 1},   {0, 0, 1}, {1, 0, 1.5},
                                {2, 0, 2}, {3, 0, 2.5}, {4, 0, 3}, {4, 0, 3}};
  for (int step = 0; step < 8; step++) {
    positions_after(&def, step, x);
    for (int v = 0; v < 4; v++)
      check_vertex(x, v, tetrahedron[3 * v] + expected[step][0], tetrahedron[3 * v + 1] + expected[step][1],
                   tetrahedron[3 * v + 2] + expected[step][2], 0);
  }
  /* smooth: 3 s^2 - 2 s^3, at a quarter 5/32 of the way */
  def.interpolation = WEFT_INTERPOLATION_SMOOTH;
  positions_after(&def, 3, x);
  check_vertex(x, 0, 4 * 5.0 / 32, 0, 1 + 2 * 5.0 / 32, 0);
  positions_after(&def, 4, x);
  check_vertex(x, 0, 2, 0, 2, 0);
  /* a turn about z through the pivot (1, 0, 0): right angles are exact */
  WeftObstacleKey turns[] = {{0, {0}, {0}, {1, 1, 1}}, {1, {0}, {0, 0, 2 * pi}, {1, 1, 1}}};
  def = tetrahedron_def();
  def.keys = turns;
  def.key_count = 2;
  def.pivot[0] = 1;
  positions_after(&def, 1, x); /* 45 degrees */
  check_vertex(x, 0, 1 - h, -h, 0, 1e-15);
  check_vertex(x, 1, 1, 0, 0, 1e-15);
  check_vertex(x, 3, 1 - h, -h, 1, 1e-15);
  positions_after(&def, 2, x);
  check_vertex(x, 0, 1, -1, 0, 0);
  check_vertex(x, 2, 0, -1, 0, 0);
  positions_after(&def, 8, x);
  check_vertex(x, 0, 0, 0, 0, 0);
  /* scale along the axes of the mesh, then the turn: vertex 2 at y = 1 comes to -x 3, about the origin */
  WeftObstacleKey grows[] = {{0, {0}, {0, 0, pi / 2}, {1, 1, 1}}, {0.5, {0}, {0, 0, pi / 2}, {2, 5, 0.5}}};
  def = tetrahedron_def();
  def.keys = grows;
  def.key_count = 2;
  positions_after(&def, 2, x); /* half way: 1.5, 3, 0.75 */
  check_vertex(x, 1, 0, 1.5, 0, 0);
  check_vertex(x, 2, -3, 0, 0, 0);
  check_vertex(x, 3, 0, 0, 0.75, 0);
  def.pivot[0] = 1; /* scale keeps the pivot in its place */
  grows[0].rotation[2] = grows[1].rotation[2] = 0;
  positions_after(&def, 4, x);
  check_vertex(x, 1, 1, 0, 0, 0);
  check_vertex(x, 0, -1, 0, 0, 0);
}

/* Against libm and Rodrigues' vector form, for axes and angles of all sorts. */
static void turns_about_any_axis(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int trial = 0; trial < 200; trial++) {
    double w[3], pivot[3], x[12];
    for (int k = 0; k < 3; k++) {
      w[k] = random_in(&seed, -6, 6);
      pivot[k] = random_in(&seed, -2, 2);
    }
    WeftObstacleKey key = {0, {0.5, 0, 0}, {w[0], w[1], w[2]}, {1, 1, 1}};
    WeftObstacleDef def = tetrahedron_def();
    def.keys = &key;
    def.key_count = 1;
    memcpy(def.pivot, pivot, sizeof pivot);
    positions_after(&def, 0, x);
    double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]),
           k[3] = {w[0] / angle, w[1] / angle, w[2] / angle};
    for (int v = 0; v < 4; v++) {
      double d[3], dot = 0, turned[3];
      for (int c = 0; c < 3; c++) {
        d[c] = tetrahedron[3 * v + c] - pivot[c];
        dot += k[c] * d[c];
      }
      for (int c = 0; c < 3; c++) {
        int a = (c + 1) % 3, b = (c + 2) % 3;
        turned[c] = pivot[c] + cos(angle) * d[c] + sin(angle) * (k[a] * d[b] - k[b] * d[a]) +
                    (1 - cos(angle)) * dot * k[c];
      }
      check_vertex(x, v, turned[0] + 0.5, turned[1], turned[2], 2e-14);
    }
  }
}

static void frames_are_interpolated(void **state) {
  (void)state;
  double frames[36], x[12];
  for (int f = 0; f < 3; f++)
    for (int i = 0; i < 12; i++) frames[12 * f + i] = tetrahedron[i] * (1 + f) + 0.25 * f;
  const double times[] = {0.25, 0.5, 1};
  WeftObstacleDef def = tetrahedron_def();
  def.positions = NULL;
  def.frame_count = 3;
  def.frame_times = times;
  def.frame_positions = frames;
  const double at[] = {0, 0, 0, 0.5, 1, 1.25, 1.5, 1.75, 2, 2}; /* in frames, after so many eighths */
  for (int step = 0; step < 10; step++) {
    positions_after(&def, step, x);
    for (int i = 0; i < 12; i++) assert_true(x[i] == tetrahedron[i] * (1 + at[step]) + 0.25 * at[step]);
  }
  /* in a frame's own time its numbers to the last bit, which a + (b - a) would not give */
  uint64_t seed = 5;
  double rough[36];
  for (int i = 0; i < 36; i++) rough[i] = random_in(&seed, -1, 1) * exp(random_in(&seed, -8, 8));
  def.frame_positions = rough;
  for (int f = 0; f < 3; f++) {
    positions_after(&def, (int)(8 * times[f]), x);
    assert_memory_equal(x, rough + 12 * f, sizeof x);
  }
  def.frame_positions = frames;
  /* keys move what the frames give */
  WeftObstacleKey key = {0, {0, 0, 2}, {0, 0, acos(-1)}, {3, 1, 1}};
  def.keys = &key;
  def.key_count = 1;
  positions_after(&def, 4, x);
  check_vertex(x, 1, -3 * 2.25, -0.25, 2.25, 1e-15);
  /* a single frame is a mesh that stands still */
  WeftError error;
  WeftWorld *world = cloth_world(1, 0.1);
  def.frame_count = 1;
  def.key_count = 0;
  check_ok(weft_world_add_obstacle(world, &def, NULL, &error), error);
  assert_int_equal(weft_world_obstacle_motion(world, 0), WEFT_MOTION_STATIC);
  weft_world_destroy(world);
}

static double *all_positions(WeftWorld *world, size_t *bytes) {
  WeftError error;
  *bytes = 3 * (size_t)(8 + 61 * 61) * sizeof(double);
  double *x = malloc(*bytes), *next = x;
  for (int32_t i = 0; i < 3; i++) {
    check_ok(weft_world_get_obstacle_positions(world, i, next, &error), error);
    next += 3 * weft_world_obstacle_vertex_count(world, i);
  }
  return x;
}

static void positions_depend_on_time_alone(void **state) {
  (void)state;
  WeftError error;
  size_t size, other_size;
  WeftWorld *first = obstacle_world(1);
  check_ok(weft_world_step(first, 5, &error), error);
  void *bytes;
  size_t saved;
  check_ok(weft_world_save(first, &bytes, &saved, &error), error);
  double *expected = all_positions(first, &size);
  for (int threads = 1; threads <= 3; threads++) {
    WeftWorld *other = obstacle_world(threads);
    check_ok(weft_world_step(other, 2, &error), error);
    double *earlier = all_positions(other, &other_size);
    assert_memory_not_equal(expected, earlier, size);
    check_ok(weft_world_restore(other, bytes, saved, &error), error);
    double *restored = all_positions(other, &other_size);
    assert_memory_equal(expected, restored, size);
    free(earlier);
    free(restored);
    weft_world_destroy(other);
  }
  free(expected);
  weft_free(bytes);
  weft_world_destroy(first);
}

static uint64_t fingerprint_with(const WeftObstacleDef *def) {
  WeftError error;
  uint64_t fingerprint;
  WeftWorld *world = cloth_world(1, 0.005);
  if (def) check_ok(weft_world_add_obstacle(world, def, NULL, &error), error);
  check_ok(weft_world_fingerprint(world, &fingerprint, &error), error);
  weft_world_destroy(world);
  return fingerprint;
}

/* A state does not fit a world with another obstacle; its name does not matter. */
static void fingerprints_tell_obstacles_apart(void **state) {
  (void)state;
  double moved[12];
  memcpy(moved, tetrahedron, sizeof moved);
  moved[4] = 1e-9;
  const int32_t turned[12] = {0, 1, 2, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  WeftObstacleKey key = {0, {0}, {0}, {1, 1, 1}}, other_key = {0, {0}, {0}, {1, 1, 1.5}};
  WeftObstacleDef defs[9];
  for (int i = 0; i < 9; i++) defs[i] = tetrahedron_def();
  defs[1].positions = moved;
  defs[2].triangles = turned;
  defs[3].friction_static = 0.5;
  defs[4].thickness = 0.001;
  defs[5].key_count = defs[6].key_count = defs[7].key_count = 1;
  defs[5].keys = defs[7].keys = &key;
  defs[6].keys = &other_key;
  defs[7].pivot[2] = 1;
  defs[8].name = "another";
  uint64_t seen[9];
  for (int i = 0; i < 9; i++) seen[i] = fingerprint_with(&defs[i]);
  for (int i = 0; i < 8; i++) {
    assert_true(seen[i] != fingerprint_with(NULL));
    for (int k = 0; k < i; k++)
      if (seen[i] == seen[k]) fail_msg("definitions %d and %d look alike", i, k);
  }
  assert_true(seen[8] == seen[0]);
  WeftError error;
  void *bytes;
  size_t size;
  WeftWorld *with = cloth_world(1, 0.005), *without = cloth_world(1, 0.005);
  check_ok(weft_world_add_obstacle(with, &defs[0], NULL, &error), error);
  check_ok(weft_world_save(with, &bytes, &size, &error), error);
  check_refused(weft_world_restore(without, bytes, size, &error), WEFT_RESULT_MISMATCH, "another model",
                error);
  weft_free(bytes);
  weft_world_destroy(with);
  weft_world_destroy(without);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_definitions_are_refused),    cmocka_unit_test(any_quality_is_taken_with_warnings),
      cmocka_unit_test(obstacles_are_read_back),        cmocka_unit_test(keys_translate_rotate_and_scale),
      cmocka_unit_test(turns_about_any_axis),           cmocka_unit_test(frames_are_interpolated),
      cmocka_unit_test(positions_depend_on_time_alone), cmocka_unit_test(fingerprints_tell_obstacles_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
