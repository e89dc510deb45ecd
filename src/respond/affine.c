#include "respond/affine.h"

/* Points that spread less than a millionth as far in a direction as in the widest say nothing about it. */
static const double FLAT = 1e-12;

/* Nor do those that spread less than this part of their coordinates, where rounding shows: all in one place,
 * their mean is beside them by a bit. */
static const double PLACE = 1e-10;

/* Each sweep squares what is off the diagonal, once it is small. */
enum { SWEEPS = 8 };

void weft_affine_add_mean(WeftAffine *motion, double weight, Vec3 x, Vec3 moved) {
  motion->weight += weight;
  motion->centre = v3_axpy(motion->centre, weight, x);
  motion->shift = v3_axpy(motion->shift, weight, moved);
}

void weft_affine_mean(WeftAffine *motion) {
  if (!(motion->weight > 0)) return;
  motion->centre = v3_scale(1 / motion->weight, motion->centre);
  motion->shift = v3_scale(1 / motion->weight, motion->shift);
}

static void add_outer(Vec3 *rows, Vec3 a, Vec3 b) {
  rows[0] = v3_axpy(rows[0], a.x, b);
  rows[1] = v3_axpy(rows[1], a.y, b);
  rows[2] = v3_axpy(rows[2], a.z, b);
}

void weft_affine_add_spread(WeftAffine *motion, Vec3 x, Vec3 moved) {
  Vec3 from = v3_sub(x, motion->centre);
  add_outer(motion->spread, from, from);
  add_outer(motion->mixed, v3_sub(moved, motion->shift), from);
}

static Vec3 times(const Vec3 *rows, Vec3 a) {
  return vec3(v3_dot(rows[0], a), v3_dot(rows[1], a), v3_dot(rows[2], a));
}

/* Turns the orthonormal axes p and q within their plane until the symmetric matrix does not mix them. */
static void turn(const Vec3 *matrix, Vec3 *p, Vec3 *q) {
  double off = v3_dot(*p, times(matrix, *q));
  double apart = v3_dot(*q, times(matrix, *q)) - v3_dot(*p, times(matrix, *p));
  if (off == 0) return;
  double tangent = 2 * off / (fabs(apart) + sqrt(apart * apart + 4 * off * off));
  if (apart < 0) tangent = -tangent;
  double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
  Vec3 old = *p;
  *p = v3_axpy(v3_scale(cosine, old), -sine, *q);
  *q = v3_axpy(v3_scale(cosine, *q), sine, old);
}

/* gradient = mixed spread^+, with the main axes of the spread found by Jacobi's rotations. */
void weft_affine_fit(WeftAffine *motion) {
  Vec3 axis[3] = {vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)};
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    turn(motion->spread, &axis[0], &axis[1]);
    turn(motion->spread, &axis[0], &axis[2]);
    turn(motion->spread, &axis[1], &axis[2]);
  }
  double wide[3], widest = 0;
  double place = PLACE * PLACE * motion->weight * v3_dot(motion->centre, motion->centre);
  for (int k = 0; k < 3; k++) {
    wide[k] = v3_dot(axis[k], times(motion->spread, axis[k]));
    widest = fmax(widest, wide[k]);
  }
  for (int k = 0; k < 3; k++) {
    if (!(wide[k] > FLAT * widest && wide[k] > place)) continue;
    add_outer(motion->gradient, v3_scale(1 / wide[k], times(motion->mixed, axis[k])), axis[k]);
  }
}

Vec3 weft_affine_at(const WeftAffine *motion, Vec3 x) {
  return v3_add(motion->shift, times(motion->gradient, v3_sub(x, motion->centre)));
}
