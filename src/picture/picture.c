/* From parts to a file: hand the triangles to Embree, shade every pixel, encode. */
#include "picture/picture.h"

#include "base/error.h"
#include "base/memory.h"
#include "picture/parts.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum { LARGEST_SIDE = 16384 };

static void pick(const double (*colors)[3], int count, int32_t index, double color[3]) {
  for (int k = 0; k < 3; k++) color[k] = colors[((index % count) + count) % count][k];
}

void weft_picture_palette(int32_t index, double color[3]) {
  static const double colors[][3] = {
      {0.50, 0.042, 0.042}, /* madder */
      {0.055, 0.14, 0.36},  /* indigo */
      {0.66, 0.37, 0.065},  /* saffron */
      {0.12, 0.28, 0.17},   /* fern */
      {0.66, 0.62, 0.54},   /* linen */
      {0.25, 0.085, 0.22},  /* mulberry */
      {0.07, 0.30, 0.34},   /* teal */
      {0.62, 0.23, 0.17},   /* coral */
  };
  pick(colors, (int)(sizeof colors / sizeof colors[0]), index, color);
}

void weft_picture_obstacle_palette(int32_t index, double color[3]) {
  static const double colors[][3] = {
      {0.36, 0.37, 0.39}, /* slate */
      {0.46, 0.43, 0.38}, /* clay */
      {0.30, 0.35, 0.36}, /* lead */
      {0.50, 0.49, 0.47}, /* plaster */
  };
  pick(colors, (int)(sizeof colors / sizeof colors[0]), index, color);
}

void weft_picture_signed_color(double value, double color[3]) {
  static const double middle[3] = {0.62, 0.61, 0.59}, ends[2][3] = {{0.03, 0.13, 0.55}, {0.66, 0.03, 0.03}};
  double t = fmin(fabs(value), 1);
  for (int k = 0; k < 3; k++) color[k] = (1 - t) * middle[k] + t * ends[value > 0][k];
}

static WeftResult check(const WeftPictureDef *def, int part_count, const WeftPicturePart *parts,
                        WeftError *error) {
  if (!def || part_count < 0 || !parts)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "a picture needs a definition and parts");
  if (def->width < 1 || def->height < 1 || def->width > LARGEST_SIDE || def->height > LARGEST_SIDE)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "a picture of %d x %d pixels; each side must be 1 to %d", def->width, def->height,
                     LARGEST_SIDE);
  for (int p = 0; p < part_count; p++) {
    for (int k = 0; k < 3 * parts[p].vertex_count; k++)
      if (!isfinite(parts[p].positions[k]))
        return weft_fail(error, WEFT_RESULT_INVALID_DATA, "part %d of the picture: vertex %d is not finite",
                         p, k / 3);
    for (int k = 0; k < 3 * parts[p].triangle_count; k++)
      if (parts[p].triangles[k] < 0 || parts[p].triangles[k] >= parts[p].vertex_count)
        return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                         "part %d of the picture: triangle %d names vertex %d of %d", p, k / 3,
                         parts[p].triangles[k], parts[p].vertex_count);
  }
  const WeftPictureCamera *camera = &def->camera;
  double distance = v3_length(v3_sub(load3(camera->to, 0), load3(camera->from, 0)));
  if (!(distance > 0) || !isfinite(distance) || !(camera->fov > 0 && camera->fov < 180))
    return weft_fail(
        error, WEFT_RESULT_INVALID_ARGUMENT,
        "the camera must look from one point to another with a field of view in (0, 180) degrees");
  return WEFT_RESULT_OK;
}

