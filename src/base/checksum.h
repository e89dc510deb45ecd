/* A checksum of 64 bits for files, eight bytes at a time in four lanes: several gigabytes a second, where the
 * byte-wise hash of base/hash.h makes a few hundred megabytes. Not security.
 *
 * Every step of a lane is a bijection of its word and of what came before, and so is every step that joins
 * the lanes: a change within one word of eight bytes is always seen; any other goes unseen once in 2^64. The
 * bytes behind the last whole word count as a word filled up with zeros; the length goes in at the end. */
#ifndef WEFT_BASE_CHECKSUM_H
#define WEFT_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t weft_checksum_mix(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * 0x9E3779B97F4A7C15u; /* odd, hence invertible */
  return sum ^ (sum >> 29);
}

static inline uint64_t weft_checksum(const void *bytes, size_t size) {
  enum { LANES = 4, WORD = 8 };
  const unsigned char *at = bytes;
  uint64_t lanes[LANES] = {1, 2, 3, 4}, words[LANES];
  size_t left = size;
  for (; left >= sizeof words; left -= sizeof words, at += sizeof words) {
    memcpy(words, at, sizeof words);
    for (int i = 0; i < LANES; i++) lanes[i] = weft_checksum_mix(lanes[i], words[i]);
  }
  uint64_t sum = weft_checksum_mix(0, size);
  for (int i = 0; i < LANES; i++) sum = weft_checksum_mix(sum, lanes[i]);
  for (; left > 0; left -= left < WORD ? left : WORD, at += WORD) {
    uint64_t word = 0;
    memcpy(&word, at, left < WORD ? left : WORD);
    sum = weft_checksum_mix(sum, word);
  }
  return sum;
}

#endif
