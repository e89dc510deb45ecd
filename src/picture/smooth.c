/* Evens out the noise of light between neighbouring pixels of one surface.
 *
 * Light is colour over albedo, so that patterns stay sharp. Neighbours within two pixels count, by the
 * binomial weights of a 5 x 5 field, when they show the same part, face nearly the same way and are not
 * behind or before a fold. A pixel that shows several surfaces stays as it is: edges keep their antialiasing.
 */
#include "picture/parts.h"

#include <math.h>

static bool are_alike(const PicturePixel *a, const PicturePixel *b, double extent) {
  const double same_way = 0.985; /* cosine of 10 degrees */
  const double apart = 0.015;    /* of the extent */
  if (a->surface != b->surface) return false;
  return a->surface == PICTURE_FLOOR ||
         (v3_dot(a->normal, b->normal) > same_way && fabs(a->depth - b->depth) < apart * extent);
}

static double ratio(double color, double albedo) { return color / fmax(albedo, 1e-4); }

Vec3 weft_picture_smooth(const PicturePixel *strip, int width, int first_row, int end_row, double extent,
                         int column, int row) {
  static const double weights[5] = {1, 4, 6, 4, 1};
  const PicturePixel *own = &strip[(size_t)(row - first_row) * (size_t)width + (size_t)column];
  if (own->surface == PICTURE_MIXED || own->surface == PICTURE_NOTHING) return own->color;
  int step = own->surface == PICTURE_FLOOR ? 2 : 1;
  Vec3 sum = vec3(0, 0, 0);
  double total = 0;
  for (int j = -2; j <= 2; j++) {
    for (int i = -2; i <= 2; i++) {
      int x = column + step * i, y = row + step * j;
      if (y < first_row || y >= end_row || x < 0 || x >= width) continue;
      const PicturePixel *other = &strip[(size_t)(y - first_row) * (size_t)width + (size_t)x];
      if (!are_alike(own, other, extent)) continue;
      double weight = weights[i + 2] * weights[j + 2];
      sum = v3_axpy(sum, weight,
                    vec3(ratio(other->color.x, other->albedo.x), ratio(other->color.y, other->albedo.y),
                         ratio(other->color.z, other->albedo.z)));
      total += weight;
    }
  }
  sum = v3_scale(1 / total, sum);
  return vec3(sum.x * own->albedo.x, sum.y * own->albedo.y, sum.z * own->albedo.z);
}
