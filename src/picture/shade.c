/* Light on cloth and obstacles.
 *
 * A pixel is the mean of SAMPLES camera rays on a 3 x 3 grid; each sees a key light (a disc as large as a
 * window, so its shadows are soft), and a sky that is brighter above, through OCCLUSION_RAYS cosine-weighted
 * rays: 36 a pixel. Their directions lie on one golden spiral per pixel, turned from pixel to pixel so that
 * what noise is left looks like fine grain. Nothing is random: the picture is the same on every run and for
 * any number of threads. Cloth is thin and fibrous: some light passes through from behind, and at grazing
 * angles fibres catch the light. Its back is paler, so that folds can be told apart. Where the yarns run is
 * known and they are wide enough to be seen, they are (weave.h). Obstacles are plain and opaque.
 */
#include "picture/parts.h"
#include "picture/weave.h"

#include <math.h>

enum { GRID = 3, SAMPLES = GRID * GRID, OCCLUSION_RAYS = 4 };

static const double pi = 3.14159265358979323846;
static const double key_radius = 0.16;     /* of the light's disc at distance 1: 18 degrees across */
static const double key_strength = 0.98;   /* light on a surface that faces the key light */
static const double sky_strength = 0.60;   /* the same from an open sky */
static const double translucency = 0.22;   /* part of the key light that passes */
static const double sheen_strength = 0.16; /* at grazing angles */
static const double occlusion_reach = 0.6; /* rays longer than this part of the extent meet nothing */
static const double back_blend = 0.30;     /* back faces: this much towards the colour of raw cloth */
static const double shadow_reach = 1.6;    /* the floor's shadow fades within so many extents */
static const double chart_light = 0.62;    /* of the light on a chart that is the same everywhere */
static const double sharp = 0.75;          /* cosine of 41 degrees: obstacles' edges beyond it are sharp */

static double fraction(double x) { return x - floor(x); }

/* The index-th of count points in the unit square, as radius squared and turn of a golden spiral: even over a
 * disc, and over a hemisphere by its cosine. */
static void spiral(double shift, int index, int count, double *a, double *b) {
  *a = (index + fraction(shift * 7.13)) / count;
  *b = fraction(shift + index * 0.6180339887498949);
}

static Vec3 mix(Vec3 a, Vec3 b, double t) { return v3_add(v3_scale(1 - t, a), v3_scale(t, b)); }
static Vec3 multiply(Vec3 a, Vec3 b) { return vec3(a.x * b.x, a.y * b.y, a.z * b.z); }
static double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

static void basis(Vec3 n, Vec3 *s, Vec3 *t) {
  *s = unit(v3_cross(fabs(n.x) > 0.8 ? vec3(0, 1, 0) : vec3(1, 0, 0), n));
  *t = v3_cross(n, *s);
}

static Vec3 cosine_direction(Vec3 n, double a, double b) {
  Vec3 s, t;
  basis(n, &s, &t);
  double radius = sqrt(a), angle = 2 * pi * b;
  Vec3 flat = v3_add(v3_scale(radius * cos(angle), s), v3_scale(radius * sin(angle), t));
  return v3_axpy(flat, sqrt(1 - a), n);
}

