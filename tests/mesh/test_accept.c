/* Every line of the policy table in docs/meshes.md. */
#include "base/memory.h"
#include "mesh/accept.h"
#include "mesh/generate.h"
#include "mesh/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Warnings {
  int count;
  char text[8][512];
} Warnings;

static void collect(WeftLogLevel level, const char *text, void *user) {
  Warnings *warnings = user;
  assert_int_equal(level, WEFT_LOG_WARNING);
  assert_true(warnings->count < 8);
  snprintf(warnings->text[warnings->count++], sizeof warnings->text[0], "%s", text);
}

static WeftMesh copy_mesh(int vertex_count, const double *positions, int triangle_count,
                          const int32_t *triangles) {
  WeftMesh mesh = {vertex_count, weft_copy(positions, 3 * (size_t)vertex_count, sizeof(double)),
                   triangle_count, weft_copy(triangles, 3 * (size_t)triangle_count, sizeof(int32_t)), NULL};
  assert_true(mesh.positions && mesh.triangles);
  return mesh;
}

static WeftMesh copy_cube(void) {
  double positions[24];
  cube_positions(positions);
  return copy_mesh(8, positions, 12, cube_triangles[0]);
}

static Warnings accept(WeftMesh *mesh) {
  Warnings warnings = {0};
  WeftError error;
  WeftResult result = weft_mesh_accept(mesh, "test.obj", (WeftLog){collect, &warnings}, &error);
  if (result != WEFT_RESULT_OK) fail_msg("%s", error.message);
  return warnings;
}

/* Refused with exactly this message, and the mesh untouched. */
static void expect_refusal(WeftMesh *mesh, const char *message) {
  WeftError error;
  Warnings warnings = {0};
  WeftMesh before = copy_mesh(mesh->vertex_count, mesh->positions, mesh->triangle_count, mesh->triangles);
  assert_int_equal(weft_mesh_accept(mesh, "test.obj", (WeftLog){collect, &warnings}, &error),
                   WEFT_RESULT_INVALID_DATA);
  assert_string_equal(error.message, message);
  assert_int_equal(warnings.count, 0);
  assert_int_equal(before.triangle_count, mesh->triangle_count);
  assert_memory_equal(before.triangles, mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof(int32_t));
  weft_mesh_free(&before);
  weft_mesh_free(mesh);
}

static void good_mesh_passes_unchanged(void **state) {
  (void)state;
  WeftMesh mesh = copy_cube();
  assert_int_equal(accept(&mesh).count, 0);
  assert_int_equal(mesh.triangle_count, 12);
  assert_memory_equal(mesh.triangles, cube_triangles, sizeof cube_triangles);
  weft_mesh_free(&mesh);
}

static void refusals(void **state) {
  (void)state;
  WeftMesh mesh = copy_cube();
  mesh.positions[3 * 5 + 1] = NAN;
  mesh.positions[3 * 7] = INFINITY;
  expect_refusal(
      &mesh,
      "test.obj: coordinates that are not finite at 2 of 8 vertices, first at vertex 5 (1, nan, 1), "
      "counted from 0; correct the file");
  mesh = copy_cube();
  mesh.triangles[3 * 4 + 2] = 8;
  mesh.triangles[3 * 9 + 2] = -3;
  expect_refusal(
      &mesh,
      "test.obj: vertices out of range in 2 of 12 triangles, first in triangle 4 (vertices 0, 1, 8), "
      "counted from 0; there are 8 vertices; correct the indices");
  mesh = copy_cube();
  mesh.triangles[3 * 4 + 2] = 1;
  expect_refusal(
      &mesh,
      "test.obj: 1 of 12 triangles are degenerate, first triangle 4 (vertices 0, 1, 1), counted from 0: "
      "a vertex is repeated; merge or remove them in the tool the mesh comes from");
  mesh = copy_cube();
  memcpy(mesh.positions + 3, mesh.positions, 3 * sizeof(double)); /* vertex 1 onto vertex 0 */
  expect_refusal(
      &mesh,
      "test.obj: 2 of 12 triangles are degenerate, first triangle 0 (vertices 0, 2, 1), counted from 0: "
      "its area is below 1e-12 times its longest edge squared; merge or remove them in the tool the "
      "mesh comes from");
  mesh = copy_cube();
  mesh.uvs = weft_alloc(6 * 12, sizeof(double));
  assert_non_null(mesh.uvs);
  mesh.uvs[6 * 3 + 5] = -INFINITY;
  expect_refusal(
      &mesh, "test.obj: a uv that is not finite at corner 2 of triangle 3, counted from 0; correct the file");
}

static void duplicates_are_dropped_with_their_uvs(void **state) {
  (void)state;
  const double positions[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  const int32_t triangles[4][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {1, 3, 2}};
  const int32_t expected[2][3] = {{0, 1, 2}, {1, 3, 2}};
  WeftMesh mesh = copy_mesh(4, positions[0], 4, triangles[0]);
  mesh.uvs = weft_alloc(24, sizeof(double));
  assert_non_null(mesh.uvs);
  for (int i = 0; i < 24; i++) mesh.uvs[i] = i;
  Warnings warnings = accept(&mesh);
  assert_int_equal(warnings.count, 1);
  assert_string_equal(
      warnings.text[0],
      "test.obj: 2 duplicate triangles dropped, first triangle 1 (vertices 2, 1, 0), counted from 0");
  assert_int_equal(mesh.triangle_count, 2);
  assert_memory_equal(mesh.triangles, expected, sizeof expected);
  for (int i = 0; i < 6; i++) assert_true(mesh.uvs[i] == i && mesh.uvs[6 + i] == 18 + i);
  weft_mesh_free(&mesh);
}

static void book_is_kept(void **state) {
  (void)state;
  const double positions[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}};
  WeftMesh mesh = copy_mesh(5, positions[0], 3, book_triangles[0]);
  Warnings warnings = accept(&mesh);
  assert_int_equal(warnings.count, 1);
  assert_string_equal(warnings.text[0],
                      "test.obj: 1 edges have more than two triangles, first the edge of vertices 0 and "
                      "1; kept, but nothing bends across them");
  assert_memory_equal(mesh.triangles, book_triangles, sizeof book_triangles);
  weft_mesh_free(&mesh);
}

