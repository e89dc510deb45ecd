/* Numbers in text, whatever the locale of the process is.
 *
 * strtod and printf take the decimal point from the locale, which belongs to the program around the library,
 * and switching it is a matter of the whole process or of extensions. So: up to 2^53 and 10^22, where one
 * multiplication or division of exact numbers rounds correctly, numbers are read here; all others are handed
 * to strtod rewritten without a point
 * ("31415e-4"), which every locale reads the same. Written numbers get their point put back.
 */
#include "io/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More digits than this cannot change a double, but for not being zero: 768 decide the worst case. */
enum { MOST_DIGITS = 800, EXPONENT_LIMIT = 100000000 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool read_word(const char **at, const char *end, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(end - *at) < length) return false;
  for (size_t i = 0; i < length; i++) {
    char c = (*at)[i];
    if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    if (c != word[i]) return false;
  }
  *at += length;
  return true;
}

/* The exponent after the digits, if there is one; far ones are cut, they are 0 or infinite anyway. */
static int64_t read_exponent(const char **at, const char *end) {
  const char *p = *at;
  if (p == end || (*p != 'e' && *p != 'E')) return 0;
  p++;
  bool is_negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) p++;
  if (p == end || !is_digit(*p)) return 0;
  int64_t exponent = 0;
  for (; p < end && is_digit(*p); p++) {
    if (exponent < EXPONENT_LIMIT) exponent = 10 * exponent + (*p - '0');
  }
  *at = p;
  return is_negative ? -exponent : exponent;
}

/* digits: digits, at most one point among them. The value is digits without the point times 10^exponent. */
static double convert_slowly(const char *digits, const char *digits_end, int64_t exponent) {
  char text[MOST_DIGITS + 32];
  int length = 0;
  bool is_more = false; /* a digit that was left out is not 0 */
  for (const char *p = digits; p < digits_end; p++) {
    if (*p == '.' || (length == 0 && *p == '0')) continue;
    if (length < MOST_DIGITS) {
      text[length++] = *p;
    } else {
      is_more |= *p != '0';
      exponent++;
    }
  }
  if (length == 0) return 0;
  if (is_more) text[length - 1] = '1'; /* beyond the digits that decide, only whether there is more matters */
  if (exponent > EXPONENT_LIMIT) exponent = EXPONENT_LIMIT;
  if (exponent < -EXPONENT_LIMIT) exponent = -EXPONENT_LIMIT;
  snprintf(text + length, sizeof text - (size_t)length, "e%d", (int)exponent);
  return strtod(text, NULL);
}

static double convert(const char *digits, const char *digits_end, uint64_t mantissa, int significant,
                      int64_t exponent) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  bool is_exact = significant <= 19 && mantissa <= (uint64_t)1 << 53;
  if (is_exact && exponent >= 0 && exponent <= 22) return (double)mantissa * powers[exponent];
  if (is_exact && exponent < 0 && exponent >= -22) return (double)mantissa / powers[-exponent];
  return convert_slowly(digits, digits_end, exponent);
}

bool weft_read_double(const char **at, const char *end, double *value) {
  const char *p = *at;
  bool is_negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) p++;
  double sign = is_negative ? -1 : 1;
  if (read_word(&p, end, "infinity") || read_word(&p, end, "inf")) {
    *value = sign * INFINITY;
    *at = p;
    return true;
  }
  if (read_word(&p, end, "nan")) {
    *value = NAN;
    *at = p;
    return true;
  }
  const char *digits = p;
  uint64_t mantissa = 0;
  int significant = 0; /* counted to 20 at most */
  int64_t fraction = 0;
  bool has_digit = false, has_point = false;
  for (; p < end && (is_digit(*p) || (*p == '.' && !has_point)); p++) {
    if (*p == '.') {
      has_point = true;
      continue;
    }
    has_digit = true;
    fraction += has_point;
    if (significant < 19) mantissa = 10 * mantissa + (uint64_t)(*p - '0');
    if (significant < 20) significant += mantissa > 0;
  }
  if (!has_digit) return false;
  const char *digits_end = p;
  int64_t exponent = read_exponent(&p, end) - fraction;
  *value = sign * convert(digits, digits_end, mantissa, significant, exponent);
  *at = p;
  return true;
}

bool weft_read_int(const char **at, const char *end, int64_t *value) {
  const char *p = *at;
  bool is_negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) p++;
  if (p == end || !is_digit(*p)) return false;
  int64_t sum = 0;
  for (; p < end && is_digit(*p); p++) {
    if (sum > (INT64_MAX - 9) / 10) return false;
    sum = 10 * sum + (*p - '0');
  }
  *value = is_negative ? -sum : sum;
  *at = p;
  return true;
}

int weft_format_double(char text[WEFT_DOUBLE_TEXT], double value) {
  if (!isfinite(value))
    return snprintf(text, WEFT_DOUBLE_TEXT, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
  char local[WEFT_DOUBLE_TEXT + 8];
  snprintf(local, sizeof local, "%.17g", value);
  int length = 0;
  bool has_point = false; /* the locale's point may be several bytes */
  for (const char *p = local; *p; p++) {
    if (is_digit(*p) || *p == '-' || *p == '+' || *p == 'e') {
      text[length++] = *p;
    } else if (!has_point) {
      text[length++] = '.';
      has_point = true;
    }
  }
  text[length] = 0;
  return length;
}
