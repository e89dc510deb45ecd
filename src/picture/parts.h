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
  Vec3 light; /* unit, towards the key light */
} PictureStage;

/* Mean linear light of the samples of one pixel (column, row), 0 to 1 or more. */
Vec3 weft_picture_pixel(const PictureStage *stage, const WeftPictureDef *def, const PictureView *view,
                        int column, int row);

static inline Vec3 unit(Vec3 v) {
  double length = v3_length(v);
  return length > 0 ? v3_scale(1 / length, v) : vec3(0, 0, 0);
}

#endif
