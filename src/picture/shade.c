/* Light on cloth and obstacles.
 *
 * A pixel is the mean of SAMPLES camera rays on a 3 x 3 grid; each sees a key light (a disc as large as a
 * window, so its shadows are soft), and a sky that is brighter above, through OCCLUSION_RAYS cosine-weighted
 * rays: 18 a pixel. Their directions lie on one golden spiral per pixel, turned from pixel to pixel; what
 * noise is left is evened out between neighbours afterwards (smooth.c). Nothing is random: the picture is the
 * same on every run and for any number of threads. Cloth is thin and fibrous: some light passes through from
 * behind, and at grazing angles fibres catch the light. Its back is paler, so that folds can be told apart.
 * Where the yarns run is known and they are wide enough to be seen, they are (weave.h). Obstacles are plain
 * and opaque.
 */
#include "picture/parts.h"
#include "picture/weave.h"

#include <math.h>

enum { GRID = 3, SAMPLES = GRID * GRID, OCCLUSION_RAYS = 2 };
_Static_assert(SAMPLES *OCCLUSION_RAYS <= WEFT_PICTURE_SPIRAL, "the spiral has a point for every ray");

static const double pi = 3.14159265358979323846;
static const double key_radius = 0.16;     /* of the light's disc at distance 1: 18 degrees across */
static const double key_strength = 0.90;   /* light on a surface that faces the key light */
static const double sky_strength = 0.50;   /* the same from an open sky */
static const double translucency = 0.20;   /* part of the key light that passes */
static const double sheen_strength = 0.16; /* at grazing angles */
static const double occlusion_reach = 0.6; /* rays longer than this part of the extent meet nothing */
static const double back_blend = 0.30;     /* back faces: this much towards the colour of raw cloth */
static const double shadow_reach = 1.6;    /* the floor's shadow fades within so many extents */
static const double chart_light = 0.62;    /* of the light on a chart that is the same everywhere */
static const double sharp = 0.75;          /* cosine of 41 degrees: obstacles' edges beyond it are sharp */

static void basis(Vec3 n, Vec3 *s, Vec3 *t) {
  *s = unit(v3_cross(fabs(n.x) > 0.8 ? vec3(0, 1, 0) : vec3(1, 0, 0), n));
  *t = v3_cross(n, *s);
}

static double fraction(double x) { return x - floor(x); }

/* The points of a pixel: a golden spiral, even over a disc, and by its cosine over a hemisphere. */
typedef struct Turn {
  double start;  /* of the radius, 0 to 1 of a point's share */
  double sky[2]; /* cosine and sine of the angle by which the spiral is turned, for the sky ... */
  double key[2]; /* ... and for the key light */
} Turn;

static Turn make_turn(double shift) {
  return (Turn){fraction(7.13 * shift),
                {cos(2 * pi * shift), sin(2 * pi * shift)},
                {cos(2 * pi * (shift + 0.37)), sin(2 * pi * (shift + 0.37))}};
}

/* The index-th of count points in the unit disc. */
static void spiral_point(const PictureStage *stage, double start, const double turn[2], int index, int count,
                         double *x, double *y) {
  double radius = sqrt((index + start) / count);
  const double *at = stage->spiral[index];
  *x = radius * (at[0] * turn[0] - at[1] * turn[1]);
  *y = radius * (at[0] * turn[1] + at[1] * turn[0]);
}

void weft_picture_make_spiral(PictureStage *stage) {
  const double golden = 0.6180339887498949; /* of a turn */
  for (int i = 0; i < WEFT_PICTURE_SPIRAL; i++) {
    stage->spiral[i][0] = cos(2 * pi * fraction(golden * i));
    stage->spiral[i][1] = sin(2 * pi * fraction(golden * i));
  }
  basis(stage->light, &stage->light_s, &stage->light_t);
}

static Vec3 mix(Vec3 a, Vec3 b, double t) { return v3_add(v3_scale(1 - t, a), v3_scale(t, b)); }
static Vec3 multiply(Vec3 a, Vec3 b) { return vec3(a.x * b.x, a.y * b.y, a.z * b.z); }
static double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

static Vec3 light_direction(const PictureStage *stage, const Turn *turn, int sample) {
  double x, y;
  spiral_point(stage, turn->start, turn->key, sample, SAMPLES, &x, &y);
  return unit(v3_axpy(v3_axpy(stage->light, key_radius * x, stage->light_s), key_radius * y, stage->light_t));
}

