#include "judge/soup.h"

#include "base/memory.h"
#include "judge/order.h"
#include "judge/predicates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Three corners a triangle still have int numbers. */
enum { MOST_ELEMENTS = INT32_MAX / 4 };

/* "mesh shirt" or "mesh 3". */
static const char *name_of(const WeftCheckMesh *meshes, int32_t mesh, char text[WEFT_NAME_SIZE]) {
  if (meshes[mesh].name)
    snprintf(text, WEFT_NAME_SIZE, "%s", meshes[mesh].name);
  else
    snprintf(text, WEFT_NAME_SIZE, "mesh %d", mesh);
  return text;
}

static WeftResult check_vertices(const WeftCheckMesh *mesh, const char *name, WeftError *error) {
  for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
    double x = mesh->positions[i];
    if (weft_judge_can_hold(x)) continue;
    if (!isfinite(x))
      return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                       "%s: vertex %zu is not finite (%c is %g): nothing can be said about intersections",
                       name, i / 3, "xyz"[i % 3], x);
    return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                     "%s: vertex %zu has %c = %g m, with which exact arithmetic could over- or underflow: "
                     "coordinates must be 0, or %g to %g in magnitude; scale the mesh, or set it to 0",
                     name, i / 3, "xyz"[i % 3], x, WEFT_JUDGE_LEAST, WEFT_JUDGE_MOST);
  }
  return WEFT_RESULT_OK;
}

static WeftResult check_triangles(const WeftCheckMesh *mesh, const char *name, WeftError *error) {
  for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
    if (mesh->triangles[i] < 0 || mesh->triangles[i] >= mesh->vertex_count)
      return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                       "%s: triangle %zu names vertex %d; vertices are 0 to %d", name, i / 3,
                       mesh->triangles[i], mesh->vertex_count - 1);
  return WEFT_RESULT_OK;
}

static WeftResult check_mesh(const WeftCheckMesh *mesh, const char *name, WeftError *error) {
  if (mesh->vertex_count < 0 || mesh->triangle_count < 0 || (mesh->vertex_count && !mesh->positions) ||
      (mesh->triangle_count && !mesh->triangles))
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "%s: a count is negative or an array is missing",
                     name);
  WeftResult result = check_vertices(mesh, name, error);
  return result ? result : check_triangles(mesh, name, error);
}

static WeftResult count_elements(WeftSoup *soup, const WeftCheckMesh *meshes, WeftError *error) {
  char name[WEFT_NAME_SIZE];
  int64_t vertices = 0, triangles = 0;
  for (int32_t m = 0; m < soup->mesh_count; m++) {
    WeftResult result = check_mesh(&meshes[m], name_of(meshes, m, name), error);
    if (result) return result;
    vertices += meshes[m].vertex_count;
    triangles += meshes[m].triangle_count;
    if (vertices > MOST_ELEMENTS || triangles > MOST_ELEMENTS)
      return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                       "more than %d vertices or triangles in all; check fewer meshes at once",
                       MOST_ELEMENTS);
    soup->first_vertex[m + 1] = (int32_t)vertices;
    soup->first_triangle[m + 1] = (int32_t)triangles;
  }
  soup->vertex_count = (int32_t)vertices;
  soup->triangle_count = (int32_t)triangles;
  return WEFT_RESULT_OK;
}

static void join(WeftSoup *soup, const WeftCheckMesh *meshes) {
  for (int32_t m = 0; m < soup->mesh_count; m++) {
    size_t vertex = (size_t)soup->first_vertex[m], triangle = (size_t)soup->first_triangle[m];
    size_t vertex_count = (size_t)meshes[m].vertex_count;
    memset(soup->is_obstacle + vertex, meshes[m].is_obstacle, vertex_count);
    if (vertex_count)
      memcpy(soup->positions + 3 * vertex, meshes[m].positions, 3 * vertex_count * sizeof(double));
    for (size_t i = 0; i < 3 * (size_t)meshes[m].triangle_count; i++)
      soup->triangles[3 * triangle + i] = meshes[m].triangles[i] + (int32_t)vertex;
    for (int32_t i = 0; i < meshes[m].triangle_count; i++) soup->triangle_mesh[triangle + (size_t)i] = m;
  }
}