static Vec3 light_direction(const PictureStage *stage, double a, double b) {
  Vec3 s, t;
  basis(stage->light, &s, &t);
  double radius = key_radius * sqrt(a), angle = 2 * pi * b;
  Vec3 moved = v3_axpy(v3_axpy(stage->light, radius * cos(angle), s), radius * sin(angle), t);
  return unit(moved);
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

/* Light from the sky on a point, as far as the cloth lets it through: rays that are stopped bring back a
 * little of the surface's own colour. */
static Vec3 sky_light(const PictureStage *stage, Vec3 point, Vec3 n, Vec3 albedo, double shift, int sample) {
  Vec3 sum = vec3(0, 0, 0);
  for (int i = 0; i < OCCLUSION_RAYS; i++) {
    double a, b;
    spiral(shift, sample + i * SAMPLES, SAMPLES * OCCLUSION_RAYS, &a, &b);
    Vec3 direction = cosine_direction(n, a, b);
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
static double key_at(const PictureStage *stage, const Meeting *m, double shift, int sample, double *lit) {
  double a, b;
  spiral(shift + 0.37, sample, SAMPLES, &a, &b);
  Vec3 light = light_direction(stage, a, b);
  double incidence = v3_dot(m->n, light);
  double side = v3_dot(m->flat, light) >= 0 ? 1 : -1;
  *lit = 0;
  if (!(incidence * side > 0)) return 0;
  Vec3 lifted = v3_axpy(m->point, side * 2e-4 * stage->extent, m->flat);
  *lit = is_hidden(stage, lifted, light, 1e3 * stage->extent) ? 0 : 1;
  double through = m->part->is_obstacle ? 0 : translucency;
  return *lit * (incidence > 0 ? incidence : -through * incidence);
}

static Vec3 surface_color(const PictureStage *stage, const Meeting *m, double shift, int sample) {
  const Vec3 warm = vec3(1.0, 0.965, 0.91);
  Vec3 albedo = albedo_at(m);
  double lit, key = key_at(stage, m, shift, sample, &lit);
  Vec3 lifted = v3_axpy(m->point, 2e-4 * stage->extent, m->flat);
  Vec3 around = sky_light(stage, lifted, m->n, albedo, shift, sample);
  Vec3 light = v3_axpy(around, key_strength * key, warm);
  if (m->part->is_chart) {
    double even = (light.x + light.y + light.z) / 3;
    return v3_scale(chart_light + (1 - chart_light) * even, albedo);
  }
  Vec3 color = multiply(albedo, light);
  if (m->part->is_obstacle) return color;
  double grazing = 1 - clamp(v3_dot(m->n, m->to_eye), 0, 1);
  double sheen = sheen_strength * grazing * grazing * grazing;
  return v3_axpy(color, sheen * (0.35 + 0.65 * lit), mix(albedo, vec3(1, 1, 1), 0.30));
}

/* The floor has the colour of the background and shows shadow alone. */
static Vec3 floor_color(const PictureStage *stage, Vec3 point, Vec3 behind, double shift, int sample) {
  Vec3 up = vec3(0, 0, 1);
  double a, b, open = 0;
  for (int i = 0; i < OCCLUSION_RAYS; i++) {
    spiral(shift, sample + i * SAMPLES, SAMPLES * OCCLUSION_RAYS, &a, &b);
    open += is_hidden(stage, point, cosine_direction(up, a, b), shadow_reach * stage->extent) ? 0 : 1;
  }
  spiral(shift + 0.37, sample, SAMPLES, &a, &b);
  double lit = is_hidden(stage, point, light_direction(stage, a, b), 1e3 * stage->extent) ? 0 : 1;
  double shadow = 0.34 * (1 - lit) + 0.50 * (1 - open / OCCLUSION_RAYS);
  return multiply(behind, vec3(1 - shadow, 1 - 0.985 * shadow, 1 - 0.96 * shadow));
}

static Vec3 sample_color(const PictureStage *stage, const PictureView *view, double x, double y, double shift,
                         int sample) {
  Vec3 direction = unit(v3_axpy(v3_axpy(view->forward, x, view->right), y, view->up));
  struct RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  struct RTCRayHit query = {.hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
  query.ray = make_ray(stage, view->eye, direction, 1e30);
  rtcIntersect1(stage->scene, &context, &query);
  Vec3 behind = background(x, y);
  if (query.hit.geomID != RTC_INVALID_GEOMETRY_ID) {
    Vec3 point = v3_axpy(view->eye, query.ray.tfar, direction);
    Meeting m = meet(stage, &query.hit, point, v3_scale(-1, direction));
    m.footprint = query.ray.tfar * view->pixel / GRID;
    return surface_color(stage, &m, shift, sample);
  }
  if (stage->has_ground && direction.z < 0 && view->eye.z > stage->ground) {
    Vec3 point = v3_axpy(view->eye, (stage->ground - view->eye.z) / direction.z, direction);
    return floor_color(stage, point, behind, shift, sample);
  }
  return behind;
}

Vec3 weft_picture_pixel(const PictureStage *stage, const WeftPictureDef *def, const PictureView *view,
                        int column, int row) {
  /* interleaved gradient: neighbours get shifts that are far apart, and 3 x 3 of them are spread evenly */
  double shift = fraction(52.9829189 * fraction(0.06711056 * column + 0.00583715 * row));
  Vec3 sum = vec3(0, 0, 0);
  for (int s = 0; s < SAMPLES; s++) {
    int across = s % GRID, down = s / GRID;
    double x = 2 * (column + (across + 0.5) / GRID) / def->width - 1;
    double y = 1 - 2 * (row + (down + 0.5) / GRID) / def->height;
    Vec3 color = sample_color(stage, view, x, y, shift, s);
    /* highlights are rolled off before the mean, so that bright edges stay smooth */
    sum = v3_add(sum, vec3(fmin(color.x, 1), fmin(color.y, 1), fmin(color.z, 1)));
  }
  return v3_scale(1.0 / SAMPLES, sum);
}
