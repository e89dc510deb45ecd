/* In place of opencl*.c where the build found no OpenCL headers. */
#include "device/opencl.h"

#include <stdio.h>

#define REASON \
  "this weft was built without OpenCL: install the headers (Debian: opencl-c-headers) and build it again"

WeftResult weft_opencl_open(int number, WeftDevice **device, WeftError *error) {
  (void)number;
  *device = NULL;
  return weft_fail(error, WEFT_RESULT_DEVICE, "%s, or use the device cpu", REASON);
}

int32_t weft_opencl_list(WeftDeviceInfo *devices, int32_t capacity) {
  if (capacity > 0) {
    devices[0] = (WeftDeviceInfo){.name = "opencl"};
    snprintf(devices[0].reason, sizeof devices[0].reason, "%s", REASON);
  }
  return 1;
}
