/* Scan, sort, segmented sort, reduce and compact: against the plain meaning of each, on the CPU and, where
 * there is one, on an OpenCL device. */
#include "check.h"
#include "device/primitives.h"
#include "opencl_case.h"

enum { MOST = 100000 };

typedef struct Numbers {
  int32_t key[MOST], value[MOST], out[MOST + 1], start[MOST + 1];
  double real[MOST];
} Numbers;

static const int SIZES[] = {0, 1, 2, 255, 256, 257, 4095, 65537, MOST};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

static void share(WeftDevice *device, Numbers *s) {
  WeftError error;
  check_ok(weft_device_share(device, s->key, sizeof s->key, WEFT_MEMORY_SMALL, &error), error);
  check_ok(weft_device_share(device, s->value, sizeof s->value, WEFT_MEMORY_SMALL, &error), error);
  check_ok(weft_device_share(device, s->out, sizeof s->out, WEFT_MEMORY_SMALL, &error), error);
  check_ok(weft_device_share(device, s->start, sizeof s->start, WEFT_MEMORY_SMALL, &error), error);
  check_ok(weft_device_share(device, s->real, sizeof s->real, WEFT_MEMORY_SMALL, &error), error);
}

static void send(WeftDevice *device, const Numbers *s) {
  weft_device_upload(device, s->key, sizeof s->key);
  weft_device_upload(device, s->value, sizeof s->value);
  weft_device_upload(device, s->start, sizeof s->start);
  weft_device_upload(device, s->real, sizeof s->real);
}

static void fetch(WeftDevice *device, Numbers *s) {
  assert_true(weft_device_download(device, s->key, sizeof s->key));
  assert_true(weft_device_download(device, s->value, sizeof s->value));
  assert_true(weft_device_download(device, s->out, sizeof s->out));
}

static void check_scan_and_compact(WeftPrimitives *p, Numbers *s, int n, uint64_t *seed) {
  for (int i = 0; i < n; i++) {
    s->key[i] = (int32_t)random_in(seed, 0, 1000);
    s->value[i] = random_unit(seed) < 0.3;
  }
  send(p->device, s);
  int32_t total = weft_scan(p, n, s->key, s->out);
  fetch(p->device, s);
  int32_t sum = 0;
  for (int i = 0; i < n; i++) {
    assert_int_equal(s->out[i], sum);
    sum += s->key[i];
  }
  assert_int_equal(total, sum);
  int32_t count = weft_compact(p, n, s->value, s->out), found = 0;
  fetch(p->device, s);
  for (int i = 0; i < n; i++) {
    if (s->value[i]) assert_int_equal(s->out[found++], i);
  }
  assert_int_equal(count, found);
}

static void check_sort(WeftPrimitives *p, Numbers *s, int n, int bits, uint64_t *seed) {
  int64_t key_sum = 0, sorted_sum = 0;
  for (int i = 0; i < n; i++) {
    s->key[i] = (int32_t)random_in(seed, 0, (double)((int64_t)1 << bits));
    s->value[i] = i;
    key_sum += (int64_t)s->key[i] * (i + 1);
  }
  send(p->device, s);
  weft_sort(p, n, bits, s->key, s->value);
  fetch(p->device, s);
  for (int i = 0; i < n; i++) {
    sorted_sum += (int64_t)s->key[i] * (s->value[i] + 1);
    if (i == 0) continue;
    assert_true(s->key[i - 1] <= s->key[i]);
    if (s->key[i - 1] == s->key[i]) assert_true(s->value[i - 1] < s->value[i]); /* stable */
  }
  assert_true(key_sum == sorted_sum); /* every key with its own value */
}

static int compare(const void *left, const void *right) {
  return (*(const int32_t *)left > *(const int32_t *)right) -
         (*(const int32_t *)left < *(const int32_t *)right);
}

static void check_segments(WeftPrimitives *p, Numbers *s, int n, uint64_t *seed) {
  int count = 0;
  s->start[0] = 0;
  for (int at = 0; at < n; count++) {
    int length = (int)random_in(seed, 0, 70);
    at = at + length < n ? at + length : n;
    s->start[count + 1] = at;
  }
  static int32_t expected[MOST];
  for (int i = 0; i < n; i++) expected[i] = s->key[i] = (int32_t)random_in(seed, -500, 500);
  for (int i = 0; i < count; i++)
    qsort(expected + s->start[i], (size_t)(s->start[i + 1] - s->start[i]), sizeof *expected, compare);
  send(p->device, s);
  weft_sort_segments(p, count, s->start, s->key);
  fetch(p->device, s);
  assert_memory_equal(s->key, expected, (size_t)n * sizeof *expected);
}

/* The sums of every size, to be compared between devices. */
static void run_all(WeftDevice *device, double *sums) {
  WeftError error;
  WeftPrimitives p;
  Numbers *s = calloc(1, sizeof *s);
  assert_non_null(s);
  share(device, s);
  check_ok(weft_primitives_create(&p, device, MOST, &error), error);
  uint64_t seed = 11;
  for (int i = 0; i < SIZE_COUNT; i++) {
    int n = SIZES[i];
    check_scan_and_compact(&p, s, n, &seed);
    check_sort(&p, s, n, 31, &seed);
    check_sort(&p, s, n, 5, &seed);
    check_segments(&p, s, n, &seed);
    long double exact = 0;
    for (int k = 0; k < n; k++) exact += s->real[k] = random_in(&seed, -1, 1);
    send(device, s);
    sums[i] = weft_reduce(&p, n, s->real);
    check_near(sums[i], (double)exact, 1e-11);
  }
  weft_primitives_destroy(&p);
  free(s);
}

static void the_cpu_does_what_is_meant(void **state) {
  (void)state;
  double sums[SIZE_COUNT];
  run_all(NULL, sums);
}

static void opencl_does_the_same(void **state) {
  (void)state;
  if (skip_without_opencl()) skip();
  WeftError error;
  WeftDevice *device;
  double sums[SIZE_COUNT], other_sums[SIZE_COUNT];
  check_ok(weft_device_open("opencl", &device, &error), error);
  run_all(NULL, sums);
  run_all(device, other_sums);
  check_ok(weft_device_check(device, &error), error);
  assert_memory_equal(sums, other_sums, sizeof sums);
  weft_device_close(device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cpu_does_what_is_meant),
      cmocka_unit_test(opencl_does_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
