/* Pictures against what geometry says: a sphere's outline, darkness in a corner, where a shadow falls, which
 * side is which, and colours that stand for numbers. */
#include "picture/picture.h"
#include "picture/weave.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 160, HEIGHT = 120 };
static const double pi = 3.14159265358979323846;

typedef uint8_t Pixels[HEIGHT][WIDTH][3];

static WeftPictureDef view_from(double x, double y, double z, double fov) {
  return (WeftPictureDef){.width = WIDTH,
                          .height = HEIGHT,
                          .threads = 1,
                          .camera = {.from = {x, y, z}, .to = {0, 0, 0}, .fov = fov}};
}

static void draw(const WeftPictureDef *def, int count, const WeftPicturePart *parts, Pixels pixels) {
  static const WeftPicturePart none;
  WeftError error;
  assert_int_equal(weft_picture_draw(def, count, count ? parts : &none, &pixels[0][0][0], &error),
                   WEFT_RESULT_OK);
}

static double light_of(const uint8_t pixel[3]) {
  return (weft_picture_linear(pixel[0]) + weft_picture_linear(pixel[1]) + weft_picture_linear(pixel[2])) / 3;
}

/* Mean light of 5 x 5 pixels about one. */
static double mean_light(Pixels pixels, int column, int row) {
  double sum = 0;
  for (int y = row - 2; y <= row + 2; y++)
    for (int x = column - 2; x <= column + 2; x++) sum += light_of(pixels[y][x]) / 25;
  return sum;
}

/* Where a point is in the picture of a camera that looks at the origin, z up. */
static void project(const WeftPictureDef *def, const double point[3], int *column, int *row) {
  const double *from = def->camera.from;
  double f[3], length = sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2]), d[3], t;
  for (int k = 0; k < 3; k++) f[k] = -from[k] / length;
  double level = hypot(f[0], f[1]), r[3] = {f[1] / level, -f[0] / level, 0};
  double u[3] = {r[1] * f[2], -r[0] * f[2], r[0] * f[1] - r[1] * f[0]};
  double x = 0, y = 0, z = 0;
  for (int k = 0; k < 3; k++) {
    d[k] = point[k] - from[k];
    x += d[k] * r[k];
    y += d[k] * u[k];
    z += d[k] * f[k];
  }
  t = tan(0.5 * def->camera.fov * pi / 180);
  *column = (int)(WIDTH / 2 + x / (z * t) * HEIGHT / 2);
  *row = (int)(HEIGHT / 2 - y / (z * t) * HEIGHT / 2);
}

/* Four corners, two triangles. */
static WeftPicturePart square(const double corners[12]) {
  static const int32_t halves[6] = {0, 1, 2, 0, 2, 3};
  return (WeftPicturePart){.vertex_count = 4,
                           .positions = corners,
                           .triangle_count = 2,
                           .triangles = halves,
                           .color = {0.5, 0.5, 0.5},
                           .is_obstacle = true};
}

enum { RINGS = 48, AROUND = 96 };

static WeftPicturePart unit_sphere(void) {
  static double positions[(RINGS + 1) * AROUND * 3];
  static int32_t triangles[RINGS * AROUND * 6];
  int32_t *corner = triangles;
  for (int i = 0; i <= RINGS; i++) {
    for (int j = 0; j < AROUND; j++) {
      double a = pi * i / RINGS, b = 2 * pi * j / AROUND, *x = positions + 3 * (i * AROUND + j);
      x[0] = sin(a) * cos(b);
      x[1] = sin(a) * sin(b);
      x[2] = cos(a);
      if (i == RINGS) continue;
      int next = (j + 1) % AROUND, p = i * AROUND + j, q = i * AROUND + next;
      const int cell[6] = {p, p + AROUND, q, q, p + AROUND, q + AROUND};
      for (int k = 0; k < 6; k++) *corner++ = cell[k];
    }
  }
  return (WeftPicturePart){.vertex_count = (RINGS + 1) * AROUND,
                           .positions = positions,
                           .triangle_count = 2 * RINGS * AROUND,
                           .triangles = triangles,
                           .color = {0.05, 0.05, 0.05},
                           .is_obstacle = true};
}

