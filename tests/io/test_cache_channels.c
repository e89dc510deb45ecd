/* Rest shapes and contact pressures in caches: they are read as they were written, the pressure of a sheet
 * at rest carries its weight, and files that claim more than they hold are refused. */
#include "base/checksum.h"
#include "base/read_file.h"
#include "base/write_file.h"
#include "io/cache.h"
#include "world.h"
#include "world/collision_worlds.h"

#include <unistd.h>

enum { COLUMNS = 6, VERTICES = (COLUMNS + 1) * (COLUMNS + 1), TRIANGLES = 2 * COLUMNS * COLUMNS };

static char folder[64], path[96];

/* A sheet just above a floor. */
static WeftWorld *resting_world(void) {
  WeftWorldDef def = colliding_def(1);
  WeftWorld *world = world_of(&def);
  add_sheet(
      world,
      &(Sheet){.size = 0.1, .columns = COLUMNS, .at = {0, 0, 0.0012}, .thickness = 0.001, .friction = -1});
  add_floor(world, 1, 0, 0.001);
  return world;
}

static const WeftCacheOptions all = {
    .scene = "rest", .run = 3, .frame_rate = 50, .has_rest = true, .has_pressures = true};

static double area_of(const WeftWorld *world) {
  double area = 0;
  for (int t = 0; t < world->model.triangle_count; t++) area += world->model.rest_area[t];
  return area;
}

static void a_sheet_at_rest_presses_with_its_weight(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = resting_world();
  double pressures[VERTICES], masses[VERTICES];
  check_ok(weft_world_pressures(world, 0, pressures, &error), error);
  for (int v = 0; v < VERTICES; v++) assert_true(pressures[v] == 0);
  check_ok(weft_world_step(world, 400, &error), error);
  check_ok(weft_world_pressures(world, 0, pressures, &error), error);
  check_ok(weft_world_masses(world, 0, masses, &error), error);
  double force = 0, weight = 0, area[VERTICES] = {0};
  const WeftModel *model = &world->model;
  for (int k = 0; k < 3 * model->triangle_count; k++)
    area[model->triangles[k]] += model->rest_area[k / 3] / 3;
  for (int v = 0; v < VERTICES; v++) {
    assert_true(pressures[v] >= 0);
    force += pressures[v] * area[model->internal_of_user[v]];
    weight += masses[v] * 9.81;
  }
  check_near(force, weight, 0.02 * weight); /* it still breathes a little */
  check_near(weight / area_of(world), 9.81 * model->cloths[0].material.density, 1e-9);
  weft_world_destroy(world);
}

static void channels_are_read_as_written(void **state) {
  (void)state;
  WeftError error;
  for (int bits = 0; bits <= 16; bits += 16) {
    WeftCacheOptions options = all;
    options.quantise_bits = bits;
    options.has_velocities = bits > 0;
    WeftWorld *world = resting_world();
    WeftCacheWriter *writer;
    WeftCache *cache;
    double kept[VERTICES], read[VERTICES], uvs[6 * TRIANGLES];
    check_ok(weft_cache_create(world, &options, path, &writer, &error), error);
    check_ok(weft_world_step(world, 100, &error), error);
    check_ok(weft_world_pressures(world, 0, kept, &error), error);
    check_ok(weft_cache_append(writer, world, 0, &error), error);
    weft_cache_writer_close(writer);
    check_ok(weft_cache_open(path, &cache, &error), error);
    WeftCacheInfo info = weft_cache_info(cache);
    assert_true(info.has_rest && info.has_pressures && info.has_velocities == (bits > 0));
    check_ok(weft_cache_rest(cache, 0, uvs, &error), error);
    for (int i = 0; i < 6 * TRIANGLES; i++) assert_true(uvs[i] == (double)(float)world->model.rest_uv[i]);
    assert_true(weft_cache_thickness(cache, 0) == 0.001 && weft_cache_thickness(cache, 1) == -1);
    assert_true(weft_cache_obstacle_thickness(cache, 0) == 0.001 &&
                weft_cache_obstacle_thickness(cache, -1) == -1);
    check_refused(weft_cache_pressures(cache, 0, read, &error), WEFT_RESULT_WRONG_TIME, "no frame", error);
    check_ok(weft_cache_read(cache, 0, NULL, &error), error);
    check_ok(weft_cache_pressures(cache, 0, read, &error), error);
    double most = 0;
    for (int v = 0; v < VERTICES; v++) {
      assert_true(read[v] == (double)(float)kept[v]);
      most = fmax(most, read[v]);
    }
    assert_true(most > 0);
    weft_cache_close(cache);
    /* the same run goes on with it; one without pressures does not */
    check_ok(weft_cache_continue(world, &options, path, 0, &writer, &error), error);
    weft_cache_writer_close(writer);
    options.has_pressures = false;
    check_refused(weft_cache_continue(world, &options, path, 0, &writer, &error), WEFT_RESULT_MISMATCH,
                  "pressures", error);
    weft_world_destroy(world);
  }
}

