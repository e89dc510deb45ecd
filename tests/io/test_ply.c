/* PLY: the same mesh in all formats and types, elements and properties in any order, and every way to be
 * broken. */
#include "io/mesh_read.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A file while it is written. */
typedef struct File {
  size_t size;
  char bytes[4096];
} File;

static void put(File *file, const char *text) {
  assert_true(file->size + strlen(text) <= sizeof file->bytes);
  memcpy(file->bytes + file->size, text, strlen(text));
  file->size += strlen(text);
}

/* value as a PLY type: "float" ...; format 'a' ASCII, 'l' and 'b' binary. */
static void put_value(File *file, char format, const char *type, double value) {
  if (format == 'a') {
    char text[40];
    snprintf(text, sizeof text, "%.17g ", value);
    put(file, text);
    return;
  }
  unsigned char bytes[8] = {0};
  int size = strstr(type, "char") || strstr(type, "nt8")   ? 1
             : strstr(type, "short") || strstr(type, "16") ? 2
                                                           : 4;
  if (strcmp(type, "double") == 0 || strcmp(type, "float64") == 0) {
    size = 8;
    memcpy(bytes, &value, 8);
  } else if (strncmp(type, "float", 5) == 0) {
    float single = (float)value;
    memcpy(bytes, &single, 4);
  } else {
    int64_t whole = (int64_t)value;
    memcpy(bytes, &whole, 8);
  }
  /* this machine is little-endian, as checked in main */
  for (int i = 0; i < size; i++) file->bytes[file->size++] = (char)bytes[format == 'b' ? size - 1 - i : i];
}

static const char *format_name(char format) {
  return format == 'a' ? "ascii" : format == 'l' ? "binary_little_endian" : "binary_big_endian";
}

static const double square[4][3] = {{0, 0, 0}, {1, 0, -5}, {1, 1, 2}, {0, 1, 100}};

/* Two triangles and a quad, an element and properties nobody knows among them. */
static void write_rich(File *file, char format, const char *real, const char *list, const char *index,
                       bool faces_first) {
  char text[400];
  file->size = 0;
  snprintf(text, sizeof text, "ply\nformat %s 1.0\ncomment made by a test\nobj_info nothing\n",
           format_name(format));
  put(file, text);
  for (int part = 0; part < 2; part++) {
    if ((part == 0) == faces_first) {
      snprintf(text, sizeof text,
               "element face 3\nproperty uchar flags\nproperty list %s %s vertex_indices\n"
               "property list uchar double weights\n",
               list, index);
    } else {
      snprintf(text, sizeof text,
               "element vertex 4\nproperty uchar red\nproperty %s z\nproperty %s x\nproperty list uchar "
               "short tags\nproperty %s y\nproperty float t\nproperty float s\n",
               real, real, real);
    }
    put(file, text);
    if (part == 0)
      put(file, "element strange 2\nproperty short a\nproperty list int float b\nelement empty 1000000\n");
  }
  put(file, "end_header\n");
  const int faces[3][5] = {{3, 0, 1, 2}, {3, 2, 3, 0}, {4, 3, 2, 1, 0}};
  for (int part = 0; part < 2; part++) {
    for (int i = 0; i < 3 && (part == 0) == faces_first; i++) {
      put_value(file, format, "uchar", 255);
      put_value(file, format, list, faces[i][0]);
      for (int k = 0; k < faces[i][0]; k++) put_value(file, format, index, faces[i][k + 1]);
      put_value(file, format, "uchar", i);
      for (int k = 0; k < i; k++) put_value(file, format, "double", 0.5);
      if (format == 'a') put(file, "\n");
    }
    for (int v = 0; v < 4 && (part == 0) != faces_first; v++) {
      put_value(file, format, "uchar", 200);
      put_value(file, format, real, square[v][2]);
      put_value(file, format, real, square[v][0]);
      put_value(file, format, "uchar", v);
      for (int k = 0; k < v; k++) put_value(file, format, "short", -7);
      put_value(file, format, real, square[v][1]);
      put_value(file, format, "float", 10 + v);
      put_value(file, format, "float", 20 + v);
      if (format == 'a') put(file, "\r\n");
    }
    for (int i = 0; i < 2 && part == 0; i++) {
      put_value(file, format, "short", -1);
      put_value(file, format, "int", 1);
      put_value(file, format, "float", 2.5);
      if (format == 'a') put(file, "\n");
    }
  }
}

