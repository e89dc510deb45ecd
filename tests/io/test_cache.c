/* Caches of frames: the same bits back, the stated error when quantised, whatever is whole of a file that was
 * cut off or altered, and reading while it grows. */
#include "base/checksum.h"
#include "base/read_file.h"
#include "world/worlds.h"

#include "io/cache.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FRAMES = 6 };

static char folder[64], path[128];

static int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/weft-test-cache-XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/frames.weftcache", folder);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  remove(path);
  return rmdir(folder); /* fails when anything else was left behind */
}

static WeftWorld *small_world(void) {
  WeftError error;
  WeftWorld *world;
  WeftWorldDef def = weft_default_world_def();
  def.threads = 1;
  check_ok(weft_world_create(&def, &world, &error), error);
  add_rectangle(world, 0, 5, "baraff_witkin", "dihedral");
  add_rectangle(world, 1, 10, "springs", "springs");
  check_ok(weft_world_pin(world, 0, 0, WEFT_AXIS_ALL, &error), error);
  return world;
}

static const WeftCacheOptions plain = {.scene = "small", .run = 77, .frame_rate = 50};

/* Frames 0, 2, 4 ... of a run, a step each; kept are all positions (and velocities), frame after frame. */
static double *write_frames(WeftWorld *world, const WeftCacheOptions *options, int count) {
  WeftError error;
  WeftCacheWriter *writer;
  int numbers = 0;
  for (int c = 0; c < 2; c++) numbers += 3 * weft_world_vertex_count(world, c);
  double *kept = calloc((size_t)(2 * numbers * count) + 1, sizeof *kept), *next = kept;
  check_ok(weft_cache_create(world, options, path, &writer, &error), error);
  for (int f = 0; f < count; f++) {
    for (int c = 0; c < 2; c++, next += 3 * weft_world_vertex_count(world, c - 1))
      check_ok(weft_world_positions(world, c, next, &error), error);
    for (int c = 0; c < 2; c++, next += 3 * weft_world_vertex_count(world, c - 1))
      check_ok(weft_world_velocities(world, c, next, &error), error);
    check_ok(weft_cache_append(writer, world, 2 * f, &error), error);
    check_ok(weft_world_step(world, 1, &error), error);
  }
  weft_cache_writer_close(writer);
  return kept;
}

/* The largest difference between what is read and what was kept, in metres and metres a second; -1 for other
 * bits. */
static double compare(WeftCache *cache, int index, const double *kept, bool is_exact) {
  WeftError error;
  WeftCacheFrame frame;
  double numbers[3 * 200], largest = 0;
  check_ok(weft_cache_read(cache, index, &frame, &error), error);
  assert_int_equal(frame.frame, 2 * index);
  check_near(frame.time, index * 0.005, 1e-12);
  int all = 3 * (weft_cache_vertex_count(cache, 0) + weft_cache_vertex_count(cache, 1));
  kept += (size_t)(2 * all * index);
  bool has_velocities = weft_cache_info(cache).has_velocities;
  for (int part = 0; part < (has_velocities ? 4 : 2); part++) {
    int cloth = part % 2, count = 3 * weft_cache_vertex_count(cache, cloth);
    assert_true(count <= 600);
    check_ok(part < 2 ? weft_cache_positions(cache, cloth, numbers, &error)
                      : weft_cache_velocities(cache, cloth, numbers, &error),
             error);
    if (is_exact && memcmp(numbers, kept, (size_t)count * sizeof *numbers) != 0) return -1;
    double stated = part < 2 ? frame.position_error : frame.velocity_error;
    assert_true(is_exact == (stated == 0) || index == 0); /* at the start all velocities are zero */
    for (int i = 0; i < count; i++) {
      double difference = fabs(numbers[i] - kept[i]);
      if (difference > stated) fail_msg("off by %g, at most %g was stated", difference, stated);
      if (part < 2) largest = fmax(largest, difference);
    }
    kept += count;
  }
  return largest;
}