static void normals_of(const WeftPicturePart *part, Vec3 *normals) {
  for (int t = 0; t < part->triangle_count; t++) {
    const int32_t *corner = part->triangles + 3 * t;
    Vec3 a = load3(part->positions, corner[0]);
    Vec3 n =
        v3_cross(v3_sub(load3(part->positions, corner[1]), a), v3_sub(load3(part->positions, corner[2]), a));
    for (int k = 0; k < 3; k++) normals[corner[k]] = v3_add(normals[corner[k]], n);
  }
  for (int v = 0; v < part->vertex_count; v++) normals[v] = unit(normals[v]);
}

/* Coordinates go to Embree relative to the world's origin in single precision: enough for a picture. */
static bool attach(PictureStage *stage, int index) {
  const WeftPicturePart *part = &stage->parts[index];
  stage->normals[index] = WEFT_NEW(Vec3, part->vertex_count);
  RTCGeometry geometry = rtcNewGeometry(stage->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  if (!stage->normals[index] || !geometry) return false;
  normals_of(part, stage->normals[index]);
  bool is_empty = part->vertex_count == 0 || part->triangle_count == 0;
  float *vertices = is_empty ? NULL
                             : rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                       3 * sizeof(float), (size_t)part->vertex_count);
  unsigned *corners = is_empty ? NULL
                               : rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                         3 * sizeof(unsigned), (size_t)part->triangle_count);
  bool is_ready = is_empty || (vertices && corners);
  if (vertices && corners) {
    for (int k = 0; k < 3 * part->vertex_count; k++) vertices[k] = (float)part->positions[k];
    for (int k = 0; k < 3 * part->triangle_count; k++) corners[k] = (unsigned)part->triangles[k];
  }
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(stage->scene, geometry, (unsigned)index);
  rtcReleaseGeometry(geometry);
  return is_ready;
}

static void close_stage(PictureStage *stage) {
  for (int p = 0; stage->normals && p < stage->part_count; p++) free(stage->normals[p]);
  free(stage->normals);
  if (stage->scene) rtcReleaseScene(stage->scene);
  if (stage->device) rtcReleaseDevice(stage->device);
}

static WeftResult open_stage(PictureStage *stage, WeftError *error) {
  /* one thread builds the tree: it is a small part of the time, and its shape then never depends on timing */
  stage->device = rtcNewDevice("threads=1");
  stage->normals = WEFT_NEW(Vec3 *, stage->part_count);
  if (!stage->device || !stage->normals) return weft_fail_memory(error, "the picture's scene");
  stage->scene = rtcNewScene(stage->device);
  if (!stage->scene) return weft_fail_memory(error, "the picture's scene");
  rtcSetSceneFlags(stage->scene, RTC_SCENE_FLAG_ROBUST);
  for (int p = 0; p < stage->part_count; p++)
    if (!attach(stage, p)) return weft_fail_memory(error, "the picture's triangles");
  rtcCommitScene(stage->scene);
  if (rtcGetDeviceError(stage->device) != RTC_ERROR_NONE)
    return weft_fail(error, WEFT_RESULT_OUT_OF_MEMORY, "Embree could not take the picture's triangles");
  stage->extent = weft_picture_extent(stage->part_count, stage->parts);
  return WEFT_RESULT_OK;
}

