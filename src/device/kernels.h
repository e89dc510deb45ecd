/* The text of every *.kernel.h with what it includes, each once, in an order that compiles: made at build
 * time by cmake/embed_kernels.cmake. */
#ifndef WEFT_DEVICE_KERNELS_H
#define WEFT_DEVICE_KERNELS_H

#include <stddef.h>

extern const char *const weft_kernel_text;
extern const size_t weft_kernel_text_size;

#endif
