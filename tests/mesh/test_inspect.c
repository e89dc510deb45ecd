/* Facts about good meshes and about every kind of garbage. */
#include "mesh/samples.h"

#include <weft/scene.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static WeftMeshFacts inspect(int32_t vertex_count, const double *positions, int32_t triangle_count,
                             const int32_t *triangles) {
  WeftMesh mesh = {vertex_count, (double *)positions, triangle_count, (int32_t *)triangles, NULL};
  WeftMeshFacts facts;
  assert_int_equal(weft_mesh_inspect(&mesh, &facts, NULL), WEFT_RESULT_OK);
  return facts;
}

static void cube(void **state) {
  (void)state;
  double positions[24];
  cube_positions(positions);
  WeftMeshFacts f = inspect(8, positions, 12, cube_triangles[0]);
  assert_int_equal(f.edge_count, 18);
  assert_int_equal(f.border_edge_count, 0);
  assert_int_equal(f.border_loop_count, 0);
  assert_int_equal(f.piece_count, 1);
  assert_int_equal(f.flipped_edges, 0);
  assert_true(f.area == 6 && f.edge_min == 1 && f.edge_max == sqrt(2));
  assert_true(fabs(f.edge_mean - (12 + 6 * sqrt(2)) / 18) < 1e-15);
  for (int axis = 0; axis < 3; axis++) assert_true(f.box_min[axis] == 0 && f.box_max[axis] == 1);
  assert_int_equal(f.first_nonfinite_vertex, -1);
  assert_int_equal(f.first_index_error, -1);
  assert_int_equal(f.first_degenerate_triangle, -1);
  assert_int_equal(f.first_duplicate_triangle, -1);
  assert_int_equal(f.first_nonmanifold_edge[0], -1);
  assert_int_equal(f.first_unused_vertex, -1);
}

static void border_loops(void **state) {
  (void)state;
  double positions[24];
  cube_positions(positions);
  /* without two opposite walls: a tube with two rims */
  WeftMeshFacts f = inspect(8, positions, 8, cube_triangles[4]);
  assert_int_equal(f.border_edge_count, 8);
  assert_int_equal(f.border_loop_count, 2);
  /* two triangles that touch in a vertex keep their own borders */
  const int32_t bow_tie[2][3] = {{0, 1, 2}, {0, 4, 7}};
  f = inspect(8, positions, 2, bow_tie[0]);
  assert_int_equal(f.border_loop_count, 2);
  assert_int_equal(f.piece_count, 1);
  assert_int_equal(f.unused_vertices, 3);
  assert_int_equal(f.first_unused_vertex, 3);
  /* the single rim of a Moebius strip */
  double ring[36];
  for (int i = 0; i < 12; i++) {
    ring[3 * i] = cos(i / 2 * 1.0471975511965976);
    ring[3 * i + 1] = sin(i / 2 * 1.0471975511965976);
    ring[3 * i + 2] = i % 2;
  }
  f = inspect(12, ring, 12, mobius_triangles[0]);
  assert_int_equal(f.border_edge_count, 12);
  assert_int_equal(f.border_loop_count, 1);
  assert_int_equal(f.flipped_edges, 1);
}

static void bad_elements_are_named(void **state) {
  (void)state;
  const double positions[9][3] = {{0, 0, 0},        {1, 0, 0}, {0, 1, 0},   {0, 0, 1}, {NAN, 0, 0},
                                  {0, 0, INFINITY}, {2, 0, 0}, {0.5, 0, 0}, {9, 9, 9}};
  const int32_t triangles[][3] = {{0, 1, 2},             /* good */
                                  {0, 1, 9},             /* out of range */
                                  {-1, 0, 1},            /* out of range */
                                  {0, 1, 1},             /* repeated */
                                  {0, 1, 6},             /* flat */
                                  {1, 2, 0},             /* duplicate of the first */
                                  {1, 0, 2},             /* the same the other way round */
                                  {0, 1, 3},  {1, 0, 4}, /* make the edge (0, 1) have more than two */
                                  {2, 4, 5}};
  WeftMeshFacts f = inspect(9, positions[0], sizeof triangles / sizeof *triangles, triangles[0]);
  assert_int_equal(f.nonfinite_vertices, 2);
  assert_int_equal(f.first_nonfinite_vertex, 4);
  assert_int_equal(f.index_errors, 2);
  assert_int_equal(f.first_index_error, 1);
  assert_int_equal(f.degenerate_triangles, 2);
  assert_int_equal(f.first_degenerate_triangle, 3);
  assert_int_equal(f.duplicate_triangles, 2);
  assert_int_equal(f.first_duplicate_triangle, 5);
  assert_int_equal(f.nonmanifold_edges, 1);
  assert_int_equal(f.first_nonmanifold_edge[0], 0);
  assert_int_equal(f.first_nonmanifold_edge[1], 1);
  assert_int_equal(f.unused_vertices, 2);
  assert_int_equal(f.first_unused_vertex, 7);
  assert_true(f.area == 1 && f.box_max[0] == 9 && f.edge_min == 1 && f.edge_max == 2);
}

