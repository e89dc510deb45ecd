/* What the viewer's server reads out of requests: names, hosts, origins, ranges. */
#include "check.h"
#include "view/request.h"

static void only_the_few_names_are_known(void **state) {
  (void)state;
  assert_int_equal(weft_view_route("/", 1).kind, WEFT_VIEW_PAGE);
  assert_int_equal(weft_view_route("/runs", 1).kind, WEFT_VIEW_RUNS);
  for (int f = 0; f < WEFT_VIEW_FILE_COUNT; f++) {
    char path[64];
    snprintf(path, sizeof path, "/run/1/%s", weft_view_file_name((WeftViewFile)f));
    WeftViewTarget target = weft_view_route(path, 2);
    assert_int_equal(target.kind, WEFT_VIEW_FILE);
    assert_int_equal(target.run, 1);
    assert_int_equal(target.file, f);
    assert_int_equal(weft_view_route(path, 1).kind, WEFT_VIEW_NOTHING);
  }
  static const char *const others[] = {"",
                                       "//",
                                       "/index.html",
                                       "/run",
                                       "/run/",
                                       "/run/0",
                                       "/run/0/",
                                       "/run//frames",
                                       "/run/-1/frames",
                                       "/run/+0/frames",
                                       "/run/ 0/frames",
                                       "/run/0/frames/",
                                       "/run/0/frames.weftcache",
                                       "/run/0/../1/frames",
                                       "/run/0/../../etc/passwd",
                                       "/../etc/passwd",
                                       "/run/0/..",
                                       "/RUNS",
                                       "/run/18446744073709551616/frames",
                                       "/run/0x0/frames",
                                       "/runs/",
                                       "/run/4294967296/frames",
                                       "runs",
                                       "\\runs",
                                       "/run/0\\frames"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_int_equal(weft_view_route(others[i], 2).kind, WEFT_VIEW_NOTHING);
}

static void only_our_names_are_answered(void **state) {
  (void)state;
  static const char *const ours[] = {"127.0.0.1:8000", "localhost:8000", "LocalHost:8000", "[::1]:8000",
                                     "127.1.2.3:8000"};
  static const char *const foreign[] = {"",
                                        "127.0.0.1",
                                        "127.0.0.1:80",
                                        "127.0.0.1:8001",
                                        "evil.example:8000",
                                        "localhost.evil.example:8000",
                                        "127.0.0.1.evil.example:8000",
                                        "127.evil.example:8000",
                                        "10.0.0.1:8000",
                                        "[::1]",
                                        "[::1:8000",
                                        "::1:8000",
                                        "[fe80::1]:8000",
                                        "localhost:8000:8000",
                                        "localhost:08000x",
                                        "localhost:",
                                        ":8000",
                                        "localhost:8000 ",
                                        "user@localhost:8000",
                                        "localhost:18446744073709559616",
                                        "127.0.0.1:65536",
                                        "[]:8000"};
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    assert_true(weft_view_host_is_ours(ours[i], "127.0.0.1", 8000));
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    assert_false(weft_view_host_is_ours(foreign[i], "127.0.0.1", 8000));
  assert_false(weft_view_host_is_ours(NULL, "127.0.0.1", 8000));
  /* told to listen elsewhere, numbers are fine and names still are not */
  assert_true(weft_view_host_is_ours("10.0.0.1:8000", "0.0.0.0", 8000));
  assert_true(weft_view_host_is_ours("[fe80::1]:8000", "::", 8000));
  assert_false(weft_view_host_is_ours("evil.example:8000", "0.0.0.0", 8000));
  assert_true(weft_view_host_is_ours("127.0.0.1", "127.0.0.1", 80));
}

static void only_our_own_page_may_ask(void **state) {
  (void)state;
  assert_true(weft_view_origin_is_ours(NULL, "127.0.0.1", 8000));
  assert_true(weft_view_origin_is_ours("http://127.0.0.1:8000", "127.0.0.1", 8000));
  assert_true(weft_view_origin_is_ours("http://localhost:8000", "127.0.0.1", 8000));
  static const char *const foreign[] = {"",
                                        "null",
                                        "http://evil.example",
                                        "http://evil.example:8000",
                                        "https://127.0.0.1:8000",
                                        "http://127.0.0.1:8001",
                                        "file://",
                                        "http://127.0.0.1:8000.evil.example",
                                        "127.0.0.1:8000"};
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    assert_false(weft_view_origin_is_ours(foreign[i], "127.0.0.1", 8000));
}

static void check_range(const char *text, uint64_t size, WeftViewRange kind, uint64_t first, uint64_t last) {
  uint64_t a = 0, b = 0;
  assert_int_equal(weft_view_range(text, size, &a, &b), kind);
  if (kind != WEFT_VIEW_PART) return;
  assert_int_equal(a, first);
  assert_int_equal(b, last);
}

static void ranges_are_cut_to_the_file(void **state) {
  (void)state;
  check_range("bytes=0-9", 100, WEFT_VIEW_PART, 0, 9);
  check_range("bytes=90-", 100, WEFT_VIEW_PART, 90, 99);
  check_range("bytes=90-1000", 100, WEFT_VIEW_PART, 90, 99);
  check_range("bytes=-10", 100, WEFT_VIEW_PART, 90, 99);
  check_range("bytes=-1000", 100, WEFT_VIEW_PART, 0, 99);
  check_range("Bytes=99-99", 100, WEFT_VIEW_PART, 99, 99);
  check_range("bytes=100-", 100, WEFT_VIEW_OUTSIDE, 0, 0);
  check_range("bytes=-0", 100, WEFT_VIEW_OUTSIDE, 0, 0);
  check_range("bytes=0-", 0, WEFT_VIEW_OUTSIDE, 0, 0);
  check_range("bytes=-5", 0, WEFT_VIEW_OUTSIDE, 0, 0);
  static const char *const ignored[] = {"",
                                        "bytes",
                                        "bytes=",
                                        "bytes=-",
                                        "bytes=a-b",
                                        "bytes=5-2",
                                        "lines=0-9",
                                        "bytes=0-1,5-6",
                                        "bytes= 0-1",
                                        "bytes=0-99999999999999999999",
                                        "bytes=99999999999999999999-",
                                        "bytes=0-1x",
                                        "bytes=--1"};
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
    check_range(ignored[i], 100, WEFT_VIEW_WHOLE, 0, 0);
  check_range(NULL, 100, WEFT_VIEW_WHOLE, 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_the_few_names_are_known),
      cmocka_unit_test(only_our_names_are_answered),
      cmocka_unit_test(only_our_own_page_may_ask),
      cmocka_unit_test(ranges_are_cut_to_the_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
