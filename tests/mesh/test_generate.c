/* Generated meshes: counts, areas, borders, sense, a rest shape that is isometric to the mesh, patterns. */
#include "mesh/generate.h"
#include "mesh/limits.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

static void edge(const WeftMesh *mesh, int t, int k, double d[3], double uv[2]) {
  int32_t a = mesh->triangles[3 * t + k], b = mesh->triangles[3 * t + (k + 1) % 3];
  for (int axis = 0; axis < 3; axis++)
    d[axis] = mesh->positions[3 * b + axis] - mesh->positions[3 * a + axis];
  for (int axis = 0; axis < 2; axis++)
    uv[axis] = mesh->uvs[6 * t + (2 * k + 2) % 6 + axis] - mesh->uvs[6 * t + 2 * k + axis];
}

static double length3(const double d[3]) { return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]); }

/* uv edges are as long as edges in space, and uv triangles counterclockwise: the uvs are the flat rest shape.
 */
static void check_isometry(const WeftMesh *mesh) {
  for (int t = 0; t < mesh->triangle_count; t++) {
    double d[3][3], uv[3][2];
    for (int k = 0; k < 3; k++) {
      edge(mesh, t, k, d[k], uv[k]);
      double length = length3(d[k]);
      assert_true(fabs(hypot(uv[k][0], uv[k][1]) - length) <= 1e-12 * length);
    }
    assert_true(uv[0][0] * uv[1][1] - uv[0][1] * uv[1][0] > 0);
  }
}

static void face_normal(const WeftMesh *mesh, int t, double n[3]) {
  double a[3], b[3], uv[2];
  edge(mesh, t, 0, a, uv);
  edge(mesh, t, 1, b, uv);
  n[0] = a[1] * b[2] - a[2] * b[1];
  n[1] = a[2] * b[0] - a[0] * b[2];
  n[2] = a[0] * b[1] - a[1] * b[0];
}

static WeftMeshFacts inspect(const WeftMesh *mesh) {
  WeftMeshFacts facts;
  assert_int_equal(weft_mesh_inspect(mesh, &facts, NULL), WEFT_RESULT_OK);
  assert_int_equal(facts.nonfinite_vertices + facts.index_errors + facts.degenerate_triangles, 0);
  assert_int_equal(facts.duplicate_triangles + facts.nonmanifold_edges + facts.flipped_edges, 0);
  assert_int_equal(facts.unused_vertices, 0);
  assert_int_equal(facts.piece_count, 1);
  return facts;
}

static int count_side(const WeftShape *shape, WeftSide side) {
  int count = 0;
  for (int v = 0; v < shape->mesh.vertex_count; v++) count += shape->sides[v] >> side & 1;
  return count;
}

static void check_rectangle_sides(const WeftShape *shape, double width, double height) {
  for (int v = 0; v < shape->mesh.vertex_count; v++) {
    double x = shape->mesh.positions[3 * v], y = shape->mesh.positions[3 * v + 1];
    assert_int_equal(shape->sides[v] >> WEFT_SIDE_LEFT & 1, x == -width / 2);
    assert_int_equal(shape->sides[v] >> WEFT_SIDE_RIGHT & 1, x == width / 2);
    assert_int_equal(shape->sides[v] >> WEFT_SIDE_BOTTOM & 1, y == -height / 2);
    assert_int_equal(shape->sides[v] >> WEFT_SIDE_TOP & 1, y == height / 2);
    assert_true(shape->mesh.positions[3 * v + 2] == 0);
  }
}

