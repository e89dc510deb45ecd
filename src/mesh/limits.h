/* How large a mesh may be: 9 values a vertex or triangle (a 3x3 block) still have int indices with room to
 * spare. */
#ifndef WEFT_MESH_LIMITS_H
#define WEFT_MESH_LIMITS_H

enum { WEFT_MAX_VERTICES = (1 << 30) / 9, WEFT_MAX_TRIANGLES = WEFT_MAX_VERTICES };

#endif
