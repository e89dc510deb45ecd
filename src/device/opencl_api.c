#include "device/opencl_api.h"

#include <dlfcn.h>
#include <string.h>

WeftResult weft_opencl_load(WeftOpenClApi *api, WeftError *error) {
  /* Never closed again: drivers keep threads that live in it. The system counts, it is loaded once. */
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    return weft_fail(error, WEFT_RESULT_DEVICE,
                     "there is no OpenCL here: libOpenCL.so.1 was not found; install a loader and a driver "
                     "(Debian: ocl-icd-libopencl1, and pocl-opencl-icd for the processor)");
  }
  const char *missing = NULL;
  /* C has no cast from an object pointer to a function pointer, POSIX says they have one form */
#define LOAD(name)                              \
  do {                                          \
    void *symbol = dlsym(library, "cl" #name);  \
    if (!symbol) missing = "cl" #name;          \
    memcpy(&api->name, &symbol, sizeof symbol); \
  } while (0);
  WEFT_OPENCL_FUNCTIONS(LOAD)
#undef LOAD
  if (!missing) return WEFT_RESULT_OK;
  return weft_fail(error, WEFT_RESULT_DEVICE,
                   "libOpenCL.so.1 lacks %s: it is older than OpenCL 1.2; install a newer one", missing);
}

const char *weft_opencl_error_name(cl_int code) {
  switch (code) {
    case CL_DEVICE_NOT_AVAILABLE:
      return "the device is not available";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
      return "out of device memory";
    case CL_OUT_OF_RESOURCES:
      return "out of the device's resources (memory, or the device was lost)";
    case CL_OUT_OF_HOST_MEMORY:
      return "out of memory";
    case CL_INVALID_BUFFER_SIZE:
      return "the array is too large for the device";
    case CL_INVALID_CONTEXT:
    case CL_INVALID_COMMAND_QUEUE:
      return "the device was lost";
    case CL_BUILD_PROGRAM_FAILURE:
      return "the kernels do not compile";
    case CL_COMPILER_NOT_AVAILABLE:
      return "the driver has no compiler";
    case CL_INVALID_KERNEL_ARGS:
    case CL_INVALID_ARG_SIZE:
    case CL_INVALID_ARG_VALUE:
    case CL_INVALID_ARG_INDEX:
      return "an argument does not fit the kernel";
    default:
      return "the driver failed";
  }
}
