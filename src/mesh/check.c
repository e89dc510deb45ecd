/* The single checks on vertices and triangles. Sizes are taken relative to the triangle's own, so that a mesh
 * in micrometres or in light years is judged alike; duplicates are found by sorting, in O(vertices +
 * triangles).
 */
#include "mesh/check.h"

#include "base/memory.h"
#include "mesh/bucket.h"
#include "mesh/limits.h"

#include <math.h>
#include <stdlib.h>

WeftResult weft_mesh_check_arrays(const WeftMesh *mesh, WeftError *error) {
  if (!mesh) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "the mesh is a null pointer");
  if (mesh->vertex_count < 0 || mesh->vertex_count > WEFT_MAX_VERTICES) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "a mesh of %d vertices; expected 0 to %d",
                     mesh->vertex_count, WEFT_MAX_VERTICES);
  }
  if (mesh->triangle_count < 0 || mesh->triangle_count > WEFT_MAX_TRIANGLES) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "a mesh of %d triangles; expected 0 to %d",
                     mesh->triangle_count, WEFT_MAX_TRIANGLES);
  }
  if ((mesh->vertex_count && !mesh->positions) || (mesh->triangle_count && !mesh->triangles)) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "a mesh with vertices or triangles, but without the array");
  }
  return WEFT_RESULT_OK;
}

bool weft_vertex_is_finite(const double *positions, int32_t vertex) {
  const double *p = positions + 3 * (size_t)vertex;
  return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

bool weft_triangle_is_in_range(const int32_t triangle[3], int32_t vertex_count) {
  for (int k = 0; k < 3; k++) {
    if (triangle[k] < 0 || triangle[k] >= vertex_count) return false;
  }
  return true;
}

bool weft_triangle_repeats_vertex(const int32_t triangle[3]) {
  return triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0];
}

typedef struct Span {
  double x, y, z;
} Span;

static Span span(const double *positions, int32_t from, int32_t to, double scale) {
  const double *a = positions + 3 * (size_t)from, *b = positions + 3 * (size_t)to;
  return (Span){(b[0] - a[0]) / scale, (b[1] - a[1]) / scale, (b[2] - a[2]) / scale};
}

static double squared(Span s) { return s.x * s.x + s.y * s.y + s.z * s.z; }

static double largest_component(Span s) { return fmax(fabs(s.x), fmax(fabs(s.y), fabs(s.z))); }

static double doubled_area(Span a, Span b) {
  return sqrt(squared((Span){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}));
}

bool weft_triangle_is_degenerate(const double *positions, const int32_t t[3]) {
  if (weft_triangle_repeats_vertex(t)) return true;
  /* relative to its own size, so that neither tiny nor huge triangles lose their squares */
  double size = fmax(largest_component(span(positions, t[0], t[1], 1)),
                     largest_component(span(positions, t[0], t[2], 1)));
  if (!(size > 0) || !isfinite(size)) return true;
  Span a = span(positions, t[0], t[1], size), b = span(positions, t[0], t[2], size);
  double longest = fmax(squared(a), fmax(squared(b), squared(span(positions, t[1], t[2], size))));
  return !(0.5 * doubled_area(a, b) >= 1e-12 * longest);
}

double weft_triangle_area(const double *positions, const int32_t t[3]) {
  return 0.5 * doubled_area(span(positions, t[0], t[1], 1), span(positions, t[0], t[2], 1));
}

static void sort_three(int32_t v[3]) {
  for (int k = 0; k < 3; k++) {
    int i = k % 2; /* compare places 0-1, 1-2, 0-1 */
    if (v[i] > v[i + 1]) {
      int32_t swap = v[i];
      v[i] = v[i + 1];
      v[i + 1] = swap;
    }
  }
}

/* Triangles sorted by their sorted vertices: duplicates become neighbours, the earliest first. */
WeftResult weft_find_duplicates(int vertex_count, int triangle_count, const int32_t *triangles,
                                uint8_t *is_duplicate, WeftError *error) {
  int32_t *keys[3] = {NULL, NULL, NULL}, *order[2] = {NULL, NULL},
          *start = WEFT_NEW(int32_t, vertex_count + 1);
  bool is_out_of_memory = !start;
  for (int k = 0; k < 3; k++) is_out_of_memory |= !(keys[k] = WEFT_NEW(int32_t, triangle_count));
  for (int k = 0; k < 2; k++) is_out_of_memory |= !(order[k] = WEFT_NEW(int32_t, triangle_count));
  if (!is_out_of_memory) {
    for (int t = 0; t < triangle_count; t++) {
      int32_t v[3] = {triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]};
      sort_three(v);
      for (int k = 0; k < 3; k++) keys[k][t] = v[k];
      is_duplicate[t] = 0;
    }
    weft_bucket_pass(triangle_count, NULL, keys[2], vertex_count, start, order[0]);
    weft_bucket_pass(triangle_count, order[0], keys[1], vertex_count, start, order[1]);
    weft_bucket_pass(triangle_count, order[1], keys[0], vertex_count, start, order[0]);
    for (int i = 1; i < triangle_count; i++) {
      int32_t t = order[0][i], before = order[0][i - 1];
      is_duplicate[t] =
          keys[0][t] == keys[0][before] && keys[1][t] == keys[1][before] && keys[2][t] == keys[2][before];
    }
  }
  for (int k = 0; k < 3; k++) free(keys[k]);
  for (int k = 0; k < 2; k++) free(order[k]);
  free(start);
  return is_out_of_memory ? weft_fail_memory(error, "search for duplicate triangles") : WEFT_RESULT_OK;
}