static void alternating_rectangle(void **state) {
  (void)state;
  WeftShape shape;
  assert_int_equal(weft_generate_rectangle(&shape, 0.7, 0.3, 13, 6, WEFT_PATTERN_ALTERNATING, NULL),
                   WEFT_RESULT_OK);
  assert_int_equal(shape.mesh.vertex_count, 14 * 7);
  assert_int_equal(shape.mesh.triangle_count, 2 * 13 * 6);
  WeftMeshFacts facts = inspect(&shape.mesh);
  assert_true(fabs(facts.area - 0.21) < 1e-14);
  assert_int_equal(facts.border_edge_count, 2 * (13 + 6));
  assert_int_equal(facts.border_loop_count, 1);
  assert_true(facts.box_min[0] == -0.35 && facts.box_max[0] == 0.35);
  check_isometry(&shape.mesh);
  check_rectangle_sides(&shape, 0.7, 0.3);
  assert_int_equal(count_side(&shape, WEFT_SIDE_LEFT), 7);
  assert_int_equal(count_side(&shape, WEFT_SIDE_TOP), 14);
  int rising = 0, falling = 0;
  for (int t = 0; t < shape.mesh.triangle_count; t++) {
    double n[3], d[3], uv[2];
    face_normal(&shape.mesh, t, n);
    assert_true(n[2] > 0);
    for (int k = 0; k < 3; k++) {
      edge(&shape.mesh, t, k, d, uv);
      if (fabs(d[0]) < 1e-9 || fabs(d[1]) < 1e-9) continue;
      if (d[0] * d[1] > 0) rising++;
      if (d[0] * d[1] < 0) falling++;
    }
  }
  assert_int_equal(rising, falling); /* 13 x 6 cells: half of the diagonals each way */
  assert_int_equal(rising + falling, 2 * 13 * 6);
  weft_shape_free(&shape);
}

/* Interior: no vertex at the left or right side, where the half triangles are. */
static void equilateral_rectangle(void **state) {
  (void)state;
  const double side = 0.05, height = 7 * side * sqrt(0.75);
  WeftShape shape;
  assert_int_equal(weft_generate_rectangle(&shape, 10 * side, height, 10, 0, WEFT_PATTERN_EQUILATERAL, NULL),
                   WEFT_RESULT_OK);
  assert_int_equal(shape.mesh.vertex_count, 8 * 11 + 4);
  assert_int_equal(shape.mesh.triangle_count, 7 * 21);
  WeftMeshFacts facts = inspect(&shape.mesh);
  assert_true(fabs(facts.area - 10 * side * height) < 1e-14);
  assert_int_equal(facts.border_edge_count, 7 + 7 + 10 + 11); /* the top row is an odd one */
  assert_int_equal(facts.border_loop_count, 1);
  check_isometry(&shape.mesh);
  check_rectangle_sides(&shape, 10 * side, height);
  int checked = 0;
  for (int t = 0; t < shape.mesh.triangle_count; t++) {
    double n[3], d[3], uv[2];
    face_normal(&shape.mesh, t, n);
    assert_true(n[2] > 0);
    for (int k = 0; k < 3; k++) {
      int sides = shape.sides[shape.mesh.triangles[3 * t + k]] |
                  shape.sides[shape.mesh.triangles[3 * t + (k + 1) % 3]];
      if (sides & (1 << WEFT_SIDE_LEFT | 1 << WEFT_SIDE_RIGHT)) continue;
      edge(&shape.mesh, t, k, d, uv);
      assert_true(fabs(length3(d) - side) < 1e-14);
      checked++;
    }
  }
  assert_true(checked > 300);
  weft_shape_free(&shape);
}

static void equilateral_rows_can_be_asked_for(void **state) {
  (void)state;
  WeftShape shape;
  for (int rows = 1; rows < 5; rows++) {
    for (int columns = 1; columns < 4; columns++) {
      assert_int_equal(weft_generate_rectangle(&shape, 1, 2, columns, rows, WEFT_PATTERN_EQUILATERAL, NULL),
                       WEFT_RESULT_OK);
      assert_int_equal(shape.mesh.triangle_count, rows * (2 * columns + 1));
      assert_true(fabs(inspect(&shape.mesh).area - 2) < 1e-14);
      check_isometry(&shape.mesh);
      weft_shape_free(&shape);
    }
  }
}

static void disc(void **state) {
  (void)state;
  WeftShape shape;
  for (int rings = 1; rings <= 12; rings++) {
    assert_int_equal(weft_generate_disc(&shape, 0.15, rings, NULL), WEFT_RESULT_OK);
    assert_int_equal(shape.mesh.vertex_count, 1 + 3 * rings * (rings + 1));
    assert_int_equal(shape.mesh.triangle_count, 6 * rings * rings);
    WeftMeshFacts facts = inspect(&shape.mesh);
    int n = 6 * rings; /* the border is a regular polygon */
    assert_true(fabs(facts.area - 0.5 * n * 0.15 * 0.15 * sin(2 * PI / n)) < 1e-14);
    assert_int_equal(facts.border_edge_count, n);
    assert_int_equal(facts.border_loop_count, 1);
    assert_true(facts.edge_max / facts.edge_min < sqrt(1 + PI * PI / 9)); /* right angles at the six spokes */
    check_isometry(&shape.mesh);
    assert_int_equal(count_side(&shape, WEFT_SIDE_RIM), n);
    for (int v = 0; v < shape.mesh.vertex_count; v++) {
      double r = hypot(shape.mesh.positions[3 * v], shape.mesh.positions[3 * v + 1]);
      assert_int_equal(shape.sides[v] >> WEFT_SIDE_RIM, fabs(r - 0.15) < 1e-12);
    }
    for (int t = 0; t < shape.mesh.triangle_count; t++) {
      double normal[3];
      face_normal(&shape.mesh, t, normal);
      assert_true(normal[2] > 0);
    }
    weft_shape_free(&shape);
  }
}