static WeftMesh parse(const File *file) {
  WeftMesh mesh;
  WeftError error;
  WeftResult result = weft_mesh_parse(file->bytes, file->size, "a.ply", &mesh, &error);
  if (result != WEFT_RESULT_OK) fail_msg("%s", error.message);
  return mesh;
}

static void check_rich(const File *file) {
  WeftMesh mesh = parse(file);
  assert_int_equal(mesh.vertex_count, 4);
  assert_memory_equal(mesh.positions, square, sizeof square);
  assert_int_equal(mesh.triangle_count, 4);
  const int32_t expected[2][3] = {{0, 1, 2}, {2, 3, 0}};
  assert_memory_equal(mesh.triangles, expected, sizeof expected);
  assert_non_null(mesh.uvs);
  for (int i = 0; i < 12; i++) {
    assert_true(mesh.uvs[2 * i] == 20 + mesh.triangles[i] && mesh.uvs[2 * i + 1] == 10 + mesh.triangles[i]);
  }
  weft_mesh_free(&mesh);
}

static void all_formats_and_types(void **state) {
  (void)state;
  File file;
  const char *reals[] = {"float", "double", "float32", "float64", "int",
                         "int32", "short",  "int16",   "char",    "int8"};
  const char *wholes[] = {"char", "uchar", "short", "ushort", "int",   "uint",
                          "int8", "uint8", "int16", "uint16", "int32", "uint32"};
  for (const char *format = "alb"; *format; format++) {
    for (int faces_first = 0; faces_first < 2; faces_first++) {
      for (size_t r = 0; r < sizeof reals / sizeof *reals; r++) {
        write_rich(&file, *format, reals[r], "uchar", "int", faces_first);
        check_rich(&file);
      }
      for (size_t l = 0; l < sizeof wholes / sizeof *wholes; l++) {
        for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
          write_rich(&file, *format, "float", wholes[l], wholes[i], faces_first);
          check_rich(&file);
        }
      }
    }
  }
}

/* Cut anywhere, every format: a message, never a crash, and never a mesh. */
static void every_truncation_is_noticed(void **state) {
  (void)state;
  File file;
  for (const char *format = "alb"; *format; format++) {
    for (int faces_first = 0; faces_first < 2; faces_first++) {
      write_rich(&file, *format, "double", "ushort", "uint", faces_first);
      size_t whole = file.size;
      /* in ASCII the end may be cut by the last value's own blank and line end, and "2" of "23" or "0.5" may
       * be missing */
      size_t shortest = *format == 'a' ? whole - 6 : whole;
      for (size_t size = 4; size < shortest; size++) {
        char *copy = malloc(size); /* of exactly this size, so that a sanitizer sees a read beyond */
        assert_non_null(copy);
        memcpy(copy, file.bytes, size);
        WeftMesh mesh;
        WeftError error = {WEFT_RESULT_OK, ""};
        assert_int_equal(weft_mesh_parse(copy, size, "a.ply", &mesh, &error), WEFT_RESULT_PARSE);
        assert_true(strncmp(error.message, "a.ply:", 6) == 0);
        assert_null(mesh.positions);
        free(copy);
      }
    }
  }
}

static void extreme_values_survive(void **state) {
  (void)state;
  File file;
  for (const char *format = "lb"; *format; format++) {
    const double values[3] = {DBL_MIN, -DBL_MAX, NAN};
    char text[200];
    file.size = 0;
    snprintf(text, sizeof text,
             "ply\r\nformat %s 1.0\r\nelement vertex 1\r\nproperty double x\r\nproperty double y\r\nproperty "
             "double z\r\nend_header\r\n",
             format_name(*format));
    put(&file, text);
    for (int k = 0; k < 3; k++) put_value(&file, *format, "double", values[k]);
    WeftMesh mesh = parse(&file);
    assert_memory_equal(mesh.positions, values, sizeof values);
    assert_int_equal(mesh.triangle_count, 0);
    weft_mesh_free(&mesh);
  }
}

