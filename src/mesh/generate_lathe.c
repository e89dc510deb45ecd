/* Vertices row by row along the outline, counterclockwise seen from +z, a pole being a row of one. Between
 * two rows cells with alternating diagonals, between a row and a pole a fan. */
#include "mesh/generate_lathe.h"

#include "base/memory.h"
#include "mesh/limits.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void set_row(WeftShape *shape, int32_t first, WeftOutline at, int columns) {
  double *p = shape->mesh.positions + 3 * (size_t)first;
  int count = at.r > 0 ? columns : 1;
  for (int i = 0; i < count; i++, p += 3) {
    p[0] = at.r * cos(2 * PI * i / columns);
    p[1] = at.r * sin(2 * PI * i / columns);
    p[2] = at.z;
  }
}

/* Between a row that begins at vertex a and the next one, which begins at b. */
static void join_rows(WeftShape *shape, int row, int32_t a, bool is_a_pole, int32_t b, bool is_b_pole,
                      int columns) {
  for (int i = 0; i < columns; i++) {
    int next = (i + 1) % columns;
    if (is_a_pole) {
      weft_solid_add_triangle(shape, a, b + next, b + i);
    } else if (is_b_pole) {
      weft_solid_add_triangle(shape, a + i, a + next, b);
    } else if ((i + row) % 2 == 0) {
      weft_solid_add_triangle(shape, a + i, a + next, b + next);
      weft_solid_add_triangle(shape, a + i, b + next, b + i);
    } else {
      weft_solid_add_triangle(shape, a + i, a + next, b + i);
      weft_solid_add_triangle(shape, a + next, b + next, b + i);
    }
  }
}

WeftResult weft_generate_lathe(WeftShape *shape, const WeftOutline *outline, int count, bool is_ring,
                               int columns, WeftError *error) {
  int64_t vertices = 0, triangles = 0;
  for (int row = 0; row < count; row++) {
    vertices += outline[row].r > 0 ? columns : 1;
    if (row + 1 == count && !is_ring) continue;
    bool has_pole = !(outline[row].r > 0 && outline[(row + 1) % count].r > 0);
    triangles += has_pole ? columns : 2 * (int64_t)columns;
  }
  WeftResult result = weft_solid_create(shape, vertices, triangles, error);
  if (result != WEFT_RESULT_OK) return result;
  int32_t first = 0, next = 0;
  for (int row = 0; row < count; row++, first = next) {
    set_row(shape, first, outline[row], columns);
    next = first + (outline[row].r > 0 ? columns : 1);
    bool is_last = row + 1 == count;
    if (is_last && !is_ring) break;
    const WeftOutline *to = &outline[is_last ? 0 : row + 1];
    join_rows(shape, row, first, !(outline[row].r > 0), is_last ? 0 : next, !(to->r > 0), columns);
  }
  return WEFT_RESULT_OK;
}