static void check_tube(int columns, int rows, WeftPattern pattern) {
  WeftShape shape;
  assert_int_equal(weft_generate_tube(&shape, 0.2, 0.2, 0.9, columns, rows, pattern, NULL), WEFT_RESULT_OK);
  int made_rows = shape.mesh.vertex_count / columns - 1;
  if (rows) assert_int_equal(made_rows, rows);
  assert_int_equal(shape.mesh.triangle_count, 2 * columns * made_rows);
  WeftMeshFacts facts = inspect(&shape.mesh);
  assert_int_equal(facts.border_edge_count, 2 * columns);
  assert_int_equal(facts.border_loop_count, 2);
  assert_true(facts.box_min[2] == 0 && facts.box_max[2] == 0.9);
  check_isometry(&shape.mesh);
  assert_int_equal(count_side(&shape, WEFT_SIDE_BOTTOM), columns);
  assert_int_equal(count_side(&shape, WEFT_SIDE_TOP), columns);
  assert_int_equal(count_side(&shape, WEFT_SIDE_LEFT) + count_side(&shape, WEFT_SIDE_RIM), 0);
  for (int t = 0; t < shape.mesh.triangle_count; t++) {
    double n[3], center[2] = {0, 0};
    face_normal(&shape.mesh, t, n);
    for (int k = 0; k < 3; k++) {
      for (int axis = 0; axis < 2; axis++)
        center[axis] += shape.mesh.positions[3 * shape.mesh.triangles[3 * t + k] + axis];
    }
    assert_true(n[0] * center[0] + n[1] * center[1] > 0);
  }
  if (pattern == WEFT_PATTERN_ALTERNATING) {
    assert_true(fabs(facts.area - 0.9 * columns * 2 * 0.2 * sin(PI / columns)) < 1e-13);
  } else if (rows == 0) {
    assert_true(facts.edge_max / facts.edge_min < 1.1);
  }
  weft_shape_free(&shape);
}

/* An open cone: as isometric in its uvs as a cylinder, area of the polygonal frustum, facing outward. */
static void open_cone(void **state) {
  (void)state;
  const double radii[][2] = {{0.5, 0.2}, {0.2, 0.5}};
  const int n = 24, rows = 7;
  for (int i = 0; i < 2; i++) {
    WeftShape shape;
    double low = radii[i][0], high = radii[i][1], height = 0.6;
    assert_int_equal(weft_generate_tube(&shape, low, high, height, n, rows, WEFT_PATTERN_ALTERNATING, NULL),
                     WEFT_RESULT_OK);
    WeftMeshFacts facts = inspect(&shape.mesh);
    assert_int_equal(facts.border_loop_count, 2);
    check_isometry(&shape.mesh);
    double slope = hypot(height, (low - high) * cos(PI / n));
    assert_true(fabs(facts.area - n * (low + high) * sin(PI / n) * slope) < 1e-13);
    for (int v = 0; v < shape.mesh.vertex_count; v++) {
      const double *x = shape.mesh.positions + 3 * v;
      assert_true(fabs(hypot(x[0], x[1]) - (low + (high - low) * x[2] / height)) < 1e-15);
    }
    for (int t = 0; t < shape.mesh.triangle_count; t++) {
      double normal[3];
      face_normal(&shape.mesh, t, normal);
      const double *x = shape.mesh.positions + 3 * shape.mesh.triangles[3 * t];
      assert_true(normal[0] * x[0] + normal[1] * x[1] > 0);
      assert_true((normal[2] > 0) == (low > high));
    }
    weft_shape_free(&shape);
  }
}

