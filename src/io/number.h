/* Numbers in text, whatever the locale of the process is. */
#ifndef WEFT_IO_NUMBER_H
#define WEFT_IO_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a decimal number at *at and moves *at behind it; false and unmoved when there is none. Correctly
 * rounded. Also "inf", "infinity" and "nan" in any case; too large a number is infinite. No hexadecimal, no
 * blanks before. */
bool weft_read_double(const char **at, const char *end, double *value);
/* Digits with an optional sign. False when there is none, or when it does not fit. */
bool weft_read_int(const char **at, const char *end, int64_t *value);

/* Enough for any double and the closing zero. */
enum { WEFT_DOUBLE_TEXT = 32 };
/* As %.17g, which reads back as the same bits, with a point; "nan" and "inf" where it is not finite. Returns
 * the length. */
int weft_format_double(char text[WEFT_DOUBLE_TEXT], double value);

#endif
