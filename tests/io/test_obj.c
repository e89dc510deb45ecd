/* OBJ in and out: all forms of statements, every way to be broken with its message, round trip, failing
 * disks. */
#include "io/mesh_read.h"
#include "io/obj_write.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static WeftMesh parse(const char *text) {
  WeftMesh mesh;
  WeftError error;
  WeftResult result = weft_mesh_parse(text, strlen(text), "a.obj", &mesh, &error);
  if (result != WEFT_RESULT_OK) fail_msg("%s", error.message);
  return mesh;
}

static void check_triangles(const char *text, int count, const int32_t *expected) {
  WeftMesh mesh = parse(text);
  assert_int_equal(mesh.triangle_count, count);
  assert_memory_equal(mesh.triangles, expected, 3 * (size_t)count * sizeof *expected);
  assert_null(mesh.uvs);
  weft_mesh_free(&mesh);
}

#define QUAD "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void forms_of_faces(void **state) {
  (void)state;
  const int32_t one[3] = {0, 1, 2}, two[6] = {0, 1, 2, 0, 2, 3};
  check_triangles(QUAD "f 1 2 3", 1, one);
  check_triangles(QUAD "f 1 2 3 4\n", 2, two);
  check_triangles(QUAD "vn 0 0 1\nf 1//1 2//1 3//1\n", 1, one);
  check_triangles(QUAD "f -4 -3 -2\n", 1, one);
  check_triangles("v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 0 1 0\n", 1, one);
  check_triangles("f 1 2 3\n" QUAD, 1, one);       /* before its vertices */
  check_triangles(QUAD "f 1/1 2/2 3/3\n", 1, one); /* there is no vt at all: the indices mean nothing */
  check_triangles(QUAD "vt 0 0\nvt 1 0\nf 1/1 2/2 3\n", 1, one); /* not every corner has one */
  check_triangles(QUAD "f 1 \\\n 2 \\\r\n 3\n", 1, one);
  check_triangles("\xEF\xBB\xBF" QUAD "  f\t1  2\t3 # end\r\n", 1, one);
}

static void forms_of_vertices(void **state) {
  (void)state;
  WeftMesh mesh = parse(
      "# a comment \\\nv 1 2 3\r\nv -1e-3 +.5 7. 1.0\nv 1 1 1 0.1 0.2 0.3\nv 2 2 2 1 0 0 0\nv 0.1\\\n 0 0");
  const double expected[5][3] = {{1, 2, 3}, {-1e-3, 0.5, 7}, {1, 1, 1}, {2, 2, 2}, {0.1, 0, 0}};
  assert_int_equal(mesh.vertex_count, 5);
  assert_int_equal(mesh.triangle_count, 0);
  assert_memory_equal(mesh.positions, expected, sizeof expected);
  weft_mesh_free(&mesh);
  mesh =
      parse("v nan -inf 1e999\n"); /* well-formed: the policy for meshes deals with it, naming the vertex */
  assert_true(isnan(mesh.positions[0]) && mesh.positions[1] == -INFINITY && mesh.positions[2] == INFINITY);
  weft_mesh_free(&mesh);
}

static void uvs_follow_their_corners(void **state) {
  (void)state;
  WeftMesh mesh = parse(QUAD "vt 0.5\nvt 1 2\nvt 3 4 5\nvt 6 7\nvn 0 0 1\nf 4/-1/1 1/1/1 2/2/1 3/3/1\n");
  const double of_vertex[4][2] = {{0.5, 0}, {1, 2}, {3, 4}, {6, 7}};
  assert_int_equal(mesh.triangle_count, 2);
  assert_non_null(mesh.uvs);
  for (int i = 0; i < 6; i++)
    assert_memory_equal(mesh.uvs + 2 * i, of_vertex[mesh.triangles[i]], 2 * sizeof(double));
  weft_mesh_free(&mesh);
}

static void other_statements_are_passed_over(void **state) {
  (void)state;
  const int32_t one[3] = {0, 1, 2};
  check_triangles("mtllib a.mtl\no thing\ng part 1\ns off\nusemtl red\n" QUAD
                  "vp 1 2\nl 1 2\np 1\ncurv 0 1 1 \\\n2 3\nstitch 1 2\nfo 9 9 9\nf 1 2 3\n\n\n#",
                  1, one);
}

static void concave_polygon_is_cut_right(void **state) {
  (void)state;
  WeftMesh mesh = parse("v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nf 1 2 3 4 5 6\n");
  WeftMeshFacts facts;
  assert_int_equal(weft_mesh_inspect(&mesh, &facts, NULL), WEFT_RESULT_OK);
  assert_int_equal(mesh.triangle_count, 4);
  assert_true(fabs(facts.area - 5) < 1e-14);
  assert_int_equal(facts.flipped_edges, 0);
  weft_mesh_free(&mesh);
}