/* Points at equal distances on a level line make a straight strip between the second and the last but one. */
static void straight_ribbon(void **state) {
  (void)state;
  const double points[] = {0, 0, 2, 0.3, 0.4, 2, 0.6, 0.8, 2, 0.9, 1.2, 2, 1.2, 1.6, 2};
  WeftShape shape;
  assert_int_equal(weft_generate_ribbon(&shape, points, 5, 0.2, 10, 0, NULL), WEFT_RESULT_OK);
  assert_int_equal(shape.mesh.vertex_count, 11 * 3);
  assert_int_equal(shape.mesh.triangle_count, 2 * 10 * 2);
  WeftMeshFacts facts = inspect(&shape.mesh);
  assert_true(fabs(facts.area - 0.2) < 1e-14);
  assert_int_equal(facts.border_loop_count, 1);
  check_isometry(&shape.mesh);
  assert_int_equal(count_side(&shape, WEFT_SIDE_LEFT), 3);
  assert_int_equal(count_side(&shape, WEFT_SIDE_RIGHT), 3);
  assert_int_equal(count_side(&shape, WEFT_SIDE_BOTTOM), 11);
  assert_int_equal(count_side(&shape, WEFT_SIDE_TOP), 11);
  for (int v = 0; v < shape.mesh.vertex_count; v++) {
    const double *x = shape.mesh.positions + 3 * v;
    double along = 0.6 * x[0] + 0.8 * x[1], across = 0.6 * x[1] - 0.8 * x[0];
    assert_true(fabs(along - (0.5 + 0.1 * (v / 3))) < 1e-14);
    assert_true(fabs(across - 0.1 * (v % 3 - 1)) < 1e-14);
    assert_true(fabs(x[2] - 2) < 1e-14);
  }
  for (int t = 0; t < shape.mesh.triangle_count; t++) {
    double n[3];
    face_normal(&shape.mesh, t, n);
    assert_true(n[2] > 0);
  }
  weft_shape_free(&shape);
}

/* One span by its formula, whose length a fine sum knows. */
static void bent_ribbon(void **state) {
  (void)state;
  /* y = s + 1, z = s^3/6: a B-spline whose basis has the third one alone in z */
  const double points[] = {0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 1};
  const int fine = 1000000;
  double length = 0;
  for (int i = 0; i < fine; i++) {
    double s = (i + 0.5) / fine;
    length += sqrt(1 + s * s * s * s / 4) / fine;
  }
  WeftShape shape;
  assert_int_equal(weft_generate_ribbon(&shape, points, 4, 0.1, 40, 2, NULL), WEFT_RESULT_OK);
  double most = 0;
  for (int i = 0; i < 3 * shape.mesh.triangle_count; i++) most = fmax(most, shape.mesh.uvs[2 * i]);
  assert_true(fabs(most - length) < 1e-6);
  for (int column = 0; column <= 40; column++) {
    const double *x = shape.mesh.positions + 3 * (3 * column + 1);
    double s = x[1] - 1;
    assert_true(fabs(x[0]) < 1e-15 && fabs(x[2] - s * s * s / 6) < 1e-5);
    if (column == 0) continue;
    double d[3] = {x[0] - x[-9], x[1] - x[-8], x[2] - x[-7]};
    assert_true(fabs(length3(d) - length / 40) < 2e-6);
  }
  weft_shape_free(&shape);
}

static void tube(void **state) {
  (void)state;
  check_tube(24, 11, WEFT_PATTERN_ALTERNATING);
  check_tube(3, 1, WEFT_PATTERN_ALTERNATING);
  check_tube(24, 0, WEFT_PATTERN_EQUILATERAL);
  check_tube(17, 5, WEFT_PATTERN_EQUILATERAL);
}

static void expect_refusal(WeftResult result, const WeftError *error, const char *text) {
  assert_int_equal(result, WEFT_RESULT_INVALID_ARGUMENT);
  assert_int_equal(error->result, WEFT_RESULT_INVALID_ARGUMENT);
  if (!strstr(error->message, text)) fail_msg("'%s' does not say '%s'", error->message, text);
}

