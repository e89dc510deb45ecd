/* A step on an OpenCL device: one context, one queue that keeps the order, the kernels by name and the arrays
 * by the host's address. Downloads and the ends of stages wait.
 *
 * The number of work items a group is the one thing chosen by the kind of device: 64 on a GPU. Compilers for
 * processors (PoCL) turn a group into a loop, so there a launch with few items, each a lot of work
 * (FOR_CHUNKS), gets groups of one and so all cores. No result depends on it.
 */
#include "device/opencl.h"

#include "base/memory.h"
#include "device/opencl_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_ITEMS = 64, FEW_ITEMS_A_UNIT = 512 };

/* Remembers the first failure. */
static void fail(WeftOpenClDevice *self, const char *what, const char *name, const char *why, cl_int code) {
  if (self->device.failure.result) return;
  weft_fail_message(&self->device.failure, WEFT_RESULT_DEVICE, "%s (%.60s): %s %s: %s (OpenCL error %d)",
                    self->info.name, self->info.description, what, name, why, code);
}

static void fail_call(WeftOpenClDevice *self, const char *what, const char *name, cl_int code) {
  if (code) fail(self, what, name, weft_opencl_error_name(code), code);
}

static bool has_failed(const WeftOpenClDevice *self) { return self->device.failure.result != WEFT_RESULT_OK; }