/* The sky by direction: cool and bright above, warm and dim from below. */
static Vec3 sky(Vec3 direction) {
  return mix(vec3(0.50, 0.47, 0.43), vec3(1.02, 1.07, 1.15), 0.5 + 0.5 * direction.z);
}

/* Behind everything: a pale wall without an end, lighter above. x, y in -1..1 over the picture. */
static Vec3 background(double x, double y) {
  Vec3 color = mix(vec3(0.66, 0.655, 0.65), vec3(0.86, 0.87, 0.885), 0.5 + 0.5 * clamp(y, -1, 1));
  return v3_scale(1 - 0.07 * (x * x + y * y), color);
}

static struct RTCRay make_ray(const PictureStage *stage, Vec3 from, Vec3 direction, double reach) {
  struct RTCRay ray = {.mask = (unsigned)-1};
  ray.org_x = (float)from.x;
  ray.org_y = (float)from.y;
  ray.org_z = (float)from.z;
  ray.dir_x = (float)direction.x;
  ray.dir_y = (float)direction.y;
  ray.dir_z = (float)direction.z;
  ray.tnear = (float)(1e-4 * stage->extent);
  ray.tfar = (float)reach;
  return ray;
}

static bool is_hidden(const PictureStage *stage, Vec3 from, Vec3 direction, double reach) {
  struct RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  struct RTCRay ray = make_ray(stage, from, direction, reach);
  rtcOccluded1(stage->scene, &context, &ray);
  return ray.tfar < 0;
}

/* The index-th of count rays of a pixel towards the sky; s and t are square to the normal n. */
static Vec3 sky_ray(const PictureStage *stage, const Turn *turn, int index, int count, Vec3 n, Vec3 s,
                    Vec3 t) {
  double x, y;
  spiral_point(stage, turn->start, turn->sky, index, count, &x, &y);
  return v3_axpy(v3_axpy(v3_scale(sqrt(fmax(1 - x * x - y * y, 0)), n), x, s), y, t);
}

/* Light from the sky on a point, as far as the cloth lets it through: rays that are stopped bring back a
 * little of the surface's own colour. */
static Vec3 sky_light(const PictureStage *stage, Vec3 point, Vec3 n, Vec3 albedo, const Turn *turn,
                      int sample) {
  Vec3 sum = vec3(0, 0, 0), s, t;
  basis(n, &s, &t);
  for (int i = 0; i < OCCLUSION_RAYS; i++) {
    Vec3 direction = sky_ray(stage, turn, sample + i * SAMPLES, SAMPLES * OCCLUSION_RAYS, n, s, t);
    bool hidden = is_hidden(stage, point, direction, occlusion_reach * stage->extent);
    sum = v3_add(sum, hidden ? v3_scale(0.22, albedo) : sky(direction));
  }
  return v3_scale(sky_strength / OCCLUSION_RAYS, sum);
}

/* A part's normal at a point. Cloth is smooth; of an obstacle, corners whose own normal is far from the
 * face's belong to a sharp edge, and have the face's. */
static Vec3 normal_at(const WeftPicturePart *part, const Vec3 *normals, const int32_t corner[3], Vec3 flat,
                      const double weight[3]) {
  Vec3 n = vec3(0, 0, 0);
  for (int k = 0; k < 3; k++) {
    Vec3 own = normals[corner[k]];
    double along = v3_dot(own, flat);
    if (part->is_obstacle && fabs(along) < sharp) own = flat;
    /* neighbours that run round the other way must not cancel out */
    if (part->is_obstacle && along <= -sharp) own = v3_scale(-1, own);
    n = v3_axpy(n, weight[k], own);
  }
  return unit(n);
}

/* Where a camera ray met a part. */
typedef struct Meeting {
  const WeftPicturePart *part;
  const int32_t *corner; /* of the triangle */
  size_t triangle;
  double weight[3]; /* of its corners */
  Vec3 point, to_eye;
  Vec3 n, flat; /* smooth and flat normal, both towards the eye */
  bool is_back;
  double footprint; /* width of what a sample stands for [m] */
} Meeting;

