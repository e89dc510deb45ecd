/* Small meshes that several tests use. */
#ifndef WEFT_TESTS_MESH_SAMPLES_H
#define WEFT_TESTS_MESH_SAMPLES_H

#include <stdint.h>

/* A closed unit cube, outward, vertex i at (i & 1, i >> 1 & 1, i >> 2). */
static const int32_t cube_triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                              {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                              {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

/* A strip of 6 quads whose end is joined to its beginning upside down: 12 vertices, vertex 2 i at one rim, 2
 * i + 1 at the other. */
static const int32_t mobius_triangles[12][3] = {{0, 2, 1},  {1, 2, 3},   {2, 4, 3},   {3, 4, 5},
                                                {4, 6, 5},  {5, 6, 7},   {6, 8, 7},   {7, 8, 9},
                                                {8, 10, 9}, {9, 10, 11}, {10, 1, 11}, {11, 1, 0}};

/* Three pages at one spine (0, 1). */
static const int32_t book_triangles[3][3] = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};

static inline void cube_positions(double positions[24]) {
  for (int i = 0; i < 8; i++) {
    positions[3 * i] = i & 1;
    positions[3 * i + 1] = i >> 1 & 1;
    positions[3 * i + 2] = i >> 2;
  }
}

#endif