/* Index of the array that begins there, or of the first one behind. */
static int place_of(const WeftOpenClDevice *self, const void *host) {
  int begin = 0, end = self->memory_count;
  while (begin < end) {
    int middle = begin + (end - begin) / 2;
    if ((uintptr_t)self->memory[middle].host < (uintptr_t)host)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

static WeftOpenClMemory *find_memory(WeftOpenClDevice *self, const void *host) {
  int at = place_of(self, host);
  return at < self->memory_count && self->memory[at].host == host ? &self->memory[at] : NULL;
}

/* The array with at least so many bytes; NULL and a failure when it was never shared. */
static WeftOpenClMemory *use_memory(WeftOpenClDevice *self, const void *host, size_t bytes,
                                    const char *what) {
  if (has_failed(self)) return NULL;
  WeftOpenClMemory *memory = find_memory(self, host);
  if (memory && memory->bytes >= bytes) return memory;
  fail(self, what, "an array", "it is not shared with the device, or smaller (an error in weft)", 0);
  return NULL;
}

static void forget(WeftDevice *device, const void *host) {
  WeftOpenClDevice *self = (WeftOpenClDevice *)device;
  WeftOpenClMemory *memory = find_memory(self, host);
  if (!memory) return;
  self->api.ReleaseMemObject(memory->buffer);
  self->shared_bytes -= memory->bytes;
  int behind = --self->memory_count - (int)(memory - self->memory);
  memmove(memory, memory + 1, (size_t)behind * sizeof *memory);
}

static WeftResult fail_share(const WeftOpenClDevice *self, size_t bytes, cl_int code, WeftError *error) {
  return weft_fail(error, WEFT_RESULT_DEVICE,
                   "%s (%.60s): %s (OpenCL error %d): an array of %.1f MB beside %.1f MB that are there, the "
                   "device has %.0f MB and allows arrays of %.0f MB; use a smaller mesh or the device cpu",
                   self->info.name, self->info.description, weft_opencl_error_name(code), code,
                   1e-6 * (double)bytes, 1e-6 * (double)self->shared_bytes, 1e-6 * (double)self->info.memory,
                   1e-6 * (double)self->largest_array);
}

static WeftResult share(WeftDevice *device, const void *host, size_t bytes, WeftMemoryKind kind,
                        WeftError *error) {
  WeftOpenClDevice *self = (WeftOpenClDevice *)device;
  if (!host) return WEFT_RESULT_OK;
  forget(device, host);
  if (!weft_grow((void **)&self->memory, &self->memory_capacity, (size_t)self->memory_count + 1,
                 sizeof *self->memory)) {
    return weft_fail_memory(error, "arrays of the device");
  }
  if (bytes > self->largest_array) return fail_share(self, bytes, CL_INVALID_BUFFER_SIZE, error);
  cl_int code;
  /* an empty array is one of no use, but kernels get its address */
  cl_mem buffer = self->api.CreateBuffer(self->context, CL_MEM_READ_WRITE, bytes ? bytes : 8, NULL, &code);
  if (code) return fail_share(self, bytes, code, error);
  /* many drivers find the memory only now */
  if (bytes) code = self->api.EnqueueWriteBuffer(self->queue, buffer, CL_TRUE, 0, bytes, host, 0, NULL, NULL);
  if (code) {
    self->api.ReleaseMemObject(buffer);
    return fail_share(self, bytes, code, error);
  }
  int at = place_of(self, host);
  memmove(self->memory + at + 1, self->memory + at,
          (size_t)(self->memory_count++ - at) * sizeof *self->memory);
  self->memory[at] = (WeftOpenClMemory){host, buffer, bytes, kind};
  self->shared_bytes += bytes;
  device->counts.uploads[kind].count++;
  device->counts.uploads[kind].bytes += (int64_t)bytes;
  return WEFT_RESULT_OK;
}

static WeftOpenClKernel *find_kernel(WeftOpenClDevice *self, const char *name) {
  int begin = 0, end = self->kernel_count;
  while (begin < end) {
    int middle = begin + (end - begin) / 2, order = strcmp(self->kernels[middle].name, name);
    if (order == 0) return &self->kernels[middle];
    if (order < 0)
      begin = middle + 1;
    else
      end = middle;
  }
  return NULL;
}

static cl_int set_argument(WeftOpenClDevice *self, const WeftOpenClKernel *kernel, cl_uint index,
                           const WeftArgument *argument) {
  switch (argument->kind) {
    case WEFT_ARGUMENT_INT:
      return self->api.SetKernelArg(kernel->kernel, index, sizeof argument->integer, &argument->integer);
    case WEFT_ARGUMENT_REAL:
      return self->api.SetKernelArg(kernel->kernel, index, sizeof argument->real, &argument->real);
    case WEFT_ARGUMENT_MEMORY:
      break;
  }
  if (!argument->memory) return self->api.SetKernelArg(kernel->kernel, index, sizeof(cl_mem), NULL);
  WeftOpenClMemory *memory = use_memory(self, argument->memory, 0, kernel->name);
  return memory ? self->api.SetKernelArg(kernel->kernel, index, sizeof(cl_mem), &memory->buffer) : CL_SUCCESS;
}

static void launch(WeftDevice *device, const char *name, const WeftArgument *arguments, int count) {
  WeftOpenClDevice *self = (WeftOpenClDevice *)device;
  size_t items = arguments[0].integer > 0 ? (size_t)arguments[0].integer : 0;
  if (has_failed(self) || items == 0) return;
  WeftOpenClKernel *kernel = find_kernel(self, name);
  if (!kernel || kernel->argument_count != (cl_uint)count || arguments[0].kind != WEFT_ARGUMENT_INT) {
    fail(self, "kernel", name, "there is none with these arguments (an error in weft)", 0);
    return;
  }
  for (int i = 0; i < count; i++)
    fail_call(self, "kernel", name, set_argument(self, kernel, (cl_uint)i, &arguments[i]));
  if (has_failed(self)) return;
  bool is_few = items < (size_t)FEW_ITEMS_A_UNIT * self->unit_count;
  size_t group = self->device.is_gpu || !is_few ? GROUP_ITEMS : 1;
  size_t rounded = (items + group - 1) / group * group;
  fail_call(
      self, "kernel", name,
      self->api.EnqueueNDRangeKernel(self->queue, kernel->kernel, 1, NULL, &rounded, &group, 0, NULL, NULL));
  device->counts.launches++;
}

static void copy(WeftDevice *device, void *to, const void *from, size_t bytes) {
  WeftOpenClDevice *self = (WeftOpenClDevice *)device;
  WeftOpenClMemory *source = use_memory(self, from, bytes, "copying");
  WeftOpenClMemory *target = use_memory(self, to, bytes, "copying");
  if (!source || !target || !bytes) return;
  fail_call(
      self, "copying", "an array",
      self->api.EnqueueCopyBuffer(self->queue, source->buffer, target->buffer, 0, 0, bytes, 0, NULL, NULL));
}

static void zero(WeftDevice *device, void *host, size_t bytes) {
  WeftOpenClDevice *self = (WeftOpenClDevice *)device;
  WeftOpenClMemory *memory = use_memory(self, host, bytes, "clearing");
  if (!memory || !bytes) return;
  fail_call(
      self, "clearing", "an array",
      self->api.EnqueueFillBuffer(self->queue, memory->buffer, &(cl_uchar){0}, 1, 0, bytes, 0, NULL, NULL));
}

static void upload(WeftDevice *device, const void *host, size_t bytes) {
  WeftOpenClDevice *self = (WeftOpenClDevice *)device;
  WeftOpenClMemory *memory = use_memory(self, host, bytes, "writing");
  if (!memory || !bytes) return;
  fail_call(
      self, "writing", "an array",
      self->api.EnqueueWriteBuffer(self->queue, memory->buffer, CL_TRUE, 0, bytes, host, 0, NULL, NULL));
  device->counts.uploads[memory->kind].count++;
  device->counts.uploads[memory->kind].bytes += (int64_t)bytes;
}

static bool download(WeftDevice *device, void *host, size_t bytes) {
  WeftOpenClDevice *self = (WeftOpenClDevice *)device;
  WeftOpenClMemory *memory = use_memory(self, host, bytes, "reading");
  if (!memory) return false;
  if (!bytes) return true;
  fail_call(self, "reading", "an array",
            self->api.EnqueueReadBuffer(self->queue, memory->buffer, CL_TRUE, 0, bytes, host, 0, NULL, NULL));
  device->counts.downloads[memory->kind].count++;
  device->counts.downloads[memory->kind].bytes += (int64_t)bytes;
  return !has_failed(self);
}

static void finish(WeftDevice *device) {
  WeftOpenClDevice *self = (WeftOpenClDevice *)device;
  if (!has_failed(self)) fail_call(self, "waiting for", "the kernels", self->api.Finish(self->queue));
}

static void close_device(WeftDevice *device) {
  WeftOpenClDevice *self = (WeftOpenClDevice *)device;
  if (self->queue) self->api.Finish(self->queue);
  for (int i = 0; i < self->memory_count; i++) self->api.ReleaseMemObject(self->memory[i].buffer);
  for (int i = 0; i < self->kernel_count; i++) self->api.ReleaseKernel(self->kernels[i].kernel);
  if (self->program) self->api.ReleaseProgram(self->program);
  if (self->queue) self->api.ReleaseCommandQueue(self->queue);
  if (self->context) self->api.ReleaseContext(self->context);
  free(self->kernels);
  free(self->memory);
  free(self);
}

static const WeftDeviceOps OPS = {.close = close_device,
                                  .share = share,
                                  .forget = forget,
                                  .launch = launch,
                                  .copy = copy,
                                  .zero = zero,
                                  .upload = upload,
                                  .download = download,
                                  .finish = finish};

static int compare_kernels(const void *left, const void *right) {
  return strcmp(((const WeftOpenClKernel *)left)->name, ((const WeftOpenClKernel *)right)->name);
}

static cl_int collect_kernels(WeftOpenClDevice *self, cl_kernel *made) {
  cl_uint count = (cl_uint)self->kernel_count;
  self->kernel_count = 0;
  cl_int code = self->api.CreateKernelsInProgram(self->program, count, made, NULL);
  if (code) return code;
  for (cl_uint i = 0; i < count; i++) {
    WeftOpenClKernel *kernel = &self->kernels[self->kernel_count++];
    kernel->kernel = made[i];
    cl_int asked = self->api.GetKernelInfo(made[i], CL_KERNEL_FUNCTION_NAME, sizeof kernel->name - 1,
                                           kernel->name, NULL);
    if (!asked) {
      asked = self->api.GetKernelInfo(made[i], CL_KERNEL_NUM_ARGS, sizeof kernel->argument_count,
                                      &kernel->argument_count, NULL);
    }
    if (asked) code = asked;
  }
  qsort(self->kernels, count, sizeof *self->kernels, compare_kernels);
  return code;
}

static WeftResult take_kernels(WeftOpenClDevice *self, WeftError *error) {
  cl_uint count = 0;
  cl_int code = self->api.CreateKernelsInProgram(self->program, 0, NULL, &count);
  self->kernel_count = (int)count;
  self->kernels = WEFT_NEW(WeftOpenClKernel, count);
  cl_kernel *made = WEFT_NEW(cl_kernel, count);
  if (!self->kernels || !made) {
    self->kernel_count = 0;
    free(made);
    return weft_fail_memory(error, "kernels");
  }
  if (!code) code = collect_kernels(self, made);
  free(made);
  if (!code) return WEFT_RESULT_OK;
  return weft_fail(error, WEFT_RESULT_DEVICE, "%s (%.60s): kernels: %s (OpenCL error %d)", self->info.name,
                   self->info.description, weft_opencl_error_name(code), code);
}

/* Fills in self, which the caller closes on failure. */
static WeftResult open_found(WeftOpenClDevice *self, const WeftOpenClFound *found, WeftError *error) {
  cl_int code;
  self->device.ops = &OPS;
  self->info = found->info;
  self->device.is_gpu = found->is_gpu;
  snprintf(self->device.name, sizeof self->device.name, "%.12s %.48s", found->info.name,
           found->info.description);
  self->largest_array = 0;
  self->unit_count = 1;
  self->api.GetDeviceInfo(found->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof self->unit_count,
                          &self->unit_count, NULL);
  self->api.GetDeviceInfo(found->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof self->largest_array,
                          &self->largest_array, NULL);
  cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)found->platform, 0};
  self->context = self->api.CreateContext(properties, 1, &found->device, NULL, NULL, &code);
  if (!code) self->queue = self->api.CreateCommandQueue(self->context, found->device, 0, &code);
  if (code) {
    return weft_fail(error, WEFT_RESULT_DEVICE, "%s (%.60s) cannot be opened: %s (OpenCL error %d)",
                     found->info.name, found->info.description, weft_opencl_error_name(code), code);
  }
  WeftOpenClProgram program;
  WeftResult result = weft_opencl_build(&self->api, self->context, found, &program, error);
  self->program = program.program;
  self->device.counts.build_seconds = program.seconds;
  self->device.counts.is_cached = program.is_cached;
  return result ? result : take_kernels(self, error);
}

