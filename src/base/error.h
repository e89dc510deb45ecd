/* Errors: fill a WeftError and return its result in one statement. */
#ifndef WEFT_BASE_ERROR_H
#define WEFT_BASE_ERROR_H

#include <weft/types.h>

#if defined(__GNUC__)
#define WEFT_PRINTF(at, arguments) __attribute__((format(printf, at, arguments)))
#else
#define WEFT_PRINTF(at, arguments)
#endif

/* Writes the message when error is not NULL. */
void weft_fail_message(WeftError *error, WeftResult result, const char *format, ...) WEFT_PRINTF(3, 4);
/* Writes the message and is the result: `return weft_fail(error, WEFT_RESULT_IO, "...", ...)`. A macro, so
 * that analysers see which result comes back. */
#define weft_fail(error, result, ...) (weft_fail_message(error, result, __VA_ARGS__), (result))
/* The message every failed allocation gives. */
#define weft_fail_memory(error, what) \
  weft_fail(error, WEFT_RESULT_OUT_OF_MEMORY, "out of memory: %s; use a smaller mesh or free memory", what)
void weft_log(WeftLog log, WeftLogLevel level, const char *format, ...) WEFT_PRINTF(3, 4);

/* The name among names that is nearest to what was written, or NULL when none is near: for "did you mean". */
const char *weft_nearest_name(const char *written, const char *const *names, int count);

#endif
