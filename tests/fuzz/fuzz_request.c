/* What the viewer's server reads out of requests: a path, a host, an origin and a range, a line each. */
#include "view/request.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { LINES = 4, RUNS = 2, PORT = 8000 };
  char *copy = malloc(size + 1), *lines[LINES];
  if (!copy) return 0;
  if (size) memcpy(copy, data, size);
  copy[size] = 0;
  char *at = copy;
  for (int i = 0; i < LINES; i++) {
    lines[i] = at;
    char *end = strchr(at, '\n');
    if (end) *end = 0;
    at = end ? end + 1 : at + strlen(at);
  }
  WeftViewTarget target = weft_view_route(lines[0], RUNS);
  if (target.kind == WEFT_VIEW_FILE &&
      (target.run < 0 || target.run >= RUNS || (int)target.file < 0 || target.file >= WEFT_VIEW_FILE_COUNT))
    abort();
  static const char *const bound[] = {"127.0.0.1", "0.0.0.0", "::1"};
  for (size_t i = 0; i < sizeof bound / sizeof *bound; i++) {
    weft_view_host_is_ours(lines[1], bound[i], PORT);
    weft_view_origin_is_ours(lines[2], bound[i], PORT);
  }
  static const uint64_t sizes[] = {0, 1, 1000, UINT64_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    uint64_t first = 0, last = 0;
    if (weft_view_range(lines[3], sizes[i], &first, &last) == WEFT_VIEW_PART &&
        (first > last || last >= sizes[i]))
      abort();
  }
  free(copy);
  return 0;
}
