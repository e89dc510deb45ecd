#ifndef WEFT_MESH_NORMALS_H
#define WEFT_MESH_NORMALS_H

#include <stdint.h>

/* Unit normals of vertices, triangles weighted by area; zero where there is no triangle. normals:
 * vertex_count x 3. */
void weft_mesh_normals(int vertex_count, const double *positions, int triangle_count,
                       const int32_t *triangles, double *normals);

#endif
