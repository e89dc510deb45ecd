#include "base/read_file.h"
#include "material/material.h"

#include <weft/scene.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static WeftResult parse(const char *text, WeftMaterial *material, WeftError *error) {
  return weft_material_parse(text, strlen(text), "m.json", material, error);
}

static void library_is_complete(void **state) {
  (void)state;
  const char *expected[] = {"canvas", "cotton", "cotton_light", "denim",     "polyester",
                            "silk",   "wool",   "wool_coating", "wool_lycra"};
  assert_int_equal(weft_material_count(), 9);
  for (int32_t i = 0; i < weft_material_count(); i++) {
    assert_string_equal(weft_material_name(i), expected[i]);
    WeftMaterial m;
    WeftError error = {0};
    if (weft_material_find(expected[i], &m, &error)) fail_msg("%s", error.message);
    assert_string_equal(m.name, expected[i]);
    /* Where the numbers come from, and that the rest are defaults. */
    assert_true(strstr(weft_material_source(i), "20") != NULL);
    assert_non_null(strstr(weft_material_source(i), "no measurements"));
    /* A cloth, not a sheet of steel or a soap film. */
    assert_true(m.density > 0.03 && m.density < 1);
    assert_true(m.thickness > 1e-4 && m.thickness < 3e-3);
    assert_true(m.stretch_warp > 50 && m.stretch_warp < 1e5);
    assert_true(m.stretch_weft > 50 && m.stretch_weft < 1e5);
    assert_true(m.shear > 1 && m.shear < m.stretch_warp);
    assert_true(m.bend_warp > 1e-7 && m.bend_warp < 1e-3);
    assert_true(m.bend_weft > 1e-7 && m.bend_weft < 1e-3);
    assert_false(m.has_measured_stretch || m.has_measured_bend);
  }
  assert_string_equal(weft_material_name(9), "");
  assert_string_equal(weft_material_name(-1), "");
  assert_string_equal(weft_material_source(9), "");
}

/* The numbers of the files, derived once more from what their sources say. */
static void numbers_follow_from_their_sources(void **state) {
  (void)state;
  const double kes = 9.80665e-3 * 1e-2; /* gf cm^2/cm = gf cm [N m] */
  WeftMaterial m;
  assert_int_equal(weft_material_find("cotton", &m, NULL), 0);
  const double h = 0.318e-3, bias = 0.821e6, warp = 12.436e6, weft = 32.559e6;
  assert_true(fabs(m.density / (472.641509 * h) - 1) < 1e-3);
  assert_true(fabs(m.stretch_warp / (warp * h) - 1) < 1e-3);
  assert_true(fabs(m.stretch_weft / (weft * h) - 1) < 1e-3);
  assert_true(fabs(m.shear / (h / (4 / bias - 1 / warp - 1 / weft)) - 1) < 1e-3);
  assert_true(fabs(m.bend_warp / (0.118 * kes) - 1) < 1e-3);
  assert_int_equal(weft_material_find("silk", &m, NULL), 0);
  const double thickness = 0.18e-3;
  assert_true(fabs(m.density / 0.083 - 1) < 1e-3);
  assert_true(fabs(m.stretch_warp / (9.942e6 * thickness) - 1) < 1e-3);
  assert_true(fabs(m.bend_weft / (4.3e6 * pow(thickness, 3) / 12) - 1) < 1e-3);
}

static void unknown_fabric_is_refused(void **state) {
  (void)state;
  WeftMaterial m;
  WeftError error = {0};
  assert_int_equal(weft_material_find("dennim", &m, &error), WEFT_RESULT_INVALID_ARGUMENT);
  assert_string_equal(error.message, "unknown material \"dennim\"; did you mean \"denim\"?");
  assert_int_equal(weft_material_find("zzzzzzz", &m, &error), WEFT_RESULT_INVALID_ARGUMENT);
  assert_string_equal(error.message, "unknown material \"zzzzzzz\"; weft list materials shows what there is");
  assert_int_equal(weft_material_find(NULL, &m, &error), WEFT_RESULT_INVALID_ARGUMENT);
}

