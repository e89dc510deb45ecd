#include "mesh/bucket.h"

#include <string.h>

void weft_bucket_pass(int count, const int32_t *order_in, const int32_t *keys, int key_count, int32_t *start,
                      int32_t *order_out) {
  memset(start, 0, ((size_t)key_count + 1) * sizeof *start);
  for (int i = 0; i < count; i++) start[keys[i] + 1]++;
  for (int k = 0; k < key_count; k++) start[k + 1] += start[k];
  for (int i = 0; i < count; i++) {
    int32_t item = order_in ? order_in[i] : i;
    order_out[start[keys[item]]++] = item;
  }
}
