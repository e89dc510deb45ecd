/* Where the camera stands. */
#include "cli/shots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct Side {
  const char *name;
  double azimuth, elevation; /* [degrees] of the camera: 0 is in front, on the side of -y; to the right; up */
} Side;

static const Side sides[] = {
    {"front", 0, 0}, {"back", 180, 0}, {"left", -90, 0}, {"right", 90, 0}, {"top", 0, 90}};

/* Numbers with commas between them; *at moves behind them. */
static bool read_numbers(const char **at, int count, double *numbers) {
  for (int k = 0; k < count; k++) {
    char *end;
    if (k > 0 && *(*at)++ != ',') return false;
    numbers[k] = strtod(*at, &end);
    if (end == *at || !isfinite(numbers[k])) return false;
    *at = end;
  }
  return true;
}

static void look_from(double azimuth, double elevation, double direction[3]) {
  double a = azimuth * pi / 180, e = elevation * pi / 180;
  direction[0] = -sin(a) * cos(e);
  direction[1] = cos(a) * cos(e);
  direction[2] = -sin(e);
}

/* Finds a camera that holds all chosen frames. */
static bool find_view(Shots *shots, const double *direction, int32_t width, int32_t height) {
  WeftPictureFraming framing = {0};
  int32_t count = shots->source.mesh_count;
  for (int64_t i = shots->first; i <= shots->last; i++) {
    if (!shots_read(shots, i)) return false;
    weft_picture_framing_meet(&framing, count, shots->parts);
  }
  weft_picture_framing_aim(&framing, width, height, direction,
                           shots->has_values ? weft_picture_legend_share(width, height) : 0);
  for (int64_t i = shots->first; i <= shots->last; i++) {
    if (!shots_read(shots, i)) return false;
    weft_picture_framing_hold(&framing, count, shots->parts);
  }
  int32_t threads = shots->view.threads;
  shots->view = weft_picture_framing_view(&framing, width, height);
  shots->view.threads = threads;
  return true;
}

static int use_scene(Shots *shots) {
  if (!shots->scene) return fail("%s: the scene's camera cannot be had: %s", shots->path, shots->no_scene);
  WeftSceneInfo info = weft_scene_info(shots->scene);
  if (!info.has_camera) return fail("%s: the scene says nothing about a camera", shots->path);
  memcpy(shots->view.camera.from, info.camera_from, sizeof info.camera_from);
  memcpy(shots->view.camera.to, info.camera_to, sizeof info.camera_to);
  shots->view.camera.fov = info.camera_fov;
  return EXIT_FINE;
}

/* "X,Y,Z:X,Y,Z[:FOV]" */
static bool use_points(Shots *shots, const char *text) {
  WeftPictureCamera camera = {.fov = 30};
  if (!read_numbers(&text, 3, camera.from) || *text++ != ':' || !read_numbers(&text, 3, camera.to))
    return false;
  if (*text == ':') {
    text++;
    if (!read_numbers(&text, 1, &camera.fov)) return false;
  }
  if (*text || !(camera.fov > 0 && camera.fov < 180) || memcmp(camera.from, camera.to, sizeof camera.to) == 0)
    return false;
  shots->view.camera = camera;
  return true;
}

static bool read_side(const char *text, double direction[3]) {
  for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
    if (strcmp(text, sides[i].name) != 0) continue;
    look_from(sides[i].azimuth, sides[i].elevation, direction);
    return true;
  }
  double angles[2];
  if (!read_numbers(&text, 2, angles) || *text || fabs(angles[1]) > 90) return false;
  look_from(angles[0], angles[1], direction);
  return true;
}

int shots_aim(Shots *shots, const Verb *verb, const char *camera, int32_t width, int32_t height) {
  double direction[3];
  bool has_direction = read_side(camera, direction), is_scene = strcmp(camera, "scene") == 0;
  /* a view is found in any case: the floor is its too */
  WeftPictureDef asked = shots->view;
  if (!find_view(shots, has_direction ? direction : NULL, width, height)) return EXIT_FAILED;
  shots->view.threads = asked.threads;
  if (has_direction || strcmp(camera, "auto") == 0) return EXIT_FINE;
  if (is_scene) return use_scene(shots);
  if (use_points(shots, camera)) return EXIT_FINE;
  return fail_usage(
      verb,
      "--camera takes auto, scene, front, back, left, right, top, AZIMUTH,ELEVATION in degrees, "
      "or X,Y,Z:X,Y,Z[:FOV], not \"%s\"",
      camera);
}
