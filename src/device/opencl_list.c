/* Which OpenCL devices there are, and why one cannot be used. */
#include "device/opencl.h"
#include "device/opencl_api.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 32 /* a platform */ };

static void read_text(const WeftOpenClApi *api, cl_device_id device, cl_device_info what, char *text,
                      size_t size) {
  char buffer[512] = "";
  if (api->GetDeviceInfo(device, what, sizeof buffer, buffer, NULL) != CL_SUCCESS) buffer[0] = 0;
  buffer[sizeof buffer - 1] = 0;
  const char *from = buffer + strspn(buffer, " ");
  snprintf(text, size, "%.*s", (int)size - 1, from);
}

/* version: "OpenCL 3.0 ...", as the driver writes it. */
static bool is_new_enough(const char *version) {
  static const char prefix[] = "OpenCL ";
  if (strncmp(version, prefix, sizeof prefix - 1) != 0) return false;
  const char *at = version + sizeof prefix - 1;
  char *end;
  long major = strtol(at, &end, 10);
  if (end == at || *end != '.') return false;
  at = end + 1;
  long minor = strtol(at, &end, 10);
  return end != at && (major > 1 || (major == 1 && minor >= 2));
}

/* Empty when the device can be used. */
static const char *reason_against(const WeftOpenClApi *api, cl_device_id device, bool has_double) {
  cl_bool flag = CL_FALSE;
  if (api->GetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof flag, &flag, NULL) != CL_SUCCESS || !flag)
    return "the driver says that it is not available";
  if (!has_double) return "it has no double precision (cl_khr_fp64), which weft computes in";
  flag = CL_FALSE;
  if (api->GetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof flag, &flag, NULL) != CL_SUCCESS ||
      !flag)
    return "its driver has no compiler";
  flag = CL_FALSE;
  if (api->GetDeviceInfo(device, CL_DEVICE_ENDIAN_LITTLE, sizeof flag, &flag, NULL) != CL_SUCCESS || !flag)
    return "its byte order is not this machine's";
  char version[64];
  read_text(api, device, CL_DEVICE_VERSION, version, sizeof version);
  return is_new_enough(version) ? "" : "it is older than OpenCL 1.2";
}

static void describe(const WeftOpenClApi *api, WeftOpenClFound *found, int number) {
  WeftDeviceInfo *info = &found->info;
  cl_device_fp_config doubles = 0;
  cl_device_type type = 0;
  cl_ulong memory = 0;
  snprintf(info->name, sizeof info->name, "opencl:%d", number);
  read_text(api, found->device, CL_DEVICE_NAME, info->description, sizeof info->description);
  char version[64], driver[64];
  read_text(api, found->device, CL_DEVICE_VERSION, version, sizeof version);
  read_text(api, found->device, CL_DRIVER_VERSION, driver, sizeof driver);
  snprintf(info->driver, sizeof info->driver, "%.60s, driver %.48s", version, driver);
  if (api->GetDeviceInfo(found->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL))
    doubles = 0;
  if (api->GetDeviceInfo(found->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL)) memory = 0;
  if (api->GetDeviceInfo(found->device, CL_DEVICE_TYPE, sizeof type, &type, NULL)) type = 0;
  info->has_double = doubles != 0;
  info->memory = memory;
  found->is_gpu = type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR);
  snprintf(info->reason, sizeof info->reason, "%s", reason_against(api, found->device, info->has_double));
  info->is_usable = !info->reason[0];
}

WeftResult weft_opencl_find(const WeftOpenClApi *api, WeftOpenClFound **found, int *count, WeftError *error) {
  cl_platform_id platforms[MOST_PLATFORMS];
  cl_uint platform_count = 0;
  *count = 0;
  *found = WEFT_NEW(WeftOpenClFound, MOST_PLATFORMS * MOST_DEVICES);
  if (!*found) return weft_fail_memory(error, "list of devices");
  if (api->GetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count) != CL_SUCCESS) platform_count = 0;
  if (platform_count > MOST_PLATFORMS) platform_count = MOST_PLATFORMS;
  for (cl_uint p = 0; p < platform_count; p++) {
    cl_device_id devices[MOST_DEVICES];
    cl_uint device_count = 0;
    if (api->GetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &device_count)) continue;
    if (device_count > MOST_DEVICES) device_count = MOST_DEVICES;
    for (cl_uint d = 0; d < device_count; d++) {
      WeftOpenClFound *next = &(*found)[*count];
      *next = (WeftOpenClFound){.platform = platforms[p], .device = devices[d]};
      describe(api, next, (*count)++);
    }
  }
  if (*count) return WEFT_RESULT_OK;
  free(*found);
  *found = NULL;
  return weft_fail(error, WEFT_RESULT_DEVICE,
                   "OpenCL is here, but no driver offers a device; install one (Debian: pocl-opencl-icd for "
                   "the processor)");
}

int32_t weft_opencl_list(WeftDeviceInfo *devices, int32_t capacity) {
  WeftOpenClApi api;
  WeftOpenClFound *found = NULL;
  int count = 0;
  WeftError error;
  WeftResult result = weft_opencl_load(&api, &error);
  if (!result) result = weft_opencl_find(&api, &found, &count, &error);
  if (result && capacity > 0) {
    devices[0] = (WeftDeviceInfo){.name = "opencl"};
    snprintf(devices[0].reason, sizeof devices[0].reason, "%.*s", (int)sizeof devices[0].reason - 1,
             error.message);
  }
  for (int i = 0; i < count && i < capacity; i++) devices[i] = found[i].info;
  free(found);
  return result ? 1 : count;
}
