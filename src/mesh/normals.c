#include "mesh/normals.h"

#include "device/kernel.h"

#include <string.h>

void weft_mesh_normals(int vertex_count, const double *positions, int triangle_count,
                       const int32_t *triangles, double *normals) {
  memset(normals, 0, 3 * (size_t)vertex_count * sizeof *normals);
  for (int t = 0; t < triangle_count; t++) {
    const int32_t *corner = triangles + 3 * (size_t)t;
    Vec3 a = load3(positions, corner[0]);
    /* the cross product's length is twice the area: the weight */
    Vec3 n = v3_cross(v3_sub(load3(positions, corner[1]), a), v3_sub(load3(positions, corner[2]), a));
    for (int k = 0; k < 3; k++) add3(normals, corner[k], n);
  }
  for (int i = 0; i < vertex_count; i++) {
    double length = v3_length(load3(normals, i));
    if (length > 0) store3(normals, i, v3_scale(1 / length, load3(normals, i)));
  }
}