static void own_format_is_read(void **state) {
  (void)state;
  WeftMaterial m, d = weft_default_material();
  WeftError error = {0};
  if (parse("// a comment\n{\"name\": \"x\", \"description\": \"d\", \"source\": \"s\", \"density\": 0.1, "
            "\"thickness\": 0.2,"
            "\"stretch_warp\": 1, \"stretch_weft\": 2, \"shear\": 3, \"bend_warp\": 4, \"bend_weft\": 5,"
            "\"stretch_damping\": 6, \"bend_damping\": 7, \"drag_normal\": 8, \"drag_tangential\": 9,"
            "\"friction_static\": 10, \"friction_kinetic\": 11, \"friction_self\": 12, \"adhesion\": 13}",
            &m, &error))
    fail_msg("%s", error.message);
  assert_string_equal(m.name, "x");
  const double *values[] = {
      &m.stretch_warp,     &m.stretch_weft,  &m.shear,       &m.bend_warp,       &m.bend_weft,
      &m.stretch_damping,  &m.bend_damping,  &m.drag_normal, &m.drag_tangential, &m.friction_static,
      &m.friction_kinetic, &m.friction_self, &m.adhesion};
  for (int i = 0; i < 13; i++) assert_true(*values[i] == i + 1);
  assert_true(m.density == 0.1 && m.thickness == 0.2);
  assert_int_equal(m.cookie, d.cookie);
  assert_int_equal(parse("{}", &m, &error), 0);
  assert_string_equal(m.name, "m");
  assert_true(m.density == d.density && m.shear == d.shear && m.friction_self == d.friction_self);
}

static void a_base_fills_the_gaps(void **state) {
  (void)state;
  WeftMaterial m, wool;
  assert_int_equal(weft_material_find("wool", &wool, NULL), 0);
  assert_int_equal(parse("{\"shear\": 99, \"base\": \"wool\"}", &m, NULL), 0);
  assert_true(m.shear == 99);
  assert_true(m.density == wool.density && m.bend_warp == wool.bend_warp);
  assert_string_equal(m.name, "wool");
}

/* Made-up tables: row r, column c is 100 r + c + 1. */
static void write_rows(char *text, size_t size, int rows, int columns) {
  size_t used = (size_t)snprintf(text, size, "[");
  for (int i = 0; i < rows; i++) {
    used += (size_t)snprintf(text + used, size - used, "%s[", i ? ",\n " : "");
    for (int j = 0; j < columns; j++)
      used += (size_t)snprintf(text + used, size - used, "%s%d", j ? ", " : "", 100 * i + j + 1);
    used += (size_t)snprintf(text + used, size - used, "]");
  }
  snprintf(text + used, size - used, "]");
}

static void arcsim_format_is_read(void **state) {
  (void)state;
  char stretching[1024], bending[1024], text[4096];
  write_rows(stretching, sizeof stretching, 6, 4);
  write_rows(bending, sizeof bending, 3, 5);
  snprintf(text, sizeof text,
           "// a fabric that nobody measured\n{\"density\": 0.3, // kg/m2\n \"stretching\": %s,\n "
           "\"bending\": %s,\n"
           "\"damping\": 0.01}",
           stretching, bending);
  WeftMaterial m, d = weft_default_material();
  WeftError error = {0};
  if (weft_material_parse(text, strlen(text), "dir/some-denim.json", &m, &error))
    fail_msg("%s", error.message);
  assert_string_equal(m.name, "some-denim");
  assert_true(m.density == 0.3);
  assert_true(m.has_measured_stretch && m.has_measured_bend);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 4; j++) assert_true(m.measured_stretch[i][j] == 100 * i + j + 1);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++) assert_true(m.measured_bend[i][j] == 100 * i + j + 1);
  assert_true(m.stretch_warp == 2 * 1 && m.stretch_weft == 2 * 3 && m.shear == 4);
  assert_true(m.bend_warp == 201.0 / 4 && m.bend_weft == 1.0 / 4);
  assert_true(m.stretch_damping == 0.01 && m.bend_damping == 0.01);
  assert_true(m.thickness == d.thickness && m.drag_normal == d.drag_normal);
}

