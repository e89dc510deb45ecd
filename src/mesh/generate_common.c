/* What the generators share. Counts are checked in 64 bits before anything is allocated. */
#include "mesh/generate_common.h"

#include "base/memory.h"
#include "mesh/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

WeftResult weft_check_size(double size, const char *what, WeftError *error) {
  if (size > 0 && isfinite(size)) return WEFT_RESULT_OK;
  return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "the %s is %g m; expected a finite length above 0",
                   what, size);
}

WeftResult weft_check_count(int count, int least, const char *what, WeftError *error) {
  if (count >= least && count <= WEFT_MAX_VERTICES) return WEFT_RESULT_OK;
  return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "the number of %s is %d; expected %d to %d", what,
                   count, least, WEFT_MAX_VERTICES);
}

WeftResult weft_check_counts(int64_t vertex_count, int64_t triangle_count, WeftError *error) {
  if (vertex_count <= WEFT_MAX_VERTICES && triangle_count <= WEFT_MAX_TRIANGLES) return WEFT_RESULT_OK;
  return weft_fail(
      error, WEFT_RESULT_INVALID_ARGUMENT,
      "a generated mesh of %lld vertices and %lld triangles; at most %d and %d are possible, ask for fewer "
      "cells",
      (long long)vertex_count, (long long)triangle_count, WEFT_MAX_VERTICES, WEFT_MAX_TRIANGLES);
}

WeftResult weft_solid_create(WeftShape *shape, int64_t vertex_count, int64_t triangle_count,
                             WeftError *error) {
  memset(shape, 0, sizeof *shape);
  WeftResult result = weft_check_counts(vertex_count, triangle_count, error);
  if (result != WEFT_RESULT_OK) return result;
  WeftMesh *mesh = &shape->mesh;
  mesh->vertex_count = (int32_t)vertex_count;
  mesh->positions = WEFT_NEW(double, 3 * vertex_count);
  mesh->triangles = WEFT_NEW(int32_t, 3 * triangle_count);
  if (mesh->positions && mesh->triangles) return WEFT_RESULT_OK;
  weft_shape_free(shape);
  return weft_fail_memory(error, "a generated mesh");
}

void weft_solid_add_triangle(WeftShape *shape, int32_t a, int32_t b, int32_t c) {
  int32_t *triangle = shape->mesh.triangles + 3 * (size_t)shape->mesh.triangle_count++;
  triangle[0] = a;
  triangle[1] = b;
  triangle[2] = c;
}

WeftResult weft_shape_create(WeftShape *shape, int64_t vertex_count, int64_t triangle_count,
                             WeftError *error) {
  WeftResult result = weft_solid_create(shape, vertex_count, triangle_count, error);
  if (result != WEFT_RESULT_OK) return result;
  shape->mesh.uvs = WEFT_NEW(double, 6 * triangle_count);
  shape->sides = WEFT_NEW(uint8_t, vertex_count);
  if (shape->mesh.uvs && shape->sides) return WEFT_RESULT_OK;
  weft_shape_free(shape);
  return weft_fail_memory(error, "a generated mesh");
}

void weft_shape_set_vertex(WeftShape *shape, int32_t vertex, double x, double y, double z, int sides) {
  double *p = shape->mesh.positions + 3 * (size_t)vertex;
  p[0] = x;
  p[1] = y;
  p[2] = z;
  shape->sides[vertex] = (uint8_t)sides;
}

void weft_shape_add_triangle(WeftShape *shape, WeftCorner a, WeftCorner b, WeftCorner c) {
  WeftCorner corners[3] = {a, b, c};
  for (int k = 0; k < 3; k++) {
    size_t at = 3 * (size_t)shape->mesh.triangle_count + (size_t)k;
    shape->mesh.triangles[at] = corners[k].vertex;
    shape->mesh.uvs[2 * at] = corners[k].u;
    shape->mesh.uvs[2 * at + 1] = corners[k].v;
  }
  shape->mesh.triangle_count++;
}

int64_t weft_equilateral_rows(double height, double edge) {
  double rows = floor(height / (edge * sqrt(0.75)) + 0.5);
  if (!(rows >= 1)) return 1;
  return rows < (double)WEFT_MAX_VERTICES ? (int64_t)rows : WEFT_MAX_VERTICES;
}

void weft_shape_free(WeftShape *shape) {
  if (!shape) return;
  weft_mesh_free(&shape->mesh);
  free(shape->sides);
  shape->sides = NULL;
}
