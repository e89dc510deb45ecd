/* Stable counting sort of items by a vertex number: sorting by several vertices is several passes, least
 * first. */
#ifndef WEFT_MESH_BUCKET_H
#define WEFT_MESH_BUCKET_H

#include <stdint.h>

/* order_out lists the items of order_in (NULL: 0, 1, 2 ...) by ascending keys[item]; keys are in [0,
 * key_count). start is scratch of key_count + 1 and ends as the place in order_out where each key's items
 * end. */
void weft_bucket_pass(int count, const int32_t *order_in, const int32_t *keys, int key_count, int32_t *start,
                      int32_t *order_out);

#endif
