/* What an OpenCL device is made of; tests look inside. */
#ifndef WEFT_DEVICE_OPENCL_DEVICE_H
#define WEFT_DEVICE_OPENCL_DEVICE_H

#include "device/opencl_api.h"

/* An array and its partner. */
typedef struct WeftOpenClMemory {
  const void *host;
  cl_mem buffer;
  size_t bytes;
  WeftMemoryKind kind;
} WeftOpenClMemory;

typedef struct WeftOpenClKernel {
  char name[WEFT_NAME_SIZE];
  cl_kernel kernel;
  cl_uint argument_count;
} WeftOpenClKernel;

typedef struct WeftOpenClDevice {
  WeftDevice device;
  WeftOpenClApi api;
  WeftDeviceInfo info;
  cl_uint unit_count;     /* compute units */
  cl_ulong largest_array; /* the driver allows [bytes] */
  uint64_t shared_bytes;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  WeftOpenClKernel *kernels; /* by name */
  int kernel_count;
  WeftOpenClMemory *memory; /* by host address */
  int memory_count;
  size_t memory_capacity;
} WeftOpenClDevice;

#endif