static void what_was_written_is_read_bit_for_bit(void **state) {
  (void)state;
  WeftError error;
  WeftCacheOptions options = plain;
  options.has_velocities = true;
  WeftWorld *world = small_world();
  double *kept = write_frames(world, &options, FRAMES);
  WeftCache *cache;
  check_ok(weft_cache_open(path, &cache, &error), error);
  WeftCacheInfo info = weft_cache_info(cache);
  assert_int_equal(info.frame_count, FRAMES);
  assert_int_equal(info.ignored_bytes, 0);
  assert_int_equal(info.cloth_count, 2);
  assert_string_equal(info.scene, "small");
  assert_true(info.run == 77 && info.frame_rate == 50 && info.time_step == 0.005);
  for (int c = 0; c < 2; c++) {
    assert_string_equal(weft_cache_cloth_name(cache, c), weft_world_cloth_name(world, c));
    assert_int_equal(weft_cache_vertex_count(cache, c), weft_world_vertex_count(world, c));
    int count = weft_world_triangle_count(world, c);
    assert_int_equal(weft_cache_triangle_count(cache, c), count);
    int32_t a[3 * 400], b[3 * 400];
    assert_true(count <= 400);
    check_ok(weft_cache_triangles(cache, c, a, &error), error);
    check_ok(weft_world_triangles(world, c, b, &error), error);
    assert_memory_equal(a, b, 3 * (size_t)count * sizeof *a);
  }
  for (int f = FRAMES - 1; f >= 0; f--) assert_true(compare(cache, f, kept, true) == 0);
  /* what is not there */
  double one[3];
  check_refused(weft_cache_read(cache, FRAMES, NULL, &error), WEFT_RESULT_INVALID_ARGUMENT, "it holds 6",
                error);
  check_refused(weft_cache_positions(cache, 2, one, &error), WEFT_RESULT_INVALID_ARGUMENT, "no cloth 2",
                error);
  assert_int_equal(weft_cache_vertex_count(cache, -1), -1);
  weft_cache_close(cache);
  free(kept);
  weft_world_destroy(world);
}

static void quantised_numbers_keep_the_stated_error(void **state) {
  (void)state;
  WeftError error;
  static const int bits[] = {8, 9, 13, 16, 24, 31, 32};
  struct stat whole, packed;
  WeftWorld *world = small_world();
  free(write_frames(world, &plain, 2));
  assert_int_equal(stat(path, &whole), 0);
  weft_world_destroy(world);
  double before = INFINITY;
  for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
    WeftCacheOptions options = plain;
    options.quantise_bits = bits[i];
    options.has_velocities = true;
    world = small_world();
    double *kept = write_frames(world, &options, FRAMES), largest = 0;
    WeftCache *cache;
    check_ok(weft_cache_open(path, &cache, &error), error);
    assert_int_equal(weft_cache_info(cache).quantise_bits, bits[i]);
    for (int f = 0; f < FRAMES; f++) largest = fmax(largest, compare(cache, f, kept, false));
    assert_true(largest > 0 && largest < before);
    before = largest;
    /* by hand: half a step of a cloth that is half a metre wide */
    assert_true(largest <= 0.5 * 0.52 / (ldexp(1, bits[i]) - 1));
    weft_cache_close(cache);
    free(kept);
    weft_world_destroy(world);
  }
  WeftCacheOptions options = plain;
  options.quantise_bits = 16;
  world = small_world();
  free(write_frames(world, &options, 2));
  assert_int_equal(stat(path, &packed), 0);
  assert_true(packed.st_size <
              0.5 * (double)whole.st_size); /* headers and ranges weigh much in so small a cloth */
  options.quantise_bits = 7;
  WeftCacheWriter *writer;
  check_refused(weft_cache_create(world, &options, path, &writer, &error), WEFT_RESULT_INVALID_ARGUMENT,
                "quantise_bits is 7", error);
  assert_null(writer);
  weft_world_destroy(world);
}

