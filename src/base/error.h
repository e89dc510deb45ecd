/* Errors: fill a WeftError and return its result in one statement. */
#ifndef WEFT_BASE_ERROR_H
#define WEFT_BASE_ERROR_H

#include <weft/types.h>

#if defined(__GNUC__)
#define WEFT_PRINTF(at, arguments) __attribute__((format(printf, at, arguments)))
#else
#define WEFT_PRINTF(at, arguments)
#endif

/* Writes the message when error is not NULL; returns result. */
WeftResult weft_fail(WeftError *error, WeftResult result, const char *format, ...) WEFT_PRINTF(3, 4);
/* The message every failed allocation gives. */
WeftResult weft_fail_memory(WeftError *error, const char *what);
void weft_log(WeftLog log, WeftLogLevel level, const char *format, ...) WEFT_PRINTF(3, 4);

/* The name among names that is nearest to what was written, or NULL when none is near: for "did you mean". */
const char *weft_nearest_name(const char *written, const char *const *names, int count);

#endif
