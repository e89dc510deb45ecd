#include "device/device.h"

#include "device/kernel.h"
#include "device/opencl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* N of "opencl:N", -1 for "opencl"; false when it is neither. */
static bool read_opencl_number(const char *name, int *number) {
  *number = -1;
  if (strcmp(name, "opencl") == 0) return true;
  if (strncmp(name, "opencl:", 7) != 0) return false;
  const char *digits = name + 7;
  size_t length = strspn(digits, "0123456789");
  if (length == 0 || length > 3 || digits[length]) return false;
  *number = (int)strtol(digits, NULL, 10); /* three digits: it fits */
  return true;
}

WeftResult weft_device_open(const char *name, WeftDevice **device, WeftError *error) {
  int number;
  *device = NULL;
  if (!name || strcmp(name, "cpu") == 0) return WEFT_RESULT_OK;
  if (!read_opencl_number(name, &number)) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "there is no device '%s'; devices are cpu, opencl and opencl:N (`weft list devices`)",
                     name);
  }
  return weft_opencl_open(number, device, error);
}

void weft_device_close(WeftDevice *device) {
  if (device) device->ops->close(device);
}

WeftResult weft_device_share(WeftDevice *device, const void *host, size_t bytes, WeftMemoryKind kind,
                             WeftError *error) {
  return device ? device->ops->share(device, host, bytes, kind, error) : WEFT_RESULT_OK;
}

void weft_device_forget(WeftDevice *device, const void *host) {
  if (device) device->ops->forget(device, host);
}

/* One thread does not use all of the memory's bandwidth: pieces of so many bytes are copied side by side. */
enum { COPY_PIECE = 1 << 18 };

static void copy_pieces(char *to, const char *from, size_t bytes) {
  int count = (int)((bytes + COPY_PIECE - 1) / COPY_PIECE);
  FOR_CHUNKS (i, count) {
    size_t at = (size_t)i * COPY_PIECE, left = bytes - at;
    memcpy(to + at, from + at, left < COPY_PIECE ? left : COPY_PIECE);
  }
}

void weft_device_copy(WeftDevice *device, void *to, const void *from, size_t bytes) {
  if (device) {
    device->ops->copy(device, to, from, bytes);
  } else {
    copy_pieces(to, from, bytes);
  }
}

void weft_device_zero(WeftDevice *device, void *host, size_t bytes) {
  if (device) {
    device->ops->zero(device, host, bytes);
  } else {
    memset(host, 0, bytes);
  }
}

void weft_device_upload(WeftDevice *device, const void *host, size_t bytes) {
  if (device) device->ops->upload(device, host, bytes);
}

bool weft_device_download(WeftDevice *device, void *host, size_t bytes) {
  return !device || device->ops->download(device, host, bytes);
}

void weft_device_finish(WeftDevice *device) {
  if (device) device->ops->finish(device);
}

double weft_device_sum(WeftDevice *device, int count, double *partial) {
  if (!weft_device_download(device, partial, (size_t)count * sizeof *partial)) return NAN;
  double sum = 0;
  for (int i = 0; i < count; i++) sum += partial[i];
  return sum;
}

void weft_device_launch(WeftDevice *device, const char *kernel, const WeftArgument *arguments, int count) {
  device->ops->launch(device, kernel, arguments, count);
}

WeftResult weft_device_check(const WeftDevice *device, WeftError *error) {
  if (!device || device->failure.result == WEFT_RESULT_OK) return WEFT_RESULT_OK;
  return weft_fail(error, WEFT_RESULT_DEVICE, "%s", device->failure.message);
}

int32_t weft_list_devices(WeftDeviceInfo *devices, int32_t capacity) {
  if (devices && capacity > 0) {
    devices[0] = (WeftDeviceInfo){.name = "cpu", .has_double = true, .is_usable = true};
    snprintf(devices[0].description, sizeof devices[0].description, "%ld cores",
             sysconf(_SC_NPROCESSORS_ONLN));
    snprintf(devices[0].driver, sizeof devices[0].driver, "library compiled for %s", weft_instruction_set());
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && size > 0) devices[0].memory = (uint64_t)pages * (uint64_t)size;
  }
  bool has_room = devices && capacity > 1;
  return 1 + weft_opencl_list(has_room ? devices + 1 : NULL, has_room ? capacity - 1 : 0);
}