static void a_file_cut_off_anywhere_has_its_whole_frames(void **state) {
  (void)state;
  WeftError error;
  char *bytes;
  size_t size;
  WeftWorld *world = small_world();
  double *kept = write_frames(world, &plain, 3);
  check_ok(weft_read_file(path, &bytes, &size, &error), error);
  WeftCacheHead head;
  memcpy(&head, bytes, sizeof head);
  size_t record = (size - (size_t)head.size) / 3, refused = 0;
  assert_int_equal(head.size + 3 * record, size);
  for (size_t length = size; length-- > 0;) {
    assert_int_equal(truncate(path, (off_t)length), 0);
    WeftCache *cache;
    if (length < head.size) {
      refused++;
      check_refused(weft_cache_open(path, &cache, &error), WEFT_RESULT_PARSE, path, error);
      assert_null(cache);
      continue;
    }
    check_ok(weft_cache_open(path, &cache, &error), error);
    int count = (int)((length - head.size) / record);
    assert_int_equal(weft_cache_info(cache).frame_count, count);
    assert_int_equal(weft_cache_info(cache).ignored_bytes, length - head.size - (size_t)count * record);
    if (length % 97 == 0) /* all of them would take long under sanitizers */
      for (int f = 0; f < count; f++) assert_true(compare(cache, f, kept, true) == 0);
    weft_cache_close(cache);
    if (length % 53) continue;
    /* and a writer goes on from there */
    WeftCacheWriter *writer;
    check_ok(weft_cache_continue(world, &plain, path, 2 * count - 2, &writer, &error), error);
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_size, head.size + (size_t)count * record);
    weft_cache_writer_close(writer);
  }
  assert_int_equal(refused, head.size);
  free(bytes);
  free(kept);
  weft_world_destroy(world);
}