static Meeting meet(const PictureStage *stage, const struct RTCHit *hit, Vec3 point, Vec3 to_eye) {
  Meeting m = {.part = &stage->parts[hit->geomID], .triangle = hit->primID, .point = point, .to_eye = to_eye};
  m.corner = m.part->triangles + 3 * m.triangle;
  m.weight[0] = 1 - (double)hit->u - (double)hit->v;
  m.weight[1] = hit->u;
  m.weight[2] = hit->v;
  m.flat = unit(vec3(hit->Ng_x, hit->Ng_y, hit->Ng_z));
  m.n = normal_at(m.part, stage->normals[hit->geomID], m.corner, m.flat, m.weight);
  if (v3_dot(m.n, m.flat) < 0) m.flat = v3_scale(-1, m.flat);
  m.is_back = v3_dot(m.flat, to_eye) < 0;
  if (m.is_back) {
    m.flat = v3_scale(-1, m.flat);
    m.n = v3_scale(-1, m.n);
  }
  double facing = v3_dot(m.n, to_eye);
  if (facing < 0.02)
    m.n = unit(v3_axpy(m.n, 0.02 - facing, to_eye)); /* smooth normals can look away at a silhouette */
  return m;
}

static Vec3 albedo_at(const Meeting *m) {
  const WeftPicturePart *part = m->part;
  Vec3 albedo = load3(part->color, 0);
  if (part->colors) {
    albedo = vec3(0, 0, 0);
    for (int k = 0; k < 3; k++) albedo = v3_axpy(albedo, m->weight[k], load3(part->colors, m->corner[k]));
  }
  if (part->is_obstacle || part->is_chart) return albedo;
  if (m->is_back) albedo = mix(albedo, vec3(0.60, 0.575, 0.54), back_blend);
  if (!part->uvs) return albedo;
  double u = 0, v = 0;
  for (int k = 0; k < 3; k++) {
    u += m->weight[k] * part->uvs[6 * m->triangle + 2 * (size_t)k];
    v += m->weight[k] * part->uvs[6 * m->triangle + 2 * (size_t)k + 1];
  }
  double footprint = m->footprint / clamp(v3_dot(m->n, m->to_eye), 0.15, 1);
  return v3_scale(weave_shade(u / part->yarn, v / part->yarn, footprint / part->yarn), albedo);
}

/* The key light that arrives, 0 to 1; lit tells whether it is seen from the point. */
static double key_at(const PictureStage *stage, const Meeting *m, const Turn *turn, int sample, double *lit) {
  Vec3 light = light_direction(stage, turn, sample);
  double incidence = v3_dot(m->n, light);
  double side = v3_dot(m->flat, light) >= 0 ? 1 : -1;
  *lit = 0;
  if (!(incidence * side > 0)) return 0;
  Vec3 lifted = v3_axpy(m->point, side * 2e-4 * stage->extent, m->flat);
  *lit = is_hidden(stage, lifted, light, 1e3 * stage->extent) ? 0 : 1;
  double through = m->part->is_obstacle ? 0 : translucency;
  return *lit * (incidence > 0 ? incidence : -through * incidence);
}

/* The light a surface sends back, for each part of what falls on it: times its albedo this is its colour. */
static Vec3 surface_light(const PictureStage *stage, const Meeting *m, Vec3 albedo, const Turn *turn,
                          int sample) {
  const Vec3 warm = vec3(1.0, 0.965, 0.91);
  double lit, key = key_at(stage, m, turn, sample, &lit);
  Vec3 lifted = v3_axpy(m->point, 2e-4 * stage->extent, m->flat);
  Vec3 around = sky_light(stage, lifted, m->n, albedo, turn, sample);
  Vec3 light = v3_axpy(around, key_strength * key, warm);
  if (m->part->is_chart) {
    double even = chart_light + (1 - chart_light) * (light.x + light.y + light.z) / 3;
    return vec3(even, even, even);
  }
  if (m->part->is_obstacle) return light;
  double grazing = 1 - clamp(v3_dot(m->n, m->to_eye), 0, 1);
  double sheen = sheen_strength * grazing * grazing * grazing * (0.35 + 0.65 * lit);
  /* part of it has the yarns' colour, part is white: a share of 1 / albedo, which is bounded for black cloth
   */
  return v3_add(light,
                vec3(sheen * (0.7 + 0.3 / fmax(albedo.x, 0.04)), sheen * (0.7 + 0.3 / fmax(albedo.y, 0.04)),
                     sheen * (0.7 + 0.3 / fmax(albedo.z, 0.04))));
}

