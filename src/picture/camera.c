/* A camera that finds its own place.
 *
 * Direction: square to the broadest horizontal direction of the vertices (the main axis of their covariance),
 * then 28 degrees aside, and above. Distance and sideways shift: the smallest distance at which every vertex
 * is inside the frustum has a closed form in the camera's axes (see fit). Rejected: along the mean normal:
 * the normals of a gathered curtain point sideways, and it was seen from its end.
 */
#include "picture/parts.h"

#include <float.h>
#include <math.h>

static const double pi = 3.14159265358979323846;

typedef struct Box {
  Vec3 low, high;
} Box;

static Box empty_box(void) {
  return (Box){vec3(DBL_MAX, DBL_MAX, DBL_MAX), vec3(-DBL_MAX, -DBL_MAX, -DBL_MAX)};
}

static void add_to_box(Box *box, const WeftPicturePart *part) {
  for (int v = 0; v < part->vertex_count; v++) {
    Vec3 x = load3(part->positions, v);
    box->low = vec3(fmin(box->low.x, x.x), fmin(box->low.y, x.y), fmin(box->low.z, x.z));
    box->high = vec3(fmax(box->high.x, x.x), fmax(box->high.y, x.y), fmax(box->high.z, x.z));
  }
}

/* How far obstacles may reach to be looked at: the box of all cloth, grown by its own diagonal. Everywhere
 * when there is no cloth. */
static Box reach_of(int part_count, const WeftPicturePart *parts) {
  Box box = empty_box();
  for (int p = 0; p < part_count; p++)
    if (!parts[p].is_obstacle) add_to_box(&box, &parts[p]);
  if (box.low.x > box.high.x) return (Box){box.high, box.low};
  double d = v3_length(v3_sub(box.high, box.low));
  return (Box){v3_sub(box.low, vec3(d, d, d)), v3_add(box.high, vec3(d, d, d))};
}

static bool is_framed(const Box *reach, const WeftPicturePart *part) {
  if (!part->is_obstacle) return true;
  Box box = empty_box();
  add_to_box(&box, part);
  return box.low.x >= reach->low.x && box.low.y >= reach->low.y && box.low.z >= reach->low.z &&
         box.high.x <= reach->high.x && box.high.y <= reach->high.y && box.high.z <= reach->high.z;
}

typedef struct Spread {
  Vec3 mean;
  double xx, xy, yy, zz; /* variances and the horizontal covariance, [m^2] times the number of vertices */
} Spread;

static Spread spread_of(int part_count, const WeftPicturePart *parts) {
  Box reach = reach_of(part_count, parts);
  Spread spread = {.mean = vec3(0, 0, 0)};
  double count = 0;
  for (int p = 0; p < part_count; p++) {
    if (!is_framed(&reach, &parts[p])) continue;
    for (int v = 0; v < parts[p].vertex_count; v++) {
      spread.mean = v3_add(spread.mean, load3(parts[p].positions, v));
      count++;
    }
  }
  if (count > 0) spread.mean = v3_scale(1 / count, spread.mean);
  for (int p = 0; p < part_count; p++) {
    if (!is_framed(&reach, &parts[p])) continue;
    for (int v = 0; v < parts[p].vertex_count; v++) {
      Vec3 d = v3_sub(load3(parts[p].positions, v), spread.mean);
      spread.xx += d.x * d.x;
      spread.xy += d.x * d.y;
      spread.yy += d.y * d.y;
      spread.zz += d.z * d.z;
    }
  }
  return spread;
}

static Vec3 view_direction(int part_count, const WeftPicturePart *parts) {
  const double aside = 28 * pi / 180;
  Spread spread = spread_of(part_count, parts);
  double level = spread.xx + spread.yy;
  /* of the two horizontal eigenvalues; where they are alike (a tube, a square lying flat) no side is the
   * broad one */
  double difference = sqrt((spread.xx - spread.yy) * (spread.xx - spread.yy) + 4 * spread.xy * spread.xy);
  double broad = difference > 0.15 * level ? 0.5 * atan2(2 * spread.xy, spread.xx - spread.yy) : 0;
  Vec3 towards = vec3(sin(broad), -cos(broad), 0);
  if (towards.y > 0) towards = v3_scale(-1, towards);
  /* what lies flat is looked at from higher up */
  double flatness = level > 0 ? 1 - fmin(1, 4 * spread.zz / level) : 0;
  double elevation = (18 + 22 * flatness) * pi / 180;
  double c = cos(aside), s = sin(aside);
  Vec3 turned = vec3(c * towards.x - s * towards.y, s * towards.x + c * towards.y, 0);
  return vec3(-turned.x * cos(elevation), -turned.y * cos(elevation), -sin(elevation));
}

static void axes(Vec3 forward, Vec3 *right, Vec3 *up) {
  Vec3 above = fabs(forward.z) > 0.999 ? vec3(0, 1, 0) : vec3(0, 0, 1);
  *right = unit(v3_cross(forward, above));
  *up = v3_cross(*right, forward);
}

