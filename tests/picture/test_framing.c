/* Cameras that find their own place: everything is in the picture, as large as it can be, and one camera
 * serves a whole motion. */
#include "picture/picture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;
enum { POINTS = 200 };

static double unit_random(void) { return rand() / (double)RAND_MAX; }

/* Points of a box, without triangles: framing looks at vertices. */
static WeftPicturePart box(double positions[POINTS * 3], const double low[3], const double high[3]) {
  for (int i = 0; i < POINTS * 3; i++) {
    int corner = i / 3 < 8 ? (i / 3) >> (i % 3) & 1 : -1;
    double t = corner >= 0 ? corner : unit_random();
    positions[i] = low[i % 3] + t * (high[i % 3] - low[i % 3]);
  }
  return (WeftPicturePart){.vertex_count = POINTS, .positions = positions};
}

/* How far the vertices reach: the largest of |x| and |y| over half the picture; negative behind the camera.
 * *lowest: the least y. */
static double reach_and_lowest(const WeftPictureDef *def, const WeftPicturePart *part, double *lowest) {
  const double *from = def->camera.from, *to = def->camera.to;
  double f[3], r[3], u[3], length = 0, most = 0;
  for (int k = 0; k < 3; k++) length = hypot(length, to[k] - from[k]);
  for (int k = 0; k < 3; k++) f[k] = (to[k] - from[k]) / length;
  bool is_down = fabs(f[2]) > 0.999;
  double level = hypot(f[0], f[1]);
  if (is_down) /* y is up: right = f x y */
    memcpy(r, (const double[3]){-f[2] / hypot(f[0], f[2]), 0, f[0] / hypot(f[0], f[2])}, sizeof r);
  else
    memcpy(r, (const double[3]){f[1] / level, -f[0] / level, 0}, sizeof r);
  u[0] = r[1] * f[2] - r[2] * f[1];
  u[1] = r[2] * f[0] - r[0] * f[2];
  u[2] = r[0] * f[1] - r[1] * f[0];
  double t = tan(0.5 * def->camera.fov * pi / 180), aspect = (double)def->width / def->height;
  for (int v = 0; v < part->vertex_count; v++) {
    double x = 0, y = 0, z = 0;
    for (int k = 0; k < 3; k++) {
      double d = part->positions[3 * v + k] - from[k];
      x += d * r[k];
      y += d * u[k];
      z += d * f[k];
    }
    if (!(z > 0)) return -1;
    *lowest = v == 0 ? y / (z * t) : fmin(*lowest, y / (z * t));
    most = fmax(most, fmax(fabs(x) / (z * t * aspect), fabs(y) / (z * t)));
  }
  return most;
}

static double reach(const WeftPictureDef *def, const WeftPicturePart *part) {
  double lowest;
  return reach_and_lowest(def, part, &lowest);
}

static void odd_shapes_fill_the_picture(void **state) {
  (void)state;
  static double positions[POINTS * 3];
  const double shapes[][2][3] = {
      {{0, 0, 0}, {1, 1, 1}},        {{0, 0, 0}, {1e-6, 1e-6, 5}},        {{-3, -2, 0}, {3, 2, 0}},
      {{0, 0, 0}, {0.01, 20, 0.01}}, {{1000, 999, 50}, {1001, 1000, 51}}, {{-1e-4, 0, 0}, {1e-4, 1e-4, 1e-4}},
      {{0, -1e-9, 0}, {2, 1e-9, 3}},
  };
  const int sizes[][2] = {{1280, 720}, {390, 844}, {100, 100}, {2000, 100}};
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
      WeftPicturePart part = box(positions, shapes[s][0], shapes[s][1]);
      WeftPictureDef def = weft_picture_frame(sizes[k][0], sizes[k][1], 1, &part);
      double most = reach(&def, &part);
      assert_true(most > 0.85 && most < 0.861); /* 86 % of the picture */
      assert_true(weft_picture_shows(&def, 1, &part));
      assert_true(def.ground < shapes[s][0][2]);
    }
  }
}

static void directions_are_kept(void **state) {
  (void)state;
  static double positions[POINTS * 3];
  WeftPicturePart part = box(positions, (const double[3]){-1, -2, 0}, (const double[3]){2, 1, 1});
  const double directions[][3] = {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}, {0.3, -0.8, -0.2}};
  for (int i = 0; i < 4; i++) {
    WeftPictureFraming framing = {0};
    weft_picture_framing_meet(&framing, 1, &part);
    weft_picture_framing_aim(&framing, 640, 480, directions[i], 0);
    weft_picture_framing_hold(&framing, 1, &part);
    WeftPictureDef def = weft_picture_framing_view(&framing, 640, 480);
    double dot = 0, length = 0, size = 0;
    for (int k = 0; k < 3; k++) {
      double d = def.camera.to[k] - def.camera.from[k];
      dot += d * directions[i][k];
      length = hypot(length, d);
      size = hypot(size, directions[i][k]);
    }
    assert_true(dot / (length * size) > 1 - 1e-12);
    assert_true(fabs(reach(&def, &part) - 0.86) < 1e-3);
  }
}

/* A legend at the bottom: nothing reaches into it, and what is tall touches it. */
static void room_for_a_legend(void **state) {
  (void)state;
  static double positions[POINTS * 3];
  for (int is_tall = 0; is_tall < 2; is_tall++) {
    double side = is_tall ? 0.2 : 9;
    WeftPicturePart part = box(positions, (const double[3]){0, 0, 0}, (const double[3]){side, side, 1});
    WeftPictureFraming framing = {0};
    weft_picture_framing_meet(&framing, 1, &part);
    weft_picture_framing_aim(&framing, 640, 480, NULL, 0.2);
    weft_picture_framing_hold(&framing, 1, &part);
    WeftPictureDef def = weft_picture_framing_view(&framing, 640, 480);
    double lowest, most = reach_and_lowest(&def, &part, &lowest);
    assert_true(fabs(most - 0.86) < 1e-3);
    assert_true(lowest > -0.6001);
    if (is_tall) assert_true(lowest < -0.599);
  }
}

/* A thing that wanders: one camera holds every moment, and some moment touches its margin. */
static void one_camera_for_a_motion(void **state) {
  (void)state;
  enum { MOMENTS = 12 };
  static double positions[MOMENTS][POINTS * 3];
  WeftPicturePart parts[MOMENTS];
  WeftPictureFraming framing = {0};
  for (int i = 0; i < MOMENTS; i++) {
    double x = sin(i), z = 0.3 * i;
    parts[i] = box(positions[i], (const double[3]){x, 0, z}, (const double[3]){x + 1, 0.2, z + 1});
    weft_picture_framing_meet(&framing, 1, &parts[i]);
  }
  weft_picture_framing_aim(&framing, 640, 360, NULL, 0);
  for (int i = 0; i < MOMENTS; i++) weft_picture_framing_hold(&framing, 1, &parts[i]);
  WeftPictureDef def = weft_picture_framing_view(&framing, 640, 360);
  double most = 0;
  for (int i = 0; i < MOMENTS; i++) {
    assert_true(weft_picture_shows(&def, 1, &parts[i]));
    most = fmax(most, reach(&def, &parts[i]));
  }
  assert_true(fabs(most - 0.86) < 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(odd_shapes_fill_the_picture),
      cmocka_unit_test(directions_are_kept),
      cmocka_unit_test(one_camera_for_a_motion),
      cmocka_unit_test(room_for_a_legend),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
