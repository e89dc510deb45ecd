#include "ccd_families.h"

static double either(uint64_t *seed, double a, double b) { return random_unit(seed) < 0.5 ? a : b; }
/* 10^low to 10^high, either sign */
static double magnitude(uint64_t *seed, double low, double high) {
  return either(seed, -1, 1) * pow(10, random_in(seed, low, high));
}
static Vec3 random_point(uint64_t *seed) {
  Vec3 p;
  p.x = random_in(seed, -1, 1);
  p.y = random_in(seed, -1, 1);
  p.z = random_in(seed, -1, 1);
  return p;
}
static Vec3 *point(CcdQuery *q, int i) { return i < 4 ? &q->x0[i] : &q->x1[i - 4]; }
static double *coordinate(CcdQuery *q, int i) {
  Vec3 *p = point(q, i / 3);
  return i % 3 == 0 ? &p->x : i % 3 == 1 ? &p->y : &p->z;
}

static void make_random(CcdQuery *q, uint64_t *seed) {
  q->is_edges = random_unit(seed) < 0.5;
  for (int i = 0; i < 8; i++) *point(q, i) = random_point(seed);
}

/* Two layers that move as cloth does: a little, and almost together. */
static void make_layers(CcdQuery *q, uint64_t *seed) {
  make_random(q, seed);
  Vec3 drift = v3_scale(magnitude(seed, -3, 0), random_point(seed));
  for (int i = 0; i < 4; i++) {
    q->x0[i].z = 0.02 * q->x0[i].z + ((q->is_edges ? i < 2 : i < 1) ? 0.03 : 0);
    q->x1[i] = v3_add(v3_axpy(q->x0[i], 0.03, random_point(seed)), drift);
  }
}

static void make_coplanar(CcdQuery *q, uint64_t *seed) {
  make_random(q, seed);
  double height = either(seed, 0, magnitude(seed, -18, -4));
  for (int i = 0; i < 8; i++) point(q, i)->z *= height;
}

/* Almost parallel edges, slivers. */
static void make_parallel(CcdQuery *q, uint64_t *seed) {
  make_random(q, seed);
  double angle = either(seed, 0, magnitude(seed, -17, -2));
  for (int k = 0; k < 2; k++) {
    Vec3 *x = k ? q->x1 : q->x0, along = random_point(seed);
    if (q->is_edges) {
      x[1] = v3_add(x[0], along);
      x[3] =
          v3_axpy(v3_axpy(x[2], either(seed, -1, random_in(seed, -2, 2)), along), angle, random_point(seed));
    } else {
      x[3] = v3_axpy(v3_axpy(x[1], random_in(seed, -2, 2), v3_sub(x[2], x[1])), angle, random_point(seed));
    }
  }
}

static void make_tiny_motion(CcdQuery *q, uint64_t *seed) {
  make_random(q, seed);
  double motion = magnitude(seed, -15, -6);
  /* about to touch */
  double s = random_unit(seed), t = random_unit(seed) * (1 - s);
  Vec3 *x = q->x0;
  Vec3 on = v3_axpy(v3_axpy(x[1], s, v3_sub(x[2], x[1])), t, v3_sub(x[3], x[1]));
  if (q->is_edges) on = v3_add(v3_axpy(x[2], s, v3_sub(x[3], x[2])), v3_scale(t, v3_sub(x[0], x[1])));
  Vec3 shift = v3_axpy(v3_sub(on, x[0]), motion, random_point(seed));
  x[0] = v3_add(x[0], shift);
  if (q->is_edges) x[1] = v3_add(x[1], shift);
  for (int i = 0; i < 4; i++) q->x1[i] = v3_axpy(q->x0[i], motion, random_point(seed));
}

static void move_all(CcdQuery *q, Vec3 offset, double scale) {
  for (int i = 0; i < 8; i++) *point(q, i) = v3_axpy(offset, scale, *point(q, i));
}
static void make_offset(CcdQuery *q, uint64_t *seed) {
  make_random(q, seed);
  move_all(q, v3_scale(magnitude(seed, 3, 9), random_point(seed)), 1);
}
static void make_scaled(CcdQuery *q, uint64_t *seed) {
  make_random(q, seed);
  move_all(q, vec3(0, 0, 0), magnitude(seed, -9, 6));
}