/* The rays that touch a sphere of radius 1 at distance d make an angle of asin(1 / d) with its middle. */
static void sphere_has_its_outline(void **state) {
  (void)state;
  static Pixels pixels, empty;
  const double distance = 5, fov = 36;
  WeftPictureDef def = view_from(0, -distance, 0, fov);
  WeftPicturePart sphere = unit_sphere();
  draw(&def, 1, &sphere, pixels);
  draw(&def, 0, NULL, empty);
  double radius = tan(asin(1 / distance)) / tan(0.5 * fov * pi / 180) * HEIGHT / 2, area = 0;
  for (int row = 0; row < HEIGHT; row++) {
    for (int column = 0; column < WIDTH; column++) {
      double away = hypot(column + 0.5 - WIDTH / 2.0, row + 0.5 - HEIGHT / 2.0) - radius;
      bool is_changed = light_of(pixels[row][column]) < 0.97 * light_of(empty[row][column]);
      if (away > 1) assert_false(is_changed);
      if (away < -1) assert_true(is_changed);
      area += is_changed;
    }
  }
  assert_true(fabs(area / (pi * radius * radius) - 1) < 0.05);
}

/* A floor before a wall: near the wall half of the sky is hidden. */
static void corners_are_darker(void **state) {
  (void)state;
  static const double floor_corners[12] = {-9, -9, 0, 9, -9, 0, 9, 2, 0, -9, 2, 0};
  static const double wall_corners[12] = {-9, 2, 0, 9, 2, 0, 9, 2, 9, -9, 2, 9};
  static Pixels open, corner;
  WeftPictureDef def = view_from(0, -6, 5, 50);
  WeftPicturePart parts[2] = {square(floor_corners), square(wall_corners)};
  draw(&def, 1, parts, open);
  draw(&def, 2, parts, corner);
  int column, near_row, far_row;
  project(&def, (const double[3]){0, 1.75, 0}, &column, &near_row);
  project(&def, (const double[3]){0, -2, 0}, &column, &far_row);
  double even = mean_light(open, column, near_row) / mean_light(open, column, far_row);
  assert_true(fabs(even - 1) < 0.03);
  double darker = mean_light(corner, column, near_row) / mean_light(corner, column, far_row);
  assert_true(darker < 0.9);
  assert_true(mean_light(corner, column, near_row) < mean_light(open, column, near_row));
}

/* The key light comes over the left shoulder: the shadow of a square at height h on the floor is h over the
 * light's slope away from it, to the right and to the back. */
static void shadow_falls_where_it_should(void **state) {
  (void)state;
  const double h = 1, r = 0.6;
  const double corners[12] = {-r, -r, h, r, -r, h, r, r, h, -r, r, h};
  static Pixels pixels, empty;
  WeftPictureDef def = view_from(0, -7, 5, 40);
  def.has_ground = true;
  WeftPicturePart part = square(corners);
  draw(&def, 1, &part, pixels);
  draw(&def, 0, NULL, empty);
  int column, row;
  project(&def, (const double[3]){0.75 / 0.95 * h, 0.55 / 0.95 * h, 0}, &column, &row);
  double shaded = mean_light(pixels, column, row) / mean_light(empty, column, row);
  assert_true(shaded < 0.72);
  /* on the other side there is only a little less of the sky */
  project(&def, (const double[3]){-0.75 / 0.95 * h, -0.55 / 0.95 * h, 0}, &column, &row);
  double open = mean_light(pixels, column, row) / mean_light(empty, column, row);
  assert_true(open > 0.8 && open < 1.001);
  def.has_ground = false;
  draw(&def, 1, &part, pixels);
  project(&def, (const double[3]){0.75 / 0.95 * h, 0.55 / 0.95 * h, 0}, &column, &row);
  assert_true(fabs(mean_light(pixels, column, row) / mean_light(empty, column, row) - 1) < 0.01);
}

