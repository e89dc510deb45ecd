/* The device layer: one kernel on both devices, memory, counters, the cache of compiled kernels, and every
 * way to be refused. */
#include "check.h"
#include "device/launch.h"
#include "opencl_case.h"

#include "base/read_file.h"
#include "base/write_file.h"
#include "integrate/vector.kernel.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 5000, N = 3 * ROWS };

static WeftDevice *open_device(void) {
  WeftError error;
  WeftDevice *device;
  check_ok(weft_device_open("opencl", &device, &error), error);
  assert_non_null(device);
  return device;
}

typedef struct Arrays {
  double a[N], b[N], given[N], out[N], mass[ROWS], partial[ROWS];
  unsigned char held[ROWS];
} Arrays;

static Arrays *make_arrays(WeftDevice *device) {
  Arrays *arrays = calloc(1, sizeof *arrays);
  assert_non_null(arrays);
  uint64_t seed = 5;
  for (int i = 0; i < N; i++) {
    arrays->a[i] = random_in(&seed, -1, 1);
    arrays->b[i] = random_in(&seed, -1e3, 1e3);
    arrays->given[i] = random_in(&seed, -1e-3, 1e-3);
  }
  for (int i = 0; i < ROWS; i++) {
    arrays->mass[i] = random_in(&seed, 1e-6, 1);
    arrays->held[i] = i % 7 == 0 ? (unsigned char)(i % 8) : 0;
  }
  WeftError error;
  const struct {
    const void *host;
    size_t bytes;
    WeftMemoryKind kind;
  } shared[] = {{arrays->a, sizeof arrays->a, WEFT_MEMORY_POSITION},
                {arrays->b, sizeof arrays->b, WEFT_MEMORY_VELOCITY},
                {arrays->given, sizeof arrays->given, WEFT_MEMORY_FORCE},
                {arrays->out, sizeof arrays->out, WEFT_MEMORY_FORCE},
                {arrays->mass, sizeof arrays->mass, WEFT_MEMORY_MODEL},
                {arrays->held, sizeof arrays->held, WEFT_MEMORY_HELD},
                {arrays->partial, sizeof arrays->partial, WEFT_MEMORY_SMALL}};
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
    check_ok(weft_device_share(device, shared[i].host, shared[i].bytes, shared[i].kind, &error), error);
  return arrays;
}

/* Everything vector.kernel.h has. */
static double run_kernels(WeftDevice *device, Arrays *s) {
  const int items = (ROWS + 255) / 256;
  LAUNCH(device, vector_body_forces, ROWS, s->mass, 0.1, -0.2, -9.81, 0.3, s->given, s->b, s->out);
  LAUNCH(device, vector_axpy, N, s->out, 1.0 / 3, s->a, s->out);
  LAUNCH(device, vector_hold, ROWS, s->held, s->b, s->out, s->out);
  LAUNCH(device, vector_held_velocity, ROWS, s->held, s->out, s->a, 1.0 / 7, s->b);
  LAUNCH(device, vector_reaction, ROWS, s->held, s->out, 0.7, s->given, 1.3, s->a);
  LAUNCH(device, vector_axpy, N, s->out, 0.1, s->a, s->out);
  LAUNCH(device, vector_largest, items, 256, ROWS, s->out, s->partial);
  double lengths = weft_device_sum(device, items, s->partial);
  LAUNCH(device, vector_dot_free, items, 256, ROWS, s->held, s->out, s->given, s->partial);
  return lengths + weft_device_sum(device, items, s->partial);
}

static void both_devices_give_the_same_bits(void **state) {
  (void)state;
  WeftDevice *device = open_device();
  Arrays *here = make_arrays(NULL), *there = make_arrays(device);
  double sum = run_kernels(NULL, here), other_sum = run_kernels(device, there);
  WeftError error;
  check_ok(weft_device_check(device, &error), error);
  assert_memory_equal(&sum, &other_sum, sizeof sum);
  assert_memory_not_equal(here->out, there->out, sizeof here->out); /* not here yet */
  assert_true(weft_device_download(device, there->out, sizeof there->out));
  assert_memory_equal(here->out, there->out, sizeof here->out);
  weft_device_close(device);
  free(here);
  free(there);
}

static void memory_is_copied_cleared_and_counted(void **state) {
  (void)state;
  WeftDevice *device = open_device();
  Arrays *s = make_arrays(device);
  assert_int_equal(device->counts.uploads[WEFT_MEMORY_FORCE].count, 2);
  assert_int_equal(device->counts.uploads[WEFT_MEMORY_FORCE].bytes, 2 * (int64_t)sizeof s->out);
  double first = s->a[0];
  weft_device_copy(device, s->out, s->a, sizeof s->out);
  weft_device_zero(device, s->a, 3 * sizeof(double));
  assert_int_equal(device->counts.downloads[WEFT_MEMORY_FORCE].count, 0);
  assert_true(weft_device_download(device, s->out, sizeof s->out));
  assert_true(weft_device_download(device, s->a, sizeof s->a));
  assert_memory_equal(s->out + 3, s->a + 3, sizeof s->a - 3 * sizeof(double));
  assert_true(s->out[0] == first && s->a[0] == 0 && s->a[2] == 0);
  assert_int_equal(device->counts.downloads[WEFT_MEMORY_FORCE].count, 1);
  assert_int_equal(device->counts.launches, 0);
  s->mass[0] = 42;
  weft_device_upload(device, s->mass, sizeof(double));
  s->mass[0] = 0;
  assert_true(weft_device_download(device, s->mass, sizeof(double)));
  assert_true(s->mass[0] == 42);
  weft_device_close(device);
  free(s);
}

