/* What the files of src/picture share. */
#ifndef WEFT_PICTURE_PARTS_H
#define WEFT_PICTURE_PARTS_H

#include "device/kernel.h"
#include "picture/picture.h"

#include <embree3/rtcore.h>

/* A camera as rays need it. */
typedef struct PictureView {
  Vec3 eye, right, up, forward; /* right and up are scaled by the tangents of half the field of view */
  double pixel;                 /* width of a pixel at distance 1 */
} PictureView;

PictureView weft_picture_view(const WeftPictureDef *def);
/* Diagonal of the box around what the view has to hold [m]; 1 where there is nothing. */
double weft_picture_extent(int part_count, const WeftPicturePart *parts);

enum { WEFT_PICTURE_SPIRAL = 32 };

/* The parts inside Embree, and what shading reads about them. */
typedef struct PictureStage {
  RTCDevice device;
  RTCScene scene;
  int part_count;
  const WeftPicturePart *parts;
  Vec3 **normals; /* per part, vertex_count unit normals weighted by area */
  double extent;  /* diagonal of the box around what the view has to hold [m] */
  bool has_ground;
  double ground;
  Vec3 light;                            /* unit, towards the key light */
  Vec3 light_s, light_t;                 /* unit, square to it */
  double spiral[WEFT_PICTURE_SPIRAL][2]; /* unit vectors, a golden part of a turn apart */
} PictureStage;

/* Sets what follows from the light. */
void weft_picture_make_spiral(PictureStage *stage);

/* What a pixel shows. */
enum { PICTURE_MIXED = -1, PICTURE_NOTHING, PICTURE_FLOOR, PICTURE_PARTS };
typedef struct PicturePixel {
  int surface;  /* one of these; PICTURE_PARTS + i: part i; mixed: several of them */
  Vec3 color;   /* linear light, 0 to 1 */
  Vec3 albedo;  /* the colour in full light */
  Vec3 normal;  /* unit */
  double depth; /* [m] from the eye; 0 where there is no part */
} PicturePixel;

PicturePixel weft_picture_pixel(const PictureStage *stage, const WeftPictureDef *def, const PictureView *view,
                                int column, int row);

/* Rows of pixels around a pixel that smoothing reads. */
enum { PICTURE_HALO = 4 };
/* The colour of a pixel after smoothing: pixels are rows of a strip, first_row to end_row of the picture. */
Vec3 weft_picture_smooth(const PicturePixel *strip, int width, int first_row, int end_row, double extent,
                         int column, int row);

static inline Vec3 unit(Vec3 v) {
  double length = v3_length(v);
  return length > 0 ? v3_scale(1 / length, v) : vec3(0, 0, 0);
}

#endif
