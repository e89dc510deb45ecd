/* Arrays with a partner on the device, made, grown and freed together. On the CPU plain arrays. */
#ifndef WEFT_DEVICE_SHARED_H
#define WEFT_DEVICE_SHARED_H

#include "device/device.h"

/* Makes *array hold needed items (size bytes each, zeroed when new; contents are lost when it grows) on host
 * and device. *capacity: items it holds, 0 and *array NULL at first. what: for the message. On failure both
 * are as they were. */
WeftResult weft_shared_grow(WeftDevice *device, void **array, size_t *capacity, size_t needed, size_t size,
                            WeftMemoryKind kind, const char *what, WeftError *error);
/* The same, with the first kept items as they were. */
WeftResult weft_shared_extend(WeftDevice *device, void **array, size_t *capacity, size_t kept, size_t needed,
                              size_t size, WeftMemoryKind kind, const char *what, WeftError *error);
/* One of a fixed size. */
WeftResult weft_shared_new(WeftDevice *device, void **array, size_t count, size_t size, WeftMemoryKind kind,
                           const char *what, WeftError *error);
/* *array becomes NULL. */
void weft_shared_free(WeftDevice *device, void **array);

#endif
