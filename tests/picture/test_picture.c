/* Pictures are whole PNG files of the size asked for, show what they should, and do not depend on threads. */
#include "picture/picture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <png.h>

#include <cmocka.h>

enum { CELLS = 30, SIDE = CELLS + 1, WIDTH = 160, HEIGHT = 90 };

static double positions[SIDE * SIDE * 3];
static int32_t triangles[CELLS * CELLS * 6];
static char folder[] = "/tmp/weft-picture-XXXXXX";

/* A hanging sheet with folds, x from 0 to 1.5, z from 0 to 1. */
static WeftPicturePart wavy_sheet(void) {
  int32_t *corner = triangles;
  for (int j = 0; j < SIDE; j++) {
    for (int i = 0; i < SIDE; i++) {
      double u = (double)i / CELLS, *x = positions + 3 * (j * SIDE + i);
      x[0] = 1.5 * u;
      x[1] = 0.1 * sin(20 * u);
      x[2] = (double)j / CELLS;
      if (i == CELLS || j == CELLS) continue;
      int a = j * SIDE + i, cell[6] = {a, a + 1, a + SIDE + 1, a, a + SIDE + 1, a + SIDE};
      for (int k = 0; k < 6; k++) *corner++ = cell[k];
    }
  }
  WeftPicturePart part = {.vertex_count = SIDE * SIDE,
                          .positions = positions,
                          .triangle_count = 2 * CELLS * CELLS,
                          .triangles = triangles};
  weft_picture_palette(0, part.color);
  return part;
}

static void path_of(char path[128], const char *name) { snprintf(path, 128, "%s/%s", folder, name); }

/* The pixels as RGB; the file must be a PNG of WIDTH x HEIGHT. */
static void read_pixels(const char *path, uint8_t pixels[HEIGHT][WIDTH][3]) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  assert_true(png_image_begin_read_from_file(&image, path));
  assert_int_equal(image.width, WIDTH);
  assert_int_equal(image.height, HEIGHT);
  image.format = PNG_FORMAT_RGB;
  assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
}

static size_t read_bytes(const char *path, uint8_t *bytes, size_t room) {
  FILE *stream = fopen(path, "rb");
  assert_non_null(stream);
  size_t size = fread(bytes, 1, room, stream);
  fclose(stream);
  return size;
}

static bool is_red(const uint8_t *pixel) { return pixel[0] > 1.5 * pixel[1] && pixel[0] > 1.5 * pixel[2]; }

static void picture_shows_the_sheet(void **state) {
  (void)state;
  WeftPicturePart part = wavy_sheet();
  WeftPictureDef def = weft_picture_frame(WIDTH, HEIGHT, 1, &part);
  assert_true(weft_picture_shows(&def, 1, &part));
  char path[128];
  path_of(path, "sheet.png");
  WeftError error;
  assert_int_equal(weft_picture_write(path, &def, 1, &part, &error), WEFT_RESULT_OK);
  static uint8_t pixels[HEIGHT][WIDTH][3];
  read_pixels(path, pixels);
  int red = 0, darkest = 255, brightest = 0;
  for (int row = 0; row < HEIGHT; row++) {
    for (int column = 0; column < WIDTH; column++) {
      if (!is_red(pixels[row][column])) continue;
      red++;
      darkest = pixels[row][column][0] < darkest ? pixels[row][column][0] : darkest;
      brightest = pixels[row][column][0] > brightest ? pixels[row][column][0] : brightest;
      /* the camera leaves a margin */
      assert_true(row > 0 && row < HEIGHT - 1 && column > 0 && column < WIDTH - 1);
    }
  }
  assert_true(red > WIDTH * HEIGHT / 8);
  assert_true(brightest - darkest > 60); /* folds are seen */
  assert_false(is_red(pixels[0][0]));
}

static void same_bytes_for_any_number_of_threads(void **state) {
  (void)state;
  WeftPicturePart part = wavy_sheet();
  WeftPictureDef def = weft_picture_frame(WIDTH, HEIGHT, 1, &part);
  static uint8_t bytes[2][1 << 18];
  size_t size[2];
  for (int i = 0; i < 2; i++) {
    char path[128];
    path_of(path, i ? "two.png" : "one.png");
    def.threads = i + 1;
    assert_int_equal(weft_picture_write(path, &def, 1, &part, NULL), WEFT_RESULT_OK);
    size[i] = read_bytes(path, bytes[i], sizeof bytes[i]);
  }
  assert_int_equal(size[0], size[1]);
  assert_memory_equal(bytes[0], bytes[1], size[0]);
}

static void nothing_to_draw_is_a_picture_too(void **state) {
  (void)state;
  WeftPicturePart empty = {.color = {1, 1, 1}};
  char path[128];
  path_of(path, "empty.png");
  static uint8_t pixels[HEIGHT][WIDTH][3];
  for (int count = 0; count < 2; count++) {
    WeftPictureDef def = weft_picture_frame(WIDTH, HEIGHT, count, &empty);
    assert_int_equal(weft_picture_write(path, &def, count, &empty, NULL), WEFT_RESULT_OK);
    read_pixels(path, pixels);
  }
}