static void bad_arguments_are_refused(void **state) {
  (void)state;
  WeftShape s;
  WeftError e;
  const WeftPattern a = WEFT_PATTERN_ALTERNATING, q = WEFT_PATTERN_EQUILATERAL;
  expect_refusal(weft_generate_rectangle(&s, 0, 1, 1, 1, a, &e), &e,
                 "width of a rectangle is 0 m; expected a finite");
  expect_refusal(weft_generate_rectangle(&s, 1, -1, 1, 1, a, &e), &e, "height of a rectangle is -1 m");
  expect_refusal(weft_generate_rectangle(&s, NAN, 1, 1, 1, a, &e), &e, "width of a rectangle is nan m");
  expect_refusal(weft_generate_rectangle(&s, INFINITY, 1, 1, 1, a, &e), &e, "width of a rectangle is inf m");
  expect_refusal(weft_generate_rectangle(&s, 1, 1, 0, 1, a, &e), &e,
                 "columns of a rectangle is 0; expected 1 to");
  expect_refusal(weft_generate_rectangle(&s, 1, 1, 1, 0, a, &e), &e, "rows of a rectangle is 0");
  expect_refusal(weft_generate_rectangle(&s, 1, 1, 1, -1, q, &e), &e, "rows of a rectangle is -1");
  expect_refusal(weft_generate_rectangle(&s, 1, 1, 20000, 20000, a, &e), &e, "400040001 vertices");
  expect_refusal(weft_generate_rectangle(&s, 1, 1, INT32_MAX, INT32_MAX, a, &e), &e,
                 "columns of a rectangle is 2147483647");
  expect_refusal(weft_generate_rectangle(&s, 1, 1e300, 1, 0, q, &e), &e, "ask for fewer cells");
  expect_refusal(weft_generate_disc(&s, -0.1, 3, &e), &e, "radius of a disc is -0.1 m");
  expect_refusal(weft_generate_disc(&s, 1, 0, &e), &e, "rings of a disc is 0; expected 1 to");
  expect_refusal(weft_generate_disc(&s, 1, INT32_MAX, &e), &e, "rings of a disc is 2147483647");
  expect_refusal(weft_generate_disc(&s, 1, 100000, &e), &e, "ask for fewer cells");
  const double still[15] = {0}, up[] = {0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3},
               far[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, NAN, 0};
  expect_refusal(weft_generate_ribbon(&s, up, 3, 1, 3, 1, &e), &e, "a ribbon has 3 points; expected 4 to");
  expect_refusal(weft_generate_ribbon(&s, far, 4, 1, 3, 1, &e), &e,
                 "point 3 of a ribbon, counted from 0, is at y = nan");
  expect_refusal(weft_generate_ribbon(&s, up, 4, 1, 3, 1, &e), &e, "runs along z at (0, 0, 1)");
  expect_refusal(weft_generate_ribbon(&s, still, 5, 1, 3, 1, &e), &e, "length of a ribbon is 0 m");
  expect_refusal(weft_generate_ribbon(&s, up, 4, 0, 3, 1, &e), &e, "width of a ribbon is 0 m");
  expect_refusal(weft_generate_ribbon(&s, up, 4, 1, 0, 1, &e), &e, "columns of a ribbon is 0; expected 1 to");
  expect_refusal(weft_generate_tube(&s, 0, 0, 1, 3, 1, a, &e), &e, "radius of a tube is 0 m");
  expect_refusal(weft_generate_tube(&s, 1, 1, 0, 3, 1, a, &e), &e, "height of a tube is 0 m");
  expect_refusal(weft_generate_tube(&s, 1, 0, 1, 3, 1, a, &e), &e, "top_radius of a tube is 0 m");
  expect_refusal(weft_generate_tube(&s, 1, 2, 1, 3, 1, WEFT_PATTERN_EQUILATERAL, &e), &e,
                 "pattern equilateral");
  expect_refusal(weft_generate_tube(&s, 1, 1, 1, 2, 1, a, &e), &e, "columns of a tube is 2; expected 3 to");
  expect_refusal(weft_generate_tube(&s, 1, 1, 1, 3, 0, a, &e), &e, "rows of a tube is 0");
  weft_shape_free(&s); /* a refused shape is empty */
  assert_null(s.mesh.positions);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(alternating_rectangle),
      cmocka_unit_test(equilateral_rectangle),
      cmocka_unit_test(equilateral_rows_can_be_asked_for),
      cmocka_unit_test(disc),
      cmocka_unit_test(straight_ribbon),
      cmocka_unit_test(bent_ribbon),
      cmocka_unit_test(tube),
      cmocka_unit_test(open_cone),
      cmocka_unit_test(bad_arguments_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
