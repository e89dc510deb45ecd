/* Obstacles in caches of frames: those that stand still once, those that move in every frame, and files
 * without any as they always were. */
#include "base/read_file.h"
#include "base/write_file.h"
#include "io/cache.h"
#include "world/obstacles.h"

#include <unistd.h>

enum { FRAMES = 4, CLOTH = 6 * 5 /* vertices */ };

static char folder[64], path[96];

/* The waving sheet with 25 vertices. */
static WeftWorld *small_world(void) { return obstacle_world_with(1, 4, 3); }

/* Positions of all obstacles in the world's present. */
static void look(WeftWorld *world, double *x) {
  WeftError error;
  for (int32_t i = 0; i < 3; i++) {
    check_ok(weft_world_get_obstacle_positions(world, i, x, &error), error);
    x += 3 * weft_world_obstacle_vertex_count(world, i);
  }
}

enum { NUMBERS = 3 * (4 + 4 + 25) };

static void write_frames(const WeftCacheOptions *options, double kept[FRAMES][NUMBERS]) {
  WeftError error;
  WeftCacheWriter *writer;
  WeftWorld *world = small_world();
  check_ok(weft_cache_create(world, options, path, &writer, &error), error);
  for (int f = 0; f < FRAMES; f++) {
    look(world, kept[f]);
    check_ok(weft_cache_append(writer, world, f, &error), error);
    check_ok(weft_world_step(world, 1, &error), error);
  }
  weft_cache_writer_close(writer);
  weft_world_destroy(world);
}

static void obstacles_are_read_bit_for_bit(void **state) {
  (void)state;
  WeftError error;
  WeftCache *cache;
  double kept[FRAMES][NUMBERS], x[NUMBERS];
  int32_t triangles[12];
  for (int velocities = 0; velocities < 2; velocities++) {
    WeftCacheOptions options = {.scene = "obstacles", .run = 5, .has_velocities = velocities};
    write_frames(&options, kept);
    check_ok(weft_cache_open(path, &cache, &error), error);
    WeftCacheInfo info = weft_cache_info(cache);
    assert_int_equal(info.obstacle_count, 3);
    assert_int_equal(info.cloth_count, 1);
    assert_int_equal(info.frame_count, FRAMES);
    assert_string_equal(weft_cache_obstacle_name(cache, 1), "wheel");
    assert_string_equal(weft_cache_obstacle_name(cache, 3), "");
    assert_int_equal(weft_cache_obstacle_vertex_count(cache, 2), 25);
    assert_int_equal(weft_cache_obstacle_vertex_count(cache, -1), -1);
    assert_int_equal(weft_cache_obstacle_triangle_count(cache, 2), 32);
    assert_false(weft_cache_obstacle_moves(cache, 0));
    assert_true(weft_cache_obstacle_moves(cache, 1) && weft_cache_obstacle_moves(cache, 2));
    assert_false(weft_cache_obstacle_moves(cache, 9));
    check_ok(weft_cache_obstacle_triangles(cache, 1, triangles, &error), error);
    assert_memory_equal(triangles, tetrahedron_faces, sizeof triangles);
    /* what stands still is there before any frame */
    check_ok(weft_cache_obstacle_positions(cache, 0, x, &error), error);
    assert_memory_equal(x, tetrahedron, sizeof tetrahedron);
    check_refused(weft_cache_obstacle_positions(cache, 1, x, &error), WEFT_RESULT_WRONG_TIME, "no frame",
                  error);
    check_refused(weft_cache_obstacle_positions(cache, 3, x, &error), WEFT_RESULT_INVALID_ARGUMENT,
                  "no obstacle 3; the cache has 3", error);
    assert_int_equal(weft_cache_obstacle_triangles(NULL, 0, triangles, NULL), WEFT_RESULT_INVALID_ARGUMENT);
    for (int f = FRAMES - 1; f >= 0; f--) {
      double *next = x;
      check_ok(weft_cache_read(cache, f, NULL, &error), error);
      for (int32_t i = 0; i < 3; i++) {
        check_ok(weft_cache_obstacle_positions(cache, i, next, &error), error);
        next += 3 * weft_cache_obstacle_vertex_count(cache, i);
      }
      assert_memory_equal(x, kept[f], sizeof x);
    }
    weft_cache_close(cache);
  }
  assert_memory_not_equal(kept[0], kept[1], sizeof kept[0]);
}

static void quantised_obstacles_keep_the_stated_error(void **state) {
  (void)state;
  WeftError error;
  WeftCache *cache;
  WeftCacheFrame frame;
  double kept[FRAMES][NUMBERS], x[NUMBERS], largest = 0;
  WeftCacheOptions options = {.scene = "obstacles", .quantise_bits = 12};
  write_frames(&options, kept);
  check_ok(weft_cache_open(path, &cache, &error), error);
  for (int f = 0; f < FRAMES; f++) {
    check_ok(weft_cache_read(cache, f, &frame, &error), error);
    double *next = x;
    for (int32_t i = 0; i < 3; i++) {
      check_ok(weft_cache_obstacle_positions(cache, i, next, &error), error);
      next += 3 * weft_cache_obstacle_vertex_count(cache, i);
    }
    assert_memory_equal(x, tetrahedron, sizeof tetrahedron); /* what stands still is never quantised */
    for (int i = 0; i < NUMBERS; i++) {
      largest = fmax(largest, fabs(x[i] - kept[f][i]));
      assert_true(fabs(x[i] - kept[f][i]) <= frame.position_error);
    }
  }
  assert_true(largest > 0 && largest < 1e-3);
  weft_cache_close(cache);
}