static void errors_of_ours_are_told_and_end_everything(void **state) {
  (void)state;
  double strange[3] = {0};
  WeftError error;
  for (int which = 0; which < 4; which++) {
    WeftDevice *device = open_device();
    Arrays *s = make_arrays(device);
    const WeftArgument wrong[] = {WEFT_ARGUMENT(1), WEFT_ARGUMENT(s->a), WEFT_ARGUMENT(1)};
    if (which == 0) LAUNCH(device, vector_axpy, 3, s->a, 1.0, strange, s->a);
    if (which == 1) weft_device_launch(device, "vector_axpy", wrong, 3);
    if (which == 2) LAUNCH(device, vector_axpy, 3, s->a, 1, s->b, s->a); /* an int where a REAL is wanted */
    if (which == 3) weft_device_upload(device, s->mass, sizeof s->mass + 8);
    const char *expected[] = {"not shared", "none with these arguments", "does not fit the kernel",
                              "not shared with the device, or smaller"};
    check_refused(weft_device_check(device, &error), WEFT_RESULT_DEVICE, expected[which], error);
    assert_true(isnan(run_kernels(device, s)));
    weft_device_close(device);
    free(s);
  }
}

static void devices_that_are_not_there_are_refused(void **state) {
  (void)state;
  WeftError error;
  WeftDevice *device;
  check_refused(weft_device_open("opencl:99", &device, &error), WEFT_RESULT_DEVICE, "no device opencl:99",
                error);
  const char *names[] = {"gpu", "opencl:", "opencl:x", "opencl:0x", "opencl:-1", "opencl:1000", ""};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    check_refused(weft_device_open(names[i], &device, &error), WEFT_RESULT_INVALID_ARGUMENT, "weft list",
                  error);
  check_ok(weft_device_open("cpu", &device, &error), error);
  assert_null(device);
  WeftDeviceInfo one;
  assert_true(weft_list_devices(NULL, 0) >= 2 && weft_list_devices(&one, 1) >= 2);
  assert_string_equal(one.name, "cpu");
  assert_true(one.is_usable && one.has_double);
}

static void too_large_an_array_is_refused(void **state) {
  (void)state;
  WeftDevice *device = open_device();
  double number = 1;
  WeftError error;
  check_refused(weft_device_share(device, &number, (size_t)1 << 60, WEFT_MEMORY_MATRIX, &error),
                WEFT_RESULT_DEVICE, "too large for the device", error);
  assert_null(strstr(error.message, "error in weft"));
  weft_device_close(device);
}

/* The one file in the folder. */
static void find_cached(const char *folder, char *path, size_t size) {
  char below[512];
  snprintf(below, sizeof below, "%s/weft", folder);
  DIR *list = opendir(below);
  int count = 0;
  for (struct dirent *entry; list && (entry = readdir(list));) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, size, "%s/%.80s", below, entry->d_name);
    count++;
  }
  if (list) closedir(list);
  assert_int_equal(count, 1);
}

static void compiled_kernels_are_kept(void **state) {
  (void)state;
  char folder[] = "/tmp/weft-cache-XXXXXX", path[640], *bytes, before[512];
  size_t size;
  WeftError error;
  assert_non_null(mkdtemp(folder));
  snprintf(before, sizeof before, "%.500s", getenv("XDG_CACHE_HOME") ? getenv("XDG_CACHE_HOME") : "");
  setenv("XDG_CACHE_HOME", folder, 1);
  WeftDevice *cold = open_device();
  find_cached(folder, path, sizeof path);
  WeftDevice *warm = open_device();
  print_message("kernels: %.0f ms compiled, %.1f ms from the cache\n", 1e3 * cold->counts.build_seconds,
                1e3 * warm->counts.build_seconds);
  assert_false(cold->counts.is_cached);
  assert_true(warm->counts.is_cached);
  /* altered, cut off, and nothing: compiled again, and good */
  check_ok(weft_read_file(path, &bytes, &size, &error), error);
  for (int i = 0; i < 3; i++) {
    bytes[size - 10] ^= 1;
    check_ok(weft_write_file(path, bytes, i == 0 ? size : i == 1 ? size / 2 : 0, &error), error);
    WeftDevice *again = open_device();
    assert_false(again->counts.is_cached);
    Arrays *s = make_arrays(again);
    assert_false(isnan(run_kernels(again, s)));
    weft_device_close(again);
    free(s);
  }
  weft_device_close(cold);
  weft_device_close(warm);
  free(bytes);
  assert_int_equal(unlink(path), 0);
  snprintf(path, sizeof path, "%s/weft", folder);
  assert_int_equal(rmdir(path), 0);
  assert_int_equal(rmdir(folder), 0);
  if (before[0])
    setenv("XDG_CACHE_HOME", before, 1);
  else
    unsetenv("XDG_CACHE_HOME");
}

int main(void) {
  if (skip_without_opencl()) return SKIPPED;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_devices_give_the_same_bits),
      cmocka_unit_test(memory_is_copied_cleared_and_counted),
      cmocka_unit_test(errors_of_ours_are_told_and_end_everything),
      cmocka_unit_test(devices_that_are_not_there_are_refused),
      cmocka_unit_test(too_large_an_array_is_refused),
      cmocka_unit_test(compiled_kernels_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