/* A vertex is left of the frustum's right plane when x - ex <= t (z - ez), with (x, y, z) its place along
 * right, up and forward, e the eye and t the tangent of half the field of view. With a = max(x - t z) and b =
 * max(-x - t z) over all vertices both sides touch at ez = -(a + b) / 2t, ex = (a - b) / 2. The same in y;
 * the farther eye of the two is taken. */
static Vec3 fit(int part_count, const WeftPicturePart *parts, Vec3 forward, double tangent_x,
                double tangent_y) {
  Box reach = reach_of(part_count, parts);
  Vec3 right, up;
  axes(forward, &right, &up);
  double a[2] = {-DBL_MAX, -DBL_MAX}, b[2] = {-DBL_MAX, -DBL_MAX};
  const double t[2] = {tangent_x, tangent_y};
  for (int p = 0; p < part_count; p++) {
    if (!is_framed(&reach, &parts[p])) continue;
    for (int v = 0; v < parts[p].vertex_count; v++) {
      Vec3 x = load3(parts[p].positions, v);
      const double side[2] = {v3_dot(x, right), v3_dot(x, up)};
      double depth = v3_dot(x, forward);
      for (int k = 0; k < 2; k++) {
        a[k] = fmax(a[k], side[k] - t[k] * depth);
        b[k] = fmax(b[k], -side[k] - t[k] * depth);
      }
    }
  }
  double depth = fmin(-(a[0] + b[0]) / (2 * t[0]), -(a[1] + b[1]) / (2 * t[1]));
  Vec3 eye = v3_scale(0.5 * (a[0] - b[0]), right);
  return v3_axpy(v3_axpy(eye, 0.5 * (a[1] - b[1]), up), depth, forward);
}

static Box box_of(int part_count, const WeftPicturePart *parts) {
  Box box = empty_box(), reach = reach_of(part_count, parts);
  for (int p = 0; p < part_count; p++)
    if (is_framed(&reach, &parts[p])) add_to_box(&box, &parts[p]);
  if (box.low.x > box.high.x) box.low = box.high = vec3(0, 0, 0);
  return box;
}

double weft_picture_extent(int part_count, const WeftPicturePart *parts) {
  Box box = box_of(part_count, parts);
  double diagonal = v3_length(v3_sub(box.high, box.low));
  return diagonal > 0 && isfinite(diagonal) ? diagonal : 1;
}

WeftPictureDef weft_picture_frame(int32_t width, int32_t height, int32_t part_count,
                                  const WeftPicturePart *parts) {
  WeftPictureDef def = {.width = width, .height = height, .has_ground = true};
  def.camera.fov = 30;
  Box box = box_of(part_count, parts);
  Vec3 low = box.low, high = box.high;
  double diagonal = weft_picture_extent(part_count, parts);
  def.ground = low.z - 0.04 * diagonal;
  Vec3 forward = view_direction(part_count, parts);
  Vec3 center = v3_scale(0.5, v3_add(low, high));
  const double filled = 0.86; /* of the picture; the rest is margin */
  double tangent = filled * tan(0.5 * def.camera.fov * pi / 180);
  Vec3 eye = v3_axpy(center, -2 * diagonal, forward);
  if (high.x > low.x || high.y > low.y || high.z > low.z)
    eye = fit(part_count, parts, forward, tangent * width / height, tangent);
  double reach = fmax(v3_dot(v3_sub(center, eye), forward), 0.1 * diagonal);
  store3(def.camera.from, 0, eye);
  store3(def.camera.to, 0, v3_axpy(eye, reach, forward));
  return def;
}

PictureView weft_picture_view(const WeftPictureDef *def) {
  PictureView view = {.eye = load3(def->camera.from, 0)};
  view.forward = unit(v3_sub(load3(def->camera.to, 0), view.eye));
  axes(view.forward, &view.right, &view.up);
  double tangent = tan(0.5 * def->camera.fov * pi / 180);
  view.right = v3_scale(tangent * def->width / def->height, view.right);
  view.up = v3_scale(tangent, view.up);
  return view;
}

bool weft_picture_shows(const WeftPictureDef *def, int32_t part_count, const WeftPicturePart *parts) {
  PictureView view = weft_picture_view(def);
  Box reach = reach_of(part_count, parts);
  double right2 = v3_dot(view.right, view.right), up2 = v3_dot(view.up, view.up);
  for (int p = 0; p < part_count; p++) {
    if (!is_framed(&reach, &parts[p])) continue;
    for (int v = 0; v < parts[p].vertex_count; v++) {
      Vec3 x = v3_sub(load3(parts[p].positions, v), view.eye);
      double depth = v3_dot(x, view.forward);
      if (!(fabs(v3_dot(x, view.right)) <= depth * right2 && fabs(v3_dot(x, view.up)) <= depth * up2))
        return false;
      if (def->has_ground && !(parts[p].positions[3 * v + 2] >= def->ground)) return false;
    }
  }
  return true;
}
