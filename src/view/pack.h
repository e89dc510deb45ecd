/* A run in one HTML file: the viewer's page with the frames in it, to be opened without a server.
 *
 * Positions are quantised to 16 bits over the whole animation, so that a vertex at rest is the same number in
 * every frame; frames become differences to the frame before, and all of it is compressed (zlib).
 * docs/viewer.md describes the bytes; viewer/src/packed.ts reads them. */
#ifndef WEFT_VIEW_PACK_H
#define WEFT_VIEW_PACK_H

#include "base/error.h"

#include <stdio.h>
#include <weft/cache.h>

typedef struct WeftPackDef {
  const char *label;
  const char *header; /* of the cache's file, as it is */
  size_t header_size;
  const char *timeline, *report; /* texts, or NULL */
} WeftPackDef;

/* Frames that are damaged are left out; *left_out counts them. */
WeftResult weft_pack_html(WeftCache *cache, const WeftPackDef *def, FILE *stream, int64_t *left_out,
                          WeftError *error);

#endif