/* Every coordinate of its own order of magnitude: what is large hides what is small. */
static void make_mixed(CcdQuery *q, uint64_t *seed) {
  make_random(q, seed);
  for (int i = 0; i < 24; i++) *coordinate(q, i) = magnitude(seed, -12, 2);
}

/* They meet on an end of the edge, or on the rim or a corner of the face, up to roundings and a little. */
static void make_rim(CcdQuery *q, uint64_t *seed) {
  make_random(q, seed);
  double time = either(seed, 0.5, random_unit(seed)), miss = either(seed, 0, magnitude(seed, -17, -7));
  double s = either(seed, either(seed, 0, 1), random_unit(seed)), t = either(seed, 0, 1 - s);
  Vec3 x[4];
  for (int i = 0; i < 4; i++) x[i] = v3_axpy(v3_scale(1 - time, q->x0[i]), time, q->x1[i]);
  Vec3 shift;
  if (q->is_edges) {
    t = either(seed, 0, random_unit(seed));
    shift = v3_axpy(v3_sub(v3_axpy(x[2], t, v3_sub(x[3], x[2])), x[0]), -s, v3_sub(x[1], x[0]));
  } else {
    shift = v3_sub(v3_axpy(v3_axpy(x[1], s, v3_sub(x[2], x[1])), t, v3_sub(x[3], x[1])), x[0]);
  }
  shift = v3_axpy(shift, miss, random_point(seed));
  for (int k = 0; k < 2; k++) {
    Vec3 *moved = k ? q->x1 : q->x0;
    moved[0] = v3_add(moved[0], shift);
    if (q->is_edges) moved[1] = v3_add(moved[1], shift);
  }
}

/* The face turns while the vertex comes down to it and goes up again: the cubic has a double root, or two
 * close ones, or almost one [the cases VF13 and EE10, with other numbers]. */
static void make_grazing(CcdQuery *q, uint64_t *seed) {
  q->is_edges = random_unit(seed) < 0.5;
  double k = random_in(seed, 0.25, 4), middle = either(seed, 0.5, random_in(seed, 0.2, 0.8));
  double miss = either(seed, 0, magnitude(seed, -17, -4)), y = random_in(seed, 0.1, 0.4);
  /* z = k (x - t) x over t, at x = t touches k middle^2 / ... : height k t (1 - t) along x = t */
  Vec3 a = vec3(0, 0, 0), b0 = vec3(1, 0, k), b1 = vec3(1, 0, 0), c = vec3(0, 1, 0);
  double height = k * middle * (1 - middle), slope = k * (1 - 2 * middle);
  Vec3 v0 = vec3(0, y, height - slope * middle + miss), v1 = vec3(1, y, height + slope * (1 - middle) + miss);
  if (!q->is_edges) {
    q->x0[0] = v0, q->x0[1] = a, q->x0[2] = b0, q->x0[3] = c;
    q->x1[0] = v1, q->x1[1] = a, q->x1[2] = b1, q->x1[3] = c;
    return;
  }
  /* a rod across the turning edge from (0,0) to (1,0) in the place of the vertex */
  q->x0[0] = vec3(0, -1, v0.z), q->x0[1] = vec3(0, 1, v0.z), q->x0[2] = a, q->x0[3] = b0;
  q->x1[0] = vec3(1, -1, v1.z), q->x1[1] = vec3(1, 1, v1.z), q->x1[2] = a, q->x1[3] = b1;
}

static void make_shared(CcdQuery *q, uint64_t *seed) {
  make_random(q, seed);
  int copies = 1 + (int)random_in(seed, 0, 12);
  for (int i = 0; i < copies; i++) {
    int from = (int)random_in(seed, 0, 24), to = (int)random_in(seed, 0, 24);
    if (random_unit(seed) < 0.3)
      *point(q, to / 3) = *point(q, from / 3);
    else
      *coordinate(q, to) = *coordinate(q, from);
  }
}

static void make_lattice(CcdQuery *q, uint64_t *seed) {
  q->is_edges = random_unit(seed) < 0.5;
  int reach = 1 + (int)random_in(seed, 0, 4);
  for (int i = 0; i < 24; i++) *coordinate(q, i) = floor(random_in(seed, -reach, reach + 1));
}