static void cut_or_altered_files_are_seen(void **state) {
  (void)state;
  WeftError error;
  WeftCache *cache;
  double kept[FRAMES][NUMBERS];
  WeftCacheOptions options = {.scene = "obstacles"};
  write_frames(&options, kept);
  char *bytes;
  size_t size;
  check_ok(weft_read_file(path, &bytes, &size, &error), error);
  WeftCacheHead head;
  memcpy(&head, bytes, sizeof head);
  size_t record = (size - (size_t)head.size) / FRAMES;
  assert_int_equal(head.version, 2);
  /* a record holds the cloth, the wheel and the sheet, and not the rock */
  assert_int_equal(record,
                   sizeof(WeftCacheRecord) + 3 * (CLOTH + 4 + 25) * sizeof(double) + sizeof(uint64_t));
  for (size_t cut = 0; cut < size; cut += 37) {
    check_ok(weft_write_file(path, bytes, cut, &error), error);
    WeftResult result = weft_cache_open(path, &cache, &error);
    assert_true((result == WEFT_RESULT_OK) == (cut >= head.size));
    if (!result) assert_int_equal(weft_cache_info(cache).frame_count, (cut - head.size) / record);
    weft_cache_close(cache);
  }
  for (size_t at = 0; at < size; at += 13) {
    bytes[at] ^= 0x20;
    check_ok(weft_write_file(path, bytes, size, &error), error);
    WeftResult result = weft_cache_open(path, &cache, &error);
    assert_true((result == WEFT_RESULT_OK) == (at >= head.size));
    int good = 0;
    for (int f = 0; f < FRAMES && !result; f++)
      good += weft_cache_read(cache, f, NULL, NULL) == WEFT_RESULT_OK;
    if (!result) assert_int_equal(good, FRAMES - 1);
    weft_cache_close(cache);
    bytes[at] ^= 0x20;
  }
  free(bytes);
}

/* Going on gives the bytes of a run that was never interrupted; another obstacle is another cache. */
static void going_on_is_byte_for_byte(void **state) {
  (void)state;
  WeftError error;
  WeftCacheWriter *writer;
  double kept[FRAMES][NUMBERS];
  WeftCacheOptions options = {.scene = "obstacles"};
  write_frames(&options, kept);
  char *whole, *again;
  size_t size, again_size;
  check_ok(weft_read_file(path, &whole, &size, &error), error);
  WeftWorld *world = small_world(), *other = cloth_world(1, 0.005);
  check_ok(weft_world_step(world, 2, &error), error);
  check_ok(weft_cache_continue(world, &options, path, 1, &writer, &error), error);
  for (int f = 2; f < FRAMES; f++) {
    check_ok(weft_cache_append(writer, world, f, &error), error);
    check_ok(weft_world_step(world, 1, &error), error);
  }
  weft_cache_writer_close(writer);
  check_ok(weft_read_file(path, &again, &again_size, &error), error);
  assert_int_equal(size, again_size);
  assert_memory_equal(whole, again, size);
  WeftObstacleDef def = tetrahedron_def();
  def.name = "another";
  check_ok(weft_world_add_obstacle(other, &def, NULL, &error), error);
  check_refused(weft_cache_continue(other, &options, path, 1, &writer, &error), WEFT_RESULT_MISMATCH,
                "other cloths, obstacles, names", error);
  free(whole);
  free(again);
  weft_world_destroy(world);
  weft_world_destroy(other);
}

/* Without obstacles the file is of version 1, as before there were any. */
static void without_obstacles_the_version_is_the_first(void **state) {
  (void)state;
  WeftError error;
  WeftCacheWriter *writer;
  WeftCache *cache;
  WeftCacheOptions options = {.scene = "none"};
  WeftWorld *world = cloth_world(1, 0.005);
  check_ok(weft_cache_create(world, &options, path, &writer, &error), error);
  check_ok(weft_cache_append(writer, world, 0, &error), error);
  weft_cache_writer_close(writer);
  char *bytes;
  size_t size;
  check_ok(weft_read_file(path, &bytes, &size, &error), error);
  WeftCacheHead head;
  memcpy(&head, bytes, sizeof head);
  assert_int_equal(head.version, 1);
  size_t numbers = 3 * (size_t)weft_world_vertex_count(world, 0);
  assert_int_equal(size - head.size, sizeof(WeftCacheRecord) + numbers * sizeof(double) + sizeof(uint64_t));
  check_ok(weft_cache_open(path, &cache, &error), error);
  assert_int_equal(weft_cache_info(cache).obstacle_count, 0);
  weft_cache_close(cache);
  free(bytes);
  weft_world_destroy(world);
}

static int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "%s/weft-test-cache-XXXXXX",
           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/cache", folder);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  remove(path);
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(obstacles_are_read_bit_for_bit),
      cmocka_unit_test(quantised_obstacles_keep_the_stated_error),
      cmocka_unit_test(cut_or_altered_files_are_seen),
      cmocka_unit_test(going_on_is_byte_for_byte),
      cmocka_unit_test(without_obstacles_the_version_is_the_first),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