double weft_picture_linear(int32_t byte) {
  double value = byte / 255.0;
  return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* Linear light to a byte of sRGB. shift, in (-0.5, 0.5), moves the rounding from pixel to pixel: what changes
 * slowly, like the background, shows no steps. */
static uint8_t encode(double light, double shift) {
  double value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
  return (uint8_t)(255 * fmin(fmax(value, 0), 1) + 0.5 + shift * (value > 0 && value < 1));
}

/* Bayer's ordered dither: its pattern repeats, so that PNG can still pack it. */
static double dither(int column, int row) {
  static const int order[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  return (order[row & 3][column & 3] + 0.5) / 16 - 0.5;
}

enum { STRIP_ROWS = 64 };

/* Rows from first to end. strip: room for them and PICTURE_HALO more on either side, which are drawn by the
 * neighbours too: strips do not wait for each other. */
static void draw_strip(const PictureStage *stage, const WeftPictureDef *def, const PictureView *view,
                       int first, int end, PicturePixel *strip, uint8_t *rgb) {
  int top = first - PICTURE_HALO < 0 ? 0 : first - PICTURE_HALO;
  int bottom = end + PICTURE_HALO > def->height ? def->height : end + PICTURE_HALO;
  for (int row = top; row < bottom; row++)
    for (int column = 0; column < def->width; column++)
      strip[(size_t)(row - top) * (size_t)def->width + (size_t)column] =
          weft_picture_pixel(stage, def, view, column, row);
  for (int row = first; row < end; row++) {
    for (int column = 0; column < def->width; column++) {
      Vec3 light = weft_picture_smooth(strip, def->width, top, bottom, stage->extent, column, row);
      uint8_t *pixel = rgb + 3 * ((size_t)row * (size_t)def->width + (size_t)column);
      double shift = dither(column, row);
      pixel[0] = encode(light.x, shift);
      pixel[1] = encode(light.y, shift);
      pixel[2] = encode(light.z, shift);
    }
  }
}

static bool draw(const PictureStage *stage, const WeftPictureDef *def, const PictureView *view,
                 uint8_t *rgb) {
  int threads = def->threads > 0 ? def->threads : omp_get_num_procs();
  int strips = (def->height + STRIP_ROWS - 1) / STRIP_ROWS;
  if (threads > strips) threads = strips;
  size_t room = (size_t)(STRIP_ROWS + 2 * PICTURE_HALO) * (size_t)def->width;
  PicturePixel *pixels = WEFT_NEW(PicturePixel, room * (size_t)threads);
  if (!pixels) return false;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int i = 0; i < strips; i++) {
    int first = i * STRIP_ROWS, end = first + STRIP_ROWS;
    draw_strip(stage, def, view, first, end < def->height ? end : def->height,
               pixels + room * (size_t)omp_get_thread_num(), rgb);
  }
  free(pixels);
  return true;
}

/* The key light hangs over the viewer's left shoulder, aside enough to model the folds. */
static Vec3 key_light(const PictureView *view) {
  Vec3 level = unit(vec3(view->forward.x, view->forward.y, 0));
  Vec3 aside = unit(view->right);
  return unit(v3_add(v3_axpy(v3_scale(-0.55, level), -0.75, aside), vec3(0, 0, 0.95)));
}

WeftResult weft_picture_draw(const WeftPictureDef *def, int32_t part_count, const WeftPicturePart *parts,
                             uint8_t *rgb, WeftError *error) {
  WeftResult result = check(def, part_count, parts, error);
  if (result != WEFT_RESULT_OK) return result;
  PictureView view = weft_picture_view(def);
  PictureStage stage = {.part_count = part_count,
                        .parts = parts,
                        .has_ground = def->has_ground,
                        .ground = def->ground,
                        .light = key_light(&view)};
  result = open_stage(&stage, error);
  weft_picture_make_spiral(&stage);
  if (result == WEFT_RESULT_OK && !draw(&stage, def, &view, rgb))
    result = weft_fail_memory(error, "the pixels of a picture");
  close_stage(&stage);
  return result;
}

WeftResult weft_picture_write(const char *path, const WeftPictureDef *def, int32_t part_count,
                              const WeftPicturePart *parts, WeftError *error) {
  WeftResult result = check(def, part_count, parts, error);
  if (result != WEFT_RESULT_OK) return result;
  uint8_t *rgb = WEFT_NEW(uint8_t, (size_t)3 * (size_t)def->width * (size_t)def->height);
  if (!rgb) return weft_fail_memory(error, "the pixels of a picture");
  result = weft_picture_draw(def, part_count, parts, rgb, error);
  if (result == WEFT_RESULT_OK) result = weft_picture_save(path, def->width, def->height, rgb, error);
  free(rgb);
  return result;
}
