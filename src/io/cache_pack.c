/* Numbers of a record: doubles as they are, or whole multiples of a step above the least, axis by axis.
 *
 * Rejected: differences from frame to frame. They would halve the size again, but a frame could then only be
 * read with all before it, and one damaged frame would take its followers with it. */
#include "io/cache.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Least value and step of each axis, ahead of the bits. */
typedef struct Range {
  double low[3], step[3];
} Range;

static double levels(int bits) { return ldexp(1, bits) - 1; }

size_t weft_cache_packed_size(size_t vertex_count, int bits) {
  if (!bits) return vertex_count * 3 * sizeof(double);
  return sizeof(Range) + (vertex_count * 3 * (size_t)bits + 63) / 64 * 8;
}

size_t weft_cache_pressure_size(size_t vertex_count) { return (vertex_count * sizeof(float) + 7) / 8 * 8; }

static bool find_range(const double *from, size_t vertex_count, int bits, Range *range) {
  bool is_fine = true;
  for (int k = 0; k < 3; k++) {
    double low = vertex_count ? from[k] : 0, high = low;
    for (size_t i = 1; i < vertex_count; i++) {
      low = fmin(low, from[3 * i + (size_t)k]);
      high = fmax(high, from[3 * i + (size_t)k]);
    }
    range->low[k] = low;
    range->step[k] = (high - low) / levels(bits);
    is_fine = is_fine && isfinite(low) && isfinite(range->step[k]);
  }
  return is_fine;
}

bool weft_cache_pack(const double *from, size_t vertex_count, int bits, unsigned char *to) {
  if (!bits) {
    memcpy(to, from, vertex_count * 3 * sizeof(double));
    return true;
  }
  Range range;
  if (!find_range(from, vertex_count, bits, &range)) return false;
  memcpy(to, &range, sizeof range);
  unsigned char *bytes = to + sizeof range;
  uint64_t pending = 0; /* bits that do not fill a byte yet, the first in the lowest place */
  int count = 0;
  for (size_t i = 0; i < 3 * vertex_count; i++) {
    double step = range.step[i % 3], level = step > 0 ? nearbyint((from[i] - range.low[i % 3]) / step) : 0;
    pending |= (uint64_t)fmin(level, levels(bits)) << count;
    for (count += bits; count >= 8; count -= 8, pending >>= 8) *bytes++ = (unsigned char)pending;
  }
  if (count > 0) *bytes = (unsigned char)pending;
  return true;
}

void weft_cache_unpack(const unsigned char *from, size_t vertex_count, int bits, double *to) {
  if (!bits) {
    memcpy(to, from, vertex_count * 3 * sizeof(double));
    return;
  }
  Range range;
  memcpy(&range, from, sizeof range);
  const unsigned char *bytes = from + sizeof range;
  const uint64_t mask = ((uint64_t)1 << bits) - 1;
  uint64_t pending = 0;
  int count = 0;
  for (size_t i = 0; i < 3 * vertex_count; i++) {
    for (; count < bits; count += 8) pending |= (uint64_t)*bytes++ << count;
    to[i] = range.low[i % 3] + (double)(pending & mask) * range.step[i % 3];
    pending >>= bits;
    count -= bits;
  }
}

bool weft_cache_is_finite(const unsigned char *packed, size_t vertex_count, int bits) {
  bool is_finite = true;
  if (bits) {
    Range range;
    memcpy(&range, packed, sizeof range);
    for (int k = 0; k < 3; k++) {
      is_finite = is_finite && isfinite(range.low[k]) && range.step[k] >= 0 &&
                  isfinite(range.low[k] + range.step[k] * levels(bits));
    }
    return is_finite;
  }
  for (size_t i = 0; i < 3 * vertex_count && is_finite; i++) {
    double number;
    memcpy(&number, packed + i * sizeof number, sizeof number);
    is_finite = isfinite(number);
  }
  return is_finite;
}

/* Half a step; the quotient that was rounded is itself off by some 2^-20 at most (2^32 levels, 53 bits), and
 * the sum by some units in the last place of the largest number. */
double weft_cache_packed_error(const unsigned char *packed, int bits) {
  double error = 0;
  Range range;
  if (!bits) return 0;
  memcpy(&range, packed, sizeof range);
  for (int k = 0; k < 3; k++) {
    double largest = fabs(range.low[k]) + range.step[k] * levels(bits);
    error = fmax(error, 0.5 * range.step[k] * (1 + 0x1p-18) + 4 * DBL_EPSILON * largest);
  }
  return error;
}
