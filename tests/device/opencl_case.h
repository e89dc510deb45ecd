/* What the tests of OpenCL devices share: they are skipped, with the reason, where there is none. */
#ifndef WEFT_TESTS_OPENCL_CASE_H
#define WEFT_TESTS_OPENCL_CASE_H

#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

/* Drivers keep what they compiled until the program ends; weft's own memory is still looked after. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:libLLVM\nleak:libpocl\nleak:libclang\nleak:libstdc++\nleak:libOpenCL\n";
}

/* Zero, or 77 after saying why the test is skipped. The cache goes to the build folder. */
static inline int skip_without_opencl(void) {
  static char cache[512];
  const char *build = getenv("WEFT_BUILD_DIR");
  if (build && !getenv("XDG_CACHE_HOME")) {
    snprintf(cache, sizeof cache, "%s/cache", build);
    setenv("XDG_CACHE_HOME", cache, 1);
  }
  WeftDeviceInfo devices[16];
  int32_t count = weft_list_devices(devices, 16);
  const char *reason = "";
  for (int32_t i = 1; i < count && i < 16; i++) {
    if (devices[i].is_usable) return 0;
    reason = devices[i].reason;
  }
  printf("skipped: no OpenCL device can be used: %s\n", reason);
  return SKIPPED;
}

#endif