#define VERTICES "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define FACES "element face 1\nproperty list uchar int vertex_index\n"
#define POINTS "0 0 0\n1 0 0\n0 1 0\n"
#define HEAD "ply\nformat ascii 1.0\n"

static void forms_of_ascii(void **state) {
  (void)state;
  const char *texts[] = {
      HEAD VERTICES FACES "end_header\n" POINTS "3 0 1 2\n",
      HEAD VERTICES FACES "end_header\n" POINTS "3 0 1 2", /* no end of the last line */
      HEAD VERTICES FACES
      "end_header\n\n 0 0\n0\n1 0 0\n\n0 1 0\n3 0 1 2\n\n", /* an item over several lines */
      HEAD VERTICES FACES "end_header\n" POINTS "3 0 1 2\nand more that nobody asked for\n",
      HEAD VERTICES "property uchar u\n" FACES
                    "end_header\n0 0 0 1\n1 0 0 1\n0 1 0 1\n3 0 1 2\n", /* u without v */
      "ply\r\nformat ascii 1.0\r\n" VERTICES FACES "end_header\r\n" POINTS "3 0 1 2\r\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    File file = {0};
    put(&file, texts[i]);
    WeftMesh mesh = parse(&file);
    const double expected[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const int32_t triangle[3] = {0, 1, 2};
    assert_memory_equal(mesh.positions, expected, sizeof expected);
    assert_int_equal(mesh.triangle_count, 1);
    assert_memory_equal(mesh.triangles, triangle, sizeof triangle);
    assert_null(mesh.uvs);
    weft_mesh_free(&mesh);
  }
}

static void names_of_uvs(void **state) {
  (void)state;
  const char *names[3][2] = {{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}};
  for (int i = 0; i < 3; i++) {
    char text[400];
    snprintf(text, sizeof text,
             HEAD VERTICES "property float %s\nproperty float %s\n" FACES
                           "end_header\n0 0 0 1 2\n1 0 0 3 4\n0 1 0 5 6\n3 2 0 1\n",
             names[i][0], names[i][1]);
    File file = {0};
    put(&file, text);
    WeftMesh mesh = parse(&file);
    const double expected[6] = {5, 6, 1, 2, 3, 4};
    assert_non_null(mesh.uvs);
    assert_memory_equal(mesh.uvs, expected, sizeof expected);
    weft_mesh_free(&mesh);
  }
}

static void expect_bytes(const char *bytes, size_t size, WeftResult result, const char *message) {
  WeftMesh mesh;
  WeftError error = {WEFT_RESULT_OK, ""};
  assert_int_equal(weft_mesh_parse(bytes, size, "a.ply", &mesh, &error), result);
  assert_string_equal(error.message, message);
  assert_null(mesh.positions);
  assert_int_equal(weft_mesh_parse(bytes, size, "a.ply", &mesh, NULL), result);
}

static void expect(const char *text, WeftResult result, const char *message) {
  expect_bytes(text, strlen(text), result, message);
}

static void broken_headers(void **state) {
  (void)state;
  const WeftResult broken = WEFT_RESULT_PARSE;
  expect("ply\n", broken, "a.ply:1: the PLY header ends early");
  expect("ply\ncomment x\n", broken,
         "a.ply:2: 'comment' in the PLY header; expected the format line: 'format ascii 1.0'");
  expect("ply\nformat\n", broken,
         "a.ply:2: the line ends early in the PLY header; expected ascii, binary_little_endian or "
         "binary_big_endian");
  expect("ply\nformat text 1.0\n", broken,
         "a.ply:2: 'text' in the PLY header; expected ascii, binary_little_endian or binary_big_endian");
  expect("ply\nformat ascii 2.0\n", broken, "a.ply:2: '2.0' in the PLY header; expected version 1.0");
  expect(HEAD VERTICES FACES, broken, "a.ply:8: the PLY header ends without 'end_header'");
  expect(HEAD VERTICES FACES "end_header", broken, "a.ply:8: the PLY header ends without 'end_header'");
  expect(
      HEAD "vertices 3\n", broken,
      "a.ply:3: 'vertices' in the PLY header; expected comment, obj_info, element, property or end_header");
  expect(HEAD "element\n", broken,
         "a.ply:3: the line ends early in the PLY header; expected the name of an element");
  expect(HEAD "element vertex\n", broken,
         "a.ply:3: the line ends early in the PLY header; expected a number of elements, 0 or more");
  expect(HEAD "element vertex -1\n", broken,
         "a.ply:3: '-1' in the PLY header; expected a number of elements, 0 or more");
  expect(HEAD "element vertex 3x\n", broken,
         "a.ply:3: '3x' in the PLY header; expected a number of elements, 0 or more");
  expect(HEAD "element vertex 99999999999999999999\n", broken,
         "a.ply:3: '99999999999999999999' in the PLY header; expected a number of elements, 0 or more");
  expect(HEAD "element vertex 4000000000\n", WEFT_RESULT_INVALID_DATA,
         "a.ply:3: 4000000000 vertices; at most 119304647 are possible");
  expect(HEAD VERTICES VERTICES, broken, "a.ply:7: a second element vertex in the PLY header; expected one");
  expect(HEAD FACES FACES, broken, "a.ply:5: a second element face in the PLY header; expected one");
  expect(HEAD "property float x\n", broken, "a.ply:3: a property before the first element of the PLY header");
  expect(HEAD "element vertex 3\nproperty real x\n", broken,
         "a.ply:4: 'real' in the PLY header; expected a type: char uchar short ushort int uint float double, "
         "or int8 ... "
         "float64");
  expect(HEAD "element vertex 3\nproperty float\n", broken,
         "a.ply:4: the line ends early in the PLY header; expected the name of a property");
  expect(HEAD "element face 3\nproperty list float int vertex_indices\n", broken,
         "a.ply:4: a list counted by a float; expected a type of whole numbers");
  expect(HEAD "element face 3\nproperty list uchar float vertex_indices\n", broken,
         "a.ply:4: vertex_indices are floats; expected a type of whole numbers");
  expect(HEAD FACES "end_header\n3 0 0 0\n", broken, "a.ply: the PLY header has no element 'vertex'");
  expect(HEAD "element vertex 1\nproperty float x\nproperty float z\nend_header\n1 1\n", broken,
         "a.ply: element 'vertex' of the PLY header has no property 'y'");
  expect(HEAD
         "element vertex 1\nproperty list uchar float x\nproperty float y\nproperty float z\nend_header\n",
         broken, "a.ply: element 'vertex' of the PLY header has no property 'x'");
  expect(HEAD VERTICES "element face 1\nproperty list uchar int corners\nend_header\n" POINTS "3 0 1 2\n",
         broken, "a.ply: element 'face' of the PLY header has no list 'vertex_indices' or 'vertex_index'");
}

static void broken_bodies(void **state) {
  (void)state;
  const WeftResult broken = WEFT_RESULT_PARSE, invalid = WEFT_RESULT_INVALID_DATA;
  expect(HEAD VERTICES FACES "end_header\n", broken,
         "a.ply: the file ends early: 3 items of 'vertex' are announced, the 0 bytes left hold at most 0");
  expect(HEAD VERTICES FACES "end_header\n" POINTS, broken,
         "a.ply:13: face 0 (of 0 to 0): the file ends before its property 'vertex_index'");
  expect(HEAD VERTICES FACES "end_header\n" POINTS "3 0 1\n", broken,
         "a.ply:14: face 0 (of 0 to 0): the file ends before its property 'vertex_index'");
  expect(HEAD VERTICES FACES "end_header\n0 0 0\n1 x 0\n0 1 0\n3 0 1 2\n", broken,
         "a.ply:11: vertex 1 (of 0 to 2): 'x' in property 'y' is not a number");
  expect(HEAD VERTICES FACES "end_header\n0 0 0 0\n1 0 0 0\n0 1 0 0\n3 0 1 2\n", broken,
         "a.ply:10: vertex 0 (of 0 to 2): more values in the line than the header says");
  expect(HEAD VERTICES FACES "end_header\n" POINTS "3 0 1 3\n", invalid,
         "a.ply:13: face 0 (of 0 to 0): vertex index 3; expected 0 to 2");
  expect(HEAD VERTICES FACES "end_header\n" POINTS "3 0 1 -1\n", invalid,
         "a.ply:13: face 0 (of 0 to 0): vertex index -1; expected 0 to 2");
  expect(HEAD VERTICES FACES "end_header\n" POINTS "3 0 1 1.5\n", invalid,
         "a.ply:13: face 0 (of 0 to 0): vertex index 1.5; expected 0 to 2");
  expect(HEAD VERTICES FACES "end_header\n" POINTS "2 0 1\n", invalid,
         "a.ply:13: face 0 (of 0 to 0): 2 corners; expected 3 to 16384");
  expect(HEAD VERTICES FACES "end_header\n" POINTS "-3 0 1 2\n", broken,
         "a.ply:13: face 0 (of 0 to 0): list 'vertex_index' has -3 entries");
  expect(HEAD VERTICES FACES "end_header\n" POINTS "nan 0 1 2\n", broken,
         "a.ply:13: face 0 (of 0 to 0): list 'vertex_index' has nan entries");
  expect(HEAD VERTICES FACES "end_header\n" POINTS "1000000 0 1 2\n", invalid,
         "a.ply:13: face 0 (of 0 to 0): 1000000 corners; expected 3 to 16384");
  expect(HEAD "element vertex 0\nproperty float x\nproperty float y\nproperty float z\nend_header\n", invalid,
         "a.ply: the file has no vertices");
}

static void broken_binaries(void **state) {
  (void)state;
  File file = {0};
  put(&file,
      "ply\nformat binary_little_endian 1.0\nelement vertex 100000000\nproperty float x\nproperty float "
      "y\nproperty "
      "float z\nend_header\n");
  put(&file, "twelve bytes");
  expect_bytes(file.bytes, file.size, WEFT_RESULT_PARSE,
               "a.ply: the file ends early: 100000000 items of 'vertex' are announced, the 12 bytes left "
               "hold at most 1");
  file.size = 0;
  put(&file,
      "ply\nformat binary_big_endian 1.0\nelement junk 1\nproperty list uint double b\nelement vertex "
      "1\nproperty char "
      "x\nproperty char y\nproperty char z\nend_header\n");
  put(&file, "\xff\xff\xff\xff and then nothing");
  expect_bytes(file.bytes, file.size, WEFT_RESULT_PARSE,
               "a.ply: junk 0 (of 0 to 0): the file ends before its property 'b'");
  file.size = 0;
  put(&file,
      "ply\nformat binary_big_endian 1.0\nelement face 2\nproperty list char int vertex_index\nelement "
      "vertex "
      "9\nproperty char x\nproperty char y\nproperty char z\nend_header\n");
  put(&file, "\xff\xff\xff\xff");
  expect_bytes(file.bytes, file.size, WEFT_RESULT_PARSE,
               "a.ply: face 0 (of 0 to 1): list 'vertex_index' has -1 entries");
}

int main(void) {
  const uint16_t one = 1;
  if (*(const unsigned char *)&one != 1) {
    print_message("skipped: the test writes its files on little-endian machines only\n");
    return 0;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_formats_and_types),  cmocka_unit_test(every_truncation_is_noticed),
      cmocka_unit_test(extreme_values_survive), cmocka_unit_test(forms_of_ascii),
      cmocka_unit_test(names_of_uvs),           cmocka_unit_test(broken_headers),
      cmocka_unit_test(broken_bodies),          cmocka_unit_test(broken_binaries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
