#include "device/shared.h"

#include "base/memory.h"

#include <stdlib.h>

WeftResult weft_shared_new(WeftDevice *device, void **array, size_t count, size_t size, WeftMemoryKind kind,
                           const char *what, WeftError *error) {
  void *made = weft_alloc(count, size);
  if (!made) return weft_fail_memory(error, what);
  WeftResult result = weft_device_share(device, made, count * size, kind, error);
  if (result) {
    free(made);
    return result;
  }
  *array = made;
  return WEFT_RESULT_OK;
}

WeftResult weft_shared_extend(WeftDevice *device, void **array, size_t *capacity, size_t kept, size_t needed,
                              size_t size, WeftMemoryKind kind, const char *what, WeftError *error) {
  if (*array && needed <= *capacity) return WEFT_RESULT_OK;
  size_t roomy = needed + needed / 2 + 64; /* a crowd that grows a little is not a reason to grow again */
  void *made = NULL;
  WeftResult result = weft_shared_new(device, &made, roomy, size, kind, what, error);
  if (result) return result;
  if (kept) weft_device_copy(device, made, *array, kept * size);
  weft_shared_free(device, array);
  *array = made;
  *capacity = roomy;
  return WEFT_RESULT_OK;
}

WeftResult weft_shared_grow(WeftDevice *device, void **array, size_t *capacity, size_t needed, size_t size,
                            WeftMemoryKind kind, const char *what, WeftError *error) {
  return weft_shared_extend(device, array, capacity, 0, needed, size, kind, what, error);
}

void weft_shared_free(WeftDevice *device, void **array) {
  if (!*array) return;
  weft_device_forget(device, *array);
  free(*array);
  *array = NULL;
}
