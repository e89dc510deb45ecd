/* Values that cloth is coloured by, against closed forms: sheets that are stretched, sheared and rolled
 * evenly, and layers a known distance apart. */
#include "cli/values.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS = 12, SIDE = CELLS + 1, VERTICES = SIDE * SIDE, TRIANGLES = 2 * CELLS * CELLS };

/* A square of side 0.6 m in the plane, its weft along y. */
typedef struct Sheet {
  double positions[VERTICES * 3], uvs[TRIANGLES * 6];
  int32_t triangles[TRIANGLES * 3];
  WeftMesh mesh;
} Sheet;

static void make_sheet(Sheet *sheet, double z) {
  int32_t *corner = sheet->triangles;
  for (int j = 0; j < SIDE; j++) {
    for (int i = 0; i < SIDE; i++) {
      double *x = sheet->positions + 3 * (j * SIDE + i);
      x[0] = 0.6 * i / CELLS;
      x[1] = 0.6 * j / CELLS;
      x[2] = z;
      if (i == CELLS || j == CELLS) continue;
      int a = j * SIDE + i, cell[6] = {a, a + 1, a + SIDE + 1, a, a + SIDE + 1, a + SIDE};
      for (int k = 0; k < 6; k++) *corner++ = cell[k];
    }
  }
  for (int k = 0; k < 3 * TRIANGLES; k++)
    memcpy(sheet->uvs + 2 * k, sheet->positions + 3 * sheet->triangles[k], 2 * sizeof(double));
  sheet->mesh = (WeftMesh){VERTICES, sheet->positions, TRIANGLES, sheet->triangles, NULL};
}

static Sheet rest, moved;
static double values_of_cloth[2][VERTICES];
static double *const values[2] = {values_of_cloth[0], values_of_cloth[1]};

static void measure(ValueKind kind) {
  ValueMeter meter;
  WeftError error;
  assert_int_equal(value_meter_open(&meter, kind, 1, 1, &rest.mesh, NULL, 0.005, &error), WEFT_RESULT_OK);
  assert_int_equal(value_meter_measure(&meter, &moved.mesh, values, &error), WEFT_RESULT_OK);
  value_meter_close(&meter);
}

static void all_are(double expected, double tolerance) {
  for (int v = 0; v < VERTICES; v++) assert_true(fabs(values[0][v] - expected) <= tolerance);
}

/* Stretched by 3 %, narrower by 2 %, and turned and shifted, which changes nothing. */
static void even_stretch(void **state) {
  (void)state;
  for (int with_uv = 0; with_uv < 2; with_uv++) {
    make_sheet(&rest, 0);
    make_sheet(&moved, 0);
    if (with_uv) rest.mesh.uvs = rest.uvs;
    for (int v = 0; v < VERTICES; v++) {
      const double x = 1.03 * rest.positions[3 * v], y = 0.98 * rest.positions[3 * v + 1];
      moved.positions[3 * v] = 0.6 * x + 7;
      moved.positions[3 * v + 1] = y - 2;
      moved.positions[3 * v + 2] = 0.8 * x;
    }
    measure(VALUE_STRAIN_WARP);
    all_are(0.03, 1e-12);
    measure(VALUE_STRAIN_WEFT);
    all_are(-0.02, 1e-12);
    measure(VALUE_SHEAR);
    all_are(0, 1e-12);
    measure(VALUE_BENDING);
    all_are(0, 1e-6);
  }
}

/* Simple shear by g leaves warp as it is and leans the weft by atan g. */
static void even_shear(void **state) {
  (void)state;
  make_sheet(&rest, 0);
  make_sheet(&moved, 0);
  const double g = 0.2;
  for (int v = 0; v < VERTICES; v++) moved.positions[3 * v] += g * rest.positions[3 * v + 1];
  measure(VALUE_SHEAR);
  all_are(atan(g), 1e-12);
  measure(VALUE_STRAIN_WARP);
  all_are(0, 1e-12);
  measure(VALUE_STRAIN_WEFT);
  all_are(sqrt(1 + g * g) - 1, 1e-12);
}

