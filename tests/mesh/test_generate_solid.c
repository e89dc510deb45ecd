/* Generated solids: counts, Euler's characteristic, closed and outward, no faults, volumes of the polyhedron
 * to rounding and of the solid it stands for in the limit. */
#include "check.h"
#include "mesh/generate.h"
#include "mesh/limits.h"

static const double PI = 3.14159265358979323846;

/* Sum of the tetrahedra from the origin: positive when triangles run counterclockwise seen from outside. */
static double signed_volume(const WeftMesh *mesh) {
  double sum = 0;
  for (int t = 0; t < mesh->triangle_count; t++) {
    const double *a = mesh->positions + 3 * mesh->triangles[3 * t],
                 *b = mesh->positions + 3 * mesh->triangles[3 * t + 1],
                 *c = mesh->positions + 3 * mesh->triangles[3 * t + 2];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

static WeftMeshFacts inspect(const WeftShape *shape) {
  WeftMeshFacts facts;
  WeftError error;
  check_ok(weft_mesh_inspect(&shape->mesh, &facts, &error), error);
  assert_int_equal(facts.nonfinite_vertices + facts.index_errors + facts.degenerate_triangles, 0);
  assert_int_equal(facts.duplicate_triangles + facts.nonmanifold_edges + facts.flipped_edges, 0);
  assert_int_equal(facts.unused_vertices, 0);
  assert_int_equal(facts.piece_count, 1);
  assert_null(shape->mesh.uvs);
  assert_null(shape->sides);
  return facts;
}

/* Closed, with V - E + T as it should be; returns the volume. */
static double check_closed(const WeftShape *shape, int euler) {
  WeftMeshFacts facts = inspect(shape);
  assert_int_equal(facts.border_edge_count, 0);
  assert_int_equal(shape->mesh.vertex_count - facts.edge_count + shape->mesh.triangle_count, euler);
  return signed_volume(&shape->mesh);
}

static void check_box(const WeftMeshFacts *facts, double x0, double y0, double z0, double x1, double y1,
                      double z1) {
  const double expected[] = {x0, y0, z0, x1, y1, z1};
  for (int k = 0; k < 3; k++) {
    check_near(facts->box_min[k], expected[k], 1e-15);
    check_near(facts->box_max[k], expected[k + 3], 1e-15);
  }
}

/* n-gon that a circle of radius 1 becomes. */
static double polygon_area(int n) { return 0.5 * n * sin(2 * PI / n); }

static void boxes(void **state) {
  (void)state;
  const int cells[][3] = {{1, 1, 1}, {1, 2, 3}, {4, 1, 1}, {1, 1, 5}, {3, 4, 2}, {7, 5, 6}};
  const double size[3] = {0.5, 0.7, 1.25};
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
    WeftError error;
    WeftShape shape;
    int a = cells[i][0], b = cells[i][1], c = cells[i][2];
    check_ok(weft_generate_box(&shape, size, cells[i], &error), error);
    assert_int_equal(shape.mesh.triangle_count, 4 * (a * b + b * c + c * a));
    assert_int_equal(shape.mesh.vertex_count, 2 * (a * b + b * c + c * a) + 2);
    check_relative(check_closed(&shape, 2), size[0] * size[1] * size[2], 1e-14);
    WeftMeshFacts facts = inspect(&shape);
    check_relative(facts.area, 2 * (0.35 + 0.875 + 0.625), 1e-14);
    check_box(&facts, -0.25, -0.35, -0.625, 0.25, 0.35, 0.625);
    weft_shape_free(&shape);
  }
}

static void spheres(void **state) {
  (void)state;
  WeftError error;
  WeftShape shape;
  check_ok(weft_generate_sphere(&shape, 0.3, 48, 24, &error), error);
  assert_int_equal(shape.mesh.vertex_count, 48 * 23 + 2);
  assert_int_equal(shape.mesh.triangle_count, 48 * (2 * 22 + 2));
  /* The published figure of the same mesh has cells with one kind of diagonal; a cell of a sphere is a plane
   * trapezium, so its diagonal does not matter. */
  check_near(check_closed(&shape, 2), 0.112292229, 1e-9);
  for (int v = 0; v < shape.mesh.vertex_count; v++) {
    const double *p = shape.mesh.positions + 3 * v;
    check_near(hypot(hypot(p[0], p[1]), p[2]), 0.3, 1e-15);
  }
  WeftMeshFacts facts = inspect(&shape);
  check_box(&facts, -0.3, -0.3, -0.3, 0.3, 0.3, 0.3);
  weft_shape_free(&shape);
  check_ok(weft_generate_sphere(&shape, 1, 3, 2, &error), error); /* two tetrahedra on a triangle */
  check_relative(check_closed(&shape, 2), 2 * polygon_area(3) / 3, 1e-14);
  weft_shape_free(&shape);
  double before = 1;
  for (int n = 8; n <= 128; n *= 2) { /* errors of second order */
    check_ok(weft_generate_sphere(&shape, 1, 2 * n, n, &error), error);
    double miss = 1 - check_closed(&shape, 2) / (4 * PI / 3);
    assert_true(miss > 0 && miss < before / 3.8);
    before = miss;
    weft_shape_free(&shape);
  }
}

static void cylinders_and_cones(void **state) {
  (void)state;
  WeftError error;
  WeftShape shape;
  check_ok(weft_generate_cylinder(&shape, 0.1, 0.6, 96, 12, &error), error);
  assert_int_equal(shape.mesh.vertex_count, 96 * 13 + 2);
  check_near(check_closed(&shape, 2), 0.0188361012, 1e-10); /* published for a roller */
  WeftMeshFacts facts = inspect(&shape);
  check_box(&facts, -0.1, -0.1, 0, 0.1, 0.1, 0.6);
  weft_shape_free(&shape);
  /* a frustum: the mean of bottom, top and the geometric mean between them; a tip has none */
  const double tops[] = {0, 0.25, 2};
  for (int i = 0; i < 3; i++) {
    for (int rows = 1; rows <= 4; rows += 3) {
      check_ok(weft_generate_cone(&shape, 1, tops[i], 3, 7, rows, &error), error);
      double t = tops[i];
      check_relative(check_closed(&shape, 2), polygon_area(7) * (1 + t + t * t), 1e-13);
      assert_int_equal(shape.mesh.vertex_count, 1 + 7 * rows + (t > 0 ? 8 : 1));
      weft_shape_free(&shape);
    }
  }
}

static void funnels(void **state) {
  (void)state;
  WeftError error;
  WeftShape shape;
  check_ok(weft_generate_funnel(&shape, 0.5, 0.06, 0.6, 0.4, 64, 8, 5, &error), error);
  WeftMeshFacts facts = inspect(&shape);
  assert_int_equal(shape.mesh.vertex_count, 64 * 14);
  assert_int_equal(shape.mesh.triangle_count, 2 * 64 * 13);
  assert_int_equal(facts.border_edge_count, 2 * 64);
  assert_int_equal(facts.border_loop_count, 2);
  assert_int_equal(shape.mesh.vertex_count - facts.edge_count + shape.mesh.triangle_count, 0);
  check_box(&facts, -0.5, -0.5, -1, 0.5, 0.5, 0);
  for (int t = 0; t < shape.mesh.triangle_count; t++) { /* away from the axis, and never up */
    const double *p[3];
    double n[3], mid[2] = {0, 0};
    for (int k = 0; k < 3; k++) {
      p[k] = shape.mesh.positions + 3 * shape.mesh.triangles[3 * t + k];
      mid[0] += p[k][0];
      mid[1] += p[k][1];
    }
    for (int k = 0; k < 3; k++) {
      int a = (k + 1) % 3, b = (k + 2) % 3;
      n[k] = (p[1][a] - p[0][a]) * (p[2][b] - p[0][b]) - (p[1][b] - p[0][b]) * (p[2][a] - p[0][a]);
    }
    assert_true(n[0] * mid[0] + n[1] * mid[1] > 0 && n[2] <= 1e-18);
  }
  for (int v = 0; v < shape.mesh.vertex_count; v++) { /* on the cone or the tube */
    const double *p = shape.mesh.positions + 3 * v;
    double r = p[2] <= -0.6 ? 0.06 : 0.5 + p[2] * 0.44 / 0.6;
    check_near(hypot(p[0], p[1]), r, 1e-15);
  }
  weft_shape_free(&shape);
}

static void capsules(void **state) {
  (void)state;
  WeftError error;
  WeftShape shape;
  check_ok(weft_generate_capsule(&shape, 0.2, 0.5, 4, 1, 1, &error), error); /* two pyramids and a prism */
  check_relative(check_closed(&shape, 2), 0.04 * polygon_area(4) * (0.5 + 2 * 0.2 / 3), 1e-14);
  WeftMeshFacts facts = inspect(&shape);
  check_box(&facts, -0.2, -0.2, -0.2, 0.2, 0.2, 0.7);
  weft_shape_free(&shape);
  check_ok(weft_generate_capsule(&shape, 0.2, 0.5, 200, 3, 100, &error), error);
  assert_int_equal(shape.mesh.vertex_count, 200 * (2 * 99 + 4) + 2);
  check_relative(check_closed(&shape, 2), 0.04 * PI * 0.5 + 4 * PI / 3 * 0.008, 3e-4);
  weft_shape_free(&shape);
}

/* Pappus, for polygons: the area of the tube's n-gon times the way of its centre, 2 pi R, which m columns
 * make m sin(2 pi / m) R. */
static void tori(void **state) {
  (void)state;
  WeftError error;
  WeftShape shape;
  const int sizes[][2] = {{3, 3}, {8, 5}, {48, 16}};
  for (int i = 0; i < 3; i++) {
    int m = sizes[i][0], n = sizes[i][1];
    check_ok(weft_generate_torus(&shape, 0.7, 0.2, m, n, &error), error);
    assert_int_equal(shape.mesh.vertex_count, m * n);
    assert_int_equal(shape.mesh.triangle_count, 2 * m * n);
    check_relative(check_closed(&shape, 0), 0.04 * polygon_area(n) * m * sin(2 * PI / m) * 0.7, 1e-13);
    weft_shape_free(&shape);
  }
}

static void bad_sizes_are_refused(void **state) {
  (void)state;
  WeftError error;
  WeftShape shape;
  const double size[] = {1, 1, 1}, flat[] = {1, 0, 1};
  const int cells[] = {1, 1, 1}, none[] = {1, 1, 0}, many[] = {WEFT_MAX_VERTICES, WEFT_MAX_VERTICES, 1};
  const WeftResult bad = WEFT_RESULT_INVALID_ARGUMENT;
  check_refused(weft_generate_box(&shape, flat, cells, &error), bad, "size of a box along y is 0", error);
  check_refused(weft_generate_box(&shape, size, none, &error), bad, "cells of a box along z is 0", error);
  check_refused(weft_generate_box(&shape, size, many, &error), bad, "ask for fewer", error);
  check_refused(weft_generate_sphere(&shape, NAN, 8, 8, &error), bad, "radius of a sphere", error);
  check_refused(weft_generate_sphere(&shape, 1, 2, 8, &error), bad, "columns of a sphere is 2", error);
  check_refused(weft_generate_sphere(&shape, 1, 8, 1, &error), bad, "rows of a sphere is 1", error);
  check_refused(weft_generate_sphere(&shape, 1, WEFT_MAX_VERTICES, 100, &error), bad, "ask for fewer", error);
  check_refused(weft_generate_sphere(&shape, 1, 8, WEFT_MAX_VERTICES, &error), bad, "ask for fewer", error);
  check_refused(weft_generate_cylinder(&shape, 1, -1, 8, 1, &error), bad, "height of a cone or cyl", error);
  check_refused(weft_generate_cone(&shape, 1, -0.1, 1, 8, 1, &error), bad, "top radius of a cone", error);
  check_refused(weft_generate_cone(&shape, 1, 0, 1, 8, 0, &error), bad, "rows of a cone", error);
  check_refused(weft_generate_funnel(&shape, 1, 0, 1, 1, 8, 1, 1, &error), bad, "neck radius", error);
  check_refused(weft_generate_funnel(&shape, 1, 0.1, 1, 1, 8, 1, 0, &error), bad, "neck rows", error);
  check_refused(weft_generate_capsule(&shape, 1, INFINITY, 8, 1, 1, &error), bad, "height of a cap", error);
  check_refused(weft_generate_capsule(&shape, 1, 1, 8, 1, 0, &error), bad, "cap rows", error);
  check_refused(weft_generate_torus(&shape, 1, 1, 8, 8, &error), bad, "less than its radius", error);
  check_refused(weft_generate_torus(&shape, 1, 0.5, 8, 2, &error), bad, "rows of a torus is 2", error);
  assert_null(shape.mesh.positions);
}

/* A double cone is two pyramids over one polygon; a profile that ends beside the axis stays open there. */
static void turned_profiles(void **state) {
  (void)state;
  WeftShape shape;
  WeftError error;
  const double spindle[] = {0, -0.5, 0.4, 0, 0, 1.5};
  check_ok(weft_generate_turned(&shape, spindle, 3, 10, &error), error);
  check_near(check_closed(&shape, 2), polygon_area(10) * 0.16 * 2 / 3, 1e-15);
  weft_shape_free(&shape);
  const double vase[] = {0, 0, 0.3, 0, 0.4, 0.5, 0.2, 0.9};
  check_ok(weft_generate_turned(&shape, vase, 4, 12, &error), error);
  WeftMeshFacts facts = inspect(&shape);
  assert_int_equal(facts.border_edge_count, 12);
  assert_int_equal(shape.mesh.vertex_count, 1 + 3 * 12);
  check_box(&facts, -0.4, -0.4, 0, 0.4, 0.4, 0.9);
  weft_shape_free(&shape);
  const double bad[][6] = {{0, 0, 0, 1, 1, 2}, {1, 0, -1, 1, 0, 2}, {1, 0, NAN, 1, 0, 2}, {1, 0, 1, 0, 1, 1}};
  const WeftResult refused = WEFT_RESULT_INVALID_ARGUMENT;
  for (int i = 0; i < 3; i++)
    check_refused(weft_generate_turned(&shape, bad[i], 3, 8, &error), refused, "point 1 of a profile", error);
  check_refused(weft_generate_turned(&shape, bad[3], 3, 8, &error), refused, "are the same", error);
  check_refused(weft_generate_turned(&shape, bad[0], 2, 8, &error), refused, "lies on the axis", error);
  check_refused(weft_generate_turned(&shape, bad[0], 1, 8, &error), refused, "1 points", error);
  check_refused(weft_generate_turned(&shape, vase, 4, 2, &error), refused, "columns of a lathe is 2", error);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turned_profiles),
      cmocka_unit_test(boxes),
      cmocka_unit_test(spheres),
      cmocka_unit_test(cylinders_and_cones),
      cmocka_unit_test(funnels),
      cmocka_unit_test(capsules),
      cmocka_unit_test(tori),
      cmocka_unit_test(bad_sizes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