/* The floor has the colour of the background and shows shadow alone. One ray to the sky is enough: the light
 * on it changes slowly, and is evened out farther. */
static Vec3 floor_light(const PictureStage *stage, Vec3 point, const Turn *turn, int sample) {
  Vec3 up = sky_ray(stage, turn, sample, SAMPLES, vec3(0, 0, 1), vec3(1, 0, 0), vec3(0, 1, 0));
  double open = is_hidden(stage, point, up, shadow_reach * stage->extent) ? 0 : 1;
  Vec3 light = light_direction(stage, turn, sample);
  double lit = is_hidden(stage, point, light, 1e3 * stage->extent) ? 0 : 1;
  double shadow = 0.34 * (1 - lit) + 0.50 * (1 - open);
  return vec3(1 - shadow, 1 - 0.985 * shadow, 1 - 0.96 * shadow);
}

/* What a camera ray sees. */
typedef struct Seen {
  int surface; /* as in PicturePixel */
  Vec3 albedo, light, normal;
  double depth;
} Seen;

static Seen look(const PictureStage *stage, const PictureView *view, double x, double y, const Turn *turn,
                 int sample) {
  Vec3 direction = unit(v3_axpy(v3_axpy(view->forward, x, view->right), y, view->up));
  struct RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  struct RTCRayHit query = {.hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
  query.ray = make_ray(stage, view->eye, direction, 1e30);
  rtcIntersect1(stage->scene, &context, &query);
  Seen seen = {PICTURE_NOTHING, background(x, y), vec3(1, 1, 1), vec3(0, 0, 1), 0};
  if (query.hit.geomID != RTC_INVALID_GEOMETRY_ID) {
    seen.depth = query.ray.tfar;
    Meeting m = meet(stage, &query.hit, v3_axpy(view->eye, seen.depth, direction), v3_scale(-1, direction));
    m.footprint = seen.depth * view->pixel / GRID;
    seen.surface = PICTURE_PARTS + (int)query.hit.geomID;
    seen.normal = m.n;
    seen.albedo = albedo_at(&m);
    seen.light = surface_light(stage, &m, seen.albedo, turn, sample);
  } else if (stage->has_ground && direction.z < 0 && view->eye.z > stage->ground) {
    seen.surface = PICTURE_FLOOR;
    Vec3 point = v3_axpy(view->eye, (stage->ground - view->eye.z) / direction.z, direction);
    seen.light = floor_light(stage, point, turn, sample);
  }
  return seen;
}

PicturePixel weft_picture_pixel(const PictureStage *stage, const WeftPictureDef *def, const PictureView *view,
                                int column, int row) {
  /* interleaved gradient: neighbours get shifts that are far apart, and 3 x 3 of them are spread evenly */
  Turn turn = make_turn(fraction(52.9829189 * fraction(0.06711056 * column + 0.00583715 * row)));
  PicturePixel pixel = {0};
  Vec3 sum = vec3(0, 0, 0);
  for (int s = 0; s < SAMPLES; s++) {
    int across = s % GRID, down = s / GRID;
    double x = 2 * (column + (across + 0.5) / GRID) / def->width - 1;
    double y = 1 - 2 * (row + (down + 0.5) / GRID) / def->height;
    Seen seen = look(stage, view, x, y, &turn, s);
    pixel.surface = s == 0 || pixel.surface == seen.surface ? seen.surface : PICTURE_MIXED;
    pixel.albedo = v3_axpy(pixel.albedo, 1.0 / SAMPLES, seen.albedo);
    pixel.normal = v3_axpy(pixel.normal, 1.0 / SAMPLES, seen.normal);
    pixel.depth += seen.depth / SAMPLES;
    /* what is brighter than white is cut before the mean, so that bright edges stay smooth */
    Vec3 color = multiply(seen.albedo, seen.light);
    sum = v3_axpy(sum, 1.0 / SAMPLES, vec3(fmin(color.x, 1), fmin(color.y, 1), fmin(color.z, 1)));
  }
  pixel.color = sum;
  pixel.normal = unit(pixel.normal);
  return pixel;
}