/* Rolled onto a cylinder of radius R, away from the free edges the most bent edge has curvature 1 / R. */
static void rolled_sheet(void **state) {
  (void)state;
  make_sheet(&rest, 0);
  make_sheet(&moved, 0);
  const double radius = 0.5;
  for (int v = 0; v < VERTICES; v++) {
    double angle = rest.positions[3 * v] / radius;
    moved.positions[3 * v] = radius * sin(angle);
    moved.positions[3 * v + 2] = radius * (1 - cos(angle));
  }
  measure(VALUE_BENDING);
  for (int j = 1; j < CELLS; j++)
    for (int i = 1; i < CELLS; i++) assert_true(fabs(values[0][j * SIDE + i] * radius - 1) < 0.1);
}

static void speed_is_way_over_time(void **state) {
  (void)state;
  const double before[6] = {0, 0, 0, 1, 1, 1}, after[6] = {0.3, 0, 0.4, 1, 1, 1};
  double speeds[2];
  value_speeds(2, before, after, 0.25, speeds);
  assert_true(fabs(speeds[0] - 2) < 1e-12 && speeds[1] == 0);
}

/* Two sheets 2 mm apart, and one folded over itself; neighbours on the same cloth do not count. */
static void gaps_between_layers(void **state) {
  (void)state;
  static Sheet other;
  WeftError error;
  for (int cloths = 1; cloths <= 2; cloths++) { /* the other one is an obstacle, or cloth */
    make_sheet(&rest, 0);
    make_sheet(&other, 0.002);
    const WeftMesh meshes[2] = {rest.mesh, other.mesh};
    ValueMeter meter;
    assert_int_equal(value_meter_open(&meter, VALUE_GAP, 2, cloths, meshes, NULL, 0.005, &error),
                     WEFT_RESULT_OK);
    assert_int_equal(value_meter_measure(&meter, meshes, values, &error), WEFT_RESULT_OK);
    for (int c = 0; c < cloths; c++)
      for (int v = 0; v < VERTICES; v++) assert_true(fabs(values[c][v] - 0.002) < 1e-12);
    for (int v = 0; v < VERTICES; v++) other.positions[3 * v + 2] = 0.5;
    assert_int_equal(value_meter_measure(&meter, meshes, values, &error), WEFT_RESULT_OK);
    all_are(0.005, 0);
    value_meter_close(&meter);
  }
  make_sheet(&rest, 0);
  make_sheet(&moved, 0);
  for (int v = 0; v < VERTICES; v++) {
    int i = v % SIDE;
    if (i <= CELLS / 2) continue;
    moved.positions[3 * v] = 0.6 * (CELLS - i) / CELLS;
    moved.positions[3 * v + 2] = 0.003;
  }
  measure(VALUE_GAP);
  assert_true(fabs(values[0][0] - 0.003) < 1e-12 && fabs(values[0][CELLS] - 0.003) < 1e-12);
}

/* A frame with another mesh than the rest shape is refused, not read beyond its end. */
static void other_meshes_are_refused(void **state) {
  (void)state;
  make_sheet(&rest, 0);
  make_sheet(&moved, 0);
  moved.mesh.triangle_count--;
  for (int kind = VALUE_STRAIN_WARP; kind <= VALUE_BENDING; kind++) {
    ValueMeter meter;
    WeftError error;
    assert_int_equal(value_meter_open(&meter, (ValueKind)kind, 1, 1, &rest.mesh, NULL, 0.005, &error),
                     WEFT_RESULT_OK);
    assert_int_equal(value_meter_measure(&meter, &moved.mesh, values, &error), WEFT_RESULT_INVALID_DATA);
    value_meter_close(&meter);
  }
}

static void quantiles(void **state) {
  (void)state;
  double many[101], found;
  for (int i = 0; i <= 100; i++) many[i] = (i % 2 ? -1 : 1) * (100 - i);
  assert_int_equal(value_quantile(101, many, 0.98, &found, NULL), WEFT_RESULT_OK);
  assert_true(found == 98);
  assert_int_equal(value_quantile(0, many, 0.98, &found, NULL), WEFT_RESULT_OK);
  assert_true(found == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(even_stretch),        cmocka_unit_test(even_shear),
      cmocka_unit_test(rolled_sheet),        cmocka_unit_test(speed_is_way_over_time),
      cmocka_unit_test(gaps_between_layers), cmocka_unit_test(other_meshes_are_refused),
      cmocka_unit_test(quantiles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