/* Cloth is paler on its back; an obstacle is the same on both sides. */
static void cloth_has_two_sides(void **state) {
  (void)state;
  static const double corners[12] = {-2, 0, -2, 2, 0, -2, 2, 0, 2, -2, 0, 2};
  static Pixels front, back;
  for (int is_obstacle = 0; is_obstacle < 2; is_obstacle++) {
    WeftPicturePart part = square(corners);
    memcpy(part.color, (const double[3]){0.5, 0.05, 0.05}, sizeof part.color);
    part.is_obstacle = is_obstacle;
    WeftPictureDef def = view_from(0, -5, 0, 30);
    draw(&def, 1, &part, front);
    def.camera.from[1] = 5;
    draw(&def, 1, &part, back);
    const uint8_t *a = front[HEIGHT / 2][WIDTH / 2], *b = back[HEIGHT / 2][WIDTH / 2];
    double redness[2] = {weft_picture_linear(a[0]) / weft_picture_linear(a[1]),
                         weft_picture_linear(b[0]) / weft_picture_linear(b[1])};
    if (is_obstacle)
      assert_true(fabs(redness[0] / redness[1] - 1) < 0.1);
    else
      assert_true(redness[1] < 0.5 * redness[0]);
  }
}

/* On a chart light changes the brightness of a colour a little, and never its hue. */
static void charts_keep_their_colours(void **state) {
  (void)state;
  static const double corners[12] = {-2, 0, -2, 2, 0, -2, 2, 0, 2, -2, 0, 2};
  static const double colors[12] = {0.3, 0.1, 0.6, 0.3, 0.1, 0.6, 0.3, 0.1, 0.6, 0.3, 0.1, 0.6};
  static Pixels pixels;
  WeftPicturePart part = square(corners);
  part.is_obstacle = false;
  part.is_chart = true;
  part.colors = colors;
  for (int side = -1; side <= 1; side += 2) {
    WeftPictureDef def = view_from(0, 5 * side, 0, 30);
    draw(&def, 1, &part, pixels);
    double light[3], strength = 0;
    for (int k = 0; k < 3; k++) {
      light[k] = weft_picture_linear(pixels[HEIGHT / 2][WIDTH / 2][k]) / colors[k];
      strength += light[k] / 3;
    }
    for (int k = 0; k < 3; k++) assert_true(fabs(light[k] / strength - 1) < 0.03);
    assert_true(strength > 0.75 && strength < 1.15);
  }
}

/* The yarns neither brighten nor darken cloth as a whole, and go away before they are too fine to be seen. */
static void weave_is_fair(void **state) {
  (void)state;
  enum { N = 200 };
  double sum = 0, least = 2, most = 0;
  for (int i = 0; i < 2 * N; i++) {
    for (int j = 0; j < 2 * N; j++) {
      double shade = weave_shade((i + 0.5) / N - 7, (j + 0.5) / N + 3, 0.02);
      sum += shade / (4 * N * N);
      least = fmin(least, shade);
      most = fmax(most, shade);
      assert_true(weave_shade((i + 0.5) / N, (j + 0.5) / N, 0.5) == 1);
    }
  }
  assert_true(fabs(sum - 1) < 1e-3);
  assert_true(least < 0.95 && least > 0.7 && most > 1.05 && most < 1.3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sphere_has_its_outline),       cmocka_unit_test(corners_are_darker),
      cmocka_unit_test(shadow_falls_where_it_should), cmocka_unit_test(cloth_has_two_sides),
      cmocka_unit_test(charts_keep_their_colours),    cmocka_unit_test(weave_is_fair),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