/* No fsync as weft_write_file has it: this is called for many bytes. */
static void write_bytes(const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

/* The file has an altered byte in its damaged-th frame of three: that one is refused, the others are as they
 * were. */
static void check_damage(WeftWorld *world, const double *kept, int damaged, size_t size) {
  WeftError error;
  WeftCache *cache;
  check_ok(weft_cache_open(path, &cache, &error), error);
  int count = damaged == 2 ? 2 : 3; /* the last one is taken for a frame in the making */
  assert_int_equal(weft_cache_info(cache).frame_count, count);
  for (int f = 0; f < count; f++) {
    if (f != damaged) {
      assert_true(compare(cache, f, kept, true) == 0);
      continue;
    }
    double numbers[600];
    check_refused(weft_cache_read(cache, f, NULL, &error), WEFT_RESULT_PARSE, "is damaged", error);
    assert_int_equal(weft_cache_positions(cache, 0, numbers, &error), WEFT_RESULT_WRONG_TIME);
  }
  weft_cache_close(cache);
  WeftCacheWriter *writer;
  check_refused(weft_cache_continue(world, &plain, path, 2 * damaged, &writer, &error), WEFT_RESULT_MISMATCH,
                "left as it is", error);
  struct stat facts;
  assert_int_equal(stat(path, &facts), 0);
  assert_int_equal(facts.st_size, size);
}

static void an_altered_byte_is_always_seen_and_costs_one_frame(void **state) {
  (void)state;
  WeftError error;
  char *bytes;
  size_t size, in_header = 0, in_frames = 0;
  WeftWorld *world = small_world();
  double *kept = write_frames(world, &plain, 3);
  check_ok(weft_read_file(path, &bytes, &size, &error), error);
  WeftCacheHead head;
  memcpy(&head, bytes, sizeof head);
  size_t record = (size - (size_t)head.size) / 3;
  uint64_t seed = 3;
  for (size_t at = 0; at < size; at += 1 + (size_t)(random_unit(&seed) * 15)) {
    char good = bytes[at];
    bytes[at] = (char)(bytes[at] ^ 1 << (int)(random_unit(&seed) * 8));
    write_bytes(bytes, size);
    bytes[at] = good;
    if (at >= head.size) {
      in_frames++;
      check_damage(world, kept, (int)((at - head.size) / record), size);
      continue;
    }
    in_header++;
    WeftCache *cache;
    WeftResult result = weft_cache_open(path, &cache, &error);
    assert_true(result == WEFT_RESULT_PARSE || result == WEFT_RESULT_MISMATCH);
    assert_null(cache);
  }
  assert_true(in_header > 100 && in_frames > 500);
  free(bytes);
  free(kept);
  weft_world_destroy(world);
}

/* Alters the header's bytes and makes its checksum fit again. */
static void rewrite_header(const char *bytes, size_t size, size_t at, const void *value, size_t value_size) {
  char *copy = malloc(size);
  WeftCacheHead head;
  memcpy(copy, bytes, size);
  memcpy(&head, copy, sizeof head);
  memcpy(copy + at, value, value_size);
  uint64_t checksum = weft_checksum(copy, (size_t)head.size - sizeof checksum);
  memcpy(copy + head.size - sizeof checksum, &checksum, sizeof checksum);
  write_bytes(copy, size);
  free(copy);
}

static void another_version_byte_order_or_kind_of_file_is_told(void **state) {
  (void)state;
  WeftError error;
  WeftCache *cache;
  char *bytes;
  size_t size;
  WeftWorld *world = small_world();
  free(write_frames(world, &plain, 2));
  check_ok(weft_read_file(path, &bytes, &size, &error), error);
  uint32_t newer = 4, swapped = 0x04030201, many = UINT32_MAX, flags = 6, bits = 40;
  double infinite = INFINITY;
  rewrite_header(bytes, size, offsetof(WeftCacheHead, version), &newer, sizeof newer);
  check_refused(weft_cache_open(path, &cache, &error), WEFT_RESULT_MISMATCH,
                "version 4, this weft reads versions up to 3", error);
  rewrite_header(bytes, size, offsetof(WeftCacheHead, byte_order), &swapped, sizeof swapped);
  check_refused(weft_cache_open(path, &cache, &error), WEFT_RESULT_MISMATCH, "byte order", error);
  rewrite_header(bytes, size, offsetof(WeftCacheHead, cloth_count), &many, sizeof many);
  check_refused(weft_cache_open(path, &cache, &error), WEFT_RESULT_INVALID_DATA, "too short", error);
  rewrite_header(bytes, size, offsetof(WeftCacheHead, flags), &flags, sizeof flags);
  check_refused(weft_cache_open(path, &cache, &error), WEFT_RESULT_INVALID_DATA, "out of range", error);
  rewrite_header(bytes, size, offsetof(WeftCacheHead, quantise_bits), &bits, sizeof bits);
  check_refused(weft_cache_open(path, &cache, &error), WEFT_RESULT_INVALID_DATA, "out of range", error);
  rewrite_header(bytes, size, offsetof(WeftCacheHead, frame_rate), &infinite, sizeof infinite);
  check_refused(weft_cache_open(path, &cache, &error), WEFT_RESULT_INVALID_DATA, "out of range", error);
  write_bytes("v 0 0 0\n", 8);
  check_refused(weft_cache_open(path, &cache, &error), WEFT_RESULT_PARSE, "not a cache", error);
  write_bytes("", 0);
  check_refused(weft_cache_open(path, &cache, &error), WEFT_RESULT_PARSE, "not a cache", error);
  check_refused(weft_cache_open("/nonexistent/cache", &cache, &error), WEFT_RESULT_IO, "/nonexistent/cache",
                error);
  check_refused(weft_cache_open(folder, &cache, &error), WEFT_RESULT_IO, folder, error);
  /* a writer does not touch what is not its own */
  WeftCacheWriter *writer;
  write_bytes(bytes, size);
  WeftCacheOptions other = plain;
  other.run = 78;
  check_refused(weft_cache_continue(world, &other, path, 2, &writer, &error), WEFT_RESULT_MISMATCH,
                "another scene", error);
  other = plain;
  other.quantise_bits = 16;
  check_refused(weft_cache_continue(world, &other, path, 2, &writer, &error), WEFT_RESULT_MISMATCH, "bits",
                error);
  check_refused(weft_cache_continue(world, &plain, path, 3, &writer, &error), WEFT_RESULT_MISMATCH,
                "no such frame", error);
  check_refused(weft_cache_create(world, &plain, "/nonexistent/cache", &writer, &error), WEFT_RESULT_IO,
                "/nonexistent/cache", error);
  check_ok(weft_cache_open(path, &cache, &error), error);
  assert_int_equal(weft_cache_info(cache).frame_count, 2);
  weft_cache_close(cache);
  free(bytes);
  weft_world_destroy(world);
}

static void it_can_be_read_while_it_grows(void **state) {
  (void)state;
  WeftError error;
  WeftCacheWriter *writer;
  WeftCache *cache;
  WeftWorld *world = small_world();
  check_ok(weft_cache_create(world, &plain, path, &writer, &error), error);
  check_ok(weft_cache_open(path, &cache, &error), error);
  for (int f = 0; f < FRAMES; f++) {
    assert_int_equal(weft_cache_info(cache).frame_count, f);
    check_ok(weft_cache_append(writer, world, f, &error), error);
    check_refused(weft_cache_append(writer, world, f, &error), WEFT_RESULT_INVALID_ARGUMENT, "above", error);
    check_ok(weft_cache_refresh(cache, &error), error);
    WeftCacheFrame frame;
    check_ok(weft_cache_read(cache, f, &frame, &error), error);
    assert_int_equal(frame.frame, f);
  }
  /* a record that has its length already and not yet its bytes, and one that has neither */
  WeftCacheHead head;
  char *bytes;
  size_t size, record;
  check_ok(weft_read_file(path, &bytes, &size, &error), error);
  memcpy(&head, bytes, sizeof head);
  record = (size - (size_t)head.size) / FRAMES;
  free(bytes);
  assert_int_equal(truncate(path, (off_t)(size + record + 5)), 0);
  check_ok(weft_cache_refresh(cache, &error), error);
  assert_int_equal(weft_cache_info(cache).frame_count, FRAMES);
  assert_int_equal(weft_cache_info(cache).ignored_bytes, record + 5);
  /* the writer writes over it */
  check_ok(weft_cache_append(writer, world, FRAMES, &error), error);
  check_ok(weft_cache_refresh(cache, &error), error);
  assert_int_equal(weft_cache_info(cache).frame_count, FRAMES + 1);
  assert_int_equal(weft_cache_info(cache).ignored_bytes, 5);
  weft_cache_writer_close(writer);
  weft_cache_close(cache);
  weft_world_destroy(world);
}

/* The system's limit on the size of files stands in for a full disk: a write ends in the middle, the next one
 * fails. */
static void a_frame_that_does_not_fit_leaves_the_others(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = small_world();
  double *kept = write_frames(world, &plain, 2);
  struct stat facts;
  struct rlimit before, limit;
  assert_int_equal(stat(path, &facts), 0);
  WeftCacheWriter *writer;
  check_ok(weft_cache_continue(world, &plain, path, 2, &writer, &error), error);
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  limit = before;
  limit.rlim_cur = (rlim_t)facts.st_size + 100;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
  WeftResult result = weft_cache_append(writer, world, 4, &error);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(result, WEFT_RESULT_IO);
  assert_non_null(strstr(error.message, "the 2 frames before it are safe"));
  struct stat after;
  assert_int_equal(stat(path, &after), 0);
  assert_int_equal(after.st_size, facts.st_size);
  WeftCache *cache;
  check_ok(weft_cache_open(path, &cache, &error), error);
  assert_int_equal(weft_cache_info(cache).frame_count, 2);
  for (int f = 0; f < 2; f++) assert_true(compare(cache, f, kept, true) == 0);
  /* and when there is room again */
  check_ok(weft_cache_append(writer, world, 4, &error), error);
  check_ok(weft_cache_refresh(cache, &error), error);
  assert_int_equal(weft_cache_info(cache).frame_count, 3);
  weft_cache_close(cache);
  weft_cache_writer_close(writer);
  free(kept);
  weft_world_destroy(world);
}

/* No two of these may have the same sum, and a change within a word always shows. */
static void the_checksum_sees_single_words_and_lengths(void **state) {
  (void)state;
  unsigned char bytes[200] = {0};
  uint64_t sums[201];
  for (size_t size = 0; size <= 200; size++) {
    sums[size] = weft_checksum(bytes, size);
    for (size_t other = 0; other < size; other++) assert_true(sums[other] != sums[size]);
  }
  for (size_t size = 1; size <= 200; size += 13) {
    for (size_t bit = 0; bit < 8 * size; bit++) {
      bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
      assert_true(weft_checksum(bytes, size) != sums[size]);
      bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_written_is_read_bit_for_bit),
      cmocka_unit_test(quantised_numbers_keep_the_stated_error),
      cmocka_unit_test(a_file_cut_off_anywhere_has_its_whole_frames),
      cmocka_unit_test(an_altered_byte_is_always_seen_and_costs_one_frame),
      cmocka_unit_test(another_version_byte_order_or_kind_of_file_is_told),
      cmocka_unit_test(it_can_be_read_while_it_grows),
      cmocka_unit_test(a_frame_that_does_not_fit_leaves_the_others),
      cmocka_unit_test(the_checksum_sees_single_words_and_lengths),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