/* Sides of triangles sorted by their vertices: equal ones are one edge. */
static void number_edges(WeftSoup *soup, const WeftKeyed *sides, size_t side_count) {
  int32_t edge = -1;
  for (size_t i = 0; i < side_count; i++) {
    if (i == 0 || sides[i].major != sides[i - 1].major || sides[i].minor != sides[i - 1].minor) {
      soup->edge_start[++edge] = (int32_t)i;
      soup->edges[2 * (size_t)edge] = sides[i].major;
      soup->edges[2 * (size_t)edge + 1] = sides[i].minor;
    }
    soup->edge_triangles[i] = sides[i].item;
  }
  soup->edge_count = edge + 1;
  soup->edge_start[soup->edge_count] = (int32_t)side_count;
}

static bool find_edges(WeftSoup *soup) {
  size_t side_count = 3 * (size_t)soup->triangle_count;
  WeftKeyed *sides = WEFT_NEW(WeftKeyed, side_count);
  if (!sides) return false;
  for (size_t i = 0; i < side_count; i++) {
    int32_t a = soup->triangles[i], b = soup->triangles[i % 3 == 2 ? i - 2 : i + 1];
    sides[i] = (WeftKeyed){a < b ? a : b, a < b ? b : a, (int32_t)(i / 3)};
  }
  bool is_ordered = weft_order_keyed(sides, side_count, soup->vertex_count);
  if (is_ordered) number_edges(soup, sides, side_count);
  free(sides);
  return is_ordered;
}

WeftResult weft_soup_create(WeftSoup *soup, int32_t mesh_count, const WeftCheckMesh *meshes,
                            WeftError *error) {
  memset(soup, 0, sizeof *soup);
  soup->mesh_count = mesh_count;
  soup->first_vertex = WEFT_NEW(int32_t, (size_t)mesh_count + 1);
  soup->first_triangle = WEFT_NEW(int32_t, (size_t)mesh_count + 1);
  if (!soup->first_vertex || !soup->first_triangle) return weft_fail_memory(error, "check of meshes");
  WeftResult result = count_elements(soup, meshes, error);
  if (result) return result;
  size_t triangle_count = (size_t)soup->triangle_count;
  soup->positions = WEFT_NEW(double, 3 * (size_t)soup->vertex_count);
  soup->triangles = WEFT_NEW(int32_t, 3 * triangle_count);
  soup->triangle_mesh = WEFT_NEW(int32_t, triangle_count);
  soup->is_obstacle = WEFT_NEW(uint8_t, soup->vertex_count);
  soup->edges = WEFT_NEW(int32_t, 6 * triangle_count);
  soup->edge_start = WEFT_NEW(int32_t, 3 * triangle_count + 1);
  soup->edge_triangles = WEFT_NEW(int32_t, 3 * triangle_count);
  if (!soup->positions || !soup->triangles || !soup->triangle_mesh || !soup->edges || !soup->edge_start ||
      !soup->edge_triangles || !soup->is_obstacle)
    return weft_fail_memory(error, "check of meshes");
  join(soup, meshes);
  return find_edges(soup) ? WEFT_RESULT_OK : weft_fail_memory(error, "check of meshes");
}

void weft_soup_destroy(WeftSoup *soup) {
  free(soup->first_vertex);
  free(soup->first_triangle);
  free(soup->positions);
  free(soup->triangles);
  free(soup->triangle_mesh);
  free(soup->is_obstacle);
  free(soup->edges);
  free(soup->edge_start);
  free(soup->edge_triangles);
}