/* A face or edge turns about the point next to which the other one is. */
static void make_pivot(CcdQuery *q, uint64_t *seed) {
  make_random(q, seed);
  double distance = magnitude(seed, -9, -1), turn = random_in(seed, -1, 1);
  Vec3 drift = v3_scale(magnitude(seed, -6, 0), random_point(seed));
  for (int i = 0; i < 4; i++) {
    Vec3 *x = &q->x0[i];
    bool is_first = q->is_edges ? i < 2 : i < 1;
    if (is_first && !q->is_edges) *x = vec3(0, 0, 0);
    if (is_first && q->is_edges) x->z *= 0.1;
    if (!is_first) x->z = distance;
    q->x1[i] = is_first ? v3_add(*x, v3_scale(distance, random_point(seed)))
                        : v3_add(vec3(x->x, x->y, x->z + turn * x->x), v3_scale(fabs(distance), drift));
  }
  if (q->is_edges) {
    q->x0[1] = v3_scale(-1, q->x0[0]);
    q->x1[1] = v3_scale(-1, q->x1[0]);
  }
}

/* In one plane, turning about a point near an edge: directions change all the time, and the cubic is zero. */
static void make_flat_pivot(CcdQuery *q, uint64_t *seed) {
  make_random(q, seed);
  double distance = magnitude(seed, -5, -1);
  q->x0[2] = vec3(-1, 0, 0), q->x0[3] = vec3(1, 0, 0);
  q->x1[2] = vec3(-1, random_in(seed, -1, 1), 0), q->x1[3] = vec3(1, -q->x1[2].y, 0);
  q->x0[0] = vec3(random_in(seed, -0.1, 0.1), distance, 0);
  q->x1[0] = v3_axpy(q->x0[0], distance, random_point(seed));
  q->x0[1].y = -copysign(q->x0[1].y, distance) * (q->is_edges ? -1 : 1);
  q->x1[1].y = -copysign(q->x1[1].y, distance) * (q->is_edges ? -1 : 1);
  for (int i = 0; i < 8; i++) point(q, i)->z = 0;
}

/* Small features that fly far. */
static void make_fast(CcdQuery *q, uint64_t *seed) {
  make_random(q, seed);
  double small = magnitude(seed, -8, -2);
  Vec3 motion = random_point(seed), apart = random_point(seed);
  for (int i = 0; i < 4; i++) {
    bool is_first = q->is_edges ? i < 2 : i < 1;
    q->x1[i] =
        v3_axpy(v3_scale(small, q->x1[i]), is_first ? random_in(seed, 0.9999999, 1.0000001) : 1, motion);
    q->x0[i] = v3_scale(small, q->x0[i]);
    if (is_first) q->x0[i] = v3_add(q->x0[i], apart);
    if (is_first) q->x1[i] = v3_axpy(q->x1[i], -1, apart);
  }
}

static void make_resting(CcdQuery *q, uint64_t *seed) {
  make_random(q, seed);
  double distance = either(seed, 0, magnitude(seed, -16, -2));
  Vec3 slide = vec3(random_in(seed, -1, 1), random_in(seed, -1, 1), either(seed, 0, 0.5 * distance));
  for (int i = 0; i < 4; i++) {
    bool is_first = q->is_edges ? i < 2 : i < 1;
    q->x0[i].z = is_first ? distance : 0;
    q->x1[i] = is_first ? v3_add(q->x0[i], slide) : q->x0[i];
  }
}

const CcdFamily ccd_families[CCD_FAMILY_COUNT] = {
    {"random", false, make_random},
    {"layers", false, make_layers},
    {"scaled 1e-9 to 1e6", false, make_scaled},
    {"offset 1e3 to 1e9", false, make_offset},
    {"pivot", false, make_pivot},
    {"small and fast", false, make_fast},
    {"integer lattice", false, make_lattice},
    {"shared coordinates", false, make_shared},
    {"mixed magnitudes", true, make_mixed},
    {"tiny motion", true, make_tiny_motion},
    {"nearly coplanar", true, make_coplanar},
    {"nearly parallel", true, make_parallel},
    {"on the rim", true, make_rim},
    {"grazing", true, make_grazing},
    {"resting, sliding", true, make_resting},
    {"pivot in the plane", true, make_flat_pivot},
};