static void minority_is_turned_with_its_uvs(void **state) {
  (void)state;
  WeftShape shape;
  assert_int_equal(weft_generate_rectangle(&shape, 1, 1, 6, 5, WEFT_PATTERN_ALTERNATING, NULL),
                   WEFT_RESULT_OK);
  WeftMesh *mesh = &shape.mesh;
  const int chosen[3] = {0, 17, 40};
  for (int i = 0; i < 3; i++) { /* turned by a rotation of corners and a swap, each with its uv */
    int32_t *t = mesh->triangles + 3 * chosen[i];
    double *uv = mesh->uvs + 6 * chosen[i];
    int32_t swap = t[1];
    double swap_uv[2] = {uv[2], uv[3]};
    t[1] = t[2];
    t[2] = swap;
    memcpy(uv + 2, uv + 4, sizeof swap_uv);
    memcpy(uv + 4, swap_uv, sizeof swap_uv);
  }
  char expected[256];
  snprintf(expected, sizeof expected,
           "test.obj: 3 triangles ran round against their neighbours and were turned, first the one of "
           "vertices %d, %d, %d",
           mesh->triangles[0], mesh->triangles[1], mesh->triangles[2]);
  Warnings warnings = accept(mesh);
  assert_int_equal(warnings.count, 1);
  assert_string_equal(warnings.text[0], expected);
  WeftMeshFacts facts;
  assert_int_equal(weft_mesh_inspect(mesh, &facts, NULL), WEFT_RESULT_OK);
  assert_int_equal(facts.flipped_edges, 0);
  for (int i = 0; i < 3 * mesh->triangle_count;
       i++) { /* the uv of a corner is still its place from the left and bottom */
    assert_true(fabs(mesh->uvs[2 * i] - mesh->positions[3 * mesh->triangles[i]] - 0.5) < 1e-15);
    assert_true(fabs(mesh->uvs[2 * i + 1] - mesh->positions[3 * mesh->triangles[i] + 1] - 0.5) < 1e-15);
  }
  for (int t = 0; t < mesh->triangle_count; t++) { /* and the majority's side is up */
    const double *a = mesh->uvs + 6 * t;
    assert_true((a[2] - a[0]) * (a[5] - a[1]) - (a[3] - a[1]) * (a[4] - a[0]) > 0);
  }
  weft_shape_free(&shape);
}

static void mobius_strip_is_kept(void **state) {
  (void)state;
  double ring[36];
  for (int i = 0; i < 12; i++) {
    double angle = i / 2 * 1.0471975511965976, out = 1 + 0.2 * (i % 2 ? 1 : -1) * cos(angle / 2);
    ring[3 * i] = out * cos(angle);
    ring[3 * i + 1] = out * sin(angle);
    ring[3 * i + 2] = 0.2 * (i % 2 ? 1 : -1) * sin(angle / 2);
  }
  WeftMesh mesh = copy_mesh(12, ring, 12, mobius_triangles[0]);
  Warnings warnings = accept(&mesh);
  assert_int_equal(warnings.count, 1);
  assert_string_equal(warnings.text[0],
                      "test.obj: 1 pieces have only one side, like a Moebius strip, first the one with "
                      "the triangle of vertices 0, 2, 1; kept as they are");
  assert_memory_equal(mesh.triangles, mobius_triangles, sizeof mobius_triangles);
  weft_mesh_free(&mesh);
}

static void unused_vertices_are_kept(void **state) {
  (void)state;
  const double positions[5][3] = {{7, 7, 7}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {9, 9, 9}};
  const int32_t triangle[3] = {1, 2, 3};
  WeftMesh mesh = copy_mesh(5, positions[0], 1, triangle);
  Warnings warnings = accept(&mesh);
  assert_int_equal(warnings.count, 1);
  assert_string_equal(warnings.text[0],
                      "test.obj: 2 vertices belong to no triangle, first vertex 0, counted from 0; kept, "
                      "and held still");
  assert_int_equal(mesh.vertex_count, 5);
  weft_mesh_free(&mesh);
}

static void log_is_optional(void **state) {
  (void)state;
  const double positions[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  const int32_t triangles[2][3] = {{0, 1, 2}, {0, 1, 2}};
  WeftMesh mesh = copy_mesh(4, positions[0], 2, triangles[0]);
  assert_int_equal(weft_mesh_accept(&mesh, "x", (WeftLog){NULL, NULL}, NULL), WEFT_RESULT_OK);
  assert_int_equal(mesh.triangle_count, 1);
  weft_mesh_free(&mesh);
  assert_int_equal(weft_mesh_accept(NULL, "x", (WeftLog){NULL, NULL}, NULL), WEFT_RESULT_INVALID_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_mesh_passes_unchanged),
      cmocka_unit_test(refusals),
      cmocka_unit_test(duplicates_are_dropped_with_their_uvs),
      cmocka_unit_test(book_is_kept),
      cmocka_unit_test(minority_is_turned_with_its_uvs),
      cmocka_unit_test(mobius_strip_is_kept),
      cmocka_unit_test(unused_vertices_are_kept),
      cmocka_unit_test(log_is_optional),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