static void expect(const char *text, WeftResult result, const char *message) {
  WeftMesh mesh;
  WeftError error = {WEFT_RESULT_OK, ""};
  assert_int_equal(weft_mesh_parse(text, strlen(text), "a.obj", &mesh, &error), result);
  assert_int_equal(error.result, result);
  assert_string_equal(error.message, message);
  assert_null(mesh.positions);
  assert_int_equal(mesh.vertex_count, 0);
  assert_int_equal(weft_mesh_parse(text, strlen(text), "a.obj", &mesh, NULL), result);
}

static void broken_files(void **state) {
  (void)state;
  const WeftResult parse_error = WEFT_RESULT_PARSE, invalid = WEFT_RESULT_INVALID_DATA;
  const char *nothing =
      "a.obj: no vertices found; expected an OBJ file ('v x y z' lines) or a PLY file (first line 'ply')";
  expect("", parse_error, nothing);
  expect("hello world\n", parse_error, nothing);
  expect("ply", parse_error, nothing);
  expect("v 1 2\n", parse_error, "a.obj:1: 2 numbers in a v statement; expected 3 to 7");
  expect("\n\nv\n", parse_error, "a.obj:3: 0 numbers in a v statement; expected 3 to 7");
  expect("v 1 2 3 4 5 6 7 8\n", parse_error, "a.obj:1: 8 numbers in a v statement; expected 3 to 7");
  expect("v 1 2 x3\n", parse_error, "a.obj:1: 'x3' in a v statement is not a number");
  expect("v 1 2 \\\n3,5\n", parse_error, "a.obj:2: '3,5' in a v statement is not a number");
  expect("v 1 2 0x10\n", parse_error, "a.obj:1: '0x10' in a v statement is not a number");
  expect("v 1 2 3 red\n", parse_error, "a.obj:1: 'red' in a v statement is not a number");
  expect("v 1 2 1e\n", parse_error, "a.obj:1: '1e' in a v statement is not a number");
  expect("v 0 0 0\nvt\n", parse_error, "a.obj:2: 0 numbers in a vt statement; expected 1 to 3");
  expect("v 0 0 0\nvt 1 b\n", parse_error, "a.obj:2: 'b' in a vt statement is not a number");
  expect(QUAD "f\n", invalid, "a.obj:5: a face of 0 corners; expected 3 to 16384");
  expect(QUAD "f 1 2\n", invalid, "a.obj:5: a face of 2 corners; expected 3 to 16384");
  expect(QUAD "f 0 1 2\n", parse_error,
         "a.obj:5: vertex index 0 in a face; OBJ counts from 1, or backwards from -1");
  expect(QUAD "f 1 2 5\n", invalid, "a.obj:5: vertex index 5 in a face; the file has 4");
  expect(QUAD "f 1 2 3\nf 1 \\\n2 99\n", invalid, "a.obj:6: vertex index 99 in a face; the file has 4");
  expect(QUAD "f 1 2 -5\n", invalid, "a.obj:5: vertex index -5 in a face; there are 4 so far");
  expect(QUAD "f 1 2 4294967297\n", invalid,
         "a.obj:5: vertex index 4294967297 in a face; there are 4 so far");
  expect(QUAD "f 1 2 99999999999999999999\n", parse_error,
         "a.obj:5: '99999999999999999999' is not a corner of a face; expected v, v/vt, v//vn or v/vt/vn");
  expect(QUAD "f 1 2 3.5\n", parse_error,
         "a.obj:5: '3.5' is not a corner of a face; expected v, v/vt, v//vn or v/vt/vn");
  expect(QUAD "f 1/ 2/ 3/\n", parse_error,
         "a.obj:5: '1/' is not a corner of a face; expected v, v/vt, v//vn or v/vt/vn");
  expect(QUAD "f 1// 2 3\n", parse_error,
         "a.obj:5: '1//' is not a corner of a face; expected v, v/vt, v//vn or v/vt/vn");
  expect(QUAD "f 1/1/1/1 2 3\n", parse_error,
         "a.obj:5: '1/1/1/1' is not a corner of a face; expected v, v/vt, v//vn or v/vt/vn");
  expect(QUAD "f a\001b\377 b c\n", parse_error,
         "a.obj:5: 'a?b?' is not a corner of a face; expected v, v/vt, v//vn or v/vt/vn");
  expect(QUAD "vt 0 0\nf 1/1 2/1 3/2\n", invalid, "a.obj:6: vt index 2 in a face; the file has 1");
  expect(QUAD "vt 0 0\nf 1/1 2/1 3/0\n", parse_error,
         "a.obj:6: vt index 0 in a face; OBJ counts from 1, or backwards from -1");
  expect(QUAD "vt 0 0\nf 1/1 2/1 3/-2\n", invalid, "a.obj:6: vt index -2 in a face; there are 1 so far");
}

static void polygons_have_a_limit(void **state) {
  (void)state;
  static char text[100000] = "v 0 0 0\nf";
  size_t length = strlen(text);
  for (int i = 0; i <= 16384; i++) length += (size_t)sprintf(text + length, " 1");
  expect(text, WEFT_RESULT_INVALID_DATA, "a.obj:2: a face of more than 16384 corners; expected 3 to 16384");
  text[length - 2] = 0;
  WeftMesh mesh = parse(text); /* the largest, and as bad as can be: all corners are the same */
  assert_int_equal(mesh.triangle_count, 16382);
  weft_mesh_free(&mesh);
}