static void broken_materials_are_refused(void **state) {
  (void)state;
  const struct {
    const char *text, *message;
  } cases[] = {
      {"", "m.json:1:1: expected a value, found the end"},
      {"[]", "m.json:1:1: expected an object, got a list of 0"},
      {"\"silk\"", "m.json:1:1: expected an object, got the text \"silk\""},
      {"{\"density\": 0}", "m.json:1:13: density: expected a number above 0, got the number 0"},
      {"{\"density\": \"0.2\"}", "m.json:1:13: density: expected a number above 0, got the text \"0.2\""},
      {"{\n \"densty\": 1}", "m.json:2:2: densty: unknown key; did you mean \"density\"?"},
      {"{\"file\": \"x.json\"}", "m.json:1:2: file: a material file cannot name another file; use base"},
      {"{\"base\": \"sillk\"}", "m.json:1:10: base: unknown material \"sillk\"; did you mean \"silk\"?"},
      {"{\"base\": 3}", "m.json:1:10: base: expected a text, got the number 3"},
      {"{\"name\": \"0123456789012345678901234567890123456789012345678901234567890123\"}",
       "m.json:1:10: name: expected a text of at most 63 bytes, got one of 64"},
      {"{\"measured_stretch\": [[1, 2, 3, 4]]}",
       "m.json:1:22: measured_stretch: expected 6 lists of 4 numbers, got a list of 1"},
      {"{\"measured_bend\": [[1, 2, 3, 4, 5],\n [1, 2, 3, 4],\n [1, 2, 3, 4, 5]]}",
       "m.json:2:2: measured_bend[1]: expected a list of 5 numbers, got a list of 4"},
      {"{\"measured_bend\": [[1, 2, 3, 4, 5],\n [1, 2, 3, 4, -5],\n [1, 2, 3, 4, 5]]}",
       "m.json:2:15: measured_bend[1][4]: expected a number of at least 0, got the number -5"},
      {"{\"bending\": []}", "m.json:1:1: missing key \"density\""},
      {"{\"density\": 1, \"bending\": []}", "m.json:1:1: missing key \"stretching\""},
      {"{\"density\": 1, \"stretching\": [],\n \"bending\": []}",
       "m.json:1:30: stretching: expected 6 lists of 4 numbers, got a list of 0"},
      {"{\"density\": 1, \"stretching\": 5, \"bending\": []}",
       "m.json:1:30: stretching: expected 6 lists of 4 numbers, got the number 5"},
      {"// x\n{\"density\": 1, \"stretching\": "
       "[[1,1,1,1],[1,1,1,1],[1,1,1,1],\n[1,1,1],[1,1,1,1],[1,1,1,1]], "
       "\"bending\": []}",
       "m.json:3:1: stretching[3]: expected a list of 4 numbers, got a list of 3"},
      {"{\"density\": 1, \"stretching\": [[1,1,1,1],[1,1,1,1],[1,1,1,1],[1,1,1,1],[1,1,1,1],[1,1,1,1]], "
       "\"bending\": [[1,1,1,1,1],[1,1,1,1,1],[1,1,1,1,null]]}",
       "m.json:1:138: bending[2][4]: expected a number of at least 0, got null"},
      {"{\"density\": 1, \"stretching\": [], \"bending\": [], \"yield_curv\": 3}",
       "m.json:1:49: yield_curv: unknown key; expected one of: density, stretching, bending, damping"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    WeftMaterial m = {.density = 77};
    WeftError error = {0};
    if (!parse(cases[i].text, &m, &error)) fail_msg("accepted: %s", cases[i].text);
    assert_string_equal(error.message, cases[i].message);
    assert_true(m.density == 77); /* as it was */
  }
}

static void files_are_read(void **state) {
  (void)state;
  char path[1024];
  const char *root = getenv("WEFT_SOURCE_DIR");
  snprintf(path, sizeof path, "%s/materials/canvas.json", root ? root : ".");
  WeftMaterial from_file, from_library;
  WeftError error = {0};
  if (weft_material_read(path, &from_file, &error)) fail_msg("%s", error.message);
  assert_int_equal(weft_material_find("canvas", &from_library, NULL), 0);
  assert_string_equal(from_file.name, from_library.name);
  assert_true(from_file.shear == from_library.shear);
  assert_int_equal(weft_material_read("no/such.json", &from_file, &error), WEFT_RESULT_IO);
  assert_string_equal(error.message, "no/such.json: cannot be read: No such file or directory");
  assert_int_equal(weft_material_read("/", &from_file, &error), WEFT_RESULT_IO);
  assert_string_equal(error.message, "/: cannot be read: Is a directory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(library_is_complete),          cmocka_unit_test(numbers_follow_from_their_sources),
      cmocka_unit_test(unknown_fabric_is_refused),    cmocka_unit_test(own_format_is_read),
      cmocka_unit_test(a_base_fills_the_gaps),        cmocka_unit_test(arcsim_format_is_read),
      cmocka_unit_test(broken_materials_are_refused), cmocka_unit_test(files_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