/* The device of that number, or the best; NULL and the reason in error. */
static const WeftOpenClFound *choose(const WeftOpenClFound *found, int count, int number, WeftError *error) {
  if (number >= count) {
    weft_fail_message(error, WEFT_RESULT_DEVICE,
                      "there is no device opencl:%d; there are opencl:0 to opencl:%d (`weft list devices`)",
                      number, count - 1);
    return NULL;
  }
  if (number < 0) {
    for (int turn = 0; turn < 2; turn++) {
      for (int i = 0; i < count; i++) {
        if (found[i].info.is_usable && (found[i].is_gpu || turn)) return &found[i];
      }
    }
    number = 0; /* none can be used: tell of the first why */
  }
  if (found[number].info.is_usable) return &found[number];
  weft_fail_message(error, WEFT_RESULT_DEVICE,
                    "%s (%.60s) cannot be used: %s; use another, or the device cpu", found[number].info.name,
                    found[number].info.description, found[number].info.reason);
  return NULL;
}

WeftResult weft_opencl_open(int number, WeftDevice **device, WeftError *error) {
  WeftOpenClApi api;
  WeftOpenClFound *found = NULL;
  int count = 0;
  *device = NULL;
  WeftResult result = weft_opencl_load(&api, error);
  if (!result) result = weft_opencl_find(&api, &found, &count, error);
  if (result) return result;
  const WeftOpenClFound *chosen = choose(found, count, number, error);
  WeftOpenClDevice *self = chosen ? WEFT_NEW(WeftOpenClDevice, 1) : NULL;
  if (!chosen) {
    result = WEFT_RESULT_DEVICE;
  } else if (!self) {
    result = weft_fail_memory(error, "device");
  } else {
    self->api = api;
    result = open_found(self, chosen, error);
    if (result)
      close_device(&self->device);
    else
      *device = &self->device;
  }
  free(found);
  return result;
}
