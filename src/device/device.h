/* Where a step runs. NULL is the CPU: then everything here is memcpy, memset or nothing, and a launch is a
 * plain call (device/launch.h). On another device every array of a step has a partner in the device's memory,
 * found by the address of the host's array, which stays behind as a mirror: upload and download bring one of
 * the two up to date. So stages are written once, with the host's pointers.
 *
 * A device that fails (memory ran out, driver gone) remembers the first failure and does nothing from then
 * on; a step asks once, before it accepts its result. Rejected: a result from every launch, which makes each
 * line of a stage three.
 */
#ifndef WEFT_DEVICE_DEVICE_H
#define WEFT_DEVICE_DEVICE_H

#include "base/error.h"

#include <weft/weft.h>

typedef struct WeftDevice WeftDevice;

/* What an array holds: transfers are counted for each kind. */
typedef enum WeftMemoryKind {
  WEFT_MEMORY_POSITION,
  WEFT_MEMORY_VELOCITY,
  WEFT_MEMORY_FORCE,
  WEFT_MEMORY_MATRIX,
  WEFT_MEMORY_SOLVER,
  WEFT_MEMORY_MODEL,  /* never changes after it was made */
  WEFT_MEMORY_HELD,   /* what is held, and where it has to go */
  WEFT_MEMORY_DETECT, /* boxes, trees and pairs */
  WEFT_MEMORY_SMALL,  /* partial sums and a few numbers: these may cross during a step */
  WEFT_MEMORY_KIND_COUNT
} WeftMemoryKind;

typedef struct WeftTransfers {
  int64_t count, bytes;
} WeftTransfers;

/* Since the device was opened. */
typedef struct WeftDeviceCounts {
  int64_t launches;
  WeftTransfers uploads[WEFT_MEMORY_KIND_COUNT], downloads[WEFT_MEMORY_KIND_COUNT];
  double build_seconds; /* compiling the kernels, or loading them from the cache */
  bool is_cached;       /* they came from the cache */
} WeftDeviceCounts;

/* One argument of a kernel; made by LAUNCH. */
typedef enum WeftArgumentKind {
  WEFT_ARGUMENT_INT,
  WEFT_ARGUMENT_REAL,
  WEFT_ARGUMENT_MEMORY
} WeftArgumentKind;
typedef struct WeftArgument {
  WeftArgumentKind kind;
  union {
    int32_t integer;
    double real;
    const void *memory; /* address of the host's array, or NULL */
  };
} WeftArgument;

/* What another device than the CPU has to do. */
typedef struct WeftDeviceOps {
  void (*close)(WeftDevice *device);
  WeftResult (*share)(WeftDevice *device, const void *host, size_t bytes, WeftMemoryKind kind,
                      WeftError *error);
  void (*forget)(WeftDevice *device, const void *host);
  void (*launch)(WeftDevice *device, const char *kernel, const WeftArgument *arguments, int count);
  void (*copy)(WeftDevice *device, void *to, const void *from, size_t bytes);
  void (*zero)(WeftDevice *device, void *host, size_t bytes);
  void (*upload)(WeftDevice *device, const void *host, size_t bytes);
  bool (*download)(WeftDevice *device, void *host, size_t bytes);
  void (*finish)(WeftDevice *device);
} WeftDeviceOps;

/* Every device's own struct begins with this. */
struct WeftDevice {
  const WeftDeviceOps *ops;
  char name[WEFT_NAME_SIZE]; /* "opencl:0 ..." */
  bool is_gpu;               /* or the like: it wants many small work items */
  WeftDeviceCounts counts;
  WeftError failure; /* the first one; result is OK while there is none */
};

/* name: "cpu" (also NULL), "opencl" (the first that can be used, GPUs before others) or "opencl:N". *device
 * is NULL for the CPU. Fails when the device is not there or cannot be used, with the reason. */
WeftResult weft_device_open(const char *name, WeftDevice **device, WeftError *error);
void weft_device_close(WeftDevice *device);

/* Gives an array a partner in the device's memory, with the same contents; again for an array that moved or
 * grew. */
WeftResult weft_device_share(WeftDevice *device, const void *host, size_t bytes, WeftMemoryKind kind,
                             WeftError *error);
/* Before a shared array is freed while the device stays open. */
void weft_device_forget(WeftDevice *device, const void *host);

/* Whole arrays, or their first bytes. */
void weft_device_copy(WeftDevice *device, void *to, const void *from, size_t bytes);
void weft_device_zero(WeftDevice *device, void *host, size_t bytes);
/* From the host's mirror to the device, and back; download is false when it failed and the mirror is as it
 * was. */
void weft_device_upload(WeftDevice *device, const void *host, size_t bytes);
bool weft_device_download(WeftDevice *device, void *host, size_t bytes);

/* Waits for all launches: at the end of a stage, so that its time is its own. */
void weft_device_finish(WeftDevice *device);

/* Items' partial sums, added in their order: the same bits whoever computed them. Not a number when the
 * device has failed. */
double weft_device_sum(WeftDevice *device, int count, double *partial);

/* What LAUNCH calls. The first argument is the number of items. */
void weft_device_launch(WeftDevice *device, const char *kernel, const WeftArgument *arguments, int count);

/* WEFT_RESULT_DEVICE with the first failure, if there was one. */
WeftResult weft_device_check(const WeftDevice *device, WeftError *error);

#endif