static void files_that_cannot_be_read(void **state) {
  (void)state;
  WeftMesh mesh;
  WeftError error;
  assert_int_equal(weft_mesh_read("/nowhere/a.obj", &mesh, &error), WEFT_RESULT_IO);
  assert_string_equal(error.message, "/nowhere/a.obj: cannot be read: No such file or directory");
  assert_int_equal(weft_mesh_read("/", &mesh, &error), WEFT_RESULT_IO);
  assert_string_equal(error.message, "/: cannot be read: Is a directory");
  assert_int_equal(weft_mesh_read(NULL, &mesh, &error), WEFT_RESULT_INVALID_ARGUMENT);
}

static void temporary_folder(char *path, size_t size) {
  const char *base = getenv("TMPDIR");
  snprintf(path, size, "%s/weft-test-XXXXXX", base ? base : "/tmp");
  assert_non_null(mkdtemp(path));
}

static void round_trip_keeps_every_bit(void **state) {
  (void)state;
  char folder[256], path[300];
  temporary_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/out.obj", folder);
  const double a[3][3] = {{0.1, -1.0 / 3, 1e-300}, {1e300, -0.0, 5e-324}, {12345.678901234567, 2, 3}};
  const double b[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int32_t t[1][3] = {{0, 1, 2}}, u[2][3] = {{2, 1, 0}, {0, 1, 2}};
  const WeftObjPart parts[2] = {{"first", 3, a[0], 1, t[0]}, {"second\nv 9 9 9", 3, b[0], 2, u[0]}};
  WeftError error;
  for (int round = 0; round < 2; round++) { /* the second time over the first file */
    if (weft_obj_write(path, 2, parts, &error) != WEFT_RESULT_OK) fail_msg("%s", error.message);
  }
  WeftMesh mesh;
  assert_int_equal(weft_mesh_read(path, &mesh, &error), WEFT_RESULT_OK);
  const int32_t expected[3][3] = {{0, 1, 2}, {5, 4, 3}, {3, 4, 5}};
  assert_int_equal(mesh.vertex_count, 6);
  assert_memory_equal(mesh.positions, a, sizeof a);
  assert_memory_equal(mesh.positions + 9, b, sizeof b);
  assert_int_equal(mesh.triangle_count, 3);
  assert_memory_equal(mesh.triangles, expected, sizeof expected);
  weft_mesh_free(&mesh);
  FILE *file = fopen(path, "r");
  char line[64];
  assert_non_null(file);
  assert_non_null(fgets(line, sizeof line, file));
  assert_string_equal(line, "o first\n");
  fclose(file);
  assert_int_equal(remove(path), 0);
  assert_int_equal(rmdir(folder), 0); /* and no temporary file is left */
}

static void failed_writes_leave_nothing(void **state) {
  (void)state;
  char folder[256], path[300], temporary[320];
  temporary_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/out.obj", folder);
  snprintf(temporary, sizeof temporary, "%s.tmp", path);
  double p[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const int32_t t[3] = {0, 1, 2};
  const WeftObjPart part = {"x", 3, p[0], 1, t};
  WeftError error;
  char expected[1024];
  assert_int_equal(weft_obj_write("/nowhere/out.obj", 1, &part, &error), WEFT_RESULT_IO);
  assert_string_equal(error.message, "/nowhere/out.obj.tmp: cannot be created: No such file or directory");
  assert_int_equal(weft_obj_write(folder, 1, &part, &error), WEFT_RESULT_IO); /* a folder is in the way */
  assert_non_null(strstr(error.message, "cannot be renamed to"));
  if (access("/dev/full", W_OK) == 0) {
    assert_int_equal(symlink("/dev/full", temporary), 0);
    assert_int_equal(weft_obj_write(path, 1, &part, &error), WEFT_RESULT_IO);
    snprintf(expected, sizeof expected, "%s: cannot be written: No space left on device", temporary);
    assert_string_equal(error.message, expected);
  } else {
    print_message("skipped: there is no /dev/full to stand for a full disk\n");
  }
  p[1][2] = NAN;
  assert_int_equal(weft_obj_write(path, 1, &part, &error), WEFT_RESULT_NOT_FINITE);
  snprintf(expected, sizeof expected, "%s: not written: vertex 1 of 'x' is not finite", path);
  assert_string_equal(error.message, expected);
  assert_int_equal(rmdir(folder), 0); /* empty: neither a file nor a temporary one is left */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forms_of_faces),
      cmocka_unit_test(forms_of_vertices),
      cmocka_unit_test(uvs_follow_their_corners),
      cmocka_unit_test(other_statements_are_passed_over),
      cmocka_unit_test(concave_polygon_is_cut_right),
      cmocka_unit_test(broken_files),
      cmocka_unit_test(polygons_have_a_limit),
      cmocka_unit_test(files_that_cannot_be_read),
      cmocka_unit_test(round_trip_keeps_every_bit),
      cmocka_unit_test(failed_writes_leave_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
