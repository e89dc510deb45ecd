/* Scales, ticks and the legend: what it says is what the colours mean. */
#include "picture/picture.h"
#include "picture/scale.h"
#include "picture/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void ticks_are_round(void **state) {
  (void)state;
  double ticks[WEFT_PICTURE_MOST_TICKS];
  assert_int_equal(weft_picture_ticks(-0.2, 0.2, 5, ticks), 5);
  for (int i = 0; i < 5; i++) assert_true(fabs(ticks[i] - (-0.2 + 0.1 * i)) < 1e-12);
  assert_true(ticks[2] == 0);
  assert_int_equal(weft_picture_ticks(0, 5, 5, ticks), 6);
  assert_int_equal(weft_picture_ticks(0, 0.7, 4, ticks), 4);
  assert_true(fabs(ticks[3] - 0.6) < 1e-12);
  assert_int_equal(weft_picture_ticks(1, 1, 5, ticks), 0);
  assert_int_equal(weft_picture_ticks(0, INFINITY, 5, ticks), 0);
  for (double size = 1e-9; size < 1e9; size *= 3.7) {
    int count = weft_picture_ticks(-0.3 * size, size, 6, ticks);
    assert_true(count >= 2 && count <= 7);
    for (int i = 1; i < count; i++) assert_true(ticks[i] > ticks[i - 1]);
  }
}

static void ranges_are_rounded_up(void **state) {
  (void)state;
  const double cases[][2] = {{1, 1}, {1.01, 2}, {0.021, 0.05}, {499, 500}, {501, 1000}, {5, 5}, {1e-7, 1e-7}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_true(fabs(weft_picture_round_up(cases[i][0]) / cases[i][1] - 1) < 1e-9);
}

static double brightness(const double color[3]) {
  return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2];
}

static void colours_rise_and_turn(void **state) {
  (void)state;
  WeftPictureScale rising = {"speed", "m/s", 0, 8, false}, turning = {"strain", "%", -2, 2, true};
  double last = -1, color[3], other[3];
  for (int i = 0; i <= 100; i++) {
    weft_picture_scale_color(&rising, 0.08 * i, color);
    assert_true(brightness(color) > last); /* also for those who see no colours */
    last = brightness(color);
    for (int k = 0; k < 3; k++) assert_true(color[k] >= 0 && color[k] <= 1);
  }
  weft_picture_scale_color(&rising, 99, other);
  assert_memory_equal(color, other, sizeof color);
  weft_picture_scale_color(&turning, 2, color);
  assert_true(color[0] > 5 * color[2]);
  weft_picture_scale_color(&turning, -2, color);
  assert_true(color[2] > 5 * color[0]);
  weft_picture_scale_color(&turning, 0, color);
  assert_true(fabs(color[0] - color[2]) < 0.05);
}

enum { WIDTH = 640, HEIGHT = 360 };
static uint8_t pixels[HEIGHT][WIDTH][3];

static double linear_distance(const uint8_t pixel[3], const double color[3]) {
  double most = 0;
  for (int k = 0; k < 3; k++) most = fmax(most, fabs(weft_picture_linear(pixel[k]) - color[k]));
  return most;
}

/* Along one row the bar shows every value of the scale, in order and evenly. */
static void legend_shows_the_scale(void **state) {
  (void)state;
  WeftPictureScale scale = {"gap", "mm", 0, 5, false};
  memset(pixels, 90, sizeof pixels);
  weft_picture_legend(&scale, WIDTH, HEIGHT, &pixels[0][0][0]);
  double first[3], last[3];
  weft_picture_scale_color(&scale, 0, first);
  weft_picture_scale_color(&scale, 5, last);
  int from = -1, to = -1, row = -1;
  for (int y = 0; y < HEIGHT && to < 0; y++) {
    from = -1;
    for (int x = 0; x < WIDTH; x++) {
      if (from < 0 && linear_distance(pixels[y][x], first) < 0.012) from = x;
      if (from >= 0 && linear_distance(pixels[y][x], last) < 0.04) to = x;
    }
    if (from < 0) to = -1;
    row = y;
  }
  assert_true(from >= 0 && to - from > WIDTH / 5 && row > HEIGHT / 2);
  int middle_row = row + 2;
  for (int i = 5; i < 95; i += 5) {
    double color[3];
    int x = from + (to - from) * i / 100;
    weft_picture_scale_color(&scale, 5 * (x + 0.5 - from) / (to + 1 - from), color);
    assert_true(linear_distance(pixels[middle_row][x], color) < 0.06);
  }
  /* no more of the picture is taken than is said */
  int first_row = (int)(HEIGHT * (1 - weft_picture_legend_share(WIDTH, HEIGHT)));
  for (int y = 0; y < first_row; y++)
    for (int x = 0; x < WIDTH; x++) assert_int_equal(pixels[y][x][0], 90);
  /* above it is the title in dark ink, and far away nothing has changed */
  int ink = 0;
  for (int y = row - 25; y < row; y++)
    for (int x = from; x < to; x++) ink += pixels[y][x][0] < 80;
  assert_true(ink > 30);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = WIDTH / 2; x < WIDTH; x++) assert_int_equal(pixels[y][x][1], 90);
}

static void small_pictures_have_none(void **state) {
  (void)state;
  WeftPictureScale scale = {"gap", "mm", 0, 5, false};
  static uint8_t small[40][60][3];
  memset(small, 90, sizeof small);
  weft_picture_legend(&scale, 60, 40, &small[0][0][0]);
  assert_true(weft_picture_legend_share(60, 40) == 0);
  for (size_t i = 0; i < sizeof small; i++) assert_int_equal((&small[0][0][0])[i], 90);
}

/* Every letter of the font leaves ink, inside its own width, and no two alike. */
static void letters_differ(void **state) {
  (void)state;
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789+-./%=():P";
  enum { SIDE = 40, LETTERS = sizeof letters - 1 };
  static uint8_t drawn[LETTERS][SIDE][SIDE][3];
  const double ink[3] = {0, 0, 0};
  memset(drawn, 255, sizeof drawn);
  for (int i = 0; i < LETTERS; i++) {
    const char text[2] = {letters[i], 0};
    PictureCanvas canvas = {SIDE, SIDE, &drawn[i][0][0][0]};
    weft_picture_text(&canvas, 8, 30, 20, ink, text);
    double width = weft_picture_text_width(text, 20);
    int dark = 0;
    for (int y = 0; y < SIDE; y++) {
      for (int x = 0; x < SIDE; x++) {
        if (drawn[i][y][x][0] > 128) continue;
        dark++;
        assert_true(x >= 7 && x <= 9 + width);
      }
    }
    assert_true(dark > 2);
    for (int j = 0; j < i; j++) assert_memory_not_equal(drawn[i], drawn[j], sizeof drawn[i]);
  }
  assert_true(weft_picture_text_width("A\xc3", 20) == 0); /* not known: left out */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ticks_are_round),          cmocka_unit_test(ranges_are_rounded_up),
      cmocka_unit_test(colours_rise_and_turn),    cmocka_unit_test(legend_shows_the_scale),
      cmocka_unit_test(small_pictures_have_none), cmocka_unit_test(letters_differ),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