static void a_cache_without_them_says_so(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = resting_world();
  WeftCacheWriter *writer;
  WeftCache *cache;
  double numbers[6 * TRIANGLES];
  WeftCacheOptions options = {.scene = "plain"};
  check_ok(weft_cache_create(world, &options, path, &writer, &error), error);
  check_ok(weft_cache_append(writer, world, 0, &error), error);
  weft_cache_writer_close(writer);
  check_ok(weft_cache_open(path, &cache, &error), error);
  check_ok(weft_cache_read(cache, 0, NULL, &error), error);
  assert_false(weft_cache_info(cache).has_rest || weft_cache_info(cache).has_pressures);
  check_refused(weft_cache_rest(cache, 0, numbers, &error), WEFT_RESULT_INVALID_ARGUMENT, "no rest shapes",
                error);
  check_refused(weft_cache_pressures(cache, 0, numbers, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "no contact pressures", error);
  assert_true(weft_cache_thickness(cache, 0) == 0);
  weft_cache_close(cache);
  weft_world_destroy(world);
}

/* Flags that belong to version 3 in a header of version 2; a rest shape and a pressure that are not numbers.
 */
static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = resting_world();
  WeftCacheWriter *writer;
  WeftCache *cache;
  char *bytes;
  size_t size;
  check_ok(weft_cache_create(world, &all, path, &writer, &error), error);
  check_ok(weft_cache_append(writer, world, 0, &error), error);
  weft_cache_writer_close(writer);
  weft_world_destroy(world);
  check_ok(weft_read_file(path, &bytes, &size, &error), error);
  WeftCacheHead head;
  memcpy(&head, bytes, sizeof head);
  size_t end = (size_t)head.size - sizeof(uint64_t);
  for (int fault = 0; fault < 3; fault++) {
    char *copy = malloc(size);
    memcpy(copy, bytes, size);
    uint32_t version = 2;
    float number = NAN;
    WeftCacheLayout layout;
    check_ok(weft_cache_layout_parse(&layout, memcpy(malloc((size_t)head.size), bytes, (size_t)head.size),
                                     path, &error),
             error);
    size_t rest = (size_t)(layout.cloths[0].rest - layout.bytes), pressures = layout.cloths[0].pressures;
    weft_cache_layout_free(&layout);
    if (fault == 0) memcpy(copy + 8, &version, sizeof version);
    if (fault == 1) memcpy(copy + rest, &number, sizeof number);
    if (fault == 2) memcpy(copy + head.size + pressures, &number, sizeof number);
    uint64_t sum = weft_checksum(copy, end);
    memcpy(copy + end, &sum, sizeof sum);
    size_t record = size - (size_t)head.size;
    sum = weft_checksum(copy + head.size, record - sizeof sum);
    memcpy(copy + size - sizeof sum, &sum, sizeof sum);
    check_ok(weft_write_file(path, copy, size, &error), error);
    free(copy);
    if (fault < 2) {
      check_refused(weft_cache_open(path, &cache, &error), WEFT_RESULT_INVALID_DATA, "out of range", error);
    } else {
      check_ok(weft_cache_open(path, &cache, &error), error);
      assert_int_equal(weft_cache_info(cache).frame_count, 0); /* a last frame that is not whole is none */
    }
    weft_cache_close(cache);
  }
  free(bytes);
}

static int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/weft-channels-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/c.weftcache", folder);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  unlink(path);
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sheet_at_rest_presses_with_its_weight),
      cmocka_unit_test(channels_are_read_as_written),
      cmocka_unit_test(a_cache_without_them_says_so),
      cmocka_unit_test(what_does_not_fit_is_refused),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