static void flipped_neighbours_are_counted(void **state) {
  (void)state;
  double positions[24];
  cube_positions(positions);
  int32_t triangles[12][3];
  memcpy(triangles, cube_triangles, sizeof triangles);
  triangles[5][0] = cube_triangles[5][1];
  triangles[5][1] = cube_triangles[5][0];
  assert_int_equal(inspect(8, positions, 12, triangles[0]).flipped_edges, 3);
}

static void extremes_of_size(void **state) {
  (void)state;
  const int32_t triangle[3] = {0, 1, 2};
  const double tiny[3][3] = {{0, 0, 0}, {1e-200, 0, 0}, {0, 1e-200, 0}};
  const double huge[3][3] = {{0, 0, 0}, {1e200, 0, 0}, {0, 1e200, 0}};
  const double beyond[3][3] = {{-1e308, 0, 0}, {1e308, 0, 0}, {0, 1e308, 0}};
  const double sliver[3][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 1.9e-12, 0}};
  const double thin[3][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 2.1e-12, 0}};
  assert_int_equal(inspect(3, tiny[0], 1, triangle).degenerate_triangles, 0);
  assert_int_equal(inspect(3, huge[0], 1, triangle).degenerate_triangles, 0);
  assert_int_equal(inspect(3, beyond[0], 1, triangle).degenerate_triangles, 1);
  assert_int_equal(inspect(3, sliver[0], 1, triangle).degenerate_triangles, 1);
  assert_int_equal(inspect(3, thin[0], 1, triangle).degenerate_triangles, 0);
}

static void nothing_at_all(void **state) {
  (void)state;
  WeftMeshFacts f = inspect(0, NULL, 0, NULL);
  assert_int_equal(f.edge_count + f.piece_count + f.unused_vertices, 0);
  assert_true(f.area == 0 && f.box_max[0] == 0 && f.edge_mean == 0);
}

static void broken_structs_are_refused(void **state) {
  (void)state;
  double p[3] = {0, 0, 0};
  WeftMesh mesh = {1, p, 1, NULL, NULL};
  WeftMeshFacts facts;
  WeftError error;
  assert_int_equal(weft_mesh_inspect(&mesh, &facts, &error), WEFT_RESULT_INVALID_ARGUMENT);
  assert_non_null(strstr(error.message, "without the array"));
  mesh.triangle_count = -1;
  assert_int_equal(weft_mesh_inspect(&mesh, &facts, &error), WEFT_RESULT_INVALID_ARGUMENT);
  assert_non_null(strstr(error.message, "-1 triangles"));
  mesh.vertex_count = INT32_MAX;
  assert_int_equal(weft_mesh_inspect(&mesh, &facts, &error), WEFT_RESULT_INVALID_ARGUMENT);
  assert_non_null(strstr(error.message, "2147483647 vertices"));
  assert_int_equal(weft_mesh_inspect(NULL, &facts, &error), WEFT_RESULT_INVALID_ARGUMENT);
  assert_int_equal(weft_mesh_inspect(&mesh, NULL, &error), WEFT_RESULT_INVALID_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cube),
      cmocka_unit_test(border_loops),
      cmocka_unit_test(bad_elements_are_named),
      cmocka_unit_test(flipped_neighbours_are_counted),
      cmocka_unit_test(extremes_of_size),
      cmocka_unit_test(nothing_at_all),
      cmocka_unit_test(broken_structs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
