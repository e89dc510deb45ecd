/* OpenCL devices, without its headers. A build without OpenCL has no_opencl.c instead. */
#ifndef WEFT_DEVICE_OPENCL_H
#define WEFT_DEVICE_OPENCL_H

#include "device/device.h"

/* number: as weft_opencl_list counts, -1 for the first that can be used, GPUs before others. */
WeftResult weft_opencl_open(int number, WeftDevice **device, WeftError *error);
/* Fills in at most capacity devices and returns how many there are. Where OpenCL itself is missing this is
 * one line "opencl" that says so. */
int32_t weft_opencl_list(WeftDeviceInfo *devices, int32_t capacity);

#endif