static void camera_notices_what_leaves(void **state) {
  (void)state;
  WeftPicturePart part = wavy_sheet();
  WeftPictureDef def = weft_picture_frame(WIDTH, HEIGHT, 1, &part);
  positions[0] -= 3;
  assert_false(weft_picture_shows(&def, 1, &part));
  positions[0] += 3;
  assert_true(weft_picture_shows(&def, 1, &part));
  positions[2] = def.ground - 0.001;
  assert_false(weft_picture_shows(&def, 1, &part));
}

/* A square of a side 2 r about (x, y, z), facing up. */
static WeftPicturePart square(double r, double x, double y, double z, double corners[12]) {
  static const int32_t halves[6] = {0, 1, 2, 0, 2, 3};
  const double made[12] = {x - r, y - r, z, x + r, y - r, z, x + r, y + r, z, x - r, y + r, z};
  memcpy(corners, made, sizeof made);
  WeftPicturePart part = {
      .vertex_count = 4, .positions = corners, .triangle_count = 2, .triangles = halves, .is_obstacle = true};
  weft_picture_obstacle_palette(0, part.color);
  return part;
}

/* An obstacle around the cloth is looked at; the ground is drawn but does not move the camera. */
static void obstacles_are_drawn_and_framed(void **state) {
  (void)state;
  double near_corners[12], ground_corners[12];
  WeftPicturePart parts[3] = {wavy_sheet(), square(0.3, 0.7, -0.8, -0.5, near_corners),
                              square(50, 0, 0, -0.6, ground_corners)};
  WeftPictureDef alone = weft_picture_frame(WIDTH, HEIGHT, 1, parts);
  WeftPictureDef both = weft_picture_frame(WIDTH, HEIGHT, 2, parts);
  WeftPictureDef all = weft_picture_frame(WIDTH, HEIGHT, 3, parts);
  assert_memory_not_equal(&alone.camera, &both.camera, sizeof alone.camera);
  assert_memory_equal(&both.camera, &all.camera, sizeof all.camera);
  assert_true(weft_picture_shows(&all, 3, parts));
  assert_false(weft_picture_shows(&alone, 2, parts));
  char path[128];
  static uint8_t pixels[2][HEIGHT][WIDTH][3];
  for (int i = 0; i < 2; i++) {
    path_of(path, "sheet.png");
    assert_int_equal(weft_picture_write(path, &all, 2 + i, parts, NULL), WEFT_RESULT_OK);
    read_pixels(path, pixels[i]);
  }
  int grey = 0, red = 0, changed = 0;
  for (int row = 0; row < HEIGHT; row++) {
    for (int column = 0; column < WIDTH; column++) {
      const uint8_t *p = pixels[1][row][column];
      red += is_red(p);
      grey += abs(p[0] - p[1]) < 25 && abs(p[1] - p[2]) < 25;
      changed += memcmp(p, pixels[0][row][column], 3) != 0;
    }
  }
  assert_true(red > WIDTH * HEIGHT / 30);
  assert_true(grey > WIDTH * HEIGHT / 3);
  assert_true(changed > WIDTH * HEIGHT / 10); /* the ground is in the picture */
  /* only obstacles: these are looked at */
  WeftPictureDef bare = weft_picture_frame(WIDTH, HEIGHT, 1, parts + 2);
  assert_true(weft_picture_shows(&bare, 1, parts + 2));
}

static void bad_requests_are_refused(void **state) {
  (void)state;
  WeftPicturePart part = wavy_sheet();
  WeftPictureDef def = weft_picture_frame(WIDTH, HEIGHT, 1, &part);
  WeftError error;
  char path[128];
  path_of(path, "no-such-folder/x.png");
  assert_int_equal(weft_picture_write(path, &def, 1, &part, &error), WEFT_RESULT_IO);
  assert_non_null(strstr(error.message, "no-such-folder/x.png"));

  path_of(path, "refused.png");
  WeftPictureDef wrong = def;
  wrong.width = 0;
  assert_int_equal(weft_picture_write(path, &wrong, 1, &part, &error), WEFT_RESULT_INVALID_ARGUMENT);
  wrong = def;
  memcpy(wrong.camera.to, wrong.camera.from, sizeof wrong.camera.to);
  assert_int_equal(weft_picture_write(path, &wrong, 1, &part, &error), WEFT_RESULT_INVALID_ARGUMENT);
  triangles[4] = SIDE * SIDE;
  assert_int_equal(weft_picture_write(path, &def, 1, &part, &error), WEFT_RESULT_INVALID_DATA);
  assert_non_null(strstr(error.message, "triangle 1"));
  part = wavy_sheet();
  positions[7] = NAN;
  assert_int_equal(weft_picture_write(path, &def, 1, &part, &error), WEFT_RESULT_INVALID_DATA);
  assert_non_null(strstr(error.message, "vertex 2"));
  assert_int_equal(access(path, F_OK), -1);
}

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  const char *names[] = {"sheet.png", "one.png", "two.png", "empty.png"};
  char path[128];
  for (int i = 0; i < 4; i++) {
    path_of(path, names[i]);
    remove(path);
  }
  return rmdir(folder); /* fails when a half-written file was left behind */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(picture_shows_the_sheet),
      cmocka_unit_test(same_bytes_for_any_number_of_threads),
      cmocka_unit_test(nothing_to_draw_is_a_picture_too),
      cmocka_unit_test(camera_notices_what_leaves),
      cmocka_unit_test(obstacles_are_drawn_and_framed),
      cmocka_unit_test(bad_requests_are_refused),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
