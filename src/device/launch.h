/* Launching a kernel on whatever device:
 *
 *   LAUNCH(device, vector_axpy, 3 * n, a, s, b, out);
 *
 * On the CPU this is the call vector_axpy(3 * n, a, s, b, out), and it is compiled for every device: so the
 * arguments have the kernel's types. Elsewhere the same arguments go to the kernel of that name, each with a
 * tag that its C type gives; arrays are named by the host's address. A number for a REAL has to be written as
 * one (0.0, not 0): C would convert it, the other side refuses it.
 */
#ifndef WEFT_DEVICE_LAUNCH_H
#define WEFT_DEVICE_LAUNCH_H

#include "device/device.h"

#define LAUNCH(device, kernel, ...)                                                    \
  do {                                                                                 \
    if (!(device)) {                                                                   \
      kernel(__VA_ARGS__);                                                             \
    } else {                                                                           \
      const WeftArgument launch_arguments[] = {WEFT_EACH(WEFT_ARGUMENT, __VA_ARGS__)}; \
      weft_device_launch(device, #kernel, launch_arguments,                            \
                         (int)(sizeof launch_arguments / sizeof *launch_arguments));   \
    }                                                                                  \
  } while (0)

static inline WeftArgument weft_argument_int(int32_t value) {
  return (WeftArgument){.kind = WEFT_ARGUMENT_INT, .integer = value};
}
static inline WeftArgument weft_argument_real(double value) {
  return (WeftArgument){.kind = WEFT_ARGUMENT_REAL, .real = value};
}
static inline WeftArgument weft_argument_memory(const void *value) {
  return (WeftArgument){.kind = WEFT_ARGUMENT_MEMORY, .memory = value};
}

#define WEFT_ARGUMENT(value)             \
  _Generic((value), int                  \
           : weft_argument_int, double   \
           : weft_argument_real, default \
           : weft_argument_memory)(value)

/* WEFT_EACH(M, a, b, c) is M(a), M(b), M(c); up to 28 of them. */
#define WEFT_EACH(m, ...) WEFT_EACH_OF(WEFT_COUNT(__VA_ARGS__), m, __VA_ARGS__)
#define WEFT_COUNT(...)                                                                                    \
  WEFT_29TH(__VA_ARGS__, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, \
            7, 6, 5, 4, 3, 2, 1, 0)
#define WEFT_29TH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, \
                  found, ...)                                                                           \
  found
#define WEFT_EACH_OF(count, m, ...) WEFT_EACH_PASTE(count, m, __VA_ARGS__)
#define WEFT_EACH_PASTE(count, m, ...) WEFT_EACH_##count(m, __VA_ARGS__)
#define WEFT_EACH_1(m, a) m(a)
#define WEFT_EACH_2(m, a, ...) m(a), WEFT_EACH_1(m, __VA_ARGS__)
#define WEFT_EACH_3(m, a, ...) m(a), WEFT_EACH_2(m, __VA_ARGS__)
#define WEFT_EACH_4(m, a, ...) m(a), WEFT_EACH_3(m, __VA_ARGS__)
#define WEFT_EACH_5(m, a, ...) m(a), WEFT_EACH_4(m, __VA_ARGS__)
#define WEFT_EACH_6(m, a, ...) m(a), WEFT_EACH_5(m, __VA_ARGS__)
#define WEFT_EACH_7(m, a, ...) m(a), WEFT_EACH_6(m, __VA_ARGS__)
#define WEFT_EACH_8(m, a, ...) m(a), WEFT_EACH_7(m, __VA_ARGS__)
#define WEFT_EACH_9(m, a, ...) m(a), WEFT_EACH_8(m, __VA_ARGS__)
#define WEFT_EACH_10(m, a, ...) m(a), WEFT_EACH_9(m, __VA_ARGS__)
#define WEFT_EACH_11(m, a, ...) m(a), WEFT_EACH_10(m, __VA_ARGS__)
#define WEFT_EACH_12(m, a, ...) m(a), WEFT_EACH_11(m, __VA_ARGS__)
#define WEFT_EACH_13(m, a, ...) m(a), WEFT_EACH_12(m, __VA_ARGS__)
#define WEFT_EACH_14(m, a, ...) m(a), WEFT_EACH_13(m, __VA_ARGS__)
#define WEFT_EACH_15(m, a, ...) m(a), WEFT_EACH_14(m, __VA_ARGS__)
#define WEFT_EACH_16(m, a, ...) m(a), WEFT_EACH_15(m, __VA_ARGS__)
#define WEFT_EACH_17(m, a, ...) m(a), WEFT_EACH_16(m, __VA_ARGS__)
#define WEFT_EACH_18(m, a, ...) m(a), WEFT_EACH_17(m, __VA_ARGS__)
#define WEFT_EACH_19(m, a, ...) m(a), WEFT_EACH_18(m, __VA_ARGS__)
#define WEFT_EACH_20(m, a, ...) m(a), WEFT_EACH_19(m, __VA_ARGS__)
#define WEFT_EACH_21(m, a, ...) m(a), WEFT_EACH_20(m, __VA_ARGS__)
#define WEFT_EACH_22(m, a, ...) m(a), WEFT_EACH_21(m, __VA_ARGS__)
#define WEFT_EACH_23(m, a, ...) m(a), WEFT_EACH_22(m, __VA_ARGS__)
#define WEFT_EACH_24(m, a, ...) m(a), WEFT_EACH_23(m, __VA_ARGS__)
#define WEFT_EACH_25(m, a, ...) m(a), WEFT_EACH_24(m, __VA_ARGS__)
#define WEFT_EACH_26(m, a, ...) m(a), WEFT_EACH_25(m, __VA_ARGS__)
#define WEFT_EACH_27(m, a, ...) m(a), WEFT_EACH_26(m, __VA_ARGS__)
#define WEFT_EACH_28(m, a, ...) m(a), WEFT_EACH_27(m, __VA_ARGS__)

#endif
