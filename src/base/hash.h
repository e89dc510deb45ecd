/* FNV-1a, 64 bits: fingerprints of models and states, not security. */
#ifndef WEFT_BASE_HASH_H
#define WEFT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define WEFT_HASH_START 14695981039346656037u

static inline uint64_t weft_hash(uint64_t hash, const void *bytes, size_t size) {
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < size; i++) {
    hash = (hash ^ byte[i]) * 1099511628211u; /* NOLINT: the analyser does not see the bytes of a double */
  }
  return hash;
}

#endif
