/* Triangle meshes as OBJ. */
#ifndef WEFT_IO_OBJ_WRITE_H
#define WEFT_IO_OBJ_WRITE_H

#include "base/error.h"

#include <stdint.h>

typedef struct WeftObjPart {
  const char *name; /* of its `o` group */
  int vertex_count;
  const double *positions; /* vertex_count x 3 [m] */
  int triangle_count;
  const int32_t *triangles; /* triangle_count x 3, in the part's own counting from 0 */
} WeftObjPart;

/* One `o` group a part, %.17g: reads back as the same bits. Written to "<path>.tmp" and renamed, so that the
 * file appears complete or not at all. Positions that are not finite are refused. */
WeftResult weft_obj_write(const char *path, int part_count, const WeftObjPart *parts, WeftError *error);

#endif
