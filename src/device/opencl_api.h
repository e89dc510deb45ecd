/* The functions of OpenCL that weft calls, found at run time.
 *
 * libOpenCL is opened with dlopen: the library starts on machines that do not have it, and building needs the
 * headers alone. Rejected: linking it, which makes every user of libweft install a loader they may not want;
 * weak symbols, which the linkers of shared libraries drop or keep as they please.
 * Tests put their own functions into a device's table to see a driver fail.
 */
#ifndef WEFT_DEVICE_OPENCL_API_H
#define WEFT_DEVICE_OPENCL_API_H

#include "device/device.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_icd.h>

#define WEFT_OPENCL_FUNCTIONS(X) \
  X(GetPlatformIDs)              \
  X(GetPlatformInfo)             \
  X(GetDeviceIDs)                \
  X(GetDeviceInfo)               \
  X(CreateContext)               \
  X(ReleaseContext)              \
  X(CreateCommandQueue)          \
  X(ReleaseCommandQueue)         \
  X(CreateBuffer)                \
  X(ReleaseMemObject)            \
  X(CreateProgramWithSource)     \
  X(CreateProgramWithBinary)     \
  X(BuildProgram)                \
  X(GetProgramInfo)              \
  X(GetProgramBuildInfo)         \
  X(ReleaseProgram)              \
  X(CreateKernelsInProgram)      \
  X(GetKernelInfo)               \
  X(SetKernelArg)                \
  X(ReleaseKernel)               \
  X(EnqueueNDRangeKernel)        \
  X(EnqueueReadBuffer)           \
  X(EnqueueWriteBuffer)          \
  X(EnqueueCopyBuffer)           \
  X(EnqueueFillBuffer)           \
  X(Finish)

typedef struct WeftOpenClApi {
#define WEFT_OPENCL_FIELD(name) cl_api_cl##name name;
  WEFT_OPENCL_FUNCTIONS(WEFT_OPENCL_FIELD)
#undef WEFT_OPENCL_FIELD
} WeftOpenClApi;

/* Fails when there is no libOpenCL, or one before 1.2. */
WeftResult weft_opencl_load(WeftOpenClApi *api, WeftError *error);

/* One device and what the list says of it. */
typedef struct WeftOpenClFound {
  cl_platform_id platform;
  cl_device_id device;
  bool is_gpu;
  WeftDeviceInfo info;
} WeftOpenClFound;

/* All devices of all platforms, in their order; *found is freed with free. A machine without any gives none
 * and a reason in error. */
WeftResult weft_opencl_find(const WeftOpenClApi *api, WeftOpenClFound **found, int *count, WeftError *error);

/* A device's context and the kernels compiled for it. */
typedef struct WeftOpenClProgram {
  cl_program program;
  double seconds; /* that it took */
  bool is_cached;
} WeftOpenClProgram;

/* From the cache if it holds them for this device, driver and text; otherwise compiled, and put there. */
WeftResult weft_opencl_build(const WeftOpenClApi *api, cl_context context, const WeftOpenClFound *found,
                             WeftOpenClProgram *program, WeftError *error);

/* "out of device memory" and the like. */
const char *weft_opencl_error_name(cl_int code);

#endif
